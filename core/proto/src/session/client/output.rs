//! What a client session wants done.
//!
//! Owns: the types. Must not know: when any of it is wanted.

use bytestring::ByteString;

use crate::jsonrpc::{Id, RawJson};
use crate::protocol::{Error, Revision};
use crate::session::negotiate::Agreed;
use crate::session::{CancelReason, ExchangeId, OutgoingId, Problem};

use super::Resumption;
use std::sync::Arc;

/// One message to send, with what HTTP wants to know about it.
#[derive(Debug, Clone)]
pub struct ClientFrame {
    /// The message, free of line breaks.
    pub text: ByteString,
    /// What it is.
    pub facts: FrameFacts,
    /// Revision it is written in; `None` before one is known.
    pub revision: Option<Revision>,
}

/// Kinds of [`ClientFrame`].
#[derive(Debug, Clone)]
pub enum FrameFacts {
    /// A request.
    Request(RequestFacts),
    /// A notification.
    Notification,
    /// The answer to a request of the server (legacy era).
    Response,
}

/// A request, as transports see it.
#[derive(Debug, Clone)]
pub struct RequestFacts {
    /// Our number for it.
    pub request: OutgoingId,
    /// Its id on the wire.
    pub id: Id,
    /// Method name.
    pub method: String,
    /// The value `Mcp-Name` repeats, not yet encoded.
    pub name: Option<String>,
    /// `Mcp-Param-*` headers: full name and encoded value.
    pub headers: Vec<(String, String)>,
    /// Whether repeating it after a lost connection can do no harm.
    pub repeatable: bool,
    /// Where the stream of its answer goes on, and who hears of that.
    pub resumption: Resumption,
}

/// How a request of ours was answered.
#[derive(Debug, Clone)]
pub enum Answered {
    /// By its result, in version-neutral form.
    Complete(RawJson),
    /// By questions: answer them and send the request again (modern era).
    InputRequired {
        /// Key, method and params of each question.
        requests: Vec<(String, String, Option<RawJson>)>,
        /// To be echoed byte for byte; absent when the server sent none.
        state: Option<String>,
    },
    /// By a result that an extension defines.
    Extension {
        /// The `resultType`.
        result_type: String,
        /// The result.
        value: RawJson,
    },
}

/// A request of the server that passed every check the session makes.
#[derive(Debug, Clone)]
pub struct ClientRequest {
    /// Handle for the answer.
    pub exchange: ExchangeId,
    /// The server's id for it.
    pub id: Id,
    /// Method name.
    pub method: ByteString,
    /// `params`, undecoded.
    pub params: Option<RawJson>,
    /// The request of ours on whose stream it came, where that is known.
    pub related: Option<OutgoingId>,
}

/// Why a request could not be carried to its answer.
#[derive(Debug, Clone)]
pub struct SendFault {
    /// As callers see it.
    pub error: Error,
    /// The HTTP status, when there was one.
    pub status: Option<u16>,
}

/// What the session wants done, in order.
#[derive(Debug)]
pub enum ClientOutput {
    /// Send a message.
    Send(ClientFrame),
    /// This request is not awaited any more. Send `notice` unless the transport
    /// cancels by closing the answer's stream.
    Abandon {
        /// Which.
        request: OutgoingId,
        /// `notifications/cancelled`; absent where that is not allowed.
        notice: Option<ClientFrame>,
    },
    /// The transport must give a fresh channel (another process, HTTP+SSE), then call
    /// `restarted`.
    Restart,
    /// The server keeps silent, for this reason: the transport gives a fresh channel, then calls
    /// `restarted`, or calls `channel_lost`.
    Lost(Error),
    /// Settled: requests go out from now on.
    Ready(Arc<Agreed>),
    /// The server refused what was asked before the conversation begins.
    Refused(Error),
    /// A request of ours ended. Exactly once for each.
    Answered {
        /// Which.
        request: OutgoingId,
        /// The answer, the peer's error, or a local failure.
        outcome: Result<Answered, Error>,
    },
    /// Progress on a request of ours.
    Progress {
        /// Which.
        request: OutgoingId,
        /// The notification's params.
        params: RawJson,
    },
    /// Tell the program.
    Notification {
        /// Method name.
        method: ByteString,
        /// `params`, undecoded.
        params: Option<RawJson>,
        /// The listen request it belongs to (modern era).
        subscription: Option<OutgoingId>,
    },
    /// The server asks (legacy era).
    Request(ClientRequest),
    /// The answer to a request of the server is no longer wanted.
    CancelRequest {
        /// Which.
        exchange: ExchangeId,
        /// Why.
        reason: CancelReason,
    },
    /// Something that belongs to no request: for logs and `on_error`.
    Problem(Problem),
    /// The session is over. Last output of all.
    Closed(Error),
}
