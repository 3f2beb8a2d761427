//! Writes that never block the caller.
//!
//! Owns: the order of bytes, the bounded queue, the sticky failure, closing.
//! Must not know: what a line means, or how bytes are read. The thread behind the queue is in
//! `writer_thread`.

use std::fmt;
use std::io;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use bytes::Bytes;
use parking_lot::{Condvar, Mutex};

use super::fork::Home;
use super::options::Pause;
use super::signal::{Signal, WriteSide};
use super::system::{Channel, Output};
use super::write_queue::{Phase, Queue, QueueState, WriteQueue, WriterThread};
use super::writer_thread;

/// How long closing waits for a thread that was told to stop.
const STOP_GRACE: Duration = Duration::from_millis(500);

/// What became of the bytes of one write.
///
/// ```
/// use mcpbolt::transport::stdio::WriteOutcome;
///
/// fn will_be_written(outcome: WriteOutcome) -> bool {
///     matches!(outcome, WriteOutcome::Written | WriteOutcome::Queued)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "bytes that were refused are not written"]
pub enum WriteOutcome {
    /// The kernel took them all.
    Written,
    /// They will be written in order; some wait for the other side to read.
    Queued,
    /// None were taken: too many wait already. Try again when drained.
    Full,
    /// None were taken: the output is closed or failed.
    Closed,
}

/// What became of the queue when the output was closed.
///
/// ```
/// use mcpbolt::transport::stdio::Flush;
///
/// fn lost_bytes(flush: Flush) -> usize {
///     match flush {
///         Flush::Complete => 0,
///         Flush::Lost { bytes } => bytes,
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flush {
    /// Everything was written.
    Complete,
    /// The other side did not read in time, or is gone.
    Lost {
        /// How many bytes were not written.
        bytes: usize,
    },
}

/// Writes to a channel in order, from any thread, without ever waiting for the other
/// side. Clones share one queue.
///
/// ```
/// use mcpbolt::transport::stdio::{WriteOutcome, Writer};
///
/// /// False when the lines must be sent again once the queue has drained.
/// fn send(writer: &Writer, lines: &[&str]) -> bool {
///     writer.write_lines(lines) != WriteOutcome::Full
/// }
/// ```
#[derive(Clone)]
pub struct Writer {
    shared: Arc<WriteQueue>,
}

impl Writer {
    pub(super) fn new(
        output: Channel,
        max_queued_bytes: usize,
        reader: Arc<Signal>,
        pause: Option<Pause>,
    ) -> io::Result<Self> {
        let state = QueueState { output: Some(Arc::new(Output::new(output)?)), ..QueueState::default() };
        Ok(Self {
            shared: Arc::new(WriteQueue {
                state: Mutex::new(state),
                work: Condvar::new(),
                settled: Condvar::new(),
                max_queued_bytes,
                on_drained: OnceLock::new(),
                reader,
                pause,
                home: Home::here(),
            }),
        })
    }

    /// Writes bytes: one line with its line break, or many. A message that the queue
    /// alone could never hold is still taken when nothing else waits.
    pub fn write(&self, bytes: &[u8]) -> WriteOutcome {
        self.submit(bytes, None, self.shared.max_queued_bytes)
    }

    /// Like [`Writer::write`]; what must wait is kept without a copy when it is long.
    pub fn write_bytes(&self, bytes: &Bytes) -> WriteOutcome {
        self.submit(bytes, Some(bytes), self.shared.max_queued_bytes)
    }

    /// Like [`Writer::write_bytes`], however much waits: never `Full`. For what must not be
    /// lost and comes only while reading goes on; see [`Pause`](super::Pause).
    pub fn write_always(&self, bytes: &Bytes) -> WriteOutcome {
        self.submit(bytes, Some(bytes), usize::MAX)
    }

    /// Writes lines, each with a line feed after it, as one write. All or none are
    /// taken.
    pub fn write_lines<L: AsRef<[u8]>>(&self, lines: &[L]) -> WriteOutcome {
        let length = lines.iter().map(|line| line.as_ref().len() + 1).sum();
        let mut bytes = Vec::with_capacity(length);
        for line in lines {
            bytes.extend_from_slice(line.as_ref());
            bytes.push(b'\n');
        }
        self.write_bytes(&bytes.into())
    }

    /// How many bytes wait for the other side to read.
    pub fn queued(&self) -> usize {
        self.shared.state.lock().queued
    }

    /// Whether the other side has read something, and all that was written; `None` where the
    /// system does not tell.
    pub(in crate::transport) fn was_read(&self) -> Option<bool> {
        let state = self.shared.state.lock();
        let unread = state.output.as_ref()?.unread()?;
        Some(state.written > 0 && state.queued == 0 && unread == 0)
    }

    /// Sets what is called, on the writer's thread, when a queue that was more than half
    /// full, or refused a write, has fallen to half or below, and when the output fails
    /// or closes after that. Only the first one set counts.
    pub fn set_on_drained(&self, callback: impl Fn() + Send + Sync + 'static) {
        let _ = self.shared.on_drained.set(Box::new(callback));
    }

    /// Waits until all is written, for as long as the other side goes on taking something
    /// within each `patience`. False when it did not, or nothing more can be written.
    pub fn flush(&self, patience: Duration) -> bool {
        let mut state = self.shared.state.lock();
        loop {
            let (waiting, over) = (state.queued, state.failure.is_some() || state.is_stopped());
            if waiting == 0 || over {
                return waiting == 0;
            }
            self.shared.settled.wait_for(&mut state, patience);
            if state.queued == waiting {
                return false;
            }
        }
    }

    /// Whether this is the process that made it, and not a forked child of that.
    pub(super) fn is_here(&self) -> bool {
        self.shared.home.is_here()
    }

    /// Takes nothing more, waits up to `timeout` for the queue to be written, closes the
    /// output and ends the thread. Further calls tell [`Flush::Complete`].
    pub fn close(&self, timeout: Duration) -> Flush {
        if !self.is_here() {
            return Flush::Complete;
        }
        let mut state = self.shared.state.lock();
        if state.phase == Phase::Open {
            state.phase = Phase::Closing;
        }
        let own = state.thread.as_ref().map(|thread| thread.id) == Some(thread::current().id());
        let timeout = if own { Duration::ZERO } else { timeout };
        let settled =
            |state: &mut QueueState| state.failure.is_some() || state.queued == 0 || state.is_stopped();
        self.shared.settled.wait_while_for(&mut state, |state| !settled(state), timeout);
        let bytes = std::mem::take(&mut state.queued);
        state.phase = Phase::Stopped;
        state.output = None;
        state.queue = Queue::default();
        let drained = std::mem::take(&mut state.pressed);
        self.shared.reader.resume();
        let thread = state.thread.take();
        self.shared.work.notify_all();
        if let Some(thread) = thread {
            self.end_thread(&thread, &mut state);
        }
        drop(state);
        if drained {
            self.shared.tell_drained();
        }
        match bytes {
            0 => Flush::Complete,
            bytes => Flush::Lost { bytes },
        }
    }

    fn end_thread(&self, thread: &WriterThread, state: &mut parking_lot::MutexGuard<'_, QueueState>) {
        thread.wake.wake();
        if thread.id == thread::current().id() {
            return;
        }
        // Only a stuck terminal makes this wait in vain: its thread is left behind.
        self.shared.settled.wait_while_for(state, |state| !state.thread_ended, STOP_GRACE);
    }

    fn submit(&self, bytes: &[u8], owner: Option<&Bytes>, max_queued_bytes: usize) -> WriteOutcome {
        // A forked child has no say on its parent's channel, and none of its threads.
        if !self.is_here() {
            return WriteOutcome::Closed;
        }
        let mut state = self.shared.state.lock();
        if state.phase != Phase::Open || state.failure.is_some() {
            return WriteOutcome::Closed;
        }
        let Some(output) = &state.output else {
            return WriteOutcome::Closed;
        };
        let mut taken = 0;
        if state.queued == 0 && !state.busy && output.never_blocks() {
            match output.try_write(bytes) {
                Ok(written) => {
                    taken = written;
                    state.written += written as u64;
                }
                Err(error) => return self.fail_write(&mut state, &error),
            }
        } else if state.queued > 0 && state.queued + bytes.len() > max_queued_bytes {
            state.pressed = true;
            return WriteOutcome::Full;
        }
        let rest = &bytes[taken..];
        if rest.is_empty() {
            return WriteOutcome::Written;
        }
        if state.thread.is_none() {
            match writer_thread::start(&self.shared) {
                Ok(thread) => state.thread = Some(thread),
                Err(error) => return self.fail_write(&mut state, &error),
            }
        }
        if state.queued == 0 {
            state.taken_at = Some(Instant::now());
        }
        state.queue.push(rest, owner);
        state.queued += rest.len();
        state.pressed |= state.queued > self.shared.max_queued_bytes / 2;
        if self.shared.pause.is_some_and(|pause| state.queued > pause.bytes) {
            self.shared.reader.pause();
        }
        self.shared.work.notify_one();
        WriteOutcome::Queued
    }

    fn fail_write(&self, state: &mut QueueState, error: &io::Error) -> WriteOutcome {
        self.shared.fail(state, error);
        WriteOutcome::Closed
    }
}

impl WriteSide for Writer {
    fn take_failure(&self) -> Option<io::Error> {
        let mut state = self.shared.state.lock();
        let failure = state.failure.as_mut()?;
        let reported = std::mem::replace(&mut failure.reported, true);
        (!reported).then(|| failure.error())
    }

    fn patience_left(&self) -> Duration {
        let patience = self.shared.pause.map_or(Duration::MAX, |pause| pause.patience);
        let waited = self.shared.state.lock().taken_at.map_or(Duration::ZERO, |at| at.elapsed());
        patience.saturating_sub(waited)
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Writer({} bytes queued)", self.queued())
    }
}
