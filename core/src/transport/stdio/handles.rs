//! The process's own standard input and output, taken for the wire.
//!
//! Owns: which handles are the wire and which are diverted. Must not know: lines,
//! threads.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use super::system::{self, Channel};

static TAKEN: AtomicBool = AtomicBool::new(false);

/// Standard input and output, taken so that nothing else reads or writes the wire.
///
/// While this lives, descriptor 0 reads nothing and descriptor 1 is standard error: a
/// stray `println!`, a C library or a child process cannot corrupt the wire.
/// Dropping it puts them back. On Windows the handles are copied but not diverted.
///
/// ```no_run
/// use mcpbolt::transport::stdio::StdioHandles;
///
/// # fn main() -> std::io::Result<()> {
/// let handles = StdioHandles::take()?;
/// let (input, output) = handles.channels()?;
/// println!("this goes to standard error");
/// handles.restore()
/// # }
/// ```
#[derive(Debug)]
pub struct StdioHandles {
    input: Channel,
    output: Channel,
    restored: bool,
}

impl StdioHandles {
    /// Takes both.
    ///
    /// # Errors
    /// When standard input or output is closed, or `ResourceBusy` when they are taken
    /// already.
    pub fn take() -> io::Result<Self> {
        if TAKEN.swap(true, Ordering::SeqCst) {
            return Err(io::Error::new(
                io::ErrorKind::ResourceBusy,
                "standard input and output are already in use by a server",
            ));
        }
        let taken = system::private_stdio().map(|(input, output)| Self { input, output, restored: false });
        let Ok(handles) = taken else {
            TAKEN.store(false, Ordering::SeqCst);
            return taken.map_err(|error| {
                io::Error::new(error.kind(), format!("standard input or output is closed: {error}"))
            });
        };
        // On failure the drop puts back what was diverted.
        system::divert_stdio()?;
        Ok(handles)
    }

    /// Private handles of the wire, for [`Driver::start`](super::Driver::start).
    ///
    /// # Errors
    /// When the process has no file descriptors left.
    pub fn channels(&self) -> io::Result<(Channel, Channel)> {
        Ok((system::duplicate(&self.input)?, system::duplicate(&self.output)?))
    }

    /// Puts standard input and output back.
    ///
    /// # Errors
    /// When the system refuses; the drop does not try again.
    pub fn restore(mut self) -> io::Result<()> {
        self.put_back()
    }

    fn put_back(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.restored, true) {
            return Ok(());
        }
        let result = system::restore_stdio(&self.input, &self.output);
        TAKEN.store(false, Ordering::SeqCst);
        result
    }
}

impl Drop for StdioHandles {
    fn drop(&mut self) {
        let _ = self.put_back();
    }
}
