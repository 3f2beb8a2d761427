//! Transports of the program's own, and a server on them.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;

use bytes::Bytes;
use bytestring::ByteString;
use parking_lot::Mutex;
use tokio::sync::Notify;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::StreamId;
use mcpbolt_proto::session::server::ServerSession;

use crate::handler::{BoxFuture, ConnectionInfo, Engine, Handler, Scope, TransportKind, Wake};

use super::connection::{ServerConnection, Sink, Wire};

/// A duplex channel of whole messages. Implement it to carry MCP over anything:
/// sockets, queues, another process's memory.
///
/// ```
/// use bytes::Bytes;
/// use bytestring::ByteString;
/// use mcpbolt::Error;
/// use mcpbolt::handler::BoxFuture;
/// use mcpbolt::transport::custom::Transport;
/// use std::sync::Mutex;
///
/// /// Plays back a recording; what is sent goes nowhere.
/// struct Recording(Mutex<Vec<&'static str>>);
///
/// impl Transport for Recording {
///     fn send(&self, _: ByteString) -> BoxFuture<'_, Result<(), Error>> {
///         Box::pin(async { Ok(()) })
///     }
///     fn receive(&self) -> BoxFuture<'_, Option<Result<Bytes, Error>>> {
///         let next = self.0.lock().unwrap().pop();
///         Box::pin(async move { next.map(|frame| Ok(Bytes::from_static(frame.as_bytes()))) })
///     }
///     fn close(&self) -> BoxFuture<'_, ()> {
///         Box::pin(async {})
///     }
/// }
/// ```
pub trait Transport: Send + Sync + 'static {
    /// Sends one message. Fails with `Closed` or `Transport`.
    fn send(&self, frame: ByteString) -> BoxFuture<'_, Result<(), Error>>;

    /// The next message; `None` at the end.
    fn receive(&self) -> BoxFuture<'_, Option<Result<Bytes, Error>>>;

    /// Ends the channel.
    fn close(&self) -> BoxFuture<'_, ()>;
}

/// Serves one connection on a transport until it ends.
pub async fn serve(
    engine: &Arc<Engine>,
    handler: &Arc<dyn Handler>,
    transport: Arc<dyn Transport>,
    kind: TransportKind,
) {
    let bytes = Limits::size(engine.limits.send_queue_bytes);
    let queue = Arc::new(Queue::counted(bytes, Some(Arc::clone(engine))));
    let info = ConnectionInfo { id: engine.next_connection(), transport: kind, peer: None };
    let session = ServerSession::new(Arc::clone(&engine.settings));
    let connection = ServerConnection::open(engine, handler, info, queue.clone(), session);
    let writer = {
        let (queue, transport) = (queue.clone(), Arc::clone(&transport));
        async move {
            while let Some(frame) = queue.next().await {
                if transport.send(frame).await.is_err() {
                    break;
                }
            }
        }
    };
    let reader = async {
        while let Some(frame) = transport.receive().await {
            match frame {
                Ok(frame) => connection.receive([frame], StreamId::CONNECTION, &Scope::default()),
                Err(error) => {
                    tracing::debug!(target: "mcpbolt::transport", kind = ?error.kind, "a custom transport failed");
                    break;
                }
            }
        }
        connection.close(true);
    };
    let (mut writer, reader) = (pin!(writer), pin!(reader));
    tokio::select! {
        // The connection was closed from here, or the other end takes nothing any more.
        () = &mut writer => connection.close(true),
        // What is queued still goes out.
        () = reader => writer.await,
    }
    transport.close().await;
}

/// Outbound messages of one duplex connection, bounded in bytes.
pub(super) struct Queue {
    inner: Mutex<QueueInner>,
    ready: Notify,
    max_bytes: usize,
    /// Where what waits is counted.
    counted: Option<Arc<Engine>>,
}

#[derive(Default)]
struct QueueInner {
    frames: VecDeque<ByteString>,
    bytes: usize,
    closed: bool,
    wakes: Vec<Wake>,
}

impl Queue {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self::counted(max_bytes, None)
    }

    /// A queue that counts for an engine.
    fn counted(max_bytes: usize, counted: Option<Arc<Engine>>) -> Self {
        Self { inner: Mutex::default(), ready: Notify::new(), max_bytes, counted }
    }

    /// How many bytes wait.
    pub(super) fn bytes(&self) -> usize {
        self.inner.lock().bytes
    }

    /// The next message; `None` when the queue is closed and empty.
    pub(super) async fn next(&self) -> Option<ByteString> {
        loop {
            let ready = self.ready.notified();
            let (frame, closed) = self.pop();
            if frame.is_some() || closed {
                return frame;
            }
            ready.await;
        }
    }

    /// The next message, and whether no other will come.
    fn pop(&self) -> (Option<ByteString>, bool) {
        let mut inner = self.inner.lock();
        let frame = inner.frames.pop_front();
        let closed = inner.closed;
        let mut wakes = Vec::new();
        if let Some(frame) = &frame {
            inner.bytes -= frame.len();
            if let Some(engine) = &self.counted {
                engine.stats().unqueued(frame.len());
            }
            if inner.bytes <= self.max_bytes / 2 {
                wakes = std::mem::take(&mut inner.wakes);
            }
        }
        drop(inner);
        run(wakes);
        (frame, closed)
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        if let Some(engine) = &self.counted {
            engine.stats().unqueued(self.inner.get_mut().bytes);
        }
    }
}

fn run(wakes: Vec<Wake>) {
    for wake in wakes {
        wake();
    }
}

impl Sink for Queue {
    fn send(&self, steps: &mut Vec<Wire>) {
        let mut inner = self.inner.lock();
        for step in steps.drain(..) {
            if let Wire::Message(outbound) = step {
                inner.bytes += outbound.text.len();
                if let Some(engine) = &self.counted {
                    engine.stats().queued(outbound.text.len());
                }
                inner.frames.push_back(outbound.text);
            }
        }
        drop(inner);
        self.ready.notify_one();
    }

    fn is_full(&self, _: StreamId) -> bool {
        self.inner.lock().bytes > self.max_bytes
    }

    fn on_writable(&self, wake: Wake) {
        {
            let mut inner = self.inner.lock();
            if inner.bytes > self.max_bytes && !inner.closed {
                inner.wakes.push(wake);
                return;
            }
        }
        wake();
    }

    fn close(&self) {
        let wakes = {
            let mut inner = self.inner.lock();
            inner.closed = true;
            std::mem::take(&mut inner.wakes)
        };
        self.ready.notify_one();
        run(wakes);
    }
}
