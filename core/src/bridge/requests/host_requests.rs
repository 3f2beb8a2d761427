//! Requests of the host's own to the peer, from the first word to the answer.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Wake as WakeTask, Waker};
use std::time::Duration;

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, ErrorKind, methods};
use mcpbolt_proto::session::OutgoingId;
use mcpbolt_proto::session::outgoing::Patience;

use crate::handler::{AskFuture, AskPlan, Call, Link, ProgressFn};

use crate::bridge::boundary::item::Item;
use crate::bridge::boundary::outcome::Failure;
use crate::bridge::boundary::panics::contain;
use crate::bridge::client::session::HostSession;
use crate::bridge::options::client::RequestPlan;
use crate::bridge::queue::inbox::{Inbox, State, own_number};
use crate::bridge::requests::verbs::Target;

/// So many requests of a turn leave together: enough to share a write, few enough for the
/// server to work meanwhile.
const TOGETHER: usize = 16;

/// A request in flight.
pub(crate) enum Asking {
    /// Not sent yet.
    Starting,
    /// Of a call: on the modern era it parks.
    Call(Arc<Waiter>),
    /// Of a connection.
    Link(Arc<dyn Link>, OutgoingId),
    /// Of a client's connection.
    Client(Arc<HostSession>),
}

impl Asking {
    /// Withdraws the request.
    pub(crate) fn give_up(self, id: u64) {
        match self {
            Self::Starting => {}
            Self::Call(waiter) => {
                // Dropping it wakes the waiter, which takes this lock.
                let future = waiter.future.lock().take();
                drop(future);
            }
            Self::Link(link, request) => link.give_up(request),
            Self::Client(session) => session.give_up(id),
        }
    }
}

/// Polls one [`AskFuture`] on the thread that answers it: no task, no runtime.
pub(crate) struct Waiter {
    id: u64,
    call: Arc<Call>,
    inbox: Weak<Inbox>,
    future: Mutex<Option<AskFuture>>,
}

impl Waiter {
    pub(crate) fn new(inbox: &Arc<Inbox>, id: u64, call: Arc<Call>, future: AskFuture) -> Arc<Self> {
        Arc::new(Self { id, call, inbox: Arc::downgrade(inbox), future: Mutex::new(Some(future)) })
    }

    pub(crate) fn poll(self: &Arc<Self>) {
        let waker = Waker::from(Arc::clone(self));
        let mut slot = self.future.lock();
        let Some(future) = slot.as_mut() else { return };
        let Poll::Ready(outcome) = Pin::new(future).poll(&mut Context::from_waker(&waker)) else { return };
        // Answered: dropping it withdraws nothing.
        let future = slot.take();
        drop(slot);
        drop(future);
        if let Some(inbox) = self.inbox.upgrade() {
            inbox.answered(self.id, Some(&self.call), outcome);
        }
    }
}

impl WakeTask for Waiter {
    fn wake(self: Arc<Self>) {
        self.poll();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.poll();
    }
}

impl Inbox {
    /// Asks the peer something, for a call or on a connection. The answer comes back as
    /// a `Response` item with the number returned here; failures too. On the modern era
    /// the call parks with the next [`Inbox::flush`] or [`Inbox::drained`].
    pub fn request(
        self: &Arc<Self>,
        target: u64,
        method: &str,
        params: Option<RawJson>,
        timeout: Option<Duration>,
    ) -> u64 {
        self.request_with(target, method, params, RequestPlan::within(timeout))
    }

    /// As [`Inbox::request_with`], for hosts that end each turn in which they ask with
    /// [`Inbox::drained`]: on a client's connection the first request of a turn leaves at
    /// once, so that the server begins, the others a few at a time and with that. All on the
    /// host's thread, where the channel takes them without waiting.
    pub fn request_in_turn(
        self: &Arc<Self>,
        target: u64,
        method: &str,
        params: Option<RawJson>,
        plan: RequestPlan,
    ) -> u64 {
        let held = self.hold(target);
        let id = self.request_with(target, method, params, plan);
        if let Some((session, number)) = held
            && number % TOGETHER == 0
        {
            let _ = contain(|| session.push());
        }
        id
    }

    /// Has a client's connection send with the next `drained`; with how many requests of this
    /// turn it did so before.
    fn hold(&self, connection: u64) -> Option<(Arc<HostSession>, usize)> {
        let (session, number) = {
            let State { clients, held, .. } = &mut *self.lock();
            let session = clients.get(&connection)?;
            let (_, count) = held.entry(connection).or_insert_with(|| (Arc::clone(session), 0));
            *count += 1;
            (Arc::clone(session), *count - 1)
        };
        if number == 0 {
            let _ = contain(|| session.hold());
        }
        Some((session, number))
    }

    /// As [`Inbox::request`], with all options. On a client's connection the server's
    /// questions are asked and answered on the way, as `Request` items whose origin is
    /// the number returned here; `Progress` comes if the plan wants it.
    pub fn request_with(
        self: &Arc<Self>,
        target: u64,
        method: &str,
        params: Option<RawJson>,
        plan: RequestPlan,
    ) -> u64 {
        let id = own_number();
        self.begin_request(id, target, method, params, plan);
        id
    }

    pub(crate) fn begin_request(
        self: &Arc<Self>,
        id: u64,
        target: u64,
        method: &str,
        params: Option<RawJson>,
        plan: RequestPlan,
    ) {
        if let Err(forked) = self.birth.check() {
            return self.refuse(id, forked.into());
        }
        self.lock().asking.insert(id, Asking::Starting);
        if contain(|| self.start_request(id, target, method, params, plan)).is_err() {
            self.refuse(id, Error::internal("internal error"));
        }
    }

    fn refuse(&self, id: u64, error: Error) {
        self.lock().asking.remove(&id);
        self.respond(id, Err(Failure::from(error)));
    }

    fn respond(&self, id: u64, outcome: Result<RawJson, Failure>) {
        let wakeup = self.lock().respond(id, 0, 0, outcome);
        wakeup.fire();
    }

    /// Notes how a request can be withdrawn. `false` if it is answered or given up.
    fn started(&self, id: u64, how: Asking) -> bool {
        match self.lock().asking.get_mut(&id) {
            Some(asking) => {
                *asking = how;
                true
            }
            None => false,
        }
    }

    fn start_request(
        self: &Arc<Self>,
        id: u64,
        target: u64,
        method: &str,
        params: Option<RawJson>,
        plan: RequestPlan,
    ) {
        match self.target(target) {
            None => self.refuse(id, Error::closed()),
            Some(found) if plan.notification => self.tell(id, target, &found, method, params),
            Some(Target::Client(session)) => {
                if self.started(id, Asking::Client(Arc::clone(&session))) {
                    session.ask(id, method, params, plan);
                }
            }
            Some(Target::Served(_)) => self.refuse(id, Error::usage("a client's call cannot ask its server")),
            Some(Target::Call(call)) => {
                let asked = call.ask_with(method, params, self.plan_of(id, &plan));
                let waiter = Waiter::new(self, id, Arc::clone(&call), asked);
                if self.started(id, Asking::Call(Arc::clone(&waiter))) {
                    self.lock().asked.push(target);
                    waiter.poll();
                }
            }
            Some(Target::Link(link)) => {
                let plan = self.plan_of(id, &plan);
                self.ask_link(id, link, method, params.as_ref(), plan);
            }
        }
    }

    /// Sends a notification to a server; its `Response` says whether it arrived.
    fn tell(&self, id: u64, target: u64, found: &Target, method: &str, params: Option<RawJson>) {
        let (session, params) = match found {
            Target::Served(session) if method == methods::PROGRESS => {
                match self.served_progress(target, params.as_ref()) {
                    // The server wants none.
                    None => return self.answered(id, None, Ok(RawJson::null())),
                    params => (session, params),
                }
            }
            Target::Client(session) | Target::Served(session) => (session, params),
            Target::Call(_) | Target::Link(_) => {
                let words = "request options: notification is for a client's connection";
                return self.refuse(id, Error::usage(words));
            }
        };
        session.tell(id, method, params.as_ref());
    }

    /// How a client of ours is asked: for how long, and who hears of progress.
    fn plan_of(self: &Arc<Self>, id: u64, plan: &RequestPlan) -> AskPlan {
        let timeout = plan.request.timeout.filter(|timeout| *timeout != Duration::MAX);
        let patience = timeout
            .map(|timeout| Patience { timeout, max: plan.request.max.unwrap_or(timeout).max(timeout) });
        let progress = plan.request.progress.then(|| self.progress_of(id));
        AskPlan { patience, progress }
    }

    /// Tells the host of progress on a request of its own; what it has no room for is dropped.
    pub(crate) fn progress_of(self: &Arc<Self>, id: u64) -> ProgressFn {
        let inbox = Arc::downgrade(self);
        Arc::new(move |params: &RawJson| {
            if let Some(inbox) = inbox.upgrade() {
                inbox.post_droppable(Item::Progress { id, params: params.clone() });
            }
        })
    }

    fn ask_link(
        self: &Arc<Self>,
        id: u64,
        link: Arc<dyn Link>,
        method: &str,
        params: Option<&RawJson>,
        plan: AskPlan,
    ) {
        let inbox = Arc::downgrade(self);
        let reply = Box::new(move |outcome| {
            if let Some(inbox) = inbox.upgrade() {
                inbox.answered(id, None, outcome);
            }
        });
        match link.ask(None, method, params, plan, reply) {
            Err(error) => self.refuse(id, error),
            // Unless it is answered by now.
            Ok(request) => drop(self.started(id, Asking::Link(link, request))),
        }
    }

    /// Gives up on a request of the host's own; its `Response` says `cancelled`. `false` if
    /// it is unknown or answered.
    pub fn cancel(&self, id: u64) -> bool {
        let asking = self.lock().asking.remove(&id);
        let Some(asking) = asking else { return false };
        let _ = contain(|| asking.give_up(id));
        let failure = Failure::from(Error::new(ErrorKind::Cancelled, "the request was cancelled"));
        self.respond(id, Err(failure));
        true
    }

    /// Tells the host the answer to a request of its own.
    pub(crate) fn answered(&self, id: u64, call: Option<&Arc<Call>>, outcome: Result<RawJson, Error>) {
        let origin = call.map_or(0, |call| call.scope().origin.0);
        let number = call.map_or(0, |call| call.id().0);
        let (closed, wakeup) = {
            let mut state = self.lock();
            if state.asking.remove(&id).is_none() {
                return;
            }
            let closed = state.table.rebind(number, origin);
            let outcome = outcome.map_err(Failure::from);
            (closed, state.respond(id, number, origin, outcome))
        };
        wakeup.fire();
        self.origin_closed(closed);
    }
}
