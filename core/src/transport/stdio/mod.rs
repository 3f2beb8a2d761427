//! One byte driver for standard input and output, and for any other pair of byte
//! channels, in every language (design R4).
//!
//! Owns: the reader thread, writes that never block the caller, the bounded queue
//! behind them, private copies of the process's own handles. Must not know: JSON, MCP,
//! sessions. A line is one frame without its line break.
//!
//! No channel is ever switched to non-blocking mode: that switch belongs to the open
//! file description, which the parent process or the user's terminal shares.

mod fork;
mod handles;
mod reader;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;
mod writer;
mod writer_thread;

use std::io;
use std::sync::Arc;
use std::time::Duration;

pub use fork::forked;
pub use handles::StdioHandles;
pub use reader::{EndReason, InputEvent, Reader, ReaderOptions};
#[cfg(unix)]
use unix as system;
#[cfg(unix)]
pub use unix::Channel;
#[cfg(windows)]
use windows as system;
#[cfg(windows)]
pub use windows::Channel;
pub use writer::{Flush, WriteOutcome, Writer};

/// How a [`Driver`] reads and writes.
///
/// ```
/// use mcpbolt::transport::stdio::DriverOptions;
///
/// let options = DriverOptions { watch_parent: true, ..DriverOptions::default() };
/// assert_eq!(options.max_line_bytes, 64 << 20);
/// ```
#[derive(Clone, Debug)]
pub struct DriverOptions {
    /// The longest line taken, in bytes without its line feed. 64 MiB.
    pub max_line_bytes: usize,
    /// How many bytes may wait for the peer to read before writes are `Full`. 16 MiB.
    pub max_queued_bytes: usize,
    /// When nothing is read because too much waits to be written. Never.
    pub pause: Option<Pause>,
    /// End when the parent process is gone, even if someone else still holds the other
    /// end of the input. Off; Unix only.
    pub watch_parent: bool,
}

impl Default for DriverOptions {
    fn default() -> Self {
        Self {
            max_line_bytes: 64 * 1024 * 1024,
            max_queued_bytes: 16 * 1024 * 1024,
            pause: None,
            watch_parent: false,
        }
    }
}

/// Reading waits for writing: a peer that takes nothing is not asked for more.
///
/// ```
/// use mcpbolt::transport::stdio::{DriverOptions, Pause};
/// use std::time::Duration;
///
/// let pause = Pause { bytes: 64 << 20, patience: Duration::from_secs(30) };
/// let options = DriverOptions { pause: Some(pause), ..DriverOptions::default() };
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// Nothing is read once more bytes than this wait to be written, until half of that
    /// is left.
    pub bytes: usize,
    /// How long the peer may take nothing meanwhile; then reading ends with
    /// [`EndReason::Untaken`].
    pub patience: Duration,
}

/// Reads lines from one channel on a thread of its own and writes to another.
///
/// Dropping it stops the reader and drops what is still queued; see [`Driver::close`].
///
/// ```no_run
/// use std::time::Duration;
/// use mcpbolt::transport::stdio::{Driver, DriverOptions, InputEvent, StdioHandles};
///
/// # fn main() -> std::io::Result<()> {
/// let handles = StdioHandles::take()?;
/// let (input, output) = handles.channels()?;
/// let (end, ended) = std::sync::mpsc::channel();
/// let driver = Driver::start(input, output, &DriverOptions::default(), move |event| {
///     if let InputEvent::End(reason) = event {
///         let _ = end.send(format!("{reason:?}"));
///     }
/// })?;
/// let _ = driver.writer().write_lines(&["{}"]);
/// let _ = ended.recv();
/// driver.close(Duration::from_secs(2));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Driver {
    reader: Reader,
    writer: Writer,
}

impl Driver {
    /// Starts reading. `on_event` is called on the reader thread, once per read with
    /// all lines of that read, or some of them where reading may pause, and last with
    /// [`InputEvent::End`].
    ///
    /// # Errors
    /// When the channel is unusable or no thread can be started.
    pub fn start(
        input: Channel,
        output: Channel,
        options: &DriverOptions,
        on_event: impl FnMut(InputEvent<'_>) + Send + 'static,
    ) -> io::Result<Self> {
        let signal = Arc::new(reader::Signal::new()?);
        let writer = Writer::new(output, options.max_queued_bytes, Arc::clone(&signal), options.pause)?;
        let reader_options = ReaderOptions {
            max_line_bytes: options.max_line_bytes,
            watch_parent: options.watch_parent,
            ..ReaderOptions::default()
        };
        let together = if options.pause.is_some() { reader::LINES_TOGETHER } else { usize::MAX };
        let reader = Reader::spawn(input, &reader_options, signal, on_event, writer.clone(), together)?;
        Ok(Self { reader, writer })
    }

    /// Where to write. Clones write to the same queue.
    pub fn writer(&self) -> &Writer {
        &self.writer
    }

    /// Asks the reader to end with [`EndReason::Stopped`]. Returns at once; does
    /// nothing when it has ended.
    pub fn stop(&self) {
        self.reader.stop();
    }

    /// Waits until the reader has ended. False when it did not within `timeout`, or
    /// when called from `on_event`.
    pub fn join(&self, timeout: Duration) -> bool {
        self.reader.join(timeout)
    }

    /// Stops reading, writes out what is queued, closes the output, ends both threads.
    /// Bounded by `timeout` for the flush and by about a second for the threads.
    pub fn close(&self, timeout: Duration) -> Flush {
        self.reader.stop();
        let flush = self.writer.close(timeout);
        self.reader.join(Duration::from_secs(1));
        flush
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        self.reader.stop();
        self.writer.close(Duration::ZERO);
    }
}
