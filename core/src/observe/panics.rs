//! Panics of a program's own callbacks.
//!
//! Owns: that one ends nothing but itself. Must not know: whose callback it is.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls what a program gave us: whoever calls it reads messages, keeps time or writes for others too.
pub(crate) fn contained(callback: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(callback)).is_err() {
        tracing::error!(target: "mcpbolt::protocol", "a callback panicked");
    }
}
