//! Processors that do not sleep while calls come one at a time.
//!
//! Owns: the processes that keep them busy. Must not know: what is measured meanwhile.

use std::process::{Child, Command, Stdio};
use std::thread;

/// One process for each processor, which runs whenever nothing else wants to. They are killed when this
/// is dropped.
pub struct Awake(Vec<Child>);

impl Awake {
    /// Starts them.
    pub fn start() -> Result<Self, String> {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let mut awake = Self(Vec::new());
        for _ in 0..processors {
            let mut busy = Command::new("chrt");
            busy.args(["--idle", "0", "sh", "-c", "while :; do :; done"]).stdin(Stdio::null());
            let child = busy.spawn().map_err(|error| format!("chrt (of util-linux): {error}"))?;
            awake.0.push(child);
        }
        Ok(awake)
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
