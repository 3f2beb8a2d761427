//! The verbs with which a host asks a peer something or tells a server something.
//!
//! Owns: how a request is made for each kind of addressee. Must not know: what becomes of
//! the answer.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, methods};

use crate::bridge::boundary::item::Item;
use crate::bridge::boundary::panics::contain;
use crate::bridge::options::request::RequestPlan;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::numbers::own_number;
use crate::handler::{AskPlan, Call, Link, ProgressFn};

use super::addressee::Addressee;
use super::ask_waiter::AskWaiter;

/// So many requests of a turn leave together: enough to share a write, few enough for the
/// server to work meanwhile.
const TOGETHER: usize = 16;

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
        let held = self.hold_back(target);
        let id = self.request_with(target, method, params, plan);
        if let Some((link, number)) = held
            && number % TOGETHER == 0
        {
            let _ = contain(|| link.push());
        }
        id
    }

    /// As [`Inbox::request`], with all options. On a client's connection the server's
    /// questions are asked and answered on the way, as `Request` items whose cause is
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

    /// As [`Inbox::request_with`], under a number that is known before.
    pub(crate) fn begin_request(
        self: &Arc<Self>,
        id: u64,
        target: u64,
        method: &str,
        params: Option<RawJson>,
        plan: RequestPlan,
    ) {
        if let Err(forked) = self.process.check() {
            return self.refuse(id, forked.into());
        }
        // Known before anything is sent: the answer may come back on this thread.
        self.request_begun(id);
        if contain(|| self.start_request(id, target, method, params, plan)).is_err() {
            self.refuse(id, Error::internal("internal error"));
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
        match self.addressee(target) {
            None => self.refuse(id, Error::closed()),
            Some(found) if plan.notification => self.tell(id, target, &found, method, params),
            Some(Addressee::Client(link)) => {
                let asked = Arc::clone(&link);
                if self.request_started(id, Box::new(move |reason| asked.give_up(id, reason))) {
                    link.ask(id, method, params, plan);
                }
            }
            Some(Addressee::ServerRequest(_)) => {
                self.refuse(id, Error::usage("a client's call cannot ask its server"));
            }
            Some(Addressee::Call(call)) => self.ask_for_call(id, &call, method, params, &plan),
            Some(Addressee::Connection(link)) => {
                let plan = self.ask_plan(id, &plan);
                self.ask_client(id, link, method, params.as_ref(), plan);
            }
        }
    }

    /// Asks the client whose call it is.
    fn ask_for_call(
        self: &Arc<Self>,
        id: u64,
        call: &Arc<Call>,
        method: &str,
        params: Option<RawJson>,
        plan: &RequestPlan,
    ) {
        let asked = call.ask_with(method, params, self.ask_plan(id, plan));
        let (inbox, of) = (Arc::downgrade(self), Arc::clone(call));
        let on_answer = move |outcome| {
            if let Some(inbox) = inbox.upgrade() {
                inbox.answered(id, Some(&of), outcome);
            }
        };
        let waiter = AskWaiter::new(asked, Box::new(on_answer));
        let withdrawn = Arc::clone(&waiter);
        if self.request_started(id, Box::new(move |_| withdrawn.withdraw())) {
            self.call_asked(call.id().0);
            waiter.poll();
        }
    }

    /// Asks the client at the other end of a server's connection.
    fn ask_client(
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
            Ok(request) => {
                // It may be answered by now: then there is nothing to withdraw.
                self.request_started(id, Box::new(move |_| link.give_up(request)));
            }
        }
    }

    /// Sends a notification to a server; its `Response` says whether it arrived.
    fn tell(&self, id: u64, target: u64, found: &Addressee, method: &str, params: Option<RawJson>) {
        let (link, params) = match found {
            Addressee::ServerRequest(link) if method == methods::PROGRESS => {
                match self.server_progress(target, params.as_ref()) {
                    // The server wants none.
                    None => return self.answered(id, None, Ok(RawJson::null())),
                    params => (link, params),
                }
            }
            Addressee::Client(link) | Addressee::ServerRequest(link) => (link, params),
            Addressee::Call(_) | Addressee::Connection(_) => {
                let words = "request options: notification is for a client's connection";
                return self.refuse(id, Error::usage(words));
            }
        };
        link.tell(id, method, params.as_ref());
    }

    /// How a client of ours is asked: for how long, and who hears of progress.
    fn ask_plan(self: &Arc<Self>, id: u64, plan: &RequestPlan) -> AskPlan {
        let (timeout, max, fixed) = (plan.request.timeout, plan.request.max, plan.request.fixed);
        let progress = plan.request.progress.then(|| self.progress_of(id));
        AskPlan { timeout, max, fixed, progress, ..AskPlan::default() }
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
}
