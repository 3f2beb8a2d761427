//! Bytes on their way into one response body.
//!
//! Owns: a queue bounded in bytes, its two ends, and the end of readers that take
//! nothing. Must not know: what the bytes mean.

use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;

use mcpbolt_proto::limits::Limits;

use crate::handler::Wake;
use crate::transport::timer::{self, Due};

/// Most bytes that leave at once: so that what the reader has not taken stays visible here.
const PART: usize = 256 * 1024;

/// The queue between a sink, which writes under a connection's lock, and a body.
pub(crate) struct Pipe {
    me: Weak<Self>,
    state: Mutex<State>,
    max_bytes: usize,
    patience: Duration,
    /// For those who wait for room.
    room: Notify,
}

#[derive(Default)]
struct State {
    buffer: BytesMut,
    /// No more is written.
    ended: bool,
    /// It is not read any more.
    dead: bool,
    reader: Option<Waker>,
    wakes: Vec<Wake>,
    /// Since when there is something that the reader has not taken.
    waiting_since: Option<Instant>,
    /// Whether a full queue is watched.
    guarded: bool,
}

impl Pipe {
    pub(crate) fn new(limits: &Limits) -> Arc<Self> {
        let max_bytes = Limits::size(limits.send_queue_bytes);
        let patience = limits.slow_reader;
        let (state, room) = (Mutex::default(), Notify::new());
        Arc::new_cyclic(|me| Self { me: me.clone(), state, max_bytes, patience, room })
    }

    /// Lets `write` append to the queue. `false` if it is not read any more. Nothing is too
    /// much, since an answer has no other way: those who take requests ask
    /// [`Pipe::writable`] before, those who send what can wait [`Pipe::is_full`].
    pub(crate) fn write(&self, write: impl FnOnce(&mut BytesMut)) -> bool {
        let mut state = self.state.lock();
        if state.dead || state.ended {
            return false;
        }
        write(&mut state.buffer);
        state.waiting_since.get_or_insert_with(timer::now);
        if state.buffer.len() > self.max_bytes && !std::mem::replace(&mut state.guarded, true) {
            timer::schedule(self.patience, self.me.clone());
        }
        wake_reader(state);
        true
    }

    /// Ready when there is room, or it is not read any more.
    pub(crate) async fn writable(&self) {
        loop {
            let room = self.room.notified();
            if !self.is_full() {
                return;
            }
            room.await;
        }
    }

    /// No more will be written.
    pub(crate) fn end(&self) {
        let mut state = self.state.lock();
        state.ended = true;
        wake_reader(state);
        self.room.notify_waiters();
    }

    /// The reader is gone: what is queued is dropped, writers are told. Not to be
    /// called under a connection's lock.
    pub(crate) fn kill(&self) {
        let mut state = self.state.lock();
        state.dead = true;
        state.buffer = BytesMut::new();
        let wakes = std::mem::take(&mut state.wakes);
        wake_reader(state);
        self.has_room(wakes);
    }

    fn has_room(&self, wakes: Vec<Wake>) {
        self.room.notify_waiters();
        for wake in wakes {
            wake();
        }
    }

    /// Whether it is not read any more.
    pub(crate) fn is_dead(&self) -> bool {
        self.state.lock().dead
    }

    /// Whether writers of things that can wait should.
    pub(crate) fn is_full(&self) -> bool {
        self.state.lock().is_full(self.max_bytes)
    }

    /// Calls `wake` once when there is room; at once if there is.
    pub(crate) fn on_writable(&self, wake: Wake) {
        {
            let mut state = self.state.lock();
            if state.is_full(self.max_bytes) {
                state.wakes.push(wake);
                return;
            }
        }
        wake();
    }

    /// The next part of what is queued; `None` at the end.
    pub(crate) fn poll_read(&self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut state = self.state.lock();
        if state.buffer.is_empty() && !state.ended && !state.dead {
            if !state.reader.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
                state.reader = Some(cx.waker().clone());
            }
            return Poll::Pending;
        }
        let size = state.buffer.len().min(PART);
        let bytes = state.buffer.split_to(size).freeze();
        state.waiting_since = (!state.buffer.is_empty()).then(timer::now);
        // Also of a queue that was full when it ended: `end` may not call anybody.
        let was_full = state.buffer.len() + size > self.max_bytes;
        if (was_full || !state.wakes.is_empty()) && !state.is_full(self.max_bytes) {
            let wakes = std::mem::take(&mut state.wakes);
            drop(state);
            self.has_room(wakes);
        }
        Poll::Ready(Some(bytes).filter(|bytes| !bytes.is_empty()))
    }

    /// Whether everything was written and taken, or never will be.
    pub(crate) fn is_finished(&self) -> bool {
        let state = self.state.lock();
        state.dead || (state.ended && state.buffer.is_empty())
    }
}

impl State {
    fn is_full(&self, max_bytes: usize) -> bool {
        !self.dead && !self.ended && self.buffer.len() > max_bytes
    }
}

impl Due for Pipe {
    fn due(self: Arc<Self>) {
        let stuck = {
            let mut state = self.state.lock();
            let since = state.waiting_since.filter(|_| state.is_full(self.max_bytes));
            let left = since.map(|since| self.patience.saturating_sub(timer::now() - since));
            state.guarded = left.is_some_and(|left| !left.is_zero());
            if let Some(left) = left.filter(|_| state.guarded) {
                timer::schedule(left, self.me.clone());
            }
            left.is_some_and(|left| left.is_zero())
        };
        if stuck {
            tracing::info!(target: "mcpbolt::transport", "a stream was closed: its reader took nothing");
            self.kill();
        }
    }
}

fn wake_reader(mut state: MutexGuard<'_, State>) {
    let reader = state.reader.take();
    drop(state);
    if let Some(reader) = reader {
        reader.wake();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn who_waits_for_room_hears_of_a_full_queue_that_ended() {
        let pipe = Pipe::new(&Limits { send_queue_bytes: 4, ..Limits::default() });
        assert!(pipe.write(|out| out.extend_from_slice(b"more than four")));
        let called = Arc::new(AtomicBool::new(false));
        let flag = called.clone();
        pipe.on_writable(Box::new(move || flag.store(true, Ordering::SeqCst)));
        pipe.end();
        assert!(!called.load(Ordering::SeqCst), "not under the locks of whoever ends it");
        let mut cx = Context::from_waker(Waker::noop());
        assert!(matches!(pipe.poll_read(&mut cx), Poll::Ready(Some(_))));
        assert!(called.load(Ordering::SeqCst));
    }
}
