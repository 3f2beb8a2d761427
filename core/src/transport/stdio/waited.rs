//! What a wait for input may come to, on every system.
//!
//! Owns: the words. Must not know: how a system waits.

/// What ended a wait for input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waited {
    /// There are bytes, or the end of them: a read will not wait.
    Data,
    /// Somebody wants the thread's attention.
    Woken,
    /// The time was up, or a signal came.
    Nothing,
}
