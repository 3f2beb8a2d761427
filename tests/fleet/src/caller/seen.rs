//! What came of calls.
//!
//! Owns: the counts, and those that failed with when they were under way. Must not know: why they
//! may fail.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::Serialize;

/// Most that are named of what must not be.
const NAMED: usize = 20;

/// How one call ended.
pub(crate) enum End {
    /// With its own answer.
    Right,
    /// With a named failure.
    Failed(Failed),
    /// As none may.
    Wrong(String),
}

/// A call that failed.
#[derive(Debug, Serialize)]
pub(crate) struct Failed {
    /// Its number.
    pub(crate) number: u64,
    /// In which way.
    pub(crate) what: String,
    /// When it began and ended, in seconds since 1970.
    pub(crate) from: f64,
    /// See `from`.
    pub(crate) to: f64,
}

/// What came of many.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Seen {
    right: u64,
    failed: Vec<Failed>,
    wrong: u64,
    named: Vec<String>,
}

impl Seen {
    /// One more.
    pub(crate) fn note(&mut self, end: End) {
        match end {
            End::Right => self.right += 1,
            End::Failed(failed) => self.failed.push(failed),
            End::Wrong(what) => {
                self.wrong += 1;
                self.name([what]);
            }
        }
    }

    /// Those of somebody else.
    pub(crate) fn add(&mut self, other: Self) {
        self.right += other.right;
        self.failed.extend(other.failed);
        self.wrong += other.wrong;
        self.name(other.named);
    }

    fn name(&mut self, wrong: impl IntoIterator<Item = String>) {
        let room = NAMED - self.named.len();
        self.named.extend(wrong.into_iter().take(room));
    }
}

/// Seconds since 1970, as the programs see them that end nodes.
pub(crate) fn now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}
