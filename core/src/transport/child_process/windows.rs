//! A child process on Windows.
//!
//! Owns: waiting for the exit, terminating. Must not know: channels, events. Processes
//! the child started are not ended with it.

use std::process::{Child, ExitStatus};
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

const CHECK: Duration = Duration::from_millis(20);

#[derive(Debug)]
pub(super) struct Process {
    id: u32,
    child: Mutex<Child>,
}

impl Process {
    pub(super) fn new(child: Child) -> Self {
        Self { id: child.id(), child: Mutex::new(child) }
    }

    pub(super) fn id(&self) -> u32 {
        self.id
    }

    /// The standard library can wait or terminate, not both at once: looks now and then.
    pub(super) fn wait_exit(&self) -> bool {
        while matches!(self.child.lock().try_wait(), Ok(None)) {
            thread::sleep(CHECK);
        }
        true
    }

    pub(super) fn reap(&self) -> Option<ExitStatus> {
        self.child.lock().wait().ok()
    }

    /// There is no polite way.
    pub(super) fn terminate(&self) {
        self.kill();
    }

    pub(super) fn kill(&self) {
        let _ = self.child.lock().kill();
    }
}
