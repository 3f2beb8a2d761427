//! Which process an inbox belongs to. Nothing here starts a thread.
//!
//! The engine's threads (stdio reader, timer, tasks) start with their first use and
//! do not survive `fork()`: a child has the memory of its parent but none of its
//! threads, and would wait for ever. So whatever could wait asks first whether it is
//! still in the process that made it.

use std::process;

use mcpbolt_proto::protocol::{Error, ErrorKind};

/// Where something was made.
#[derive(Debug, Clone, Copy)]
pub struct Birth(u32);

impl Default for Birth {
    fn default() -> Self {
        Self(process::id())
    }
}

/// The process was forked after the inbox was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("made before a fork: create servers and clients in the child process")]
pub struct ForkedError;

impl From<ForkedError> for Error {
    fn from(error: ForkedError) -> Self {
        Self::new(ErrorKind::Usage, error.to_string())
    }
}

impl Birth {
    /// Fails in a child of the process it was made in.
    ///
    /// # Errors
    /// [`ForkedError`].
    pub fn check(self) -> Result<(), ForkedError> {
        if process::id() == self.0 { Ok(()) } else { Err(ForkedError) }
    }
}
