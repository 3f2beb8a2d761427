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
    /// The host's number for what brought it; 0 without one.
    pub cause: u64,
    /// Method name.
    pub method: ByteString,
    /// Tool or prompt name, resource URI, task id; for methods that have one.
    pub name: Option<String>,
    /// `params`, undecoded.
    pub params: Option<RawJson>,
    /// For a tool the engine validates: what is wrong with its arguments, for the host
    /// to put into words.
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
    /// It took longer than it may; the peer was told.
    Deadline,
}

impl CancelWhy {
    /// One word.
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
    /// Answer this, with `complete`.
    Request(Request),
    /// The peer said something.
    Notification {
        /// On which connection.
        connection: u64,
        /// The host's number for what brought it.
        cause: u64,
        /// Method name.
        method: ByteString,
        /// `params`, undecoded.
        params: Option<RawJson>,
    },
    /// A request of the host's own is answered.
    Response {
        /// What `request` returned.
        id: u64,
        /// The call it was made for; 0 if for none.
        call: u64,
        /// The cause that call has now: a retry brings another one.
        cause: u64,
        /// The peer's result or error, or a local failure.
        outcome: Result<RawJson, Failure>,
    },
    /// Progress on a request of the host's own.
    Progress {
        /// What `request` returned.
        id: u64,
        /// The notification's params.
        params: RawJson,
    },
    /// A call is no longer wanted. It still has to be completed; the outcome is dropped.
    Cancel {
        /// Which.
        call: u64,
        /// Why.
        why: CancelWhy,
        /// What the peer gave as reason.
        reason: Option<String>,
    },
    /// After `Full`: messages can be sent again.
    Writable {
        /// Call or connection.
        target: u64,
    },
    /// A service written by the host is wanted. Answer with `complete`.
    Ask {
        /// Number to complete.
        id: u64,
        /// Which service.
        service: String,
        /// What it is given.
        payload: RawJson,
    },
    /// A connection the host carries has bytes to send: `take_outgoing`. Comes once
    /// until they are taken.
    Outgoing {
        /// Which.
        connection: u64,
    },
    /// A resource gained its first or lost its last subscriber on a connection.
    Subscription {
        /// Which connection.
        connection: u64,
        /// The resource.
        uri: String,
        /// Gained or lost.
        active: bool,
    },
    /// Something that belongs to no request, for logs and `on_error`.
    Log {
        /// Which connection.
        connection: u64,
        /// What kind, one word.
        kind: &'static str,
        /// One sentence without payloads.
        message: String,
    },
    /// A connection ended; nothing more comes from it. Of a client's, its transport is
    /// over too: the process is gone, the session deleted.
    Closed {
        /// Which.
        connection: u64,
        /// Why; nothing when it was closed from here or in good order.
        failure: Option<Failure>,
    },
    /// A connection of a client is somewhere else now: `connecting`, `ready`,
    /// `reconnecting`.
    State {
        /// Which.
        connection: u64,
        /// Where it stands, one word.
        state: &'static str,
    },
    /// A message came on a transport without a session.
    Message {
        /// On which connection.
        connection: u64,
        /// The message, or a batch of them.
        message: RawJson,
    },
    /// A request sent on a transport without a session will not be answered.
    SendFailed {
        /// On which connection.
        connection: u64,
        /// The JSON-RPC id of the request.
        id: RawJson,
        /// Why.
        failure: Failure,
    },
    /// The head of an answer that the host sends on a connection of its own.
    HttpHead {
        /// Which exchange.
        request: u64,
        /// Status.
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
        /// Which exchange.
        request: u64,
        /// What to send.
        bytes: Bytes,
        /// Whether the answer is complete with it.
        end: bool,
    },
    /// A request on a path that is the host's. Answer with `http_respond`.
    HttpRequest {
        /// Number to answer under.
        request: u64,
        /// `method`, `target`, `headers`.
        head: RawJson,
        /// The whole body.
        body: Bytes,
    },
    /// The client of an `HttpRequest` left before the answer was complete.
    HttpClosed {
        /// Which.
        request: u64,
    },
    /// Nothing refers to this cause any more: its context can be let go.
    CauseClosed {
        /// The host's number.
        cause: u64,
    },
}

impl Item {
    /// How many bytes of payload it holds.
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
