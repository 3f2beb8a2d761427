//! Numbers that the bridge gives out itself: requests of the host, asks, listeners,
//! clients' connections.
//!
//! Owns: that no number is given out twice in a process. Must not know: what a number
//! stands for.

use std::sync::atomic::{AtomicU64, Ordering};

/// Above all numbers of the engine's calls and connections, so that one number space serves
/// both; below 2^53, the largest whole number that every language can hold.
const FIRST_OWN: u64 = 1 << 52;

/// A number of the bridge's own, unique in the process.
pub(crate) fn own_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(FIRST_OWN);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
