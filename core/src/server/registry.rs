//! An ordered table of named things that may be hidden, stamped with a generation.
//!
//! Owns: order, visibility and generation. Must not know: what the things are.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use indexmap::IndexMap;
use parking_lot::RwLock;

/// Named entries in the order of registration.
pub(super) struct Registry<T> {
    entries: RwLock<IndexMap<String, Row<T>>>,
    generation: AtomicU64,
}

struct Row<T> {
    entry: Arc<T>,
    enabled: bool,
}

impl<T> Default for Registry<T> {
    fn default() -> Self {
        Self { entries: RwLock::new(IndexMap::new()), generation: AtomicU64::new(0) }
    }
}

impl<T> Registry<T> {
    /// Adds or replaces; a replaced entry keeps its place.
    pub(super) fn put(&self, name: String, entry: T) {
        self.entries.write().insert(name, Row { entry: Arc::new(entry), enabled: true });
        self.touch();
    }

    /// The entry, unless it is hidden.
    pub(super) fn get(&self, name: &str) -> Option<Arc<T>> {
        self.entries.read().get(name).filter(|slot| slot.enabled).map(|slot| Arc::clone(&slot.entry))
    }

    /// Replaces an entry by a changed copy; `false` if nothing has that name. If the change fails
    /// the entry stays as it is.
    pub(super) fn replace<E>(&self, name: &str, change: impl FnOnce(&T) -> Result<T, E>) -> Result<bool, E> {
        let mut entries = self.entries.write();
        let Some(slot) = entries.get_mut(name) else { return Ok(false) };
        slot.entry = Arc::new(change(&slot.entry)?);
        drop(entries);
        self.touch();
        Ok(true)
    }

    /// Removes; the others keep their order.
    pub(super) fn remove(&self, name: &str) -> bool {
        let removed = self.entries.write().shift_remove(name).is_some();
        if removed {
            self.touch();
        }
        removed
    }

    /// Hides or shows; `true` if that changed anything.
    pub(super) fn enable(&self, name: &str, on: bool) -> bool {
        let mut entries = self.entries.write();
        let Some(slot) = entries.get_mut(name) else { return false };
        let changed = std::mem::replace(&mut slot.enabled, on) != on;
        drop(entries);
        if changed {
            self.touch();
        }
        changed
    }

    /// Something of every entry that is not hidden, in order.
    pub(super) fn visible<R>(&self, mut pick: impl FnMut(&T) -> R) -> Vec<R> {
        self.entries.read().values().filter(|slot| slot.enabled).map(|slot| pick(&slot.entry)).collect()
    }

    /// The first entry that is not hidden and for which `pick` finds something.
    pub(super) fn find_map<R>(&self, mut pick: impl FnMut(&Arc<T>) -> Option<R>) -> Option<R> {
        self.entries.read().values().filter(|slot| slot.enabled).find_map(|slot| pick(&slot.entry))
    }

    /// Changes with every change.
    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// How many, hidden ones included.
    pub(super) fn len(&self) -> usize {
        self.entries.read().len()
    }

    fn touch(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
    }
}
