//! Two ends of a channel within the process.
//!
//! Owns: the two queues, and that the end of one is the end of the other. Must not know: what
//! is sent.

use bytes::Bytes;
use bytestring::ByteString;
use tokio::sync::{Mutex, mpsc};

use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::handler::BoxFuture;

use super::custom::Transport;

/// Messages that may wait in one direction.
const CAPACITY: usize = 64;

/// One end of a pair.
///
/// ```
/// use mcpbolt::client::Client;
/// use mcpbolt::server::Server;
/// use mcpbolt::transport::memory::MemoryTransport;
/// use std::sync::Arc;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), mcpbolt::Error> {
/// let server = Server::builder("under-test", "1.0.0").build();
/// let (ours, theirs) = MemoryTransport::pair();
/// tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
///
/// let session = Client::builder("test", "1.0.0").build().connect(ours).await?;
/// assert_eq!(session.server_info().unwrap().name, "under-test");
/// session.close().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct MemoryTransport {
    sender: parking_lot::Mutex<Option<mpsc::Sender<Bytes>>>,
    receiver: Mutex<mpsc::Receiver<Bytes>>,
}

impl MemoryTransport {
    /// Two connected ends.
    pub fn pair() -> (Self, Self) {
        let (to_right, from_left) = mpsc::channel(CAPACITY);
        let (to_left, from_right) = mpsc::channel(CAPACITY);
        (Self::end(to_right, from_right), Self::end(to_left, from_left))
    }

    fn end(sender: mpsc::Sender<Bytes>, receiver: mpsc::Receiver<Bytes>) -> Self {
        Self { sender: parking_lot::Mutex::new(Some(sender)), receiver: Mutex::new(receiver) }
    }
}

impl Transport for MemoryTransport {
    fn send(&self, frame: ByteString) -> BoxFuture<'_, Result<(), Error>> {
        let sender = self.sender.lock().clone();
        Box::pin(async move {
            let closed = || Error::new(ErrorKind::Closed, "the other end is closed");
            sender.ok_or_else(closed)?.send(frame.into_bytes()).await.map_err(|_| closed())
        })
    }

    fn receive(&self) -> BoxFuture<'_, Option<Result<Bytes, Error>>> {
        Box::pin(async move { self.receiver.lock().await.recv().await.map(Ok) })
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.sender.lock().take();
        Box::pin(async move { self.receiver.lock().await.close() })
    }
}
