//! Who waits for what comes of tasks (2025-11-25).
//!
//! Owns: which of them is asked what a task asks: the newest. Of the others it cannot be known
//! whether anybody still reads them: a request outlives its connection, because its stream can be
//! resumed. A client that comes again is asked again, and whichever answer comes first counts.
//! Must not know: what is asked, or how.

use std::collections::{BTreeSet, HashMap};

use parking_lot::Mutex;

/// All that wait, by task, in the order in which they came.
#[derive(Default)]
pub(super) struct Waiters(Mutex<HashMap<String, BTreeSet<u64>>>);

/// One that waits, until it is dropped.
pub(super) struct Waiter<'a> {
    all: &'a Waiters,
    task: &'a str,
    number: u64,
    /// Tells the others that it went: another may be the newest now.
    went: Box<dyn Fn() + Send + Sync + 'a>,
}

impl<'a> Waiter<'a> {
    pub(super) fn new(all: &'a Waiters, task: &'a str, went: impl Fn() + Send + Sync + 'a) -> Self {
        let mut waiters = all.0.lock();
        let here = waiters.entry(task.to_owned()).or_default();
        let number = here.last().map_or(0, |newest| newest + 1);
        here.insert(number);
        drop(waiters);
        Self { all, task, number, went: Box::new(went) }
    }

    pub(super) fn is_newest(&self) -> bool {
        self.all.0.lock().get(self.task).and_then(BTreeSet::last) == Some(&self.number)
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        let mut waiters = self.all.0.lock();
        if let Some(here) = waiters.get_mut(self.task) {
            here.remove(&self.number);
            if here.is_empty() {
                waiters.remove(self.task);
            }
        }
        drop(waiters);
        (self.went)();
    }
}
