//! The duration of a session.
//!
//! Owns: when it begins and ends. Must not know: what makes a session.

use std::time::Instant;

use mcpbolt_proto::protocol::{Error, ErrorKind, Revision};

use super::durations::{self, Side};
use super::key_values;
use crate::observe::conventions::{self, Failure};

/// A session from its beginning; recorded when dropped.
#[derive(Debug)]
pub(crate) struct SessionSpan {
    side: Side,
    since: Instant,
    revision: Revision,
    failed: Option<ErrorKind>,
}

impl SessionSpan {
    pub(crate) fn client(revision: Revision) -> Self {
        Self::new(Side::Client, revision)
    }

    pub(crate) fn server(revision: Revision) -> Self {
        Self::new(Side::Server, revision)
    }

    fn new(side: Side, revision: Revision) -> Self {
        Self { side, since: Instant::now(), revision, failed: None }
    }

    /// Says why it is over. That one side closed it is no failure.
    pub(crate) fn ended_by(&mut self, error: &Error) {
        self.failed = Some(error.kind).filter(|kind| *kind != ErrorKind::Closed);
    }
}

impl Drop for SessionSpan {
    fn drop(&mut self) {
        let mut attributes = vec![conventions::revision(self.revision.as_str())];
        let failed = self.failed.map(|kind| Failure::named(kind.name(), None));
        attributes.extend(failed.iter().flat_map(Failure::attributes));
        durations::session(self.side, self.since, &key_values(attributes));
    }
}
