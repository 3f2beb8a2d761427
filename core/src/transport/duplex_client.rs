//! Client connections over duplex channels: child processes and transports of the
//! program's own.
//!
//! Owns: the tasks between a [`Transport`] and a connection, the process behind a
//! stdio client. Must not know: sessions, methods.

use std::fmt;
use std::sync::{Arc, Weak};

use tokio::sync::watch;

use mcpbolt_proto::jsonrpc::{Malformed, Skimmed};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::OutgoingId;

use crate::handler::{BoxFuture, Spawner};

use super::client::{ClientEvents, ClientTransport, OutgoingFrame};
use super::connection::Sink;
use super::custom::{Queue, Transport};

/// A client over a transport of the program's own.
///
/// ```
/// use mcpbolt::handler::Spawner;
/// use mcpbolt::transport::client::ClientEvents;
/// use mcpbolt::transport::duplex_client::DuplexClient;
/// use mcpbolt::transport::memory::MemoryTransport;
/// use std::sync::{Arc, Weak};
///
/// fn over_memory(events: Weak<dyn ClientEvents>) -> (Arc<DuplexClient>, MemoryTransport) {
///     let (ours, theirs) = MemoryTransport::pair();
///     (DuplexClient::start(Arc::new(ours), events, &Spawner::current()), theirs)
/// }
/// # let _ = over_memory;
/// ```
pub struct DuplexClient {
    queue: Arc<Queue>,
    transport: Arc<dyn Transport>,
    stop: watch::Sender<bool>,
}

impl DuplexClient {
    /// Starts carrying messages.
    pub fn start(
        transport: Arc<dyn Transport>,
        events: Weak<dyn ClientEvents>,
        spawner: &Spawner,
    ) -> Arc<Self> {
        let queue = Arc::new(Queue::new(usize::MAX));
        let (stop, stopped) = watch::channel(false);
        spawner.spawn(write(Arc::clone(&queue), Arc::clone(&transport)));
        spawner.spawn(read(Arc::clone(&transport), events, stopped));
        Arc::new(Self { queue, transport, stop })
    }
}

async fn write(queue: Arc<Queue>, transport: Arc<dyn Transport>) {
    while let Some(frame) = queue.next().await {
        if transport.send(frame).await.is_err() {
            break;
        }
    }
    transport.close().await;
}

async fn read(
    transport: Arc<dyn Transport>,
    events: Weak<dyn ClientEvents>,
    mut stopped: watch::Receiver<bool>,
) {
    let reason = loop {
        let frame = tokio::select! {
            _ = stopped.wait_for(|stop| *stop) => return,
            frame = transport.receive() => frame,
        };
        let Some(events) = events.upgrade() else { return };
        match frame {
            Some(Ok(frame)) => events.received(frame, None),
            Some(Err(error)) => break error,
            None => break Error::closed(),
        }
    };
    if let Some(events) = events.upgrade() {
        events.closed(reason);
    }
}

impl ClientTransport for DuplexClient {
    fn send(&self, frame: OutgoingFrame) {
        self.queue.push(frame.number(), frame.text);
    }

    fn abandon(&self, request: OutgoingId) -> bool {
        self.queue.take_back(request)
    }

    fn queued_bytes(&self) -> usize {
        self.queue.bytes()
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.queue.close();
        self.stop.send_replace(true);
        Box::pin(self.transport.close())
    }
}

impl Drop for DuplexClient {
    fn drop(&mut self) {
        self.queue.close();
        self.stop.send_replace(true);
    }
}

impl fmt::Debug for DuplexClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DuplexClient").finish_non_exhaustive()
    }
}

/// An answer, or another message of the server, on a line that was skipped.
pub(crate) fn too_long(bytes: usize, skimmed: Skimmed) -> Malformed {
    let message = format!("a line of {bytes} bytes is longer than this client takes");
    let mut malformed = Malformed::skipped(skimmed, message);
    malformed.error.data = Some(serde_json::json!({ "bytes": bytes }).into());
    malformed
}
