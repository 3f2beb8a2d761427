//! Who answers: the object-safe [`Handler`] and the [`Call`] it is given.
//!
//! Owns: one activation of a handler from start to answer, questions to the client,
//! parking, cancellation. Must not know: sockets, HTTP, registries.

mod ask;
mod bus;
mod call;
mod cancel;
mod engine;
mod facts;
mod parking;
mod retry;
mod scope;
mod spawn;
mod task;

use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use mcpbolt_proto::http::param_headers::ParamHeaders;
use mcpbolt_proto::session::{Answer, InboundNotification, Problem};

pub use ask::AskFuture;
pub use bus::{Bus, Subscriber};
pub use call::{Call, CallId, Link, NotSentError, ReplyFn, Sent};
pub use cancel::Cancelled;
pub use engine::{Clock, Engine, EngineOptions, InputMode, SystemClock};
pub use facts::ServerFacts;
pub use parking::Parking;
pub use retry::Entry;
pub use scope::{ConnectionId, ConnectionInfo, Origin, Principal, RequestHead, Scope, TransportKind};
pub use spawn::Spawner;
pub use task::{run_inline, start};

/// A boxed, sendable future.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// How a handler answers.
pub enum Reply {
    /// At once.
    Done(Answer),
    /// When this future ends. Dropped when the call is cancelled.
    Later(BoxFuture<'static, Answer>),
    /// By [`Call::finish`], from anywhere.
    Detached,
}

/// Whoever answers requests: a Rust server, or an inbox of a language binding.
pub trait Handler: Send + Sync + 'static {
    /// What the server is and can do now. Asked for every message: must be cheap.
    fn facts(&self) -> Arc<ServerFacts>;

    /// Starts a call. Must not block.
    fn call(&self, call: &Arc<Call>) -> Reply;

    /// A [`Reply::Detached`] call is no longer wanted; it still has to be finished.
    fn cancelled(&self, call: &Arc<Call>) {
        let _ = call;
    }

    /// A notification that the session does not consume itself.
    fn notified(&self, link: &Arc<dyn Link>, scope: &Scope, notification: &InboundNotification) {
        let _ = (link, scope, notification);
    }

    /// A resource gained or lost a subscriber on this connection.
    fn subscription(&self, link: &Arc<dyn Link>, uri: &str, active: bool) {
        let _ = (link, uri, active);
    }

    /// The parameters of a tool that HTTP clients repeat as headers (2026-07-28).
    fn param_headers(&self, tool: &str) -> Option<Arc<ParamHeaders>> {
        let _ = tool;
        None
    }

    /// This handler as itself, for handlers whose calls outlive the borrow.
    fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;

    /// A connection opened.
    fn connected(&self, link: &Arc<dyn Link>) {
        let _ = link;
    }

    /// A connection or session ended; nothing more comes from it.
    fn disconnected(&self, info: &ConnectionInfo) {
        let _ = info;
    }

    /// Input that belongs to no request.
    fn problem(&self, info: &ConnectionInfo, problem: &Problem) {
        let _ = (info, problem);
    }
}
