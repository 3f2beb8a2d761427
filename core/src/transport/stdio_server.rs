//! A server on stdin and stdout, or on any pair of handles that carry lines.
//!
//! Owns: lines to messages, replies to one write per batch, the end of the process's
//! only connection. Must not know: signals, exit codes, what is served.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use bytes::Bytes;
use parking_lot::{Condvar, Mutex};

use mcpbolt_proto::jsonrpc::{Incoming, Malformed, Skimmed};
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::session::server::ServerSession;
use mcpbolt_proto::session::{Outbound, StreamId, Time};

use crate::handler::{ConnectionInfo, Engine, Handler, Scope, TransportKind, Wake};
use crate::observe::events::{self, Refused};

use super::connection::{ServerConnection, Sink, Wire};
use super::lines::LineEvent;
use super::stdio::{
    Channel, Driver, DriverOptions, EndReason, Flush, InputEvent, Pause, StdioHandles, Writer,
};

/// How long calls in flight may still answer after the end of input.
const GRACE: Time = Time::from_secs(1);
/// How long the last replies may take to be written.
const FLUSH: Duration = Duration::from_secs(2);

/// Messages of this size are written as they are: a copy of so much costs more than a write.
const ALONE: usize = 256 * 1024;

/// Why a stdio server ended.
///
/// ```
/// use mcpbolt::server::Server;
/// use mcpbolt::transport::stdio_server::StdioEnd;
///
/// fn run(server: &Server) -> std::io::Result<i32> {
///     Ok(match server.start_stdio()?.wait_blocking() {
///         StdioEnd::Eof | StdioEnd::Closed => 0,
///         StdioEnd::Failed | StdioEnd::SlowReader => 1,
///     })
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StdioEnd {
    /// The client closed our input, or our output.
    Eof,
    /// [`StdioServer::close`] was called.
    Closed,
    /// Reading failed.
    Failed,
    /// The client took none of its replies for as long as the limit `slow_reader` says.
    SlowReader,
}

/// A running stdio server.
///
/// ```
/// use mcpbolt::server::Server;
///
/// fn run_for_an_hour(server: &Server) -> std::io::Result<()> {
///     let running = server.start_stdio()?;
///     let close = running.closer();
///     std::thread::spawn(move || {
///         std::thread::park_timeout(std::time::Duration::from_secs(3600));
///         close();
///     });
///     running.wait_blocking();
///     Ok(())
/// }
/// ```
pub struct StdioServer {
    connection: Arc<ServerConnection>,
    driver: Driver,
    done: Arc<Done>,
    /// Puts stdin and stdout back when dropped.
    own: Option<StdioHandles>,
}

#[derive(Default)]
struct Done {
    end: Mutex<(Option<StdioEnd>, Vec<Waker>)>,
    changed: Condvar,
}

impl StdioServer {
    /// Serves the process's own stdin and stdout, which nothing else can use from now
    /// on: a stray `println!` goes to stderr.
    ///
    /// # Errors
    /// When they are closed or already in use.
    pub fn start(engine: &Arc<Engine>, handler: &Arc<dyn Handler>) -> io::Result<Self> {
        let own = StdioHandles::take()?;
        let (input, output) = own.channels()?;
        let mut server = Self::on(engine, handler, input, output, true)?;
        server.own = Some(own);
        Ok(server)
    }

    /// Serves any pair of handles.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn on(
        engine: &Arc<Engine>,
        handler: &Arc<dyn Handler>,
        input: Channel,
        output: Channel,
        watch_parent: bool,
    ) -> io::Result<Self> {
        let limits = &engine.limits;
        let options = DriverOptions {
            max_line_bytes: Limits::size(limits.max_message_bytes),
            max_queued_bytes: Limits::size(limits.send_queue_bytes),
            pause: Some(Pause {
                bytes: Limits::size(limits.reply_queue_bytes),
                patience: limits.slow_reader,
            }),
            watch_parent,
            spin: Duration::from_micros(limits.stdio_spin as u64),
        };
        let sink = Arc::new(StdioSink {
            writer: Mutex::new(None),
            soft_limit: Limits::size(limits.send_queue_bytes),
            wakes: Mutex::new(Vec::new()),
        });
        let info = ConnectionInfo::lasting(engine.next_connection(), TransportKind::Stdio);
        let session = ServerSession::new(Arc::clone(&engine.settings));
        let queue = Arc::downgrade(&sink);
        engine.stats().watch_queue(Arc::new(move || queue.upgrade().map_or(0, |sink| sink.queued() as u64)));
        let connection = ServerConnection::open(engine, handler, info, sink.clone(), session);
        let done = Arc::new(Done::default());
        let reader = Reader {
            connection: Arc::clone(&connection),
            done: Arc::clone(&done),
            scope: Scope::default(),
            sink: Arc::clone(&sink),
        };
        let gate = Arc::new(Mutex::new(()));
        let starting = gate.lock();
        let driver = Driver::start(input, output, &options, {
            let gate = Arc::clone(&gate);
            move |event| {
                // The writer is installed before the first line is looked at.
                drop(gate.lock());
                reader.event(event);
            }
        })?;
        let writer = driver.writer().clone();
        let drained = Arc::downgrade(&sink);
        writer.set_on_drained(move || {
            if let Some(sink) = drained.upgrade() {
                sink.wake();
            }
        });
        *sink.writer.lock() = Some(writer);
        drop(starting);
        Ok(Self { connection, driver, done, own: None })
    }

    /// The connection.
    pub fn connection(&self) -> &Arc<ServerConnection> {
        &self.connection
    }

    /// Waits for the end, without a runtime.
    pub fn wait_blocking(&self) -> StdioEnd {
        let mut end = self.done.end.lock();
        loop {
            match end.0 {
                Some(reason) => return reason,
                None => self.done.changed.wait(&mut end),
            }
        }
    }

    /// Waits for the end.
    pub fn wait(&self) -> impl Future<Output = StdioEnd> + Send + 'static {
        Wait(Arc::clone(&self.done))
    }

    /// Ends the server: calls are cancelled, what was answered is written. In a forked child
    /// nothing happens: the calls and the channel are its parent's.
    pub fn close(&self) {
        if !self.driver.is_here() {
            return;
        }
        self.connection.close(true);
        self.driver.close(FLUSH);
        self.done.set(StdioEnd::Closed);
    }

    /// A handle that closes the server from anywhere.
    pub fn closer(&self) -> impl Fn() + Send + Sync + 'static {
        let (connection, done) = (Arc::clone(&self.connection), Arc::clone(&self.done));
        move || {
            connection.close(true);
            done.set(StdioEnd::Closed);
        }
    }
}

impl Drop for StdioServer {
    fn drop(&mut self) {
        self.close();
    }
}

struct Reader {
    connection: Arc<ServerConnection>,
    done: Arc<Done>,
    scope: Scope,
    sink: Arc<StdioSink>,
}

impl Reader {
    fn event(&self, event: InputEvent<'_>) {
        match event {
            InputEvent::Batch(lines) => {
                let frames = lines
                    .drain(..)
                    .map(|line| match line {
                        LineEvent::Line(frame) => self.connection.decode(frame),
                        LineEvent::TooLong { bytes, skimmed } => {
                            events::refused(Refused::Oversized, self.connection.info().id.0);
                            Err(too_long(bytes, *skimmed))
                        }
                    })
                    .collect::<Vec<Result<Incoming, Malformed>>>();
                self.connection.receive_decoded(frames, StreamId::CONNECTION, &self.scope);
            }
            InputEvent::End(EndReason::Error(error)) => {
                tracing::error!(target: "mcpbolt::transport", kind = ?error.kind(), "reading standard input failed");
                self.end(StdioEnd::Failed);
            }
            InputEvent::End(EndReason::Eof) => self.drain_then_end(),
            InputEvent::End(EndReason::Untaken) => {
                self.connection.tell_slow_reader();
                self.end(StdioEnd::SlowReader);
            }
            InputEvent::WriteFailed(_) | InputEvent::End(_) => self.end(StdioEnd::Eof),
        }
    }

    /// Input is over, but calls in flight may still answer: `server < script.jsonl`. Who
    /// goes on reading gets all of it.
    fn drain_then_end(&self) {
        let idle = Arc::new((Mutex::new(false), Condvar::new()));
        let signal = Arc::clone(&idle);
        self.connection.when_idle(Box::new(move || {
            *signal.0.lock() = true;
            signal.1.notify_all();
        }));
        let mut is_idle = idle.0.lock();
        if !*is_idle {
            idle.1.wait_for(&mut is_idle, GRACE);
        }
        drop(is_idle);
        let writer = self.sink.writer.lock().clone();
        if let Some(writer) = writer.filter(|writer| !writer.flush(FLUSH)) {
            let _: Flush = writer.close(Duration::ZERO);
        }
        self.end(StdioEnd::Eof);
    }

    fn end(&self, end: StdioEnd) {
        self.connection.close(true);
        self.done.set(end);
    }
}

pub(crate) fn too_long(bytes: usize, skimmed: Skimmed) -> Malformed {
    Malformed::skipped(skimmed, format!("a line of {bytes} bytes is longer than this server takes"))
}

struct StdioSink {
    writer: Mutex<Option<Writer>>,
    soft_limit: usize,
    wakes: Mutex<Vec<Wake>>,
}

impl StdioSink {
    fn queued(&self) -> usize {
        self.writer.lock().as_ref().map_or(0, Writer::queued)
    }

    /// A closed output loses what is written: its client is gone.
    fn write(&self, bytes: impl Into<Bytes>) {
        let bytes = bytes.into();
        if let Some(writer) = self.writer.lock().as_ref().filter(|_| !bytes.is_empty()) {
            let _ = writer.write_always(&bytes);
        }
    }

    fn wake(&self) {
        let wakes = std::mem::take(&mut *self.wakes.lock());
        for wake in wakes {
            wake();
        }
    }
}

impl Sink for StdioSink {
    fn send(&self, steps: &mut Vec<Wire>) {
        let size = |step: &Wire| if let Wire::Message(m) = step { m.text.len() + 1 } else { 0 };
        let joined = steps.iter().map(size).filter(|&size| size < ALONE).sum();
        let mut bytes = Vec::with_capacity(joined);
        for step in steps.drain(..) {
            let Wire::Message(Outbound { text, .. }) = step else { continue };
            if text.len() + 1 < ALONE {
                bytes.extend_from_slice(text.as_bytes());
            } else {
                self.write(std::mem::take(&mut bytes));
                self.write(text.into_bytes());
            }
            bytes.push(b'\n');
        }
        self.write(bytes);
    }

    fn is_full(&self, _: StreamId) -> bool {
        self.queued() > self.soft_limit
    }

    fn on_writable(&self, _: StreamId, wake: Wake) {
        if self.queued() <= self.soft_limit / 2 {
            return wake();
        }
        self.wakes.lock().push(wake);
        if self.queued() <= self.soft_limit / 2 {
            self.wake();
        }
    }

    fn close(&self) {
        if let Some(writer) = &*self.writer.lock() {
            writer.close(FLUSH);
        }
        self.wake();
    }
}

impl Done {
    fn set(&self, end: StdioEnd) {
        let wakers = {
            let mut state = self.end.lock();
            if state.0.is_some() {
                return;
            }
            state.0 = Some(end);
            std::mem::take(&mut state.1)
        };
        self.changed.notify_all();
        wakers.into_iter().for_each(Waker::wake);
    }
}

struct Wait(Arc<Done>);

impl Future for Wait {
    type Output = StdioEnd;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<StdioEnd> {
        let mut state = self.0.end.lock();
        if let Some(end) = state.0 {
            return Poll::Ready(end);
        }
        state.1.push(cx.waker().clone());
        Poll::Pending
    }
}
