//! The threads that read what a child process says, and wait for its exit.
//!
//! Owns: the order of what is told at the end: lines first, then standard error, then the
//! exit. Must not know: how a process is ended.

use std::collections::VecDeque;
use std::io;
use std::process::Child;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use parking_lot::Mutex;

use crate::transport::lines::LineEvent;
use crate::transport::stdio::{Channel, Driver, DriverOptions, Flush, InputEvent, Reader, ReaderOptions};

use super::event::{ChildEvent, ChildExit};
use super::group::{Collected, DRAIN, Events};

/// The longest line of standard error that is kept.
const STDERR_LINE_BYTES: usize = 16 * 1024;

pub(super) struct Pipes {
    stdin: Option<Channel>,
    stdout: Option<Channel>,
    stderr: Option<Channel>,
}

impl Pipes {
    pub(super) fn take(child: &mut Child) -> Self {
        Self {
            stdin: child.stdin.take().map(Channel::from),
            stdout: child.stdout.take().map(Channel::from),
            stderr: child.stderr.take().map(Channel::from),
        }
    }

    /// Starts the threads: one reads, one waits for the exit, one reads standard error.
    pub(super) fn connect(
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
pub(super) fn watch(
    events: &Events,
    driver: &Driver,
    stderr: Option<&Reader>,
    kept: &Mutex<VecDeque<String>>,
) {
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
