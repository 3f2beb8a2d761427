//! What a reader thread is told from outside: stop, pause, look at the output.
//!
//! Owns: the flags, and waking the thread for them. Must not know: what is read or written.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use super::system::Wake;

/// Shared by a reader thread and those who stop it, wake it or wait for it.
#[derive(Debug)]
pub(super) struct Signal {
    pub(super) wake: Wake,
    pub(super) stop: AtomicBool,
    /// Nothing is to be read now.
    pub(super) paused: AtomicBool,
    pub(super) turn: Mutex<()>,
    pub(super) turned: Condvar,
    pub(super) ended: Mutex<bool>,
    pub(super) end: Condvar,
}

/// The output beside an input, as its reader knows it.
pub(super) trait WriteSide: Send + 'static {
    /// Why nothing more can be written, once.
    fn take_failure(&self) -> Option<io::Error>;

    /// How long the other side may still take nothing.
    fn patience_left(&self) -> Duration;
}

/// No output.
pub(super) struct Alone;

impl WriteSide for Alone {
    fn take_failure(&self) -> Option<io::Error> {
        None
    }

    fn patience_left(&self) -> Duration {
        Duration::MAX
    }
}

impl Signal {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            wake: Wake::new()?,
            stop: AtomicBool::new(false),
            paused: AtomicBool::new(false),
            turn: Mutex::new(()),
            turned: Condvar::new(),
            ended: Mutex::new(false),
            end: Condvar::new(),
        })
    }

    pub(super) fn wake(&self) {
        self.wake.wake();
        self.notify();
    }

    pub(super) fn notify(&self) {
        drop(self.turn.lock());
        self.turned.notify_all();
    }

    /// Has the reader read nothing more.
    pub(super) fn pause(&self) {
        if !self.paused.swap(true, Ordering::SeqCst) {
            self.wake.wake();
        }
    }

    /// Has it go on.
    pub(super) fn resume(&self) {
        if self.paused.load(Ordering::Relaxed) && self.paused.swap(false, Ordering::SeqCst) {
            self.notify();
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}
