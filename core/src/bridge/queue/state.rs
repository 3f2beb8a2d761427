//! What an inbox holds under its lock.
//!
//! Owns: both lanes, the tables of the features, when the host is woken. Must not know:
//! threads and waiting, which are the inbox's.

use std::sync::Arc;
use std::task::Waker;

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::item::Item;

use super::lane::{Lane, LaneQueue, Ticket};
use super::open::{Closing, IsStill, Open, OpenTables};
use super::wake::{Wake, Wakeup};
use super::work::Work;

/// Everything under the lock of one inbox.
pub(crate) struct InboxState {
    main: LaneQueue,
    worker: LaneQueue,
    tables: OpenTables,
    /// What goes on with the next `take`.
    work: Vec<Arc<dyn Work>>,
    /// Items that were dropped because the inbox was full.
    pub(crate) dropped: u64,
    /// Whether the clock will look after deferred items.
    pub(crate) clock_is_set: bool,
    /// Whether the host was woken and has not come yet.
    unarmed: bool,
    wake: Option<Wake>,
    /// Futures that wait, each under a number of its own.
    wakers: Vec<(u64, Waker)>,
    closed: bool,
}

impl InboxState {
    pub(crate) fn new(tables: OpenTables) -> Self {
        Self {
            main: LaneQueue::default(),
            worker: LaneQueue::default(),
            tables,
            work: Vec::new(),
            dropped: 0,
            clock_is_set: false,
            unarmed: false,
            wake: None,
            wakers: Vec::new(),
            closed: false,
        }
    }

    /// A feature's own table.
    pub(crate) fn of<T: Open + Default>(&mut self) -> &mut T {
        self.tables.get()
    }

    /// Queues an item and returns the wake for it. A closed inbox drops the item.
    pub(crate) fn push(&mut self, item: Item) -> Wakeup {
        if self.push_only(item) { self.arrived() } else { Wakeup::default() }
    }

    /// As [`InboxState::push`], without a wake; `false` if the inbox is closed.
    pub(crate) fn push_only(&mut self, item: Item) -> bool {
        if !self.closed {
            self.main.push(item);
        }
        !self.closed
    }

    /// Queues what the table `T` has under this number. Its item is made when it is taken.
    pub(crate) fn push_ticket<T: Open + Default>(&mut self, lane: Lane, number: u64, size: usize) {
        let ticket = Ticket { table: self.tables.position::<T>(), number, size };
        self.lane(lane).push_ticket(ticket);
    }

    /// What a ticket of this size stands for is no longer wanted: its table has forgotten it.
    pub(crate) fn forget_ticket(&mut self, lane: Lane, size: usize) {
        let Self { main, worker, tables, .. } = self;
        let queue = if lane == Lane::Loop { main } else { worker };
        queue.forget(size, |ticket| tables.is_waiting(ticket));
    }

    /// Has something go on with the next `take`. A closed inbox takes no more of it.
    pub(crate) fn push_work(&mut self, work: Arc<dyn Work>) -> Wakeup {
        if self.closed {
            return Wakeup::default();
        }
        self.work.push(work);
        self.arrived()
    }

    pub(crate) fn take_work(&mut self) -> Vec<Arc<dyn Work>> {
        std::mem::take(&mut self.work)
    }

    /// The next item of a lane, if it is no larger than this.
    pub(crate) fn next(&mut self, lane: Lane, max_bytes: Option<usize>) -> Option<(Item, usize)> {
        let Self { main, worker, tables, .. } = self;
        let queue = if lane == Lane::Loop { main } else { worker };
        if let Some(max) = max_bytes
            && queue.peek(|ticket| tables.is_waiting(ticket)).is_none_or(|size| size > max)
        {
            return None;
        }
        queue.pop(|ticket| tables.redeem(ticket))
    }

    fn lane(&mut self, lane: Lane) -> &mut LaneQueue {
        if lane == Lane::Loop { &mut self.main } else { &mut self.worker }
    }

    /// How many items wait in the host's own lane.
    pub(crate) fn main_len(&self) -> usize {
        self.main.len()
    }

    /// How many items wait, both lanes together.
    pub(crate) fn len(&self) -> usize {
        self.main.len() + self.worker.len()
    }

    /// Their bytes of payload.
    pub(crate) fn bytes(&self) -> usize {
        self.main.bytes() + self.worker.bytes()
    }

    /// Whether a `take` has something to do.
    pub(crate) fn has_work(&self) -> bool {
        self.main.len() > 0 || !self.work.is_empty()
    }

    /// Whether nothing waits for the host, and it owes no answer.
    pub(crate) fn is_idle(&self) -> bool {
        !self.has_work() && self.worker.len() == 0 && self.tables.iter().all(Open::is_idle)
    }

    /// How much is open in all tables, and what has to be looked at without the lock.
    pub(crate) fn look(&self) -> (usize, Vec<IsStill>) {
        (self.open(), self.tables.iter().map(Open::is_still).collect())
    }

    /// How much is open in all tables.
    pub(crate) fn open(&self) -> usize {
        self.tables.iter().map(Open::count).sum()
    }

    pub(crate) fn set_wake(&mut self, wake: Option<Wake>) -> Wakeup {
        self.wake = wake;
        self.rearm()
    }

    /// Something arrived: the wake for it. The host is woken once until it comes.
    pub(crate) fn arrived(&mut self) -> Wakeup {
        let wake = if self.unarmed { None } else { self.wake.clone() };
        self.unarmed = self.wake.is_some();
        Wakeup::new(wake, std::mem::take(&mut self.wakers))
    }

    /// Until [`InboxState::rearm`] the host is not woken: it is about to take.
    pub(crate) fn disarm(&mut self) {
        self.unarmed = self.wake.is_some();
    }

    /// The host has come: it is woken again, at once if something is left.
    pub(crate) fn rearm(&mut self) -> Wakeup {
        self.unarmed = false;
        self.wake_if_any()
    }

    /// Wakes the host if a `take` has something to do.
    pub(crate) fn wake_if_any(&mut self) -> Wakeup {
        if self.has_work() { self.arrived() } else { Wakeup::default() }
    }

    /// Remembers a future that waits; it is woken once, by what arrives next.
    pub(crate) fn wait(&mut self, number: u64, waker: &Waker) {
        match self.wakers.iter_mut().find(|(of, _)| *of == number) {
            Some((_, known)) => known.clone_from(waker),
            None => self.wakers.push((number, waker.clone())),
        }
    }

    /// A future that waited is dropped. What it waited with is returned, to be dropped
    /// without the lock.
    pub(crate) fn stop_waiting(&mut self, number: u64) -> Option<(u64, Waker)> {
        let at = self.wakers.iter().position(|(of, _)| *of == number);
        at.map(|at| self.wakers.swap_remove(at))
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Forgets everything that waits or is open; returns what is owed for it. `None` if the
    /// inbox was closed before.
    pub(crate) fn close(&mut self, process: ForkGuard) -> Option<Vec<Closing>> {
        if std::mem::replace(&mut self.closed, true) {
            return None;
        }
        self.main.clear();
        self.worker.clear();
        let work = self.take_work();
        let mut closing = self.tables.close(process);
        // What work refers to may call back into the inbox when it is dropped.
        closing.push(Box::new(move || drop(work)));
        Some(closing)
    }
}
