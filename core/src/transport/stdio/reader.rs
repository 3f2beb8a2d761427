//! The thread that reads.
//!
//! Owns: waiting, reading, read sizes, pausing, stopping. Must not know: what a line
//! means, or how bytes are written.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, ThreadId};
use std::time::Duration;

use bytes::Bytes;

use super::fork::Home;
use super::signal::{Alone, Signal, WriteSide};
use super::spin::Spin;
use super::system::{Channel, Input, ParentWatch};
use super::waited::Waited;
use crate::transport::lines::{LineEvent, LineSplitter};

const SMALL_READ: usize = 64 * 1024;
const BIG_READ: usize = 1024 * 1024;
const PARENT_CHECK: Duration = Duration::from_secs(2);

/// Lines that are told together where reading may pause: what they cause is known before
/// the next are told.
pub(super) const LINES_TOGETHER: usize = 256;

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
    /// Reading paused, and the other side took nothing of what waits for it; see
    /// [`Pause`](super::Pause).
    Untaken,
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
    /// How long to look for input, awake, before sleeping until there is some: while what came last
    /// came within that time, and only where there is more than one processor. Zero: never.
    pub spin: Duration,
    /// The name of the thread.
    pub thread_name: String,
}

impl Default for ReaderOptions {
    fn default() -> Self {
        Self {
            max_line_bytes: 64 * 1024 * 1024,
            watch_parent: false,
            spin: Duration::ZERO,
            thread_name: "mcpbolt-read".to_owned(),
        }
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
    home: Home,
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
        Self::spawn(input, options, signal, on_event, Alone, usize::MAX)
    }

    pub(super) fn spawn(
        input: Channel,
        options: &ReaderOptions,
        signal: Arc<Signal>,
        mut on_event: impl FnMut(InputEvent<'_>) + Send + 'static,
        write_side: impl WriteSide,
        lines_together: usize,
    ) -> io::Result<Self> {
        let mut work = Work {
            input: Input::new(input),
            splitter: LineSplitter::new(options.max_line_bytes),
            parent: options.watch_parent.then(ParentWatch::new),
            spin: Spin::new(options.spin),
            buffer: Vec::with_capacity(SMALL_READ),
            lines: Vec::new(),
            lines_together,
            signal: Arc::clone(&signal),
            write_side,
        };
        let thread = thread::Builder::new().name(options.thread_name.clone()).spawn(move || {
            let guard = EndGuard(Arc::clone(&work.signal));
            let reason = work.run(&mut on_event);
            // The channel is closed before the end is told.
            drop(work);
            on_event(InputEvent::End(reason));
            drop(on_event);
            drop(guard);
        })?;
        Ok(Self { signal, thread: thread.thread().id(), home: Home::here() })
    }

    /// Asks the thread to end. Returns at once. In a forked child nothing happens: the thread,
    /// and what wakes it, are its parent's.
    pub fn stop(&self) {
        if !self.home.is_here() {
            return;
        }
        self.signal.stop.store(true, Ordering::SeqCst);
        self.signal.wake();
    }

    /// Waits until the thread has ended and told so. False when it did not within
    /// `timeout`, when called from its own events, or in a forked child.
    pub fn join(&self, timeout: Duration) -> bool {
        if !self.home.is_here() {
            return false;
        }
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

struct Work<O> {
    input: Input,
    splitter: LineSplitter,
    parent: Option<ParentWatch>,
    spin: Spin,
    buffer: Vec<u8>,
    lines: Vec<LineEvent>,
    lines_together: usize,
    signal: Arc<Signal>,
    write_side: O,
}

impl<O: WriteSide> Work<O> {
    fn run(&mut self, on_event: &mut impl FnMut(InputEvent<'_>)) -> EndReason {
        match self.read_on(on_event) {
            Ok(never) => match never {},
            Err(reason) => reason,
        }
    }

    fn read_on(&mut self, on_event: &mut impl FnMut(InputEvent<'_>)) -> Result<Infallible, EndReason> {
        let timeout = self.parent.as_ref().map(|_| PARENT_CHECK);
        loop {
            self.wait_for_turn(on_event)?;
            let found = self.spin.wait(&self.input, &self.signal.wake, timeout).map_err(EndReason::Error)?;
            if self.signal.is_stopped() {
                return Err(EndReason::Stopped);
            }
            self.tell_failure(on_event);
            if self.signal.paused.load(Ordering::SeqCst) {
                continue;
            }
            if found == Waited::Data {
                self.read(on_event)?;
            } else {
                self.check_parent()?;
            }
        }
    }

    /// Waits until what was written has been taken, if too much of it waits.
    fn wait_for_turn(&self, on_event: &mut impl FnMut(InputEvent<'_>)) -> Result<(), EndReason> {
        while self.signal.paused.load(Ordering::SeqCst) {
            let left = self.write_side.patience_left();
            if left.is_zero() {
                return Err(EndReason::Untaken);
            }
            let mut turn = self.signal.turn.lock();
            if self.signal.paused.load(Ordering::SeqCst) && !self.signal.is_stopped() {
                self.signal.turned.wait_for(&mut turn, left.min(PARENT_CHECK));
            }
            drop(turn);
            if self.signal.is_stopped() {
                return Err(EndReason::Stopped);
            }
            self.tell_failure(on_event);
            self.check_parent()?;
        }
        Ok(())
    }

    fn tell_failure(&self, on_event: &mut impl FnMut(InputEvent<'_>)) {
        if let Some(error) = self.write_side.take_failure() {
            on_event(InputEvent::WriteFailed(error));
        }
    }

    fn check_parent(&self) -> Result<(), EndReason> {
        if self.parent.as_ref().is_some_and(ParentWatch::is_gone) {
            return Err(EndReason::ParentDied);
        }
        Ok(())
    }

    /// One read and its lines. Fails with the end of input too.
    fn read(&mut self, on_event: &mut impl FnMut(InputEvent<'_>)) -> Result<(), EndReason> {
        let Some(length) = self.input.read(&mut self.buffer).map_err(EndReason::Error)? else {
            return Ok(());
        };
        let lines = &mut self.lines;
        if length == 0 {
            self.splitter.finish(|line| lines.push(line));
        } else {
            let chunk = take_chunk(&mut self.buffer);
            self.splitter.push(&chunk, |line| lines.push(line));
        }
        self.tell_lines(on_event)?;
        if length == 0 { Err(EndReason::Eof) } else { Ok(()) }
    }

    fn tell_lines(&mut self, on_event: &mut impl FnMut(InputEvent<'_>)) -> Result<(), EndReason> {
        if self.lines.is_empty() {
            return Ok(());
        }
        if self.lines.len() <= self.lines_together {
            on_event(InputEvent::Batch(&mut self.lines));
            self.lines.clear();
            return Ok(());
        }
        let mut rest = std::mem::take(&mut self.lines).into_iter();
        loop {
            let mut some: Vec<_> = rest.by_ref().take(self.lines_together).collect();
            if some.is_empty() {
                return Ok(());
            }
            on_event(InputEvent::Batch(&mut some));
            self.wait_for_turn(on_event)?;
        }
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
