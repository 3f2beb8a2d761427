//! What crosses the boundary towards the host.
//!
//! Owns: the kinds of items and what each of them says. Must not know: who queues an item,
//! who takes it.

use bytes::Bytes;
use bytestring::ByteString;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::session::{CancelReason, Problem, ProblemKind};

use super::outcome::Failure;

/// A request for the host's code.
#[derive(Debug, Clone)]
pub struct Request {
    /// Number to complete; never reused in a process, fits 53 bits.
    pub call: u64,
    /// The connection it came on.
    pub connection: u64,
    /// The host's number for what caused it; 0 without one.
    pub cause: u64,
    /// Method name.
    pub method: ByteString,
    /// Tool or prompt name, resource URI, task id; for methods that have one.
    pub name: Option<String>,
    /// `params`, undecoded.
    pub params: Option<RawJson>,
    /// For a tool the engine validates: what is wrong with its arguments, for the host
    /// to put into its own words.
    pub invalid: Option<RawJson>,
}

/// Why a call is no longer wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelWhy {
    /// The peer cancelled it.
    Peer,
    /// The stream that waits for the answer is gone.
    StreamGone,
    /// The session ended.
    SessionClosed,
    /// It took longer than allowed; the peer was told.
    Deadline,
}

impl CancelWhy {
    /// The reason in one word, as it crosses the boundary.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Peer => "peer",
            Self::StreamGone => "stream_gone",
            Self::SessionClosed => "session_closed",
            Self::Deadline => "deadline",
        }
    }
}

impl From<&CancelReason> for CancelWhy {
    fn from(reason: &CancelReason) -> Self {
        match reason {
            CancelReason::Peer(_) => Self::Peer,
            CancelReason::StreamGone => Self::StreamGone,
            CancelReason::SessionClosed => Self::SessionClosed,
            CancelReason::Deadline => Self::Deadline,
        }
    }
}

/// One thing for the host to act on.
#[derive(Debug, Clone)]
pub enum Item {
    /// A request to answer, with `complete`.
    Request(Request),
    /// The peer sent a notification.
    Notification {
        /// Number of the connection it came on.
        connection: u64,
        /// The host's number for what caused it; 0 without one.
        cause: u64,
        /// Method name.
        method: ByteString,
        /// `params`, undecoded.
        params: Option<RawJson>,
    },
    /// A request of the host's own is answered.
    Response {
        /// The number that `request` returned.
        id: u64,
        /// The call that the request was made for; 0 without one.
        call: u64,
        /// The cause that call has now: a retry brings another one.
        cause: u64,
        /// The peer's result or error, or a local failure.
        outcome: Result<RawJson, Failure>,
    },
    /// Progress on a request of the host's own.
    Progress {
        /// The number that `request` returned.
        id: u64,
        /// The params of the progress notification.
        params: RawJson,
    },
    /// A request of the host's own goes to the server under this id. Comes before its answer,
    /// and again for each round of questions; only if the request's plan wants it.
    Sent {
        /// The number that `request` returned.
        id: u64,
        /// The JSON-RPC id, as text.
        request: String,
    },
    /// The stream of a request of the host's own can be resumed after this event.
    EventId {
        /// The number that `request` returned.
        id: u64,
        /// The id of the event.
        event: String,
    },
    /// A call, or an ask, is no longer wanted. It still has to be completed; the outcome is dropped.
    Cancel {
        /// Number of the call or the ask.
        call: u64,
        /// Why it is not wanted.
        why: CancelWhy,
        /// The reason that the peer gave, if it gave one.
        reason: Option<String>,
    },
    /// After `Full`: messages can be sent again.
    Writable {
        /// Number of the call or connection that can be written to.
        target: u64,
    },
    /// A service written by the host is wanted. Answer with `complete`.
    Ask {
        /// Number to complete with the answer.
        id: u64,
        /// Name of the service.
        service: String,
        /// The question, as the service expects it.
        payload: RawJson,
    },
    /// A connection the host carries has bytes to send: `take_outgoing`. Comes once
    /// until they are taken.
    Outgoing {
        /// Number of the connection.
        connection: u64,
    },
    /// A resource gained its first or lost its last subscriber on a connection.
    Subscription {
        /// Number of the connection.
        connection: u64,
        /// URI of the resource.
        uri: String,
        /// Whether a subscriber was gained; else the last one was lost.
        active: bool,
    },
    /// Something that belongs to no request, for logs and `on_error`.
    Log {
        /// Number of the connection.
        connection: u64,
        /// Kind of event, in one word.
        kind: &'static str,
        /// One sentence without payloads.
        message: String,
    },
    /// A connection ended; nothing more comes from it. Of a client's, its transport is
    /// over too: the process is gone, the session deleted.
    Closed {
        /// Number of the connection or listener.
        connection: u64,
        /// Why it ended; nothing when it was closed by the host or in good order.
        failure: Option<Failure>,
    },
    /// A connection of a client has another state now: `connecting`, `ready`,
    /// `reconnecting`.
    State {
        /// Number of the connection.
        connection: u64,
        /// Its new state, in one word.
        state: &'static str,
    },
    /// The stream on which a legacy server sends what belongs to no request is asked for over HTTP, or
    /// there is none: the server refused it, or it is given up. Until then the client may hear of the
    /// server without having asked for anything.
    Listening {
        /// Number of the connection.
        connection: u64,
        /// Whether the stream is asked for.
        on: bool,
    },
    /// A message came on a transport without a session.
    Message {
        /// Number of the transport.
        connection: u64,
        /// The message, or a batch of them.
        message: RawJson,
    },
    /// A request sent on a transport without a session will not be answered.
    SendFailed {
        /// Number of the transport.
        connection: u64,
        /// The JSON-RPC id of the request.
        id: RawJson,
        /// Why it will not be answered.
        failure: Failure,
    },
    /// The head of an answer that the host sends on a connection of its own.
    HttpHead {
        /// Number of the exchange.
        request: u64,
        /// HTTP status.
        status: u16,
        /// Headers, in order.
        headers: Vec<(String, String)>,
        /// The whole body when `end` is set, else nothing yet.
        body: Bytes,
        /// Whether this is all.
        end: bool,
    },
    /// A part of such an answer's body; the next comes after `http_sent`.
    HttpChunk {
        /// Number of the exchange.
        request: u64,
        /// The bytes to send.
        bytes: Bytes,
        /// Whether the answer is complete with it.
        end: bool,
    },
    /// A request on a path that is the host's. Answer with `http_respond`.
    HttpRequest {
        /// Number to answer under.
        request: u64,
        /// The head, as an object of `method`, `target`, `headers` and `peer`: the address and port of
        /// who sent it, behind trusted proxies of the client, or null.
        head: RawJson,
        /// The whole body.
        body: Bytes,
    },
    /// The client of an `HttpRequest` left before the answer was complete.
    HttpClosed {
        /// Number of the request.
        request: u64,
    },
    /// Nothing refers to this cause any more: its context can be let go.
    CauseClosed {
        /// The host's number for the cause.
        cause: u64,
    },
}

impl Item {
    /// How many bytes of payload the item holds.
    pub fn size(&self) -> usize {
        let raw = |raw: &Option<RawJson>| raw.as_ref().map_or(0, |r| r.as_str().len());
        match self {
            Self::Request(request) => raw(&request.params) + raw(&request.invalid),
            Self::Notification { params, .. } => raw(params),
            Self::Response { outcome, .. } => match outcome {
                Ok(value) => value.as_str().len(),
                Err(failure) => failure.message.len() + raw(&failure.data),
            },
            Self::Progress { params, .. } => params.as_str().len(),
            Self::Ask { payload, .. } => payload.as_str().len(),
            Self::Log { message, .. } => message.len(),
            Self::Subscription { uri, .. } => uri.len(),
            Self::EventId { event, .. } => event.len(),
            Self::Message { message, .. } => message.as_str().len(),
            Self::SendFailed { failure, .. } => failure.message.len(),
            Self::HttpHead { body, .. } | Self::HttpRequest { body, .. } => body.len(),
            Self::HttpChunk { bytes, .. } => bytes.len(),
            _ => 0,
        }
    }
}

/// A problem of a connection that belongs to no request.
pub(crate) fn log_item(connection: u64, problem: &Problem) -> Item {
    let kind = match problem.kind {
        ProblemKind::Malformed => "malformed",
        ProblemKind::UnknownReply => "unknown_reply",
        ProblemKind::Unexpected => "unexpected",
        ProblemKind::Stream => "stream",
        _ => "dropped",
    };
    Item::Log { connection, kind, message: problem.message.clone() }
}
