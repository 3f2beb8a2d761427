//! What a handler, its calls, their connections and the engine promise each other.
//!
//! Owns: the types that cannot be told without each other: [`Handler`] is given a [`Call`],
//! which answers over a [`Link`] and lives in an [`Engine`], whose [`Sanitizer`] sees calls.
//! Must not know: how a call is run, parked, answered or limited; the files that do it
//! import this one.

use std::any::Any;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use parking_lot::Mutex;

use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::http::param_headers::ParamHeaders;
use mcpbolt_proto::jsonrpc::{Id, RawJson, RawObject};
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::policy::access::Action;
use mcpbolt_proto::policy::bounds::Bounds;
use mcpbolt_proto::policy::detail::ErrorDetail;
use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
use mcpbolt_proto::protocol::meta::RequestMeta;
use mcpbolt_proto::protocol::types::{ContentBlock, Implementation, LoggingLevel};
use mcpbolt_proto::protocol::{Error, ErrorKind, Revision};
use mcpbolt_proto::session::parked::{ParkId, ParkedTable};
use mcpbolt_proto::session::server::{NotSent, ServerSettings};
use mcpbolt_proto::session::{
    Answer, ExchangeId, InboundNotification, InboundRequest, OutgoingId, Problem, Time,
};

use crate::observe::{Audit, CallSpan, FrameTrace, Stats};
use crate::seal::Sealer;
use crate::store::{BoxFuture, Stores};

use super::ask_plan::{AskPlan, ReplyFn};
use super::bus::Bus;
use super::cancel::{CancelFlag, Pending};
use super::charge::Charge;
use super::clock::Clock;
use super::facts::ServerFacts;
use super::guard_rails::{GuardRails, Guarded, Listing};
use super::lasting::LastingWork;
use super::questions::{Given, InputMode, Questions};
use super::scope::{CallId, ConnectionId, ConnectionInfo, KeptHeads, Scope};
use super::spawn::Spawner;

/// How a handler answers.
pub enum Reply {
    /// At once.
    Done(Answer),
    /// When this future ends. Dropped when the call is cancelled.
    Later(BoxFuture<'static, Answer>),
    /// By [`Call::finish`], from anywhere.
    Detached,
}

/// What answers requests: a Rust server, or the inbox of a language binding.
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

    /// A client of the modern era wants to listen, and has leave to: the answer is the params
    /// that are honoured. Asked where the session's settings say so.
    fn listen(&self, call: &Arc<Call>, members: RawObject) -> Reply {
        let _ = call;
        Reply::Done(Answer::result(members.to_raw()))
    }

    /// The parameters of a tool that HTTP clients repeat as headers (2026-07-28).
    fn param_headers(&self, tool: &str) -> Option<Arc<ParamHeaders>> {
        let _ = tool;
        None
    }

    /// The scopes that a token needs for an action; empty where it needs none. Asked for
    /// requests over HTTP.
    fn scopes(&self, action: &Action) -> Scopes {
        let _ = action;
        Scopes::default()
    }

    /// Whether any action needs scopes. Asked for each request over HTTP: must be cheap.
    fn has_scopes(&self) -> bool {
        false
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

/// What became of a message to the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sent {
    /// Handed to the transport.
    Sent,
    /// The queue is full: wait until the link is writable and send again.
    Full,
}

/// Why a message was not sent.
pub type NotSentError = NotSent;

/// Called once, when there is room again or something has ended; from any thread.
pub type Wake = Box<dyn FnOnce() + Send>;

/// A connection as its calls see it.
pub trait Link: Send + Sync {
    /// What is known of it.
    fn info(&self) -> &ConnectionInfo;
    /// Answers an exchange; `false` if it is not open.
    fn answer(&self, exchange: ExchangeId, answer: Answer) -> bool;
    /// Reports progress of an exchange.
    fn progress(
        &self,
        exchange: ExchangeId,
        progress: f64,
        total: Option<f64>,
        message: Option<&str>,
    ) -> Result<Sent, NotSent>;
    /// Sends a log message.
    fn log(
        &self,
        exchange: Option<ExchangeId>,
        level: LoggingLevel,
        logger: Option<&str>,
        data: RawJson,
    ) -> Result<Sent, NotSent>;
    /// Sends a notification.
    fn notify(
        &self,
        exchange: Option<ExchangeId>,
        method: &str,
        params: Option<&RawJson>,
    ) -> Result<Sent, NotSent>;
    /// Sends a request; `reply` is called exactly once if this succeeds.
    fn ask(
        &self,
        exchange: Option<ExchangeId>,
        method: &str,
        params: Option<&RawJson>,
        plan: AskPlan,
        reply: ReplyFn,
    ) -> Result<OutgoingId, Error>;
    /// Gives up on a request of ours.
    fn give_up(&self, request: OutgoingId);
    /// From now on `call` serves `exchange`.
    fn adopt(&self, exchange: ExchangeId, call: &Arc<Call>);
    /// Calls `wake` once when messages of an exchange, or of none, can be queued again; at once if they
    /// can now. Each stream of a connection is read, or not, by itself.
    fn on_writable(&self, exchange: Option<ExchangeId>, wake: Wake);
    /// Whatever `exchange` would change in the session, it shall not.
    fn disregard(&self, exchange: ExchangeId) {
        let _ = exchange;
    }
    /// Closes the exchange's stream early, where the client can come back for the rest
    /// (2025-11-25 over HTTP); elsewhere nothing happens.
    fn close_stream(&self, exchange: ExchangeId) {
        let _ = exchange;
    }
    /// Closes the client's stream that belongs to no request, where the client can open it again
    /// for the rest (2025-11-25 over HTTP); elsewhere nothing happens.
    fn close_standalone_stream(&self) {}
    /// The task whose work its calls do. They ask through [`Link::ask`] in every revision, and
    /// nobody waits for their stream.
    fn task(&self) -> Option<&str> {
        None
    }
    /// The number of the connection that its calls came on. A task has a connection of its own,
    /// and this is the client's.
    fn origin(&self) -> ConnectionId {
        self.info().id
    }
    /// The revision a handshake agreed on; the modern era has none.
    fn revision(&self) -> Option<Revision> {
        None
    }
    /// What a legacy handshake said of the client.
    fn client(&self) -> (Option<ClientCapabilities>, Option<Implementation>);
    /// Until [`Link::release`], answers and messages are collected for one write.
    fn hold(&self) {}
    /// Sends what was collected. Belongs to one [`Link::hold`].
    fn release(&self) {}
    /// Ends the connection.
    fn close(&self);
    /// Ends the connection as soon as all its requests are answered.
    fn close_when_idle(&self) {
        self.close();
    }
}

/// Where a call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallState {
    Running,
    Parked(ParkId),
    Finished,
}

/// The exchange a call serves now, or served last.
pub(super) struct Binding {
    pub(super) state: CallState,
    pub(super) link: Arc<dyn Link>,
    pub(super) exchange: ExchangeId,
    pub(super) id: Id,
    pub(super) meta: Arc<RequestMeta>,
    pub(super) scope: Scope,
    pub(super) round: u32,
    /// The outcome of a call that finished while it was parked.
    pub(super) kept: Option<Box<Answer>>,
}

/// One activation of a handler.
pub struct Call {
    pub(super) id: CallId,
    pub(super) engine: Arc<Engine>,
    pub(super) handler: Arc<dyn Handler>,
    pub(super) request: InboundRequest,
    pub(super) given: Given,
    pub(super) binding: Mutex<Binding>,
    pub(super) questions: Mutex<Questions>,
    pub(super) cancel: CancelFlag,
    /// Its future, once that has to wait.
    pub(super) waiting: Mutex<Option<Weak<dyn Pending>>>,
    pub(super) started: Time,
    pub(super) failure: OnceLock<Box<Error>>,
    /// What the guard rails keep of it.
    pub(super) guarded: Mutex<Option<Box<Guarded>>>,
    pub(super) charge: Mutex<Option<Charge>>,
    pub(super) span: CallSpan,
    /// Whether the audit knows of it.
    pub(super) audited: AtomicBool,
}

/// Shared by all connections of one server.
pub struct Engine {
    /// Settings of every session.
    pub settings: Arc<ServerSettings>,
    /// Caps.
    pub limits: Limits,
    /// Where unfinished futures run.
    pub spawner: Spawner,
    /// Where frames are written, beside what the environment names.
    pub trace: Option<FrameTrace>,
    pub(super) slow_call: Duration,
    pub(super) outlet: Outlet,
    pub(super) audit: Option<Audit>,
    pub(super) input: InputMode,
    pub(super) sealer: Sealer,
    pub(super) host_seals_state: bool,
    pub(super) reusable_state: bool,
    pub(super) asks_undeclared: bool,
    pub(super) parking: Parking,
    pub(super) heads: KeptHeads,
    pub(crate) rails: GuardRails,
    pub(crate) stores: Option<Stores>,
    pub(crate) lasting: Arc<LastingWork>,
    pub(super) bus: Bus,
    pub(super) stats: Stats,
    pub(super) clock: Arc<dyn Clock>,
}

/// The calls of a process that wait for a retry.
pub struct Parking {
    pub(super) table: Mutex<ParkedTable<Arc<Call>>>,
    pub(super) ttl: Time,
    pub(super) watched: AtomicBool,
}

/// Sees what tools, prompts and resources answer before it is sent, and may change it or
/// take it away. Every closure from a call and a block to a block or `None` is one.
///
/// ```
/// use mcpbolt::handler::Call;
/// use mcpbolt::server::Server;
/// use mcpbolt::types::ContentBlock;
///
/// let server = Server::builder("notes", "1.0.0")
///     .sanitize_result(|_: &Call, block: ContentBlock| match block {
///         ContentBlock::Text(mut block) => {
///             block.text = block.text.replace("hunter2", "[redacted]");
///             Some(ContentBlock::Text(block))
///         }
///         ContentBlock::Audio(_) => None,
///         other => Some(other),
///     })
///     .build();
/// # let _ = server;
/// ```
pub trait Sanitizer: Send + Sync + 'static {
    /// One content block; contents of a resource come as [`ContentBlock::Resource`].
    /// `None` leaves it out.
    fn block(&self, call: &Call, block: ContentBlock) -> Option<ContentBlock>;

    /// A tool's structured content, which says the same as its blocks. As it is, unless
    /// this is implemented.
    fn structured(&self, call: &Call, value: RawJson) -> RawJson {
        let _ = call;
        value
    }
}

/// A failure whose words its client does not learn.
///
/// ```
/// use mcpbolt::handler::InternalError;
/// use mcpbolt::server::Server;
///
/// let server = Server::builder("notes", "1.0.0")
///     .on_internal_error(|failure: &InternalError<'_>| eprintln!("{} {}", failure.id, failure.message))
///     .build();
/// # let _ = server;
/// ```
#[derive(Debug, Clone, Copy)]
pub struct InternalError<'a> {
    /// The number that the client was told, and that is in the log.
    pub id: &'a str,
    /// The method of the request.
    pub method: &'a str,
    /// What went wrong.
    pub kind: ErrorKind,
    /// The failure's own words. They may quote what the request held.
    pub message: &'a str,
}

/// Is told the words of failures that clients see masked.
pub type InternalErrorFn = Arc<dyn Fn(&InternalError<'_>) + Send + Sync>;

/// What is done to answers on their way out.
///
/// ```
/// use mcpbolt::handler::{EngineOptions, Outlet};
///
/// let outlet = Outlet { max_result_bytes: Some(1 << 20), ..Outlet::default() };
/// let options = EngineOptions { outlet, ..EngineOptions::default() };
/// # let _ = options;
/// ```
#[derive(Clone)]
pub struct Outlet {
    /// What clients learn of failures whose words were not meant for them. Masked by default.
    pub error_detail: ErrorDetail,
    /// Whether MIME types and base64 of results are checked. On.
    pub check_media: bool,
    /// Largest result in bytes; what is larger fails. No limit of its own.
    pub max_result_bytes: Option<u64>,
    /// Sees every content block.
    pub sanitizer: Option<Arc<dyn Sanitizer>>,
    /// Hears the words of masked failures: they are in no log.
    pub on_internal_error: Option<InternalErrorFn>,
    /// The service that a host in another language sanitizes with.
    #[doc(hidden)]
    pub host_sanitizes: Option<Arc<str>>,
}
