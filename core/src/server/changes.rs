//! Changes, gathered so that many mutations make one announcement.
//!
//! Owns: how long changes are gathered. Must not know: who is told.

use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;

use mcpbolt_proto::session::Change;

use crate::handler::Engine;
use crate::transport::timer::{self, Due};

/// How long changes are gathered.
const TICK: Duration = Duration::from_millis(2);

/// Changes not announced yet.
pub(super) struct Changes {
    engine: Weak<Engine>,
    pending: Mutex<Vec<Change>>,
}

impl Changes {
    pub(super) fn new(engine: &Arc<Engine>) -> Arc<Self> {
        Arc::new(Self { engine: Arc::downgrade(engine), pending: Mutex::new(Vec::new()) })
    }

    /// Announces a change at the end of the present tick, once.
    pub(super) fn announce(self: &Arc<Self>, change: Change) {
        if self.engine.upgrade().is_none_or(|engine| engine.bus().is_empty()) {
            return;
        }
        let mut pending = self.pending.lock();
        if pending.contains(&change) {
            return;
        }
        pending.push(change);
        if pending.len() == 1 {
            let me: Weak<Self> = Arc::downgrade(self);
            timer::schedule(TICK, me);
        }
    }
}

impl Due for Changes {
    fn due(self: Arc<Self>) {
        let changes = std::mem::take(&mut *self.pending.lock());
        let Some(engine) = self.engine.upgrade() else { return };
        for change in &changes {
            engine.bus().publish(change);
        }
    }
}
