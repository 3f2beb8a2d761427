//! The time that tasks are told with.
//!
//! Owns: how the engine's time becomes one of the calendar. Must not know: tasks.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use mcpbolt_proto::tasks::Stamp;

use crate::handler::Engine;

/// When the engine's time began, in time since 1970.
#[derive(Debug, Clone, Copy)]
pub(super) struct Calendar(Duration);

impl Calendar {
    pub(super) fn of(engine: &Engine) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self(now.saturating_sub(engine.now()))
    }

    /// Now, by the engine's clock.
    pub(super) fn now(self, engine: &Engine) -> Stamp {
        let now = self.0.saturating_add(engine.now());
        let text = humantime::format_rfc3339_millis(UNIX_EPOCH + now).to_string().into();
        Stamp { millis: u64::try_from(now.as_millis()).unwrap_or(u64::MAX), text }
    }
}
