//! One request of the host's, over as many rounds of questions as it takes.
//!
//! Owns: sending it, and sending it again with answers. Must not know: what a result says.
//!
//! A server of the modern era answers a request with questions; each of them becomes a
//! `Request` item like the requests of legacy servers, and when all are completed the
//! request is sent again.
//!
//! A request lives in the session's table from `start_request` until one of three takes it
//! out: its result or failure (`finish`), the host that gives up (`abandon`), the end of the
//! connection (`fail_all`). Each does so under the session's lock, so it ends once; whatever
//! comes later for its number finds nothing and does nothing.

use std::collections::BTreeMap;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::policy::renewal::missed;
use mcpbolt_proto::protocol::types::SubscriptionFilter;
use mcpbolt_proto::protocol::wire::{self, Question, ResultExtras};
use mcpbolt_proto::protocol::{Error, ErrorKind, methods};
use mcpbolt_proto::session::client::{Answered, RequestOptions};
use mcpbolt_proto::session::{OutgoingId, Problem, ProblemKind, Time};
use serde_json::json;

use crate::bridge::boundary::item::{CancelWhy, Item, Request};
use crate::bridge::options::request::RequestPlan;
use crate::bridge::queue::numbers::own_number;
use crate::bridge::requests::server_requests::{AnswerRoute, ServerRequest};
use crate::transport::client_connection::{ClientHost, Hooks};
use crate::transport::spread::spread;

use super::pending_request::{Kept, PendingRequest};
use super::session::{HostSession, SessionPhase, not_open};

/// First wait before a request is repeated that the server only put off; it doubles.
const FIRST_BACKOFF: Duration = Duration::from_millis(100);

impl HostSession {
    /// Sends a request. Its `Response` has the number `id`, failures too.
    pub(super) fn start_request(
        &self,
        id: u64,
        method: &str,
        params: Option<RawJson>,
        mut plan: RequestPlan,
    ) {
        let connection = match self.connection() {
            Ok(connection) if self.state.lock().phase != SessionPhase::Open => connection,
            Ok(_) => return self.inbox.answered(id, None, Err(not_open())),
            Err(error) => return self.inbox.answered(id, None, Err(error)),
        };
        let now = connection.now();
        let kept = || self.cache.get(method, params.as_ref(), now);
        if let Some(kept) = (self.keeps(method) && !plan.fresh).then(kept).flatten() {
            return self.inbox.answered(id, None, Ok(kept));
        }
        let own_headers = plan.request.headers.len();
        if method == methods::TOOLS_CALL && !self.tools.is_empty() {
            self.apply_list(params.as_ref(), &mut plan.request);
        }
        let request = PendingRequest {
            depth: plan.inside.map_or(0, |call| self.inbox.depth_of(call)),
            method: method.to_owned(),
            params: params.clone(),
            raw_input: plan.raw_input.unwrap_or(self.options.raw_input),
            waits: self.waits_for_task(method, &plan),
            task: None,
            kept: (plan.renews && method == methods::SUBSCRIPTIONS_LISTEN).then(Kept::default),
            plan,
            own_headers,
            started: now,
            asked: self.cache.asked(now),
            round: 0,
            put_off: 0,
            on_wire: None,
            agreed: None,
            untold: false,
            early: None,
            open: BTreeMap::new(),
            answers: Vec::new(),
            sealed: None,
        };
        self.state.lock().pending.insert(id, request);
        self.send_first(id, params);
    }

    /// What the last list says of the tool that is called: which arguments are repeated as headers,
    /// and whether the call may be.
    fn apply_list(&self, params: Option<&RawJson>, request: &mut RequestOptions) {
        let members = params.and_then(RawObject::parse).unwrap_or_default();
        let Some(name) = members.get("name").and_then(RawJson::as_string) else { return };
        if self.mirrors_params() {
            request.headers.extend(self.tools.headers(&name, members.get("arguments")));
        }
        // A task that is asked for is one more each time.
        if members.get("task").is_none() {
            self.tools.allow_repeats(&name, request);
        }
    }

    /// Sends the request itself, perhaps with answers.
    fn send_first(&self, id: u64, params: Option<RawJson>) {
        let (method, options, told) = {
            let mut state = self.state.lock();
            let Some(request) = state.pending.get_mut(&id) else { return };
            request.untold = request.plan.told;
            let options = RequestOptions { raw_input: request.raw_input, ..request.plan.request.clone() };
            (request.method.clone(), options, request.plan.told)
        };
        match self.put_on_wire(id, &method, params, options) {
            Ok(wire) if told => {
                self.inbox.post(Item::Sent { id, request: self.wire_id(wire) });
                self.told(id);
            }
            Ok(_) => {}
            Err(error) => self.finish(id, Err(error)),
        }
    }

    /// Sends a round that is the engine's own.
    pub(super) fn send_round(&self, id: u64, method: &str, params: Option<RawJson>, options: RequestOptions) {
        if let Err(error) = self.put_on_wire(id, method, params, options) {
            self.finish(id, Err(error));
        }
    }

    fn put_on_wire(
        &self,
        id: u64,
        method: &str,
        params: Option<RawJson>,
        options: RequestOptions,
    ) -> Result<OutgoingId, Error> {
        let progress = options.progress.then(|| self.inbox.progress_of(id));
        let me = self.me.clone();
        let reply = Box::new(move |outcome| {
            if let Some(me) = me.upgrade() {
                me.replied(id, outcome);
            }
        });
        let hooks = Hooks { progress, notes: None };
        let mut is_wanted = true;
        let note = |wire| is_wanted = self.note_round(id, wire);
        let connection = self.connection()?;
        let wire = connection.request_noted(method, params, options, hooks, note, reply)?;
        if !is_wanted {
            connection.cancel(wire, None);
        }
        Ok(wire)
    }

    /// A round is about to be sent. What the server says because of it may be read on another
    /// thread before this one goes on, so it is noted now. `false` if the host gave up before.
    fn note_round(&self, id: u64, wire: OutgoingId) -> bool {
        let mut state = self.state.lock();
        let Some(request) = state.pending.get_mut(&id) else { return false };
        request.on_wire = Some(wire);
        state.numbers.insert(wire, id);
        true
    }

    /// The host has heard under which id the round is sent: an answer that is here already goes on.
    fn told(&self, id: u64) {
        let early = {
            let mut state = self.state.lock();
            let Some(request) = state.pending.get_mut(&id) else { return };
            request.untold = false;
            request.early.take()
        };
        if let Some(outcome) = early {
            self.replied(id, *outcome);
        }
    }

    /// One round is over.
    fn replied(&self, id: u64, outcome: Result<Answered, Error>) {
        let (awaited, renewed) = {
            let mut state = self.state.lock();
            let Some(request) = state.pending.get_mut(&id) else { return };
            if request.untold {
                request.early = Some(Box::new(outcome));
                return;
            }
            let (awaited, renewed) = (request.awaits(&outcome), request.renews(&outcome, || self.now()));
            let wire = request.on_wire.take();
            wire.and_then(|wire| state.numbers.remove(&wire));
            (awaited, renewed)
        };
        if let (true, Err(error)) = (renewed.is_lost, &outcome) {
            let message = format!("changes of the server are not heard: {error}");
            self.problem(&Problem { kind: ProblemKind::Stream, message });
        }
        if let Some(wait) = renewed.wait {
            return self.retry_later(id, spread(wait));
        }
        match outcome {
            Err(error) => self.finish(id, Err(error)),
            Ok(Answered::Complete(value) | Answered::Extension { value, .. }) if awaited => {
                self.go_on(id, &value);
            }
            Ok(Answered::Complete(value) | Answered::Extension { value, .. }) => self.finish(id, Ok(value)),
            Ok(Answered::InputRequired { requests, state }) => self.questions(id, requests, state),
        }
    }

    pub(super) fn now(&self) -> Time {
        self.connection().map_or(Time::ZERO, |connection| connection.now())
    }

    /// The server agrees to a subscription: of what the host is told because it may have changed
    /// while there was none.
    pub(super) fn agreed(&self, id: u64, params: Option<&RawJson>) -> Vec<(&'static str, Option<RawJson>)> {
        let is_again = {
            let mut state = self.state.lock();
            let kept = state.pending.get_mut(&id).and_then(|request| request.kept.as_mut());
            kept.is_some_and(|kept| kept.agreed(self.now()))
        };
        let granted = || RawObject::parse(params?)?.get("notifications")?.decode::<SubscriptionFilter>().ok();
        is_again.then(granted).flatten().map(|granted| missed(&granted)).unwrap_or_default()
    }

    pub(super) fn questions(&self, id: u64, requests: Vec<Question>, sealed: Option<String>) {
        let capabilities = &self.options.capabilities;
        let undeclared = requests
            .iter()
            // The host answers what it said it handles, declared or not.
            .filter(|(_, method, _)| !self.options.methods.contains(method))
            .find(|(_, method, params)| capabilities.missing_for(method, params.as_ref()).is_some());
        if let Some((key, method, _)) = undeclared {
            let error = Error::protocol("the server asked for what this client did not declare")
                .with_data(json!({ "key": key, "method": method }));
            return self.finish(id, Err(error));
        }
        let calls: Vec<_> = requests.iter().map(|_| own_number()).collect();
        let (put_off, outer) = {
            let mut state = self.state.lock();
            let Some(request) = state.pending.get_mut(&id) else { return };
            request.round += 1;
            if request.round > self.options.max_rounds {
                drop(state);
                return self
                    .finish(id, Err(too_many_rounds(self.options.max_rounds, &requests, sealed.as_deref())));
            }
            request.sealed = sealed;
            request.answers.clear();
            // All of them are open before the host has the first: its answer to that one must
            // not look like the last.
            request.open = calls.iter().copied().zip(requests.iter().map(|(key, ..)| key.clone())).collect();
            request.put_off += u32::from(requests.is_empty());
            (requests.is_empty().then_some(request.put_off), request.depth)
        };
        if let Some(times) = put_off {
            return self.retry_later(id, FIRST_BACKOFF.saturating_mul(1 << (times - 1).min(10)));
        }
        for (call, question) in calls.into_iter().zip(requests) {
            if let Err(error) = self.put_question(id, call, question, outer) {
                return self.finish(id, Err(error));
            }
        }
    }

    /// Hands one question to the host.
    fn put_question(
        &self,
        id: u64,
        call: u64,
        (key, method, params): Question,
        outer: usize,
    ) -> Result<(), Error> {
        let me = self.me.upgrade().ok_or_else(Error::closed)?;
        let depth = self.depth_of(&method, outer)?;
        let item = Request {
            call,
            connection: self.id,
            cause: id,
            method: method.into(),
            name: None,
            params,
            invalid: None,
        };
        self.inbox.serve(call, ServerRequest::new(AnswerRoute::Retry(me, id, key), item, depth))
    }

    fn retry_later(&self, id: u64, wait: Duration) {
        let (me, Ok(connection)) = (self.me.clone(), self.connection()) else { return };
        connection.spawner().spawn(async move {
            tokio::time::sleep(wait).await;
            if let Some(me) = me.upgrade() {
                me.retry(id);
            }
        });
    }

    /// The host answered a question. The first failure ends the request: nothing is
    /// sent, as if it had been asked here.
    pub(super) fn question_answered(&self, id: u64, call: u64, outcome: Result<RawJson, Error>) -> bool {
        let answer = match outcome {
            Ok(answer) => answer,
            Err(error) if error.kind == ErrorKind::MethodNotFound => {
                self.finish(id, Err(Error::protocol("the server asked a question of an unknown kind")));
                return true;
            }
            Err(error) => {
                self.finish(id, Err(error));
                return true;
            }
        };
        // Worker threads may answer several questions at once: the one that takes the last
        // key out under the lock sends the retry, so it is sent once.
        let complete = {
            let mut state = self.state.lock();
            let Some(request) = state.pending.get_mut(&id) else { return false };
            let Some(key) = request.open.remove(&call) else { return false };
            request.answers.push((key, answer));
            request.open.is_empty()
        };
        if complete {
            self.retry(id);
        }
        true
    }

    fn retry(&self, id: u64) {
        let params = {
            let mut state = self.state.lock();
            let Some(request) = state.pending.get_mut(&id) else { return };
            if request.kept.is_some() {
                let params = request.params.clone();
                drop(state);
                return self.send_first(id, params);
            }
            let answers = std::mem::take(&mut request.answers);
            if request.task.is_some() {
                drop(state);
                return self.answer_task(id, answers);
            }
            wire::encode_retry(request.params.as_ref(), &answers, request.sealed.take().as_deref())
        };
        self.send_first(id, Some(params));
    }

    /// The host gives up on a request.
    pub(super) fn abandon(&self, id: u64, reason: Option<&str>) {
        let request = self.state.lock().pending.remove(&id);
        let Some(request) = request else { return };
        let on_wire = request.on_wire;
        if let Some(wire) = on_wire {
            self.state.lock().numbers.remove(&wire);
        }
        // Its questions first, so that the host does not answer what is not asked any more. A round
        // that is not noted yet finds the request gone, and is cancelled once it is sent.
        self.withdraw(request, CancelWhy::StreamGone);
        if let (Some(wire), Ok(connection)) = (on_wire, self.connection()) {
            connection.cancel(wire, reason);
        }
    }
}

/// The error of a request whose server does not stop asking, with what it asked last.
fn too_many_rounds(rounds: usize, requests: &[Question], state: Option<&str>) -> Error {
    let last = wire::encode_input_required(requests, state, &ResultExtras::default());
    let data = RawObject::from_iter([("rounds", RawJson::from(json!(rounds))), ("lastResult", last)]);
    Error::protocol(format!("the server still had questions after {rounds} rounds")).with_data(data.to_raw())
}
