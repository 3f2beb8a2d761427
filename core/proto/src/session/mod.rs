//! Sessions without I/O: who may say what when, what is in flight, what is due.
//!
//! Owns: the drive contract below, both eras of both sides, timeouts, cancellation,
//! progress, subscriptions, parked calls. Must not know: HTTP, sockets, handlers.
//!
//! The drive contract: code that has bytes, an answer or a deadline calls one method
//! with the present time, then takes every [`Output`] in order. Time is a
//! [`Duration`](std::time::Duration) since any fixed start.
//!
//! ```
//! use mcpbolt_proto::jsonrpc::{DecodeLimits, Incoming, RawJson, decode};
//! use mcpbolt_proto::protocol::{Method, Revision};
//! use mcpbolt_proto::session::server::ServerSession;
//! use mcpbolt_proto::session::{
//!     Answer, CancelReason, Change, ExchangeId, Facts, InboundNotification, InboundRequest, Outbound,
//!     OutboundKind, OutgoingId, Output, Problem, ProblemKind, StreamId, Time,
//! };
//!
//! /// The server behind the session: tools and nothing else.
//! struct Tools;
//!
//! impl Facts for Tools {
//!     fn allows(&self, method: &Method, _: Revision) -> bool {
//!         method.name.starts_with("tools/")
//!     }
//!     fn handles(&self, _: &str) -> bool {
//!         false // no methods of our own
//!     }
//!     fn server_info(&self) -> Option<RawJson> {
//!         None
//!     }
//!     fn announces(&self, change: &Change) -> bool {
//!         *change == Change::Tools
//!     }
//! }
//!
//! /// Does what the session wants, until it wants nothing more. Returns what to write.
//! fn drive(session: &mut ServerSession) -> Vec<String> {
//!     let (mut written, mut outputs) = (Vec::new(), Vec::new());
//!     loop {
//!         session.take_outputs(&mut outputs);
//!         if outputs.is_empty() {
//!             return written;
//!         }
//!         for output in outputs.drain(..) {
//!             match output {
//!                 Output::Send(Outbound { stream: StreamId::CONNECTION, kind, text }) => {
//!                     if let OutboundKind::Response { error: Some(code), .. } = kind {
//!                         eprintln!("refused with {}", code.0);
//!                     }
//!                     written.push(text.to_string());
//!                 }
//!                 Output::Request(request) => {
//!                     let InboundRequest { exchange, method, .. } = *request;
//!                     println!("{method} starts");
//!                     let result = RawJson::parse(r#"{"tools":[]}"#).unwrap();
//!                     session.answer(exchange, Answer::result(result), &Tools);
//!                 }
//!                 Output::Cancel { exchange: ExchangeId(call), reason: CancelReason::Peer(why) } => {
//!                     println!("call {call} is not wanted any more: {why:?}");
//!                 }
//!                 Output::Notification(InboundNotification { method, .. }) => println!("heard {method}"),
//!                 Output::Answered { request: OutgoingId(ours), outcome } => {
//!                     println!("our request {ours} ended: {}", outcome.is_ok());
//!                 }
//!                 Output::Problem(Problem { kind: ProblemKind::UnknownReply, message }) => {
//!                     eprintln!("late or invented: {message}");
//!                 }
//!                 _ => {}
//!             }
//!         }
//!     }
//! }
//!
//! let frame = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
//!     "io.modelcontextprotocol/protocolVersion":"2026-07-28",
//!     "io.modelcontextprotocol/clientCapabilities":{}}}}"#;
//! let Ok(Incoming::Single(message)) = decode(frame, DecodeLimits::default()) else { panic!("no message") };
//! let mut session = ServerSession::new(Default::default());
//! session.receive(Time::ZERO, StreamId::CONNECTION, message, &Tools);
//! let written = drive(&mut session);
//! assert!(written[0].contains(r#""resultType":"complete""#), "{written:?}");
//! ```

mod cancellation;
pub mod client;
pub mod negotiate;
mod numbers;
pub mod outgoing;
pub mod parked;
pub mod server;
mod throttle;
pub mod used_states;

use std::collections::HashMap;
use std::sync::Arc;

use bytestring::ByteString;

pub use numbers::{NumberHasher, NumberMap};

use crate::jsonrpc::{ErrorCode, Id, RawJson, RawObject};
use crate::protocol::extensions::Topic;
use crate::protocol::meta::RequestMeta;
use crate::protocol::types::Implementation;
use crate::protocol::wire::CacheHint;
use crate::protocol::{Error, Method, Revision, methods};

/// Requests in flight, by the ids that their senders chose. A seed that nobody knows spreads them,
/// and there are no more than the limit of requests in flight allows, whatever their hashes.
type IdMap<V> = HashMap<Id, V, foldhash::fast::RandomState>;

/// Time since the engine started.
pub type Time = std::time::Duration;

/// Where a message came from and where its answer goes. Given by the transport.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StreamId(pub u64);

impl StreamId {
    /// The connection itself: the pipe of stdio, the GET stream of a legacy HTTP session.
    pub const CONNECTION: Self = Self(0);
}

/// One request of the peer, from arrival to answer. Never reused within a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExchangeId(pub u64);

/// One request of ours. Never reused within a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OutgoingId(pub u64);

/// A request of the peer that passed every check the session makes.
#[derive(Debug, Clone)]
pub struct InboundRequest {
    /// Handle for the answer.
    pub exchange: ExchangeId,
    /// Where it came from.
    pub stream: StreamId,
    /// Its JSON-RPC id.
    pub id: Id,
    /// Method name.
    pub method: ByteString,
    /// The method's row, if the table has one.
    pub spec: Option<&'static Method>,
    /// `params`, undecoded.
    pub params: Option<RawJson>,
    /// The members of `params`; empty without params.
    pub members: RawObject,
    /// Revision this exchange speaks.
    pub revision: Revision,
    /// What `_meta` says.
    pub meta: Arc<RequestMeta>,
}

/// A notification of the peer that the session does not consume itself.
#[derive(Debug, Clone)]
pub struct InboundNotification {
    /// Where it came from.
    pub stream: StreamId,
    /// Method name.
    pub method: ByteString,
    /// `params`, undecoded.
    pub params: Option<RawJson>,
    /// Revision spoken.
    pub revision: Revision,
}

/// The answer to a request of the peer, before it takes its wire form.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A result in its version-neutral form.
    Result {
        /// The result object.
        value: RawJson,
        /// Caching hints, for methods that carry them.
        cache: Option<CacheHint>,
    },
    /// A result that already has the wire form of the exchange's revision.
    Shaped(RawJson),
    /// A failure.
    Error {
        /// What went wrong.
        error: Error,
        /// Whether a gate refused the request before any handler saw it.
        gate: bool,
    },
    /// The client must answer questions and send the request again (modern era).
    InputRequired {
        /// Key, method and params of each question.
        requests: Vec<(String, String, Option<RawJson>)>,
        /// To be echoed by the retry.
        state: Option<String>,
    },
}

impl Answer {
    /// A result without caching hints.
    pub fn result(value: RawJson) -> Self {
        Self::Result { value, cache: None }
    }

    /// A handler's failure.
    pub fn error(error: Error) -> Self {
        Self::Error { error, gate: false }
    }
}

/// Why an exchange is no longer wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CancelReason {
    /// The peer sent `notifications/cancelled`, perhaps with a reason.
    Peer(Option<String>),
    /// The stream that waits for the answer is gone, and the revision says that cancels.
    StreamGone,
    /// The session ended.
    SessionClosed,
    /// It took longer than it may; the peer was told.
    Deadline,
}

/// What kind of message an [`Outbound`] is, for transports that must know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutboundKind {
    /// The answer of an exchange.
    Response {
        /// The error code, if it is an error.
        error: Option<ErrorCode>,
        /// Whether a gate refused the request (HTTP then uses a 4xx status).
        gate: bool,
    },
    /// A notification.
    Notification,
    /// A request of ours.
    Request,
    /// The cancellation of a request of ours, which goes where that went.
    Cancellation,
}

/// One message to send.
#[derive(Debug, Clone)]
pub struct Outbound {
    /// On which stream.
    pub stream: StreamId,
    /// What it is.
    pub kind: OutboundKind,
    /// The message, free of line breaks.
    pub text: ByteString,
}

/// What the session wants done, in order.
#[derive(Debug)]
pub enum Output {
    /// Send a message.
    Send(Outbound),
    /// An exchange ended without an answer: its stream waits for nothing more.
    Ended {
        /// The exchange's stream.
        stream: StreamId,
    },
    /// Start a call.
    Request(Box<InboundRequest>),
    /// Tell the program.
    Notification(InboundNotification),
    /// Stop the call of an exchange. Its answer will be discarded.
    Cancel {
        /// Which.
        exchange: ExchangeId,
        /// Why.
        reason: CancelReason,
    },
    /// A request of ours ended.
    Answered {
        /// Which.
        request: OutgoingId,
        /// The peer's result, its error, or a local failure.
        outcome: Result<RawJson, Error>,
    },
    /// Progress on a request of ours.
    Progress {
        /// Which.
        request: OutgoingId,
        /// The notification's params.
        params: RawJson,
    },
    /// A resource gained or lost its subscribers on this session.
    Subscription {
        /// The resource.
        uri: String,
        /// Gained or lost.
        active: bool,
    },
    /// The legacy handshake is complete.
    Ready {
        /// What was agreed on.
        revision: Revision,
        /// Who the client says it is.
        client_info: Option<Implementation>,
    },
    /// A request that was settled without a call, if the settings ask to be told.
    Settled(Box<Settled>),
    /// Something that belongs to no request: for logs and `on_error`.
    Problem(Problem),
}

/// A request that the session answered by itself: a legacy `ping`, a
/// `subscriptions/listen` that needed no decision, and everything it refused.
///
/// ```
/// use mcpbolt_proto::session::{Output, Settled};
///
/// /// A line for an audit.
/// fn line(output: &Output) -> Option<String> {
///     let Output::Settled(settled) = output else { return None };
///     let Settled { method, error, .. } = &**settled;
///     Some(format!("{method}: {}", error.as_ref().map_or("ok", |error| &*error.message)))
/// }
/// # let _ = line;
/// ```
#[derive(Debug, Clone)]
pub struct Settled {
    /// The method.
    pub method: ByteString,
    /// `params`, undecoded, as far as they are JSON.
    pub params: Option<RawJson>,
    /// Why it was refused, if it was.
    pub error: Option<Error>,
}

/// Input that changes nothing but should be seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What it is.
    pub kind: ProblemKind,
    /// One sentence without payloads.
    pub message: String,
}

/// Kinds of [`Problem`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ProblemKind {
    /// Text that is not a message.
    Malformed,
    /// A reply to nothing we asked: late, duplicate or invented.
    UnknownReply,
    /// A message that its sender may not send now.
    Unexpected,
    /// An outbound message that had to be dropped.
    Dropped,
    /// A stream of the server's messages broke, could not be opened again, or is given up.
    Stream,
}

/// What a session wants to know about the server behind it.
pub trait Facts {
    /// Whether the server has declared the capability that gates `method`.
    fn allows(&self, method: &Method, revision: Revision) -> bool;
    /// Whether the program registered a handler for a method of its own.
    fn handles(&self, method: &str) -> bool;
    /// The row of a method: the protocol's, or one of an extension that the server has.
    fn row(&self, method: &str) -> Option<&'static Method> {
        methods::lookup(method)
    }
    /// What clients may listen for beside the protocol's own.
    fn topics(&self) -> &[&'static Topic] {
        &[]
    }
    /// Whether `ping` goes to the program rather than to the session.
    fn host_ping(&self) -> bool {
        false
    }
    /// Whether `subscriptions/listen` goes to the program, which acknowledges, tells and ends
    /// it by itself.
    fn host_listens(&self) -> bool {
        false
    }
    /// `Implementation` of the server, for `_meta` of modern results.
    fn server_info(&self) -> Option<RawJson>;
    /// Which changes the server can announce.
    fn announces(&self, change: &Change) -> bool;
    /// Which of them clients of the legacy era are told.
    fn announces_to_legacy(&self, change: &Change) -> bool {
        self.announces(change)
    }
}

/// Something the server announces to those who asked.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Change {
    /// The tool list changed.
    Tools,
    /// The prompt list changed.
    Prompts,
    /// The resource or template list changed.
    Resources,
    /// A resource changed.
    Resource(String),
    /// Something of an extension changed: those who listen for this key are told.
    Topic {
        /// What sort of thing.
        topic: &'static Topic,
        /// Which of them, as the filter names it.
        key: String,
        /// The params of the notification: an object.
        params: RawJson,
    },
}
