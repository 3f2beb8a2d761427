//! What a client connection and its transport tell each other.
//!
//! Owns: the two traits. Must not know: any transport, any method.
//!
//! ```
//! use mcpbolt::client::{Client, Target};
//! use mcpbolt::handler::BoxFuture;
//! use mcpbolt::protocol::Error;
//! use mcpbolt::session::OutgoingId;
//! use mcpbolt::transport::client::{
//!     ClientEvents, ClientTransport, FrameKind, OutgoingFrame, RequestFrame, SendFailure,
//! };
//! use std::sync::{Arc, Weak};
//!
//! /// A line that is always dead.
//! struct Dead(Weak<dyn ClientEvents>);
//!
//! impl ClientTransport for Dead {
//!     fn send(&self, frame: OutgoingFrame) {
//!         let FrameKind::Request(RequestFrame { request, method, .. }) = frame.kind else { return };
//!         println!("{method}: {}", frame.text);
//!         let events = self.0.clone();
//!         tokio::spawn(async move {
//!             let failure = SendFailure { error: Error::closed(), status: None };
//!             if let Some(events) = events.upgrade() {
//!                 events.failed(request, failure);
//!             }
//!         });
//!     }
//!     fn abandon(&self, _: OutgoingId) -> bool {
//!         false
//!     }
//!     fn close(&self) -> BoxFuture<'_, ()> {
//!         Box::pin(async {})
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let connector = Box::new(|events| Ok(Arc::new(Dead(events)) as Arc<dyn ClientTransport>));
//! let target = Target::Connector { connector, http: false };
//! assert!(Client::builder("example", "1.0").build().connect(target).await.is_err());
//! # }
//! ```

use std::fmt;

use bytes::Bytes;
use bytestring::ByteString;

use mcpbolt_proto::jsonrpc::{Id, Malformed};
use mcpbolt_proto::protocol::{Error, Revision};
use mcpbolt_proto::session::OutgoingId;
use mcpbolt_proto::session::client::Resumption;

use crate::handler::BoxFuture;

/// One message to the server, with what HTTP wants to know about it.
#[derive(Debug, Clone)]
pub struct OutgoingFrame {
    /// The message, free of line breaks.
    pub text: ByteString,
    /// What it is.
    pub kind: FrameKind,
    /// Revision it is written in; `None` before one is known.
    pub revision: Option<Revision>,
}

impl OutgoingFrame {
    /// Our number for it, if it is a request.
    pub fn number(&self) -> Option<OutgoingId> {
        match &self.kind {
            FrameKind::Request(request) => Some(request.request),
            FrameKind::Notification | FrameKind::Response => None,
        }
    }
}

/// Kinds of [`OutgoingFrame`].
#[derive(Debug, Clone)]
pub enum FrameKind {
    /// A request.
    Request(RequestFrame),
    /// A notification.
    Notification,
    /// The answer to a request of the server (legacy era).
    Response,
}

/// What HTTP wants to know about a request.
#[derive(Debug, Clone)]
pub struct RequestFrame {
    /// Our number for it.
    pub request: OutgoingId,
    /// Its id on the wire.
    pub id: Id,
    /// Method name, for `Mcp-Method`.
    pub method: String,
    /// Value for `Mcp-Name`, not yet encoded; only for HTTP.
    pub name: Option<String>,
    /// `Mcp-Param-*` headers: full name and encoded value.
    pub headers: Vec<(String, String)>,
    /// Whether repeating it after a lost connection can do no harm.
    pub repeatable: bool,
    /// Where the stream of its answer goes on, and who hears of that; only for HTTP.
    pub resumption: Resumption,
}

/// Is told, once, whether the server took a message, and why not.
pub type Taken = Box<dyn FnOnce(Result<(), Error>) + Send>;

/// Carries frames to one server. Methods neither block nor call the connection back
/// on the caller's stack.
pub trait ClientTransport: Send + Sync + 'static {
    /// Queues a frame. What becomes of it is told to [`ClientEvents`].
    fn send(&self, frame: OutgoingFrame);

    /// As [`ClientTransport::send`], for a notification whose sender wants to know what
    /// becomes of it: `taken` is told instead of [`ClientEvents::problem`]. A transport that
    /// cannot tell gives it back.
    fn send_watched(&self, frame: OutgoingFrame, taken: Taken) -> Option<Taken> {
        self.send(frame);
        Some(taken)
    }

    /// Has frames wait for [`ClientTransport::release`], where they share a channel, so that
    /// many leave in one write. Others send as before.
    fn hold(&self) {}

    /// Sends what waits, on the caller's thread as far as that takes no time.
    fn release(&self) {}

    /// The caller no longer wants an answer. `true` if the server need not be told: the
    /// request was still waiting to be sent, or closing the answer's stream is how this
    /// transport and revision cancel; else the session sends
    /// `notifications/cancelled`.
    fn abandon(&self, request: OutgoingId) -> bool;

    /// The program knows that open sockets may be dead: see
    /// [`ClientSession::reconnect`](crate::client::ClientSession::reconnect). A transport without
    /// sockets has nothing to do.
    fn renew(&self) {}

    /// Nobody opens another session in place of the one that was lost
    /// ([`ClientEvents::session_lost`]): what waits for it is sent without one, so that the server
    /// refuses it.
    fn go_on_without_session(&self) {}

    /// Era and revision are settled.
    fn negotiated(&self, revision: Revision) {
        let _ = revision;
    }

    /// Waits until the server has taken the notification that ends the handshake, where a
    /// transport can tell; asked once that is on its way. What a server says before it has
    /// may be lost, so the program is not told before that the connection is ready. Fails with why
    /// the server did not take it.
    fn opening(&self) -> Option<BoxFuture<'static, Result<(), Error>>> {
        None
    }

    /// Ends politely: DELETE, close stdin, wait, kill. Bounded in time.
    fn close(&self) -> BoxFuture<'_, ()>;

    /// Whether a failed probe means that a fresh channel is needed (a process that
    /// exited); `true` if `restart` gave one.
    fn restart(&self) -> BoxFuture<'_, bool> {
        Box::pin(std::future::ready(false))
    }

    /// What is known of the other side.
    fn facts(&self) -> TransportFacts {
        TransportFacts::default()
    }

    /// How errors call the other side: a URL without credentials, a command.
    fn place(&self) -> Option<String> {
        None
    }

    /// Whether HTTP+SSE (2024-11-05) is spoken.
    fn fell_back(&self) -> bool {
        false
    }

    /// How many bytes wait to be sent.
    fn queued_bytes(&self) -> usize {
        0
    }

    /// Whether this is HTTP, where the probe and cancellation differ.
    fn is_http(&self) -> bool {
        false
    }
}

/// What a transport knows of the other side.
///
/// ```
/// use mcpbolt::transport::client::TransportFacts;
///
/// let facts = TransportFacts { session: Some("secret".into()), process: None };
/// assert!(!format!("{facts:?}").contains("secret"));
/// ```
#[derive(Clone, Default)]
pub struct TransportFacts {
    /// The id of a legacy HTTP session.
    pub session: Option<String>,
    /// The process id of a child.
    pub process: Option<u32>,
}

/// Session ids are credentials.
impl fmt::Debug for TransportFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TransportFacts(session: {}, process: {:?})", self.session.is_some(), self.process)
    }
}

/// Why a request could not be carried to its answer.
#[derive(Debug, Clone)]
pub struct SendFailure {
    /// As callers see it.
    pub error: Error,
    /// The HTTP status, when there was one: the probe reads it.
    pub status: Option<u16>,
}

/// Hears what a transport brings. Called from the transport's own tasks.
pub trait ClientEvents: Send + Sync + 'static {
    /// One frame of the server; `answers` names the request on whose response it came.
    fn received(&self, frame: Bytes, answers: Option<OutgoingId>);

    /// Frames that arrived together on a channel that all requests share.
    fn received_together(&self, frames: Vec<Bytes>) {
        for frame in frames {
            self.received(frame, None);
        }
    }

    /// A message of the server was skipped: it is too large. A request that waits for it is told.
    fn skipped(&self, message: Malformed) {
        self.problem(Error::protocol(message.error.message));
    }

    /// A request will not be answered.
    fn failed(&self, request: OutgoingId, failure: SendFailure);

    /// The stream of a request whose [`Resumption`] says so can be resumed after this event.
    fn event_id(&self, request: OutgoingId, id: &str) {
        let _ = (request, id);
    }

    /// The connection was lost and is being re-established, or is up again.
    fn reconnecting(&self, lost: bool) {
        let _ = lost;
    }

    /// The stream of messages that belong to no request (legacy HTTP) is asked for; or there is none:
    /// the server refused it, or it is given up.
    fn listening(&self, on: bool) {
        let _ = on;
    }

    /// The server has forgotten the legacy session (404): it must be opened again.
    /// Requests that were refused for it are named, in order.
    fn session_lost(&self, refused: Vec<OutgoingId>) {
        let _ = refused;
    }

    /// A line of a child process's standard error, if that is captured.
    fn stderr(&self, line: &str) {
        let _ = line;
    }

    /// Something went wrong that belongs to no request.
    fn problem(&self, error: Error) {
        let _ = error;
    }

    /// A stream of the server's messages broke, could not be opened again, or is given up.
    fn stream_problem(&self, error: Error) {
        let _ = error;
    }

    /// Nothing more comes.
    fn closed(&self, reason: Error);
}
