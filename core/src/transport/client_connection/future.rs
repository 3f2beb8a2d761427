//! The answer of one request, as a future.
//!
//! Owns: that a request whose future is dropped is given up. Must not know: how a request is
//! sent.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Weak;
use std::task::{Context, Poll};

use tokio::sync::oneshot;

use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::OutgoingId;
use mcpbolt_proto::session::client::Answered;

/// Where a request can be given up.
pub(super) trait GivesUp: Send + Sync {
    /// The answer is not awaited any more.
    fn give_up(&self, request: OutgoingId);
}

/// The answer to come. Dropped before that, it cancels the request on the wire.
///
/// ```
/// use mcpbolt::jsonrpc::RawJson;
/// use mcpbolt::protocol::Error;
/// use mcpbolt::session::client::{Answered, RequestOptions};
/// use mcpbolt::transport::client_connection::{ClientConnection, Hooks, RequestFuture};
///
/// async fn discover(connection: &ClientConnection) -> Result<Option<RawJson>, Error> {
///     let (options, hooks) = (RequestOptions::default(), Hooks::default());
///     let answer: RequestFuture = connection.request("server/discover", None, options, hooks)?;
///     Ok(match answer.await? {
///         Answered::Complete(result) => Some(result),
///         _ => None,
///     })
/// }
/// ```
pub struct RequestFuture {
    connection: Weak<dyn GivesUp>,
    request: OutgoingId,
    reply: oneshot::Receiver<Result<Answered, Error>>,
    done: bool,
}

impl RequestFuture {
    pub(super) fn new(
        connection: Weak<dyn GivesUp>,
        request: OutgoingId,
        reply: oneshot::Receiver<Result<Answered, Error>>,
    ) -> Self {
        Self { connection, request, reply, done: false }
    }

    /// Our number for the request.
    pub fn request(&self) -> OutgoingId {
        self.request
    }
}

impl Future for RequestFuture {
    type Output = Result<Answered, Error>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let reply = std::task::ready!(Pin::new(&mut self.reply).poll(cx));
        self.done = true;
        Poll::Ready(reply.unwrap_or_else(|_| Err(Error::closed())))
    }
}

impl Drop for RequestFuture {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.upgrade().filter(|_| !self.done) {
            connection.give_up(self.request);
        }
    }
}

impl fmt::Debug for RequestFuture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RequestFuture({:?})", self.request)
    }
}
