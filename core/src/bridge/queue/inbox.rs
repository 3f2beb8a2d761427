//! The inbox of one host loop: items in, a wake when some are there.
//!
//! Owns: taking, waiting, the end. Must not know: what is open in its tables; features add
//! their verbs to the inbox in files of their own.
//!
//! Order of locks: the inbox's is taken last. Nothing of a call or a connection is touched
//! under it, and nothing is woken or dropped under it that could call back.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::item::Item;
use crate::bridge::boundary::panics::contain;

use super::lane::Lane;
use super::limits::InboxLimits;
use super::open::OpenTables;
use super::state::InboxState;
use super::wake::Wake;
use super::work::Work;

/// Where items wait for one host loop and its worker threads.
pub struct Inbox {
    pub(crate) me: Weak<Self>,
    state: Mutex<InboxState>,
    worker_ready: Condvar,
    /// Something was taken, completed or cancelled; for `settle`.
    pub(crate) changed: Condvar,
    /// The process that made it.
    pub(crate) process: ForkGuard,
    pub(crate) limits: InboxLimits,
}

/// Arms an inbox again where a `take` does not come to it.
struct Rearm<'a>(&'a Inbox);

impl Drop for Rearm<'_> {
    fn drop(&mut self) {
        let wakeup = self.0.lock().rearm();
        wakeup.fire();
    }
}

impl Inbox {
    /// An inbox with these tables.
    pub(crate) fn with_tables(limits: InboxLimits, tables: OpenTables) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            state: Mutex::new(InboxState::new(tables)),
            worker_ready: Condvar::new(),
            changed: Condvar::new(),
            process: ForkGuard::default(),
            limits,
        })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, InboxState> {
        self.state.lock()
    }

    /// Sets what is called when there is something to take; at once if there is.
    pub fn on_ready(&self, wake: Option<Wake>) {
        let wakeup = self.lock().set_wake(wake);
        wakeup.fire();
    }

    /// Takes what is there, in wire order per connection, without waiting. A first item
    /// above `max_bytes` travels alone. What is left over fires the wake again.
    pub fn take(&self, max_items: usize, max_bytes: usize) -> Vec<Item> {
        self.do_work();
        let (items, wakeup) = {
            let mut state = self.lock();
            let mut items = Vec::with_capacity(max_items.min(state.main_len()));
            let mut bytes = 0;
            while items.len() < max_items {
                let room = (!items.is_empty()).then(|| max_bytes.saturating_sub(bytes));
                let Some((item, size)) = state.next(Lane::Loop, room) else { break };
                bytes += size;
                items.push(item);
            }
            // Under the same lock as taking: what arrives from here on wakes the host again, so
            // that no wake is missed.
            (items, state.rearm())
        };
        self.changed.notify_all();
        wakeup.fire();
        items
    }

    /// Does something on the host's thread, and takes what comes of it and whatever else
    /// waits, as [`Inbox::take`] does: the host is not woken for what it has at hand.
    pub fn take_after<T>(
        &self,
        act: impl FnOnce() -> T,
        max_items: usize,
        max_bytes: usize,
    ) -> (T, Vec<Item>) {
        self.lock().disarm();
        // If `act` panics nothing is taken, so the wake that was held back is made up for.
        let armed = Rearm(self);
        let done = act();
        std::mem::forget(armed);
        (done, self.take(max_items, max_bytes))
    }

    /// Waits for work of the worker lane; for threads that may block. `None` after
    /// `timeout`, when the inbox is closed, or in a forked child.
    pub fn take_sync(&self, timeout: Duration) -> Option<Item> {
        let begun = Instant::now();
        let mut state = self.lock();
        loop {
            if state.is_closed() || self.process.check().is_err() {
                return None;
            }
            if let Some((item, _)) = state.next(Lane::Worker, None) {
                return Some(item);
            }
            let left = timeout.saturating_sub(begun.elapsed());
            if self.worker_ready.wait_for(&mut state, left).timed_out() {
                return state.next(Lane::Worker, None).map(|(item, _)| item);
            }
        }
    }

    /// Something was queued in the worker lane: one worker is enough for it.
    pub(crate) fn wake_worker(&self) {
        self.worker_ready.notify_one();
    }

    /// Has something go on with the next `take`, on the host's thread.
    pub(crate) fn run_soon(&self, work: Arc<dyn Work>) {
        let wakeup = self.lock().push_work(work);
        wakeup.fire();
    }

    /// Goes on with what was woken. What it has to say is taken with the rest.
    fn do_work(&self) {
        let work = self.lock().take_work();
        for part in work {
            let items = part.run();
            if !items.is_empty() {
                let mut state = self.lock();
                for item in items {
                    state.push_only(item);
                }
            }
        }
    }

    /// How many items wait, both lanes together.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Queues an item that must arrive: answers, cancels, ends.
    pub(crate) fn post(&self, item: Item) {
        let wakeup = self.lock().push(item);
        wakeup.fire();
    }

    /// Ends the inbox: what it still owes is answered with `Closed`, and nothing more
    /// comes out of it. Workers return.
    pub fn close(&self) {
        // Everything is forgotten and the inbox marked closed under one lock. From then on
        // nothing new is let in, and an outcome, answer or cancel that comes meanwhile finds
        // nothing under its number: each thing that was open ends exactly once, here or
        // where it was taken out before.
        let (closing, wakeup) = {
            let mut state = self.lock();
            let Some(closing) = state.close(self.process) else { return };
            (closing, state.arrived())
        };
        // Without the lock: ending a call or a connection takes its own lock and may come
        // back here.
        for close in closing {
            let _ = contain(close);
        }
        self.worker_ready.notify_all();
        self.changed.notify_all();
        wakeup.fire();
    }

    /// Whether [`Inbox::close`] was called.
    pub fn is_closed(&self) -> bool {
        self.lock().is_closed()
    }
}

impl std::fmt::Debug for Inbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inbox").field("waiting", &self.len()).finish_non_exhaustive()
    }
}
