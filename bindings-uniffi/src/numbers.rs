//! Things of this library by number. Owns: that a number leads to its thing until that leaves,
//! and to nothing afterwards. Must not know: what they are, who asks.
//!
//! A number crosses where a pointer would be wrong: used too late it finds nothing, and
//! none is given twice.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

/// Numbered things, from 1 on.
pub(crate) struct Numbers<T> {
    table: RwLock<(u64, BTreeMap<u64, T>)>,
}

impl<T: Clone> Numbers<T> {
    pub(crate) const fn new() -> Self {
        Self { table: RwLock::new((0, BTreeMap::new())) }
    }

    /// Gives a thing its number.
    pub(crate) fn enter(&self, thing: T) -> u64 {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        table.0 += 1;
        let number = table.0;
        table.1.insert(number, thing);
        number
    }

    /// The number leads nowhere from here on.
    pub(crate) fn leave(&self, number: u64) {
        self.table.write().unwrap_or_else(PoisonError::into_inner).1.remove(&number);
    }

    /// What has this number.
    #[cfg(feature = "jni")]
    pub(crate) fn find(&self, number: u64) -> Option<T> {
        self.table.read().unwrap_or_else(PoisonError::into_inner).1.get(&number).cloned()
    }
}
