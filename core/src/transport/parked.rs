//! The end of parked calls whose client never came back.
//!
//! Owns: the one appointment per engine. Must not know: what a call waits for.

use std::sync::Arc;

use crate::handler::Engine;

use super::timer::{self, Due};

/// Sees to it that parked calls end when their time is over.
pub(super) fn watch(engine: &Arc<Engine>) {
    if let Some(deadline) = engine.parking().watch() {
        timer::schedule(deadline.saturating_sub(engine.now()), Arc::downgrade(engine) as _);
    }
}

impl Due for Engine {
    fn due(self: Arc<Self>) {
        self.parking().expire(self.now());
        // A call that parks in between finds this watch, or begins one.
        self.parking().unwatch();
        watch(&self);
    }
}
