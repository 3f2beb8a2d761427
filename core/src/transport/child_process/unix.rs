//! A child process and its group on Unix.
//!
//! Owns: waiting for the exit without collecting it, signals to the group.
//! Must not know: channels, events.

use std::process::{Child, ExitStatus};

use parking_lot::Mutex;
use rustix::io::retry_on_intr;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

#[derive(Debug)]
pub(super) struct Process {
    pid: Pid,
    child: Mutex<Child>,
}

impl Process {
    pub(super) fn new(child: Child) -> Self {
        Self { pid: Pid::from_child(&child), child: Mutex::new(child) }
    }

    pub(super) fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// Waits until it has exited. True when its number stays its own until
    /// [`Process::reap`]; false when another part of this process collected it.
    pub(super) fn wait_exit(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        retry_on_intr(|| waitid(WaitId::Pid(self.pid), options)).is_ok()
    }

    /// Collects the status of an exited process; `None` when someone else did.
    pub(super) fn reap(&self) -> Option<ExitStatus> {
        self.child.lock().wait().ok()
    }

    pub(super) fn terminate(&self) {
        let _ = kill_process_group(self.pid, Signal::TERM);
    }

    pub(super) fn kill(&self) {
        let _ = kill_process_group(self.pid, Signal::KILL);
    }
}
