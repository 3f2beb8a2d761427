//! Which process something was made in.
//!
//! Owns: noticing a fork. Must not know: what is refused then; nothing here starts a thread.
//!
//! The engine's threads (stdio reader, timer, tasks) start with their first use and
//! do not survive `fork()`: a child has the memory of its parent but none of its
//! threads, and would wait for ever. So everything that could wait asks first whether it is
//! still in the process that made it.

use std::process;

use mcpbolt_proto::protocol::{Error, ErrorKind};

/// Remembers the process it was made in.
#[derive(Debug, Clone, Copy)]
pub struct ForkGuard(u32);

impl Default for ForkGuard {
    fn default() -> Self {
        Self(process::id())
    }
}

/// The process was forked after the inbox, server or client was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("made before a fork: create servers and clients in the child process")]
pub struct ForkedError;

impl From<ForkedError> for Error {
    fn from(error: ForkedError) -> Self {
        Self::new(ErrorKind::Usage, error.to_string())
    }
}

impl ForkGuard {
    /// Fails in a child of the process it was made in.
    ///
    /// # Errors
    /// [`ForkedError`].
    pub fn check(self) -> Result<(), ForkedError> {
        if process::id() == self.0 { Ok(()) } else { Err(ForkedError) }
    }
}
