//! Panics stop at the boundary.
//!
//! Owns: what a binding is told instead. Must not know: what panicked.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mcpbolt_proto::protocol::{Error, ErrorKind};

/// Runs `body`; a panic becomes `Internal`. Unwinding into another language's frames
/// is never right, so every entry of a binding goes through here.
///
/// # Errors
/// `Internal` if `body` panicked. The panic's own message stays on stderr.
pub fn contain<T>(body: impl FnOnce() -> T) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|_| {
        tracing::error!(target: "mcpbolt::protocol", "a panic was contained at the boundary");
        Error::new(ErrorKind::Internal, "internal error")
    })
}
