//! A process and its descendants, from their start to their end.
//!
//! Owns: how long each step of the end may take, and that events are told one at a time.
//! Must not know: what the process says, or who reads it.

use std::process::ExitStatus;
use std::sync::Arc;
use std::thread::{self, ThreadId};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use super::event::ChildEvent;
use super::system::Process;

/// How long what the child wrote before its exit may take to arrive. Longer only when
/// a process that left the group holds the channel open.
pub(super) const DRAIN: Duration = Duration::from_millis(500);

/// How long the kernel may take to end a killed process.
pub(super) const KILL_BOUND: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub(super) struct ProcessGroup {
    pub(super) process: Process,
    pub(super) state: Mutex<GroupState>,
    pub(super) changed: Condvar,
    pub(super) close_grace: Duration,
    pub(super) kill_grace: Duration,
}

/// The status of a process that has exited; `None` when someone else collected it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Collected(pub(super) Option<ExitStatus>);

#[derive(Debug, Default)]
pub(super) struct GroupState {
    pub(super) exit: Option<Collected>,
    /// All events are told.
    pub(super) finished: bool,
    /// The thread that is telling an event.
    pub(super) telling: Option<ThreadId>,
    /// A pipe to it is gone; a thread sees to its end.
    pub(super) cut: bool,
    /// It did not exit by itself after that.
    pub(super) lingered: bool,
}

pub(super) type Callback = Box<dyn FnMut(ChildEvent<'_>) + Send>;

/// Tells one event at a time.
pub(super) struct Events {
    pub(super) callback: Mutex<Callback>,
    pub(super) inner: Arc<ProcessGroup>,
}

impl Events {
    pub(super) fn tell(&self, event: ChildEvent<'_>) {
        let mut callback = self.callback.lock();
        self.inner.state.lock().telling = Some(thread::current().id());
        callback(event);
        self.inner.state.lock().telling = None;
    }
}

impl ProcessGroup {
    pub(super) fn wait_exit(&self, timeout: Duration) -> Option<Collected> {
        let mut state = self.state.lock();
        self.changed.wait_while_for(&mut state, |state| state.exit.is_none(), timeout);
        state.exit
    }

    /// Signals the group unless it is gone; a group that is gone may have lent its
    /// number to another.
    pub(super) fn signal(&self, send: impl Fn(&Process), wait: Duration) -> Option<Collected> {
        let state = self.state.lock();
        if state.exit.is_none() {
            send(&self.process);
        }
        drop(state);
        self.wait_exit(wait)
    }

    /// Asks it to go, then makes it.
    pub(super) fn end(&self) -> Option<Collected> {
        self.signal(Process::terminate, self.kill_grace).or_else(|| self.signal(Process::kill, KILL_BOUND))
    }

    /// A pipe is gone, so it cannot be spoken with any more: whatever waits for it would
    /// wait for ever if it went on running.
    pub(super) fn pipe_lost(self: &Arc<Self>) {
        if std::mem::replace(&mut self.state.lock().cut, true) {
            return;
        }
        let inner = Arc::clone(self);
        // Events come on threads that must not wait. Without one it goes on running.
        let _ = thread::Builder::new().name("mcpbolt-child-cut".to_owned()).spawn(move || {
            if inner.wait_exit(inner.close_grace).is_none() {
                inner.state.lock().lingered = true;
                inner.end();
            }
        });
    }

    pub(super) fn wait_finished(&self) {
        let mut state = self.state.lock();
        let own = Some(thread::current().id());
        let pending = |state: &mut GroupState| !state.finished && state.telling != own;
        self.changed.wait_while_for(&mut state, pending, DRAIN * 5);
    }
}
