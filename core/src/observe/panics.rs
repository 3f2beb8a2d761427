//! Panics of a program's own callbacks.
//!
//! Owns: that one ends nothing but itself. Must not know: whose callback it is.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls what a program gave us: whoever calls it reads messages, keeps time or writes for others too.
pub(crate) fn contained(callback: impl FnOnce()) {
    if panics(callback) {
        tracing::error!(target: "mcpbolt::protocol", "a callback panicked");
    }
}

/// As [`contained`], for those who tell it in their own words.
pub(crate) fn panics(callback: impl FnOnce()) -> bool {
    catch_unwind(AssertUnwindSafe(callback)).is_err()
}
