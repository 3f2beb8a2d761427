//! A child process as its owner holds it.
//!
//! Owns: starting it, and the steps by which it is ended. Must not know: how its exit is
//! noticed.

use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::transport::stdio::{Driver, DriverOptions, Flush, Writer};

use super::event::ChildEvent;
use super::group::{Collected, Events, ProcessGroup};
use super::options::{ChildOptions, SpawnError, StderrMode};
use super::system::Process;
use super::watch::Pipes;

/// A running child process. Dropping it kills its process group.
///
/// ```
/// # #[cfg(unix)]
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mcpbolt::transport::child_process::{ChildEvent, ChildOptions, ChildProcess};
///
/// let (sender, receiver) = std::sync::mpsc::channel();
/// let child = ChildProcess::spawn(ChildOptions::new("cat"), move |event| {
///     if let ChildEvent::Batch(lines) = event {
///         let _ = sender.send(lines.len());
///     }
/// })?;
/// let _ = child.writer().write_lines(&["hello"]);
/// assert_eq!(receiver.recv()?, 1);
/// assert!(child.close()?.is_some_and(|status| status.success()));
/// # Ok(())
/// # }
/// # #[cfg(not(unix))]
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct ChildProcess {
    inner: Arc<ProcessGroup>,
    driver: Arc<Driver>,
}

impl ChildProcess {
    /// Starts a command in a process group of its own.
    ///
    /// When it exits, what is left of its group is killed; processes that left the
    /// group are not touched.
    ///
    /// # Errors
    /// When the command or the directory does not exist or cannot be used, or the system
    /// has no processes, threads or file descriptors left.
    pub fn spawn(
        options: ChildOptions,
        on_event: impl FnMut(ChildEvent<'_>) + Send + 'static,
    ) -> Result<Self, SpawnError> {
        let name = options.command.to_string_lossy().into_owned();
        let (close_grace, kill_grace) = (options.close_grace, options.kill_grace);
        let driver_options = DriverOptions {
            max_line_bytes: options.max_line_bytes,
            max_queued_bytes: options.max_queued_bytes,
            pause: None,
            watch_parent: false,
            spin: Duration::ZERO,
        };
        let kept_lines = match options.stderr {
            StderrMode::Capture { lines } => lines,
            _ => 0,
        };
        let mut child = options.start()?;
        let pipes = Pipes::take(&mut child);
        let inner = Arc::new(ProcessGroup {
            process: Process::new(child),
            state: Mutex::default(),
            changed: Condvar::new(),
            close_grace,
            kill_grace,
        });
        let events = Arc::new(Events { callback: Mutex::new(Box::new(on_event)), inner: Arc::clone(&inner) });
        match pipes.connect(&driver_options, kept_lines, &events) {
            Ok(driver) => Ok(Self { inner, driver }),
            Err(source) => {
                inner.process.kill();
                inner.process.reap();
                Err(SpawnError::Failed { command: name, source })
            }
        }
    }

    /// Where to write to its standard input.
    pub fn writer(&self) -> &Writer {
        self.driver.writer()
    }

    /// Its process id, which is also the id of its group on Unix.
    pub fn id(&self) -> u32 {
        self.inner.process.id()
    }

    /// Whether it has exited.
    pub fn has_exited(&self) -> bool {
        self.inner.state.lock().exit.is_some()
    }

    /// Ends it: writes what is queued and closes its standard input, waits for
    /// `close_grace`, sends SIGTERM to its group, waits for `kill_grace`, sends SIGKILL.
    /// On Windows it is terminated after `close_grace`.
    ///
    /// Its last event has been told when this returns, except when called from an event.
    /// Further calls tell the same status; `None` as in [`ChildExit::status`](super::ChildExit::status).
    ///
    /// # Errors
    /// `TimedOut` when the system did not end a killed process within five seconds.
    pub fn close(&self) -> io::Result<Option<ExitStatus>> {
        let close_grace = self.inner.close_grace;
        let begun = Instant::now();
        let _: Flush = self.driver.writer().close(close_grace);
        let left = close_grace.saturating_sub(begun.elapsed());
        let status = self.inner.wait_exit(left).or_else(|| self.inner.end());
        self.inner.wait_finished();
        match status {
            Some(Collected(status)) => Ok(status),
            None => Err(io::ErrorKind::TimedOut.into()),
        }
    }

    /// Kills its process group at once.
    pub fn kill(&self) {
        self.inner.signal(Process::kill, Duration::ZERO);
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.kill();
        let _: Flush = self.driver.writer().close(Duration::ZERO);
    }
}
