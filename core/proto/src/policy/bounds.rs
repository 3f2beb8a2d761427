//! Deadlines and concurrency: how long a call may run, and how many at once.
//!
//! Owns: which bound counts where both the server and one tool have one, the count of what
//! runs, what a client is told of a deadline. Must not know: clocks, handlers.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::json;

use crate::protocol::{Error, ErrorKind};

/// Bounds of the calls of a server, or of one tool, resource, template, prompt or
/// completion of it. Its own timeout counts instead of the server's; of the numbers of
/// calls both count.
///
/// ```
/// use mcpbolt_proto::policy::bounds::Bounds;
/// use std::time::Duration;
///
/// let bounds = Bounds { timeout: Some(Duration::from_secs(5)), max_concurrency: Some(2) };
/// assert!(!bounds.is_empty() && Bounds::default().is_empty());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds {
    /// Longest run of a call.
    pub timeout: Option<Duration>,
    /// Most calls at once.
    pub max_concurrency: Option<usize>,
}

impl Bounds {
    /// Whether nothing is bounded.
    pub const fn is_empty(&self) -> bool {
        self.timeout.is_none() && self.max_concurrency.is_none()
    }
}

/// Where a call is counted. To be given back when it is over.
///
/// ```
/// use mcpbolt_proto::policy::bounds::Running;
///
/// let mut running = Running::new(Some(1));
/// let place = running.enter(None)?;
/// assert!(running.enter(None).is_err());
/// running.leave(place);
/// assert!(running.enter(None).is_ok());
/// # Ok::<(), mcpbolt_proto::protocol::Error>(())
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct ConcurrencyPlace {
    /// The tool's name, where it is bounded.
    name: Option<Box<str>>,
}

/// What runs now.
///
/// ```
/// use mcpbolt_proto::policy::bounds::Running;
///
/// let mut running = Running::new(None);
/// let place = running.enter(Some(("tool search", 1)))?;
/// assert!(running.enter(Some(("tool search", 1))).is_err() && running.enter(Some(("tool add", 1))).is_ok());
/// running.leave(place);
/// # Ok::<(), mcpbolt_proto::protocol::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Running {
    max: Option<usize>,
    total: usize,
    /// Those that are bounded and have a call.
    named: HashMap<Box<str>, usize>,
}

impl Running {
    /// Nothing runs; at most so many calls may.
    pub fn new(max: Option<usize>) -> Self {
        Self { max, ..Self::default() }
    }

    /// Counts a call; `bounded` is what it calls and how many may at once.
    ///
    /// # Errors
    /// `Overloaded`, naming the bound, and nothing is counted.
    pub fn enter(&mut self, bounded: Option<(&str, usize)>) -> Result<ConcurrencyPlace, Error> {
        if self.max.is_some_and(|max| self.total >= max) {
            return Err(Error::overloaded("max_concurrency of the server"));
        }
        if let Some((name, max)) = bounded {
            let count = self.named.get(name).copied().unwrap_or(0);
            if count >= max {
                return Err(Error::overloaded(&format!("max_concurrency of {name}")));
            }
            self.named.insert(name.into(), count + 1);
        }
        self.total += 1;
        Ok(ConcurrencyPlace { name: bounded.map(|(name, _)| name.into()) })
    }

    /// A call is over.
    pub fn leave(&mut self, place: ConcurrencyPlace) {
        self.total = self.total.saturating_sub(1);
        let Some(name) = place.name else { return };
        if let Some(count) = self.named.get_mut(&name) {
            *count -= 1;
            if *count == 0 {
                self.named.remove(&name);
            }
        }
    }

    /// How many calls run.
    pub fn len(&self) -> usize {
        self.total
    }

    /// Whether none runs.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }
}

/// -32603 with `data.reason`: a handler took longer than it may.
pub fn timed_out(after: Duration) -> Error {
    Error::new(ErrorKind::Timeout, format!("timed out after {} s", after.as_secs_f64()))
        .with_data(json!({ "reason": "timeout" }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_counts_for_the_server_and_for_its_tool() {
        let mut running = Running::new(Some(3));
        let first = running.enter(Some(("tool a", 1))).unwrap();
        let refused = running.enter(Some(("tool a", 1))).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Overloaded);
        assert!(refused.data.unwrap().as_str().contains("max_concurrency of tool a"));
        let _second = running.enter(None).unwrap();
        let _third = running.enter(Some(("tool b", 1))).unwrap();
        assert!(running.enter(None).unwrap_err().message.contains("of the server"));
        running.leave(first);
        assert_eq!(running.len(), 2);
        let again = running.enter(Some(("tool a", 1))).unwrap();
        running.leave(again);
        assert_eq!(running.named.len(), 1, "names without calls are forgotten");
    }

    #[test]
    fn a_deadline_is_told_in_seconds() {
        assert_eq!(timed_out(Duration::from_secs(5)).message, "timed out after 5 s");
        let error = timed_out(Duration::from_millis(250));
        assert_eq!((error.message.as_str(), error.code.0), ("timed out after 0.25 s", -32603));
        assert_eq!(error.data.unwrap().as_str(), r#"{"reason":"timeout"}"#);
    }
}
