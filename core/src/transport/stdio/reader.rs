//! The thread that reads.
//!
//! Owns: waiting, reading, read sizes, stopping. Must not know: what a line means, or
//! how bytes are written.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;

use bytes::Bytes;
use parking_lot::{Condvar, Mutex};

use super::system::{Channel, Input, ParentWatch, Wake};
use crate::transport::lines::{LineEvent, LineSplitter};

const SMALL_READ: usize = 64 * 1024;
const BIG_READ: usize = 1024 * 1024;
const PARENT_CHECK: Duration = Duration::from_secs(2);

/// What a reader tells.
///
/// ```
/// use mcpbolt::transport::stdio::InputEvent;
///
/// fn count(event: InputEvent<'_>) -> usize {
///     match event {
///         InputEvent::Batch(lines) => lines.len(),
///         InputEvent::WriteFailed(_) | InputEvent::End(_) => 0,
///     }
/// }
/// ```
#[derive(Debug)]
pub enum InputEvent<'a> {
    /// The lines that ended in one read, at least one. Take them out or leave them; the
    /// vector is cleared and used again.
    Batch(&'a mut Vec<LineEvent>),
    /// The output failed: nothing more can be written. Told once; reading goes on.
    WriteFailed(io::Error),
    /// Nothing follows.
    End(EndReason),
}

/// Why reading ended.
///
/// ```
/// use mcpbolt::transport::stdio::EndReason;
///
/// fn is_failure(reason: &EndReason) -> bool {
///     matches!(reason, EndReason::Error(_))
/// }
/// ```
#[derive(Debug)]
pub enum EndReason {
    /// The other side closed, or died.
    Eof,
    /// Reading failed.
    Error(io::Error),
    /// Someone asked for it.
    Stopped,
    /// The parent process is gone.
    ParentDied,
}

/// How a [`Reader`] reads.
///
/// ```
/// use mcpbolt::transport::stdio::ReaderOptions;
///
/// let options = ReaderOptions { max_line_bytes: 16 * 1024, ..ReaderOptions::default() };
/// assert!(!options.watch_parent);
/// ```
#[derive(Clone, Debug)]
pub struct ReaderOptions {
    /// The longest line taken, in bytes without its line feed. 64 MiB.
    pub max_line_bytes: usize,
    /// Look every two seconds whether the parent process is gone. Off.
    pub watch_parent: bool,
    /// The name of the thread.
    pub thread_name: String,
}

impl Default for ReaderOptions {
    fn default() -> Self {
        Self { max_line_bytes: 64 * 1024 * 1024, watch_parent: false, thread_name: "mcpbolt-read".to_owned() }
    }
}

/// Shared by a reader thread and those who stop it, wake it or wait for it.
#[derive(Debug)]
pub(super) struct Signal {
    wake: Wake,
    stop: AtomicBool,
    ended: Mutex<bool>,
    end: Condvar,
}

impl Signal {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            wake: Wake::new()?,
            stop: AtomicBool::new(false),
            ended: Mutex::new(false),
            end: Condvar::new(),
        })
    }

    pub(super) fn wake(&self) {
        self.wake.wake();
    }
}

/// Marks the thread as ended however it ends.
struct EndGuard(Arc<Signal>);

impl Drop for EndGuard {
    fn drop(&mut self) {
        *self.0.ended.lock() = true;
        self.0.end.notify_all();
    }
}

/// Reads lines from a channel on a thread of its own. Dropping it stops the thread.
///
/// ```
/// # #[cfg(unix)]
/// # fn main() -> std::io::Result<()> {
/// use std::io::Write;
/// use mcpbolt::transport::stdio::{InputEvent, Reader, ReaderOptions};
///
/// let (input, mut output) = std::io::pipe()?;
/// let (sender, receiver) = std::sync::mpsc::channel();
/// let _reader = Reader::start(input.into(), &ReaderOptions::default(), move |event| {
///     if let InputEvent::Batch(lines) = event {
///         let _ = sender.send(lines.len());
///     }
/// })?;
/// output.write_all(b"one\ntwo\n")?;
/// assert_eq!(receiver.recv(), Ok(2));
/// # Ok(())
/// # }
/// # #[cfg(not(unix))]
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct Reader {
    signal: Arc<Signal>,
    thread: ThreadId,
}

impl Reader {
    /// Starts reading; see [`Driver::start`](super::Driver::start).
    ///
    /// # Errors
    /// When no thread or wake channel can be made.
    pub fn start(
        input: Channel,
        options: &ReaderOptions,
        on_event: impl FnMut(InputEvent<'_>) + Send + 'static,
    ) -> io::Result<Self> {
        let signal = Arc::new(Signal::new()?);
        Self::spawn(input, options, signal, on_event, || None)
    }

    pub(super) fn spawn(
        input: Channel,
        options: &ReaderOptions,
        signal: Arc<Signal>,
        mut on_event: impl FnMut(InputEvent<'_>) + Send + 'static,
        write_failure: impl Fn() -> Option<io::Error> + Send + 'static,
    ) -> io::Result<Self> {
        let mut work = Work {
            input: Input::new(input),
            splitter: LineSplitter::new(options.max_line_bytes),
            parent: options.watch_parent.then(ParentWatch::new),
            buffer: Vec::with_capacity(SMALL_READ),
            lines: Vec::new(),
            signal: Arc::clone(&signal),
        };
        let thread = thread::Builder::new().name(options.thread_name.clone()).spawn(move || {
            let guard = EndGuard(Arc::clone(&work.signal));
            let reason = work.run(&mut on_event, &write_failure);
            // The channel is closed before the end is told.
            drop(work);
            on_event(InputEvent::End(reason));
            drop(on_event);
            drop(guard);
        })?;
        Ok(Self { signal, thread: thread.thread().id() })
    }

    /// Asks the thread to end. Returns at once.
    pub fn stop(&self) {
        self.signal.stop.store(true, Ordering::SeqCst);
        self.signal.wake();
    }

    /// Waits until the thread has ended and told so. False when it did not within
    /// `timeout`, or when called from its own events.
    pub fn join(&self, timeout: Duration) -> bool {
        let own = thread::current().id() == self.thread;
        let timeout = if own { Duration::ZERO } else { timeout };
        let mut ended = self.signal.ended.lock();
        self.signal.end.wait_while_for(&mut ended, |ended| !*ended, timeout);
        *ended
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.stop();
    }
}

struct Work {
    input: Input,
    splitter: LineSplitter,
    parent: Option<ParentWatch>,
    buffer: Vec<u8>,
    lines: Vec<LineEvent>,
    signal: Arc<Signal>,
}

impl Work {
    fn run(
        &mut self,
        on_event: &mut impl FnMut(InputEvent<'_>),
        write_failure: &impl Fn() -> Option<io::Error>,
    ) -> EndReason {
        let timeout = self.parent.as_ref().map(|_| PARENT_CHECK);
        loop {
            let ready = match self.input.wait(&self.signal.wake, timeout) {
                Ok(ready) => ready,
                Err(error) => return EndReason::Error(error),
            };
            if self.signal.stop.load(Ordering::SeqCst) {
                return EndReason::Stopped;
            }
            if let Some(error) = write_failure() {
                on_event(InputEvent::WriteFailed(error));
            }
            if ready {
                match self.read(on_event) {
                    Ok(true) => {}
                    Ok(false) => return EndReason::Eof,
                    Err(error) => return EndReason::Error(error),
                }
            } else if self.parent.as_ref().is_some_and(ParentWatch::is_gone) {
                return EndReason::ParentDied;
            }
        }
    }

    /// One read and its lines. False at the end of input.
    fn read(&mut self, on_event: &mut impl FnMut(InputEvent<'_>)) -> io::Result<bool> {
        let Some(length) = self.input.read(&mut self.buffer)? else {
            return Ok(true);
        };
        let lines = &mut self.lines;
        if length == 0 {
            self.splitter.finish(|line| lines.push(line));
        } else {
            let chunk = take_chunk(&mut self.buffer);
            self.splitter.push(&chunk, |line| lines.push(line));
        }
        if !lines.is_empty() {
            on_event(InputEvent::Batch(lines));
            lines.clear();
        }
        Ok(length > 0)
    }
}

/// What was read, and an empty buffer of the size that suits the next read.
///
/// Little is copied out, so that a line that is kept does not keep a big buffer; much
/// is handed over as it is.
fn take_chunk(buffer: &mut Vec<u8>) -> Bytes {
    let (length, size) = (buffer.len(), buffer.capacity());
    let next = if length == size {
        (size * 4).min(BIG_READ)
    } else if length < size / 16 {
        SMALL_READ.min(size)
    } else {
        size
    };
    if length > size / 4 {
        return Bytes::from(std::mem::replace(buffer, Vec::with_capacity(next)));
    }
    let chunk = Bytes::copy_from_slice(buffer);
    buffer.clear();
    if next < size {
        *buffer = Vec::with_capacity(next);
    }
    chunk
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_grow_with_full_buffers_and_shrink_again() {
        let mut buffer = vec![b'x'; SMALL_READ];
        assert_eq!(take_chunk(&mut buffer).len(), SMALL_READ);
        assert_eq!(buffer.capacity(), 4 * SMALL_READ);
        buffer.resize(4 * SMALL_READ, b'x');
        assert_eq!(take_chunk(&mut buffer).len(), 4 * SMALL_READ);
        assert_eq!(buffer.capacity(), BIG_READ.min(16 * SMALL_READ));
        buffer.extend_from_slice(b"small");
        assert_eq!(take_chunk(&mut buffer), "small");
        assert_eq!((buffer.len(), buffer.capacity()), (0, SMALL_READ));
    }
}
