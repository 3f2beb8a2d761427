//! The inbox of one host loop: items in, a wake when some are there.
//!
//! Order of locks: the inbox's is taken last and nothing of a call or a connection is
//! touched under it.

use std::collections::{HashMap, HashSet};
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::Answer;

use crate::handler::Call;

use crate::bridge::boundary::fork_guard::Birth;
use crate::bridge::boundary::item::{CancelWhy, Item, Request};
use crate::bridge::boundary::outcome::Failure;
use crate::bridge::boundary::panics::contain;
use crate::bridge::client::session::HostSession;
use crate::bridge::http::fetch::Parts;
use crate::bridge::http::mount::Task;
use crate::bridge::http::routes::Page;
use crate::bridge::options::server::InboxLimits;
use crate::bridge::queue::lane::{Entry, Queue};
use crate::bridge::requests::blocking::Slot;
use crate::bridge::requests::calls::{Lane, Row, Table};
use crate::bridge::requests::connections::Linked;
use crate::bridge::requests::host_requests::Asking;
use crate::bridge::requests::server_requests::Served;
use crate::bridge::services::asks::Services;

/// Tells the host that there is something to take. Carries no data, may come for
/// nothing, may come from any thread, and must not call the inbox.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// Numbers of the host's own requests and of asks: above all calls, below 2^53.
const FIRST_OWN: u64 = 1 << 52;

/// Where items wait for one host loop and its worker threads.
pub struct Inbox {
    pub(crate) me: Weak<Self>,
    pub(crate) state: Mutex<State>,
    worker_ready: Condvar,
    pub(crate) changed: Condvar,
    pub(crate) birth: Birth,
    pub(crate) limits: InboxLimits,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) main: Queue,
    pub(crate) worker: Queue,
    pub(crate) table: Table,
    pub(crate) services: Services,
    pub(crate) asking: HashMap<u64, Asking>,
    pub(crate) links: HashMap<u64, Linked>,
    /// Connections of clients, until they are over.
    pub(crate) clients: HashMap<u64, Arc<HostSession>>,
    /// Requests of servers to those clients.
    pub(crate) served: HashMap<u64, Served>,
    /// Exchanges on sockets of the host's, and those of them that can go on.
    pub(crate) http: HashMap<u64, Arc<Task>>,
    pub(crate) runnable: Vec<Arc<Task>>,
    /// Requests on paths of the host's.
    pub(crate) pages: HashMap<u64, Arc<Page>>,
    /// Answers that the host's HTTP client carries.
    pub(crate) fetches: HashMap<u64, Arc<Parts>>,
    /// Threads that wait for an answer instead of a `Response`.
    pub(crate) sync: HashMap<u64, Arc<Slot>>,
    /// Calls and connections that wait to be writable.
    pub(crate) waiting: HashSet<u64>,
    /// Calls that asked something since the last `drained`.
    pub(crate) asked: Vec<u64>,
    /// Clients' connections that send with the next `drained`, and how many requests.
    pub(crate) held: HashMap<u64, (Arc<HostSession>, usize)>,
    pub(crate) dropped: u64,
    /// Whether the clock will look after items that wake nobody.
    pub(crate) tidies: bool,
    /// Whether the next item fires the wake.
    unarmed: bool,
    wake: Option<Wake>,
    /// Those who wait, each under a number of its own.
    wakers: Vec<(u64, Waker)>,
    pub(crate) closed: bool,
}

/// A number of the bridge's own, unique in the process.
pub(crate) fn own_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(FIRST_OWN);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Whom to tell after the lock is released.
#[must_use]
pub(crate) struct Wakeup(Option<Wake>, Vec<(u64, Waker)>);

impl Wakeup {
    pub(crate) fn none() -> Self {
        Self(None, Vec::new())
    }

    pub(crate) fn fire(self) {
        if let Some(wake) = self.0 {
            let _ = contain(|| wake());
        }
        self.1.into_iter().for_each(|(_, waker)| waker.wake());
    }
}

impl State {
    pub(crate) fn push(&mut self, item: Item) -> Wakeup {
        if self.push_only(item) { self.arrived() } else { Wakeup::none() }
    }

    /// Without a wake; `false` if the inbox is closed.
    pub(crate) fn push_only(&mut self, item: Item) -> bool {
        if !self.closed {
            self.hear_of(&item);
            self.main.push(item);
        }
        !self.closed
    }

    /// Whether nothing waits for the host, and the host owes no service and no server an
    /// answer.
    pub(crate) fn is_idle(&self) -> bool {
        !self.has_work()
            && self.worker.len() == 0
            && self.services.len() == 0
            && self.served.is_empty()
            && self.pages.is_empty()
    }

    /// Whether a `take` has something to do.
    fn has_work(&self) -> bool {
        self.main.len() > 0 || !self.runnable.is_empty()
    }

    /// Wakes the host if a `take` has something to do.
    pub(crate) fn wake_if_any(&mut self) -> Wakeup {
        if self.has_work() { self.arrived() } else { Wakeup::none() }
    }

    /// Until the next `take` nobody is woken by the host's wake.
    pub(crate) fn disarm(&mut self) {
        self.unarmed = self.wake.is_some();
    }

    pub(crate) fn rearm(&mut self) -> Wakeup {
        self.unarmed = false;
        self.wake_if_any()
    }

    pub(crate) fn arrived(&mut self) -> Wakeup {
        let wake = if self.unarmed { None } else { self.wake.clone() };
        self.unarmed = self.wake.is_some();
        Wakeup(wake, std::mem::take(&mut self.wakers))
    }

    fn next(&mut self, lane: Lane, max_bytes: Option<usize>) -> Option<(Item, usize)> {
        let queue = if lane == Lane::Loop { &mut self.main } else { &mut self.worker };
        let table = &self.table;
        let is_alive = |call| table.is_queued(call);
        if max_bytes.is_some_and(|max| queue.peek(is_alive).is_none_or(|size| size > max)) {
            return None;
        }
        let (entry, size) = queue.pop(is_alive)?;
        match entry {
            Entry::Item(item, _) => {
                if let Item::Request(request) = &*item {
                    // One that is no longer wanted is never delivered.
                    match self.served.get_mut(&request.call) {
                        Some(served) => served.taken = true,
                        None => return self.next(lane, max_bytes),
                    }
                }
                Some((*item, size))
            }
            Entry::Request { call, .. } => {
                let row = self.table.rows.get_mut(&call)?;
                row.taken = true;
                let request = request(row);
                self.hear(request.connection);
                Some((Item::Request(request), size))
            }
        }
    }

    /// Hands an answer to whoever waits for it.
    pub(crate) fn respond(
        &mut self,
        id: u64,
        call: u64,
        origin: u64,
        outcome: Result<RawJson, Failure>,
    ) -> Wakeup {
        match self.sync.remove(&id) {
            Some(slot) => {
                slot.fill(outcome);
                Wakeup::none()
            }
            None => self.push(Item::Response { id, call, origin, outcome }),
        }
    }
}

fn request(row: &mut Row) -> Request {
    let call = &row.call;
    Request {
        call: call.id().0,
        connection: row.connection,
        origin: row.origin,
        method: call.method().into(),
        name: call.name(),
        params: call.params().cloned(),
        invalid: row.invalid.take(),
    }
}

impl Inbox {
    /// An inbox for one host loop.
    pub fn new(limits: InboxLimits) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            state: Mutex::default(),
            worker_ready: Condvar::new(),
            changed: Condvar::new(),
            birth: Birth::default(),
            limits,
        })
    }

    /// Sets what is called when there is something to take; at once if there is.
    pub fn on_ready(&self, wake: Option<Wake>) {
        let wakeup = {
            let mut state = self.state.lock();
            state.wake = wake;
            state.rearm()
        };
        wakeup.fire();
    }

    /// Takes what is there, in wire order per connection, without waiting. A first item
    /// above `max_bytes` travels alone. What is left over fires the wake again.
    pub fn take(&self, max_items: usize, max_bytes: usize) -> Vec<Item> {
        self.run_tasks();
        let (items, wakeup) = {
            let mut state = self.state.lock();
            let mut items = Vec::with_capacity(max_items.min(state.main.len()));
            let mut bytes = 0;
            while items.len() < max_items {
                let room = (!items.is_empty()).then(|| max_bytes.saturating_sub(bytes));
                let Some((item, size)) = state.next(Lane::Loop, room) else { break };
                bytes += size;
                items.push(item);
            }
            (items, state.rearm())
        };
        self.changed.notify_all();
        wakeup.fire();
        items
    }

    /// Waits for work of the worker lane; for threads that may block. `None` after
    /// `timeout`, when the inbox is closed, or in a forked child.
    pub fn take_sync(&self, timeout: Duration) -> Option<Item> {
        let begun = Instant::now();
        let mut state = self.state.lock();
        loop {
            if state.closed || self.birth.check().is_err() {
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

    /// Resolves when there is something to take, or the inbox is closed. May resolve
    /// for nothing; dropping it loses nothing.
    pub fn ready(self: &Arc<Self>) -> Ready {
        Ready { inbox: Arc::clone(self), number: own_number() }
    }

    /// How many items wait, both lanes together.
    pub fn len(&self) -> usize {
        let state = self.state.lock();
        state.main.len() + state.worker.len()
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Calls that are not completed: queued, running or parked.
    pub fn open_calls(&self) -> usize {
        self.state.lock().table.rows.len()
    }

    /// Queues a request. Above a cap it is refused at once.
    pub(crate) fn admit(
        &self,
        call: &Arc<Call>,
        connection: u64,
        lane: Lane,
        invalid: Option<RawJson>,
        caps: Option<InboxLimits>,
    ) -> Result<(), Error> {
        let size = call.params().map_or(0, |p| p.as_str().len());
        let origin = call.scope().origin.0;
        let wakeup = {
            let mut state = self.state.lock();
            if state.closed {
                return Err(Error::closed());
            }
            if self.is_full(&state, caps, size) {
                return Err(Error::overloaded("too many requests wait for the program"));
            }
            let row = Row { call: Arc::clone(call), connection, lane, size, taken: false, origin, invalid };
            state.table.insert(row);
            if lane == Lane::Worker {
                state.worker.push_request(call.id().0, size);
                self.worker_ready.notify_one();
                Wakeup::none()
            } else {
                state.main.push_request(call.id().0, size);
                state.arrived()
            }
        };
        wakeup.fire();
        Ok(())
    }

    /// Queues an item that must arrive: answers, cancels, ends.
    pub(crate) fn post(&self, item: Item) {
        let wakeup = self.state.lock().push(item);
        wakeup.fire();
    }

    /// A call is not wanted any more. `false` if it is not of this inbox. One that is
    /// still queued is removed and never delivered.
    pub(crate) fn call_cancelled(&self, call: &Arc<Call>) -> bool {
        let id = call.id().0;
        let mut state = self.state.lock();
        let Some(row) = state.table.rows.get(&id) else { return false };
        if row.taken {
            drop(state);
            let reason = call.cancel_reason();
            let why = reason.as_ref().map_or(CancelWhy::StreamGone, CancelWhy::from);
            let words = match reason {
                Some(mcpbolt_proto::session::CancelReason::Peer(words)) => words,
                _ => None,
            };
            self.post(Item::Cancel { call: id, why, reason: words });
            return true;
        }
        let (lane, size) = (row.lane, row.size);
        let closed = state.table.remove(id).and_then(|(_, origin)| origin);
        let State { main, worker, table, .. } = &mut *state;
        let queue = if lane == Lane::Loop { main } else { worker };
        queue.forget(size, |call| table.is_queued(call));
        drop(state);
        call.finish(Answer::error(Error::new(ErrorKind::Cancelled, "the call was cancelled")));
        self.origin_closed(closed);
        self.changed.notify_all();
        true
    }

    /// Ends the inbox: what it still owes is answered with `Closed`, and nothing more
    /// comes out of it. Workers return.
    pub fn close(&self) {
        let (rows, services, asking, clients, waiting, http, pages, wakeup) = {
            let mut state = self.state.lock();
            if std::mem::replace(&mut state.closed, true) {
                return;
            }
            state.main.clear();
            state.worker.clear();
            let table = std::mem::take(&mut state.table);
            let wakeup = state.arrived();
            let services = std::mem::take(&mut state.services);
            let (clients, sync) = (std::mem::take(&mut state.clients), std::mem::take(&mut state.sync));
            state.served.clear();
            state.held.clear();
            let http = (std::mem::take(&mut state.http), std::mem::take(&mut state.runnable));
            let fetches = std::mem::take(&mut state.fetches);
            let pages = (std::mem::take(&mut state.pages), fetches);
            (table.rows, services, std::mem::take(&mut state.asking), clients, sync, http, pages, wakeup)
        };
        for slot in waiting.into_values() {
            slot.fill(Err(Failure::from(Error::closed())));
        }
        for row in rows.into_values() {
            row.call.finish(Answer::error(Error::closed()));
        }
        services.close();
        pages.1.values().for_each(|parts| parts.break_off());
        drop((http, pages));
        for (id, asking) in asking {
            asking.give_up(id);
        }
        if self.birth.check().is_ok() {
            for session in clients.into_values() {
                session.close();
            }
        } else {
            // The processes and sockets are the parent's.
            std::mem::forget(clients);
        }
        self.worker_ready.notify_all();
        self.changed.notify_all();
        wakeup.fire();
    }

    /// Whether [`Inbox::close`] was called.
    pub fn is_closed(&self) -> bool {
        self.state.lock().closed
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

impl std::fmt::Debug for Inbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inbox").field("waiting", &self.len()).finish_non_exhaustive()
    }
}

/// See [`Inbox::ready`].
#[derive(Debug)]
pub struct Ready {
    inbox: Arc<Inbox>,
    number: u64,
}

impl Future for Ready {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.inbox.state.lock();
        if state.has_work() || state.closed {
            return Poll::Ready(());
        }
        match state.wakers.iter_mut().find(|(number, _)| *number == self.number) {
            Some((_, waker)) => waker.clone_from(cx.waker()),
            None => state.wakers.push((self.number, cx.waker().clone())),
        }
        Poll::Pending
    }
}

/// Who gives up on waiting leaves nothing behind.
impl Drop for Ready {
    fn drop(&mut self) {
        let left = {
            let mut state = self.inbox.state.lock();
            let at = state.wakers.iter().position(|(number, _)| *number == self.number);
            at.map(|at| state.wakers.swap_remove(at))
        };
        // Not under the lock: a waker may be the last that holds its task.
        drop(left);
    }
}
