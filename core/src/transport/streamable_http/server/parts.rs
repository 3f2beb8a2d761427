//! Tables in parts: requests that have nothing in common seldom wait for each other.
//!
//! Owns: how many parts there are, and in which one a number is. Must not know: what is kept there.

use parking_lot::Mutex;

/// How many parts a table has. Each has a lock of its own.
const PARTS: usize = 32;

/// The parts of a table.
#[derive(Default)]
pub(super) struct Parts<T>([Part<T>; PARTS]);

/// One of them. On cache lines of its own: processors that use its neighbours do not take them away.
#[derive(Default)]
#[repr(align(128))]
struct Part<T>(Mutex<T>);

impl<T> Parts<T> {
    /// The part that a number is in: one that is handed out in turn, or a hash.
    pub(super) fn of(&self, number: u64) -> &Mutex<T> {
        &self.0[usize::try_from(number % PARTS as u64).unwrap_or_default()].0
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Mutex<T>> {
        self.0.iter().map(|part| &part.0)
    }
}
