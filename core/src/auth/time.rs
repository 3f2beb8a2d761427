//! The time of day, as tokens and proofs have it.
//!
//! Owns: reading the system's clock. Must not know: what lasts how long.

use std::time::{Duration, SystemTime};

/// The time since 1970.
pub(super) fn now() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}
