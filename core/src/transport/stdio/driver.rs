//! A reader and a writer together, and the order in which they end.
//!
//! Owns: starting and closing both. Must not know: how either does its work.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use super::options::DriverOptions;
use super::reader::{self, InputEvent, Reader, ReaderOptions};
use super::signal::Signal;
use super::system::Channel;
use super::writer::{Flush, Writer};

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
        let signal = Arc::new(Signal::new()?);
        let writer = Writer::new(output, options.max_queued_bytes, Arc::clone(&signal), options.pause)?;
        let reader_options = ReaderOptions {
            max_line_bytes: options.max_line_bytes,
            watch_parent: options.watch_parent,
            spin: options.spin,
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

    /// Asks the reader to end with [`EndReason::Stopped`](super::EndReason::Stopped). Returns at once; does
    /// nothing when it has ended.
    pub fn stop(&self) {
        self.reader.stop();
    }

    /// Whether this is the process that started it, and not a forked child of that.
    pub(in crate::transport) fn is_here(&self) -> bool {
        self.writer.is_here()
    }

    /// Waits until the reader has ended. False when it did not within `timeout`, or
    /// when called from `on_event`.
    pub fn join(&self, timeout: Duration) -> bool {
        self.reader.join(timeout)
    }

    /// Stops reading, writes out what is queued, closes the output, ends both threads.
    /// Bounded by `timeout` for the flush and by about a second for the threads. In a forked
    /// child nothing happens: all of it is its parent's.
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
