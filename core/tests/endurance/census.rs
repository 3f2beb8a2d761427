//! What a process has open, as the kernel, tokio and the engine count it.

use std::ops::{Add, Sub};

use mcpbolt::observe::process_stats;
use serde::{Deserialize, Serialize};

/// What is counted besides memory.
pub(crate) const COUNTED: [&str; 7] =
    ["fds", "threads", "tasks", "connections", "sessions", "streams", "in flight"];

/// One count of everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Census {
    pub(crate) rss_kb: i64,
    /// In the order of [`COUNTED`].
    pub(crate) counts: [i64; 7],
}

impl Census {
    /// Counts this process, with all servers and clients in it.
    pub(crate) fn of_this_process() -> Self {
        let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
        let field = |name: &str| -> i64 {
            let line = status.lines().find(|line| line.starts_with(name)).expect("a field of the kernel's");
            line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).expect("a number")
        };
        let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let fds = std::fs::read_dir("/proc/self/fd").expect("Linux").count();
        let tasks = tokio::runtime::Handle::try_current().map_or(0, |h| h.metrics().num_alive_tasks());
        let engine = process_stats();
        Self {
            rss_kb: field("VmRSS:"),
            counts: [
                number(fds as u64),
                field("Threads:"),
                number(tasks as u64),
                number(engine.connections),
                number(engine.sessions),
                number(engine.streams),
                number(engine.in_flight),
            ],
        }
    }

    fn with(self, other: Self, both: fn(i64, i64) -> i64) -> Self {
        let mut counts = self.counts;
        counts.iter_mut().zip(other.counts).for_each(|(count, other)| *count = both(*count, other));
        Self { rss_kb: both(self.rss_kb, other.rss_kb), counts }
    }

    /// What is more than nothing, by name. With a pool of connections, which keeps what it
    /// once needed, sockets and their tasks do not count.
    pub(crate) fn grown(&self, pooled: bool) -> Vec<(&'static str, i64)> {
        let counted = |name: &str| !pooled || !matches!(name, "fds" | "tasks");
        COUNTED.into_iter().zip(self.counts).filter(|(name, count)| counted(name) && *count > 0).collect()
    }
}

impl Add for Census {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }
}

impl Sub for Census {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }
}
