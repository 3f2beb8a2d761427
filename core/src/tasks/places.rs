//! How many tasks run, in all and of each client.
//!
//! Owns: the counts. Must not know: tasks.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;

/// The counts of a server.
#[derive(Default)]
pub(super) struct Places(Mutex<HashMap<Arc<str>, usize>>);

impl Places {
    /// A place for one more task.
    ///
    /// # Errors
    /// `Overloaded` if there is none.
    pub(super) fn take(self: &Arc<Self>, whose: &str, limits: &Limits) -> Result<Place, Error> {
        let mut counts = self.0.lock();
        if counts.values().sum::<usize>() >= limits.tasks_max {
            return Err(Error::overloaded("too many tasks run"));
        }
        let (whose, running) = counts
            .get_key_value(whose)
            .map_or_else(|| (whose.into(), 0), |(whose, n)| (Arc::clone(whose), *n));
        if running >= limits.tasks_per_principal {
            return Err(Error::overloaded("too many tasks of one client run"));
        }
        counts.insert(Arc::clone(&whose), running + 1);
        Ok(Place { places: Arc::clone(self), whose })
    }
}

/// The place of a running task among those of its client.
pub(super) struct Place {
    places: Arc<Places>,
    whose: Arc<str>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.places.0.lock();
        if let Some(count) = counts.get_mut(&self.whose) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.whose);
            }
        }
    }
}
