//! A child process on whose standard input and output we speak: the client side of
//! stdio.
//!
//! Owns: starting it in a process group of its own, its byte driver, its standard error,
//! noticing its exit, ending the whole group. Must not know: JSON, MCP, restarts.

mod options;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

pub use options::{ChildOptions, EnvPolicy, SpawnError, StderrMode};
#[cfg(unix)]
use unix::Process;
#[cfg(windows)]
use windows::Process;

use super::lines::LineEvent;
use super::stdio::{
    Channel, Driver, DriverOptions, EndReason, Flush, InputEvent, Reader, ReaderOptions, Writer,
};

/// How long what the child wrote before its exit may take to arrive. Longer only when
/// a process that left the group holds the channel open.
const DRAIN: Duration = Duration::from_millis(500);

/// How long the kernel may take to end a killed process.
const KILL_BOUND: Duration = Duration::from_secs(5);

/// The longest line of standard error that is kept.
const STDERR_LINE_BYTES: usize = 16 * 1024;

/// What a child process does. Events come one at a time, from several threads.
///
/// ```
/// use mcpbolt::transport::child_process::ChildEvent;
///
/// fn is_last(event: &ChildEvent<'_>) -> bool {
///     matches!(event, ChildEvent::Exited(_))
/// }
/// ```
#[derive(Debug)]
pub enum ChildEvent<'a> {
    /// Lines of its standard output, at least one.
    Batch(&'a mut Vec<LineEvent>),
    /// Lines of its standard error, with [`StderrMode::Capture`].
    Stderr(&'a [LineEvent]),
    /// It no longer reads its standard input. It is ended as by [`ChildProcess::close`].
    WriteFailed(io::Error),
    /// Its standard output ended. If it does not exit by itself, it is ended as by
    /// [`ChildProcess::close`].
    End(EndReason),
    /// It has exited, and all it wrote has been told. The last event.
    Exited(&'a ChildExit),
}

/// How a child process ended.
///
/// ```
/// use mcpbolt::transport::child_process::ChildExit;
///
/// fn explain(exit: &ChildExit) -> String {
///     let status = exit.status.map_or("unknown".to_owned(), |status| status.to_string());
///     format!("{status}: {}", exit.stderr.join("\n"))
/// }
/// ```
#[derive(Clone)]
pub struct ChildExit {
    /// Its exit status; `None` when another part of this process collected it.
    pub status: Option<ExitStatus>,
    /// The last lines of its standard error, with [`StderrMode::Capture`].
    pub stderr: Vec<String>,
    /// It was ended because it had closed a pipe and gone on running.
    pub cut: bool,
    /// It had read all that was written to it, and there was something; `None` where the
    /// system does not tell.
    pub heard: Option<bool>,
}

impl fmt::Debug for ChildExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.stderr.len();
        write!(f, "ChildExit({:?}, {lines} lines of standard error)", self.status)
    }
}

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
    inner: Arc<Inner>,
    driver: Arc<Driver>,
}

#[derive(Debug)]
struct Inner {
    process: Process,
    state: Mutex<State>,
    changed: Condvar,
    close_grace: Duration,
    kill_grace: Duration,
}

/// The status of a process that has exited; `None` when someone else collected it.
#[derive(Clone, Copy, Debug)]
struct Collected(Option<ExitStatus>);

#[derive(Debug, Default)]
struct State {
    exit: Option<Collected>,
    /// All events are told.
    finished: bool,
    /// The thread that is telling an event.
    telling: Option<ThreadId>,
    /// A pipe to it is gone; somebody sees to its end.
    cut: bool,
    /// It did not exit by itself after that.
    lingered: bool,
}

type Callback = Box<dyn FnMut(ChildEvent<'_>) + Send>;

/// Tells one event at a time.
struct Events {
    callback: Mutex<Callback>,
    inner: Arc<Inner>,
}

impl Events {
    fn tell(&self, event: ChildEvent<'_>) {
        let mut callback = self.callback.lock();
        self.inner.state.lock().telling = Some(thread::current().id());
        callback(event);
        self.inner.state.lock().telling = None;
    }
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
        };
        let kept_lines = match options.stderr {
            StderrMode::Capture { lines } => lines,
            _ => 0,
        };
        let mut child = options.start()?;
        let pipes = Pipes::take(&mut child);
        let inner = Arc::new(Inner {
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

    /// Ends it (L13): writes what is queued and closes its standard input, waits for
    /// `close_grace`, sends SIGTERM to its group, waits for `kill_grace`, sends SIGKILL.
    /// On Windows it is terminated after `close_grace`.
    ///
    /// Its last event has been told when this returns, except when called from an event.
    /// Further calls tell the same status; `None` as in [`ChildExit::status`].
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

impl Inner {
    fn wait_exit(&self, timeout: Duration) -> Option<Collected> {
        let mut state = self.state.lock();
        self.changed.wait_while_for(&mut state, |state| state.exit.is_none(), timeout);
        state.exit
    }

    /// Signals the group unless it is gone; a group that is gone may have lent its
    /// number to another.
    fn signal(&self, send: impl Fn(&Process), wait: Duration) -> Option<Collected> {
        let state = self.state.lock();
        if state.exit.is_none() {
            send(&self.process);
        }
        drop(state);
        self.wait_exit(wait)
    }

    /// Asks it to go, then makes it.
    fn end(&self) -> Option<Collected> {
        self.signal(Process::terminate, self.kill_grace).or_else(|| self.signal(Process::kill, KILL_BOUND))
    }

    /// A pipe is gone, so nobody can speak with it any more: whatever waits for it would
    /// wait for ever if it went on running.
    fn pipe_lost(self: &Arc<Self>) {
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

    fn wait_finished(&self) {
        let mut state = self.state.lock();
        let own = Some(thread::current().id());
        let pending = |state: &mut State| !state.finished && state.telling != own;
        self.changed.wait_while_for(&mut state, pending, DRAIN * 5);
    }
}

struct Pipes {
    stdin: Option<Channel>,
    stdout: Option<Channel>,
    stderr: Option<Channel>,
}

impl Pipes {
    fn take(child: &mut Child) -> Self {
        Self {
            stdin: child.stdin.take().map(Channel::from),
            stdout: child.stdout.take().map(Channel::from),
            stderr: child.stderr.take().map(Channel::from),
        }
    }

    /// Starts the threads: one reads, one waits for the exit, one reads standard error.
    fn connect(
        self,
        options: &DriverOptions,
        kept_lines: usize,
        events: &Arc<Events>,
    ) -> io::Result<Arc<Driver>> {
        let (Some(stdin), Some(stdout)) = (self.stdin, self.stdout) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let stderr = match self.stderr {
            Some(stderr) => Some(read_stderr(stderr, kept_lines, &kept, events)?),
            None => None,
        };
        let told = Arc::clone(events);
        let driver = Arc::new(Driver::start(stdout, stdin, options, move |event| {
            if !matches!(event, InputEvent::Batch(_)) {
                told.inner.pipe_lost();
            }
            told.tell(match event {
                InputEvent::Batch(lines) => ChildEvent::Batch(lines),
                InputEvent::WriteFailed(error) => ChildEvent::WriteFailed(error),
                InputEvent::End(reason) => ChildEvent::End(reason),
            });
        })?);
        let (events, watched) = (Arc::clone(events), Arc::clone(&driver));
        thread::Builder::new()
            .name("mcpbolt-child".to_owned())
            .spawn(move || watch(&events, &watched, stderr.as_ref(), &kept))?;
        Ok(driver)
    }
}

/// Waits for the exit and tells it after everything the child wrote.
fn watch(events: &Events, driver: &Driver, stderr: Option<&Reader>, kept: &Mutex<VecDeque<String>>) {
    let inner = &events.inner;
    let ours = inner.process.wait_exit();
    let mut state = inner.state.lock();
    if ours {
        // Until the status is collected, the group's number cannot belong to another.
        inner.process.kill();
    }
    let status = inner.process.reap();
    let heard = driver.writer().was_read();
    state.exit = Some(Collected(status));
    inner.changed.notify_all();
    drop(state);
    if !driver.join(DRAIN) {
        driver.stop();
        driver.join(DRAIN);
    }
    let _: Flush = driver.writer().close(Duration::ZERO);
    if let Some(stderr) = stderr
        && !stderr.join(DRAIN)
    {
        stderr.stop();
        stderr.join(DRAIN);
    }
    let stderr = kept.lock().drain(..).collect();
    let cut = inner.state.lock().lingered;
    events.tell(ChildEvent::Exited(&ChildExit { status, stderr, cut, heard }));
    inner.state.lock().finished = true;
    inner.changed.notify_all();
}

/// Reads standard error all the time and keeps its last lines.
fn read_stderr(
    stderr: Channel,
    kept_lines: usize,
    kept: &Arc<Mutex<VecDeque<String>>>,
    events: &Arc<Events>,
) -> io::Result<Reader> {
    let (kept, events) = (Arc::clone(kept), Arc::clone(events));
    let options = ReaderOptions {
        max_line_bytes: STDERR_LINE_BYTES,
        thread_name: "mcpbolt-stderr".to_owned(),
        ..ReaderOptions::default()
    };
    Reader::start(stderr, &options, move |event| {
        let InputEvent::Batch(lines) = event else {
            return;
        };
        let mut ring = kept.lock();
        for line in lines.iter() {
            if ring.len() == kept_lines {
                ring.pop_front();
            }
            if kept_lines > 0 {
                ring.push_back(match line {
                    LineEvent::Line(line) => String::from_utf8_lossy(line).into_owned(),
                    LineEvent::TooLong { bytes, .. } => format!("[a line of {bytes} bytes]"),
                });
            }
        }
        drop(ring);
        events.tell(ChildEvent::Stderr(lines));
    })
}
