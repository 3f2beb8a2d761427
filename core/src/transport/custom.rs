//! Transports of the program's own, and a server on them.
//!
//! Owns: the trait that a program implements, and the queue between it and a connection.
//! Must not know: how its bytes travel.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use bytestring::ByteString;
use parking_lot::Mutex;
use tokio::sync::Notify;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::server::ServerSession;
use mcpbolt_proto::session::{OutgoingId, StreamId};

use crate::handler::{BoxFuture, ConnectionInfo, Engine, Handler, Scope, TransportKind, Wake};

use super::connection::{ServerConnection, Sink, Wire};
use super::timer::within;

/// How long the last replies may wait to be taken, each anew.
const FLUSH: Duration = Duration::from_secs(2);

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
    let queue = Arc::new(Queue::counted(engine));
    let info = ConnectionInfo::lasting(engine.next_connection(), kind);
    let session = ServerSession::new(Arc::clone(&engine.settings));
    let connection = ServerConnection::open(engine, handler, info, queue.clone(), session);
    let writer = async {
        while let Some(frame) = queue.next().await {
            if transport.send(frame).await.is_err() {
                break;
            }
        }
    };
    let mut writer = pin!(writer);
    let written = {
        let reader = pin!(read(&connection, &*transport, &queue));
        tokio::select! {
            // The connection was closed from here, or the other end takes nothing any more.
            () = &mut writer => true,
            () = reader => false,
            () = queue.closed() => false,
        }
    };
    connection.close(true);
    let mut flushed = written;
    while !flushed {
        let before = queue.bytes();
        flushed = within(FLUSH, &mut writer).await.is_some() || queue.bytes() == before;
    }
    // By now nothing holds on to the transport's next message.
    transport.close().await;
}

/// Takes messages while there is room for their replies.
async fn read(connection: &ServerConnection, transport: &dyn Transport, queue: &Queue) {
    loop {
        if !queue.room().await {
            return connection.tell_slow_reader();
        }
        match transport.receive().await {
            Some(Ok(frame)) => connection.receive([frame], StreamId::CONNECTION, &Scope::default()),
            Some(Err(error)) => {
                tracing::debug!(target: "mcpbolt::transport", kind = ?error.kind, "a custom transport failed");
                return;
            }
            None => return,
        }
    }
}

/// Outbound messages of one duplex connection, bounded in bytes.
pub(super) struct Queue {
    inner: Mutex<QueueInner>,
    ready: Notify,
    /// Something was taken that waited beyond the bound of replies.
    taken: Notify,
    /// The connection was closed.
    ended: Notify,
    /// More waits than replies may.
    over: AtomicBool,
    max_bytes: usize,
    max_reply_bytes: usize,
    /// How long nothing may be taken beyond that.
    patience: Duration,
    /// Where what waits is counted.
    counted: Option<Arc<Engine>>,
}

#[derive(Default)]
struct QueueInner {
    frames: VecDeque<(Option<OutgoingId>, ByteString)>,
    bytes: usize,
    closed: bool,
    wakes: Vec<Wake>,
}

impl Queue {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self {
            inner: Mutex::default(),
            ready: Notify::new(),
            taken: Notify::new(),
            ended: Notify::new(),
            over: AtomicBool::new(false),
            max_bytes,
            max_reply_bytes: usize::MAX,
            patience: Duration::MAX,
            counted: None,
        }
    }

    /// A queue that counts for an engine, within its limits.
    fn counted(engine: &Arc<Engine>) -> Self {
        let limits = &engine.limits;
        let mut queue = Self::new(Limits::size(limits.send_queue_bytes));
        queue.max_reply_bytes = Limits::size(limits.reply_queue_bytes);
        queue.patience = limits.slow_reader;
        queue.counted = Some(Arc::clone(engine));
        queue
    }

    /// Waits until more replies may come. `false` when nothing was taken for too long.
    async fn room(&self) -> bool {
        while self.over.load(Ordering::Acquire) {
            if within(self.patience, self.taken.notified()).await.is_none() {
                return false;
            }
        }
        true
    }

    /// Waits until nothing more may be queued.
    async fn closed(&self) {
        self.ended.notified().await;
    }

    /// Queues a message of a client.
    pub(super) fn push(&self, request: Option<OutgoingId>, text: ByteString) {
        let mut inner = self.inner.lock();
        inner.bytes += text.len();
        inner.frames.push_back((request, text));
        drop(inner);
        self.ready.notify_one();
    }

    /// Removes a request that has not been taken yet.
    pub(super) fn take_back(&self, request: OutgoingId) -> bool {
        let mut inner = self.inner.lock();
        let Some(at) = inner.frames.iter().position(|(number, _)| *number == Some(request)) else {
            return false;
        };
        inner.bytes -= inner.frames.remove(at).map_or(0, |(_, text)| text.len());
        true
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
        let frame = inner.frames.pop_front().map(|(_, text)| text);
        let closed = inner.closed;
        let mut wakes = Vec::new();
        if let Some(frame) = &frame {
            inner.bytes -= frame.len();
            if self.over.load(Ordering::Relaxed) {
                self.over.store(inner.bytes > self.max_reply_bytes / 2, Ordering::Release);
                self.taken.notify_one();
            }
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
                inner.frames.push_back((None, outbound.text));
            }
        }
        if inner.bytes > self.max_reply_bytes {
            self.over.store(true, Ordering::Release);
        }
        drop(inner);
        self.ready.notify_one();
    }

    fn is_full(&self, _: StreamId) -> bool {
        self.inner.lock().bytes > self.max_bytes
    }

    fn on_writable(&self, _: StreamId, wake: Wake) {
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
        self.ended.notify_one();
        run(wakes);
    }
}
