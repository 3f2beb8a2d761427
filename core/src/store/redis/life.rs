//! How long the server keeps something.
//!
//! Owns: the longest life, and times as the server takes them. Must not know: what is kept.

use std::time::Duration;

/// How long what is written without an end of its own is kept: no key stays for ever.
const LONGEST: Duration = Duration::from_hours(30 * 24);

/// A time to live as the server takes it: milliseconds, and at least one.
pub(super) fn millis(ttl: Option<Duration>) -> u64 {
    // The greatest that the server takes ends within its own numbers, some thousand years.
    const MOST: u64 = 1 << 48;
    let ttl = ttl.unwrap_or(LONGEST);
    u64::try_from(ttl.as_millis()).unwrap_or(MOST).clamp(1, MOST)
}
