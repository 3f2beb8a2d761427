//! Who answers: the object-safe [`Handler`] and the [`Call`] it is given.
//!
//! Owns: one activation of a handler from start to answer, questions to the client,
//! parking, cancellation. Must not know: sockets, HTTP, registries.
//!
//! Most programs use [`server`](crate::server) instead. A handler of one's own:
//!
//! ```
//! use mcpbolt::handler::*;
//! use mcpbolt::jsonrpc::RawJson;
//! use mcpbolt::protocol::Error;
//! use mcpbolt::session::Answer;
//! use mcpbolt::types::Implementation;
//! use std::any::Any;
//! use std::sync::Arc;
//!
//! /// Answers one method of its own.
//! struct Doubler(Arc<ServerFacts>);
//!
//! impl Handler for Doubler {
//!     fn facts(&self) -> Arc<ServerFacts> {
//!         Arc::clone(&self.0)
//!     }
//!     fn call(&self, call: &Arc<Call>) -> Reply {
//!         let Scope { principal, head, .. } = call.scope();
//!         println!("{:?} calls {}, over HTTP: {}", principal, call.method(), head.is_some());
//!         match call.param("n").map(RawJson::decode::<i64>) {
//!             Some(Ok(n)) => {
//!                 let doubled = serde_json::json!({ "n": n * 2 }).into();
//!                 Reply::Done(Answer::result(doubled))
//!             }
//!             _ => {
//!                 let cancelled: Cancelled = call.cancelled();
//!                 Reply::Later(Box::pin(async move {
//!                     cancelled.await; // pending until nobody wants the answer
//!                     Answer::error(Error::invalid_params("n must be a whole number"))
//!                 }))
//!             }
//!         }
//!     }
//!     fn as_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
//!         self
//!     }
//! }
//!
//! let facts = ServerFacts::new(Implementation::new("doubler", "1.0"), Default::default())
//!     .methods(["example/double".to_owned()]);
//! let handler: Arc<dyn Handler> = Arc::new(Doubler(Arc::new(facts)));
//! let options = EngineOptions { input: InputMode::Replay, ..EngineOptions::default() };
//! let engine: Arc<Engine> = Engine::new(options);
//! # let _ = (engine, handler);
//! ```
//!
//! What a call can do while it runs, and the parts that transports use:
//!
//! ```
//! use mcpbolt::handler::*;
//! use mcpbolt::session::Change;
//! use std::sync::{Arc, Mutex};
//!
//! async fn ask_for_roots(call: &Arc<Call>) -> Result<(), mcpbolt::Error> {
//!     let (id, link): (CallId, Arc<dyn Link>) = (call.id(), call.link());
//!     let ConnectionInfo { id: connection, transport, peer } = link.info().clone();
//!     println!("call {} on {connection:?} ({transport:?}, {peer:?})", id.0);
//!     if let Ok(Sent::Full) = call.progress(0.5, Some(1.0), None) {
//!         let wake: Wake = Box::new(|| println!("go on"));
//!         link.on_writable(wake);
//!     }
//!     let answer: AskFuture = call.ask("roots/list", None, None);
//!     answer.await.map(drop)
//! }
//!
//! /// Remembers what changed.
//! #[derive(Default)]
//! struct Notes(Mutex<Vec<Change>>);
//!
//! impl Subscriber for Notes {
//!     fn publish(&self, change: &Change) {
//!         self.0.lock().unwrap().push(change.clone());
//!     }
//! }
//!
//! /// Stands still.
//! struct Frozen;
//!
//! impl Clock for Frozen {
//!     fn now(&self) -> std::time::Duration {
//!         std::time::Duration::ZERO
//!     }
//! }
//!
//! let engine = Engine::with_clock(EngineOptions::default(), Arc::new(Frozen));
//! let notes = Arc::new(Notes::default());
//! let bus: &Bus = engine.bus();
//! let weak: std::sync::Weak<Notes> = Arc::downgrade(&notes);
//! bus.join(ConnectionId(1), weak);
//! bus.publish(&Change::Tools);
//! assert_eq!(*notes.0.lock().unwrap(), [Change::Tools]);
//!
//! let parking: &Parking = engine.parking();
//! assert!(parking.is_empty() && SystemClock::default().now() >= engine.now());
//! Spawner::current().spawn(async { println!("in the background") });
//! ```
//!
//! Who asks decides what counts against whose quota:
//!
//! ```
//! use mcpbolt::handler::*;
//! use std::sync::Arc;
//!
//! let info = ConnectionInfo { id: ConnectionId(7), transport: TransportKind::Http, peer: None };
//! let head = RequestHead {
//!     method: http::Method::POST,
//!     uri: http::Uri::from_static("/mcp"),
//!     headers: http::HeaderMap::new(),
//! };
//! let mut ann = Scope::default();
//! ann.principal = Principal::named("ann");
//! ann.head = Some(Arc::new(head));
//! ann.origin = Origin(3); // the host's number for what caused it
//! assert_eq!(ann.quota_key(&info), "p:ann");
//! assert_eq!(Scope::default().quota_key(&info), "c:7");
//! ```

mod ask;
mod ask_plan;
mod audit;
mod bus;
mod call;
mod cancel;
mod charge;
mod clock;
mod engine;
mod facts;
mod guard_rails;
pub(crate) mod list_cursors;
mod parking;
mod result_limits;
mod retry;
mod scope;
mod spawn;
mod task;
pub mod timer;
pub(crate) mod used_states;

use std::any::Any;
use std::sync::Arc;

use mcpbolt_proto::http::param_headers::ParamHeaders;
use mcpbolt_proto::policy::access::Action;
use mcpbolt_proto::policy::bounds::Bounds;
use mcpbolt_proto::session::{Answer, InboundNotification, Problem};

pub use ask::AskFuture;
pub use ask_plan::{AskPlan, ProgressFn};
pub use bus::{Bus, Subscriber};
pub use call::{Call, CallId, Link, NotSentError, ReplyFn, Sent, Wake};
pub use cancel::Cancelled;
#[cfg(feature = "http-server")]
pub(crate) use charge::{Account, Charge, Ledger, Sender};
pub(crate) use clock::ahead;
#[cfg(feature = "bridge")]
pub(crate) use clock::move_ahead;
pub use clock::{Alarm, Clock, ManualClock, SystemClock};
pub(crate) use engine::next_connection;
pub use engine::{Engine, EngineOptions, InputMode};
pub use facts::ServerFacts;
pub use guard_rails::{Asker, Authorize, Listing, RailOptions, Verdicts};
pub use parking::Parking;
#[cfg(feature = "bridge")]
pub(crate) use result_limits::tool_failure;
pub use result_limits::{InternalError, InternalErrorFn, Outlet, Sanitizer};
pub use retry::Entry;
pub use scope::{ConnectionId, ConnectionInfo, Origin, Principal, RequestHead, Scope, TransportKind};
pub use spawn::Spawner;
pub use task::{run_inline, start};

pub use crate::store::BoxFuture;

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

    /// The bounds of what a request is about, under the name it is counted by. Asked only
    /// where guard rails are on.
    fn bounds(&self, call: &Call) -> Option<(String, Bounds)> {
        let _ = call;
        None
    }

    /// What a list method lists, whole, so that what is hidden from a client leaves no gap
    /// in its pages. Asked only where access is decided; without it the entries of an
    /// answer are.
    fn listing(&self, call: &Call) -> Option<Listing> {
        let _ = call;
        None
    }

    /// The answer to a request about something that does not exist: what is hidden is
    /// answered so.
    fn unknown(&self, call: &Arc<Call>, action: &Action) -> Answer {
        let _ = call;
        Answer::error(action.unknown())
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
