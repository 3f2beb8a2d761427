//! What waits to be written, and what became of the output.
//!
//! Owns: the order of bytes, how much waits, the sticky failure, who is told when it drains.
//! Must not know: who writes, or what a line means.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, OnceLock};
use std::thread::ThreadId;
use std::time::Instant;

use bytes::Bytes;
use parking_lot::{Condvar, Mutex};

use super::fork::Home;
use super::options::Pause;
use super::signal::Signal;
use super::system::{Output, Wake};

/// Small writes are joined in the queue up to about this size.
const JOINED_BYTES: usize = 64 * 1024;

/// Called when a queue has drained.
pub(super) type Callback = Box<dyn Fn() + Send + Sync>;

/// The thread behind a queue.
pub(super) struct WriterThread {
    pub(super) id: ThreadId,
    pub(super) wake: Arc<Wake>,
}

/// What a writer's handles and its thread share.
pub(super) struct WriteQueue {
    pub(super) state: Mutex<QueueState>,
    /// There is something to write, or the thread is to stop.
    pub(super) work: Condvar,
    /// The queue is empty, the output failed, or the thread has ended.
    pub(super) settled: Condvar,
    pub(super) max_queued_bytes: usize,
    pub(super) on_drained: OnceLock<Callback>,
    pub(super) reader: Arc<Signal>,
    pub(super) pause: Option<Pause>,
    pub(super) home: Home,
}

#[derive(Default)]
pub(super) struct QueueState {
    pub(super) output: Option<Arc<Output>>,
    pub(super) queue: Queue,
    /// Bytes not written yet, with those the thread is writing.
    pub(super) queued: usize,
    /// The thread is writing.
    pub(super) busy: bool,
    /// How much the kernel has taken.
    pub(super) written: u64,
    /// Someone may wait for the queue to drain.
    pub(super) pressed: bool,
    /// When the other side took something, or was first given what it has not taken.
    pub(super) taken_at: Option<Instant>,
    pub(super) failure: Option<Failure>,
    pub(super) thread: Option<WriterThread>,
    pub(super) phase: Phase,
    pub(super) thread_ended: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Phase {
    #[default]
    Open,
    /// Takes nothing more; what is queued may still be written.
    Closing,
    /// The thread is to end.
    Stopped,
}

impl QueueState {
    pub(super) fn is_stopped(&self) -> bool {
        self.phase == Phase::Stopped
    }
}

/// Enough of an `io::Error` to tell it more than once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failure {
    pub(super) kind: io::ErrorKind,
    pub(super) code: Option<i32>,
    pub(super) reported: bool,
}

impl Failure {
    pub(super) fn error(self) -> io::Error {
        self.code.map_or_else(|| self.kind.into(), io::Error::from_raw_os_error)
    }
}

/// Bytes in order, small ones joined.
#[derive(Default)]
pub(super) struct Queue {
    chunks: VecDeque<Bytes>,
    tail: Vec<u8>,
}

impl Queue {
    pub(super) fn push(&mut self, bytes: &[u8], owner: Option<&Bytes>) {
        match owner {
            Some(owner) if bytes.len() >= JOINED_BYTES => {
                self.end_tail();
                self.chunks.push_back(owner.slice_ref(bytes));
            }
            _ => {
                if self.tail.len() >= JOINED_BYTES {
                    self.end_tail();
                }
                self.tail.extend_from_slice(bytes);
            }
        }
    }

    fn end_tail(&mut self) {
        if !self.tail.is_empty() {
            self.chunks.push_back(std::mem::take(&mut self.tail).into());
        }
    }

    pub(super) fn pop(&mut self) -> Option<Bytes> {
        if self.chunks.is_empty() {
            self.end_tail();
        }
        self.chunks.pop_front()
    }
}

impl WriteQueue {
    /// Makes the failure sticky and has the reader tell it.
    pub(super) fn fail(&self, state: &mut QueueState, error: &io::Error) {
        state.failure.get_or_insert(Failure {
            kind: error.kind(),
            code: error.raw_os_error(),
            reported: false,
        });
        self.settled.notify_all();
        self.reader.resume();
        self.reader.wake();
    }

    /// Counts written bytes; true when those who wait for the queue are to be told.
    pub(super) fn count_written(&self, bytes: usize) -> bool {
        let mut state = self.state.lock();
        // A close may have dropped the count already.
        state.queued = state.queued.saturating_sub(bytes);
        state.written += bytes as u64;
        state.taken_at = Some(Instant::now());
        if self.pause.is_some_and(|pause| state.queued <= pause.bytes / 2) {
            self.reader.resume();
        }
        let told = state.pressed && state.queued <= self.max_queued_bytes / 2;
        state.pressed &= !told;
        if state.queued == 0 {
            self.settled.notify_all();
        }
        told
    }

    pub(super) fn tell_drained(&self) {
        if let Some(callback) = self.on_drained.get() {
            callback();
        }
    }
}
