//! One request of the host's, over as many rounds of questions as it takes.
//!
//! A server of the modern era answers a request with questions; each of them becomes a
//! `Request` item like the requests of legacy servers, and when all are completed the
//! request is sent again (I3, I4).

use std::collections::BTreeMap;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::types::ListToolsResult;
use mcpbolt_proto::protocol::wire::{self, Question, ResultExtras};
use mcpbolt_proto::protocol::{Error, ErrorKind, methods};
use mcpbolt_proto::session::client::Answered;
use mcpbolt_proto::session::{OutgoingId, Time};

use crate::transport::client_connection::Hooks;

use crate::bridge::boundary::item::{CancelWhy, Item, Request};
use crate::bridge::client::result_checks::ResultChecks;
use crate::bridge::client::session::{HostSession, Phase, not_open};
use crate::bridge::options::client::RequestPlan;
use crate::bridge::queue::inbox::own_number;
use crate::bridge::requests::server_requests::{Served, Source};

/// First wait before a request is repeated that the server only put off; it doubles.
const FIRST_BACKOFF: Duration = Duration::from_millis(100);

/// A request that is not answered to its end.
pub(crate) struct Exchange {
    method: String,
    /// The params of the first round.
    params: Option<RawJson>,
    plan: RequestPlan,
    raw_input: bool,
    /// When the first round was sent, for results that are kept.
    asked: Time,
    round: usize,
    put_off: u32,
    /// How deep in sampling it was made.
    pub(crate) depth: usize,
    request: Option<OutgoingId>,
    /// Questions the host has, with their keys.
    open: BTreeMap<u64, String>,
    answers: Vec<(String, RawJson)>,
    state: Option<String>,
}

impl HostSession {
    /// Sends a request. Its `Response` has the number `id`, failures too.
    pub(crate) fn ask(&self, id: u64, method: &str, params: Option<RawJson>, mut plan: RequestPlan) {
        let connection = match self.connection() {
            Ok(connection) if self.state.lock().phase != Phase::Open => connection,
            Ok(_) => return self.inbox.answered(id, None, Err(not_open())),
            Err(error) => return self.inbox.answered(id, None, Err(error)),
        };
        let asked = connection.now();
        let kept = || self.cache.get(method, params.as_ref(), asked);
        if let Some(kept) = (self.keeps(method) && !plan.fresh).then(kept).flatten() {
            return self.inbox.answered(id, None, Ok(kept));
        }
        if method == methods::TOOLS_CALL && self.mirrors_params() {
            let members = params.as_ref().and_then(RawObject::parse).unwrap_or_default();
            if let Some(name) = members.get("name").and_then(RawJson::as_string) {
                plan.request.headers = self.tools.headers(&name, members.get("arguments"));
            }
        }
        let raw_input = plan.raw_input.unwrap_or(self.manner.raw_input);
        let exchange = Exchange {
            depth: plan.inside.map_or(0, |call| self.inbox.depth_of(call)),
            method: method.to_owned(),
            params: params.clone(),
            plan,
            raw_input,
            asked,
            round: 0,
            put_off: 0,
            request: None,
            open: BTreeMap::new(),
            answers: Vec::new(),
            state: None,
        };
        self.state.lock().exchanges.insert(id, exchange);
        self.send_round(id, params);
    }

    /// Whether an answer of the server is on its way, as far as that is known.
    pub(crate) fn waits_for_answers(&self) -> bool {
        let state = self.state.lock();
        state.phase == Phase::Connecting
            || state.exchanges.values().any(|exchange| {
                exchange.request.is_some() && exchange.method != methods::SUBSCRIPTIONS_LISTEN
            })
    }

    fn keeps(&self, method: &str) -> bool {
        self.manner.cache && methods::lookup(method).is_some_and(|spec| spec.cacheable)
    }

    /// Whether tools name arguments that are repeated as headers (T8).
    fn mirrors_params(&self) -> bool {
        self.manner.http && self.agreed().is_some_and(|agreed| agreed.revision.features().standard_headers)
    }

    fn send_round(&self, id: u64, params: Option<RawJson>) {
        let (method, options) = {
            let state = self.state.lock();
            let Some(exchange) = state.exchanges.get(&id) else { return };
            (exchange.method.clone(), exchange.plan.request.clone())
        };
        let progress = options.progress.then(|| self.inbox.progress_of(id));
        let me = self.me.clone();
        let reply = Box::new(move |outcome| {
            if let Some(me) = me.upgrade() {
                me.replied(id, outcome);
            }
        });
        let hooks = Hooks { progress, notes: None };
        let sent = self
            .connection()
            .and_then(|connection| connection.request_then(&method, params, options, hooks, reply));
        match sent {
            Err(error) => self.finish(id, Err(error)),
            Ok(request) => self.sent(id, request),
        }
    }

    fn sent(&self, id: u64, request: OutgoingId) {
        let withdrawn = {
            let mut state = self.state.lock();
            match state.exchanges.get_mut(&id) {
                Some(exchange) => {
                    exchange.request = Some(request);
                    state.numbers.insert(request, id);
                    false
                }
                // Answered or given up meanwhile: giving up twice does nothing.
                None => true,
            }
        };
        if let (true, Ok(connection)) = (withdrawn, self.connection()) {
            connection.cancel(request, None);
        }
    }

    /// One round is over.
    fn replied(&self, id: u64, outcome: Result<Answered, Error>) {
        let raw_input = {
            let mut state = self.state.lock();
            let Some(exchange) = state.exchanges.get_mut(&id) else { return };
            let (request, raw_input) = (exchange.request.take(), exchange.raw_input);
            if let Some(request) = request {
                state.numbers.remove(&request);
            }
            raw_input
        };
        match outcome {
            Err(error) => self.finish(id, Err(error)),
            Ok(Answered::Complete(value) | Answered::Extension { value, .. }) => self.finish(id, Ok(value)),
            Ok(Answered::InputRequired { requests, state }) if raw_input => {
                let extras = ResultExtras::default();
                let value = wire::encode_input_required(&requests, state.as_deref(), &extras);
                self.finish(id, Ok(value));
            }
            Ok(Answered::InputRequired { requests, state }) => self.questions(id, requests, state),
        }
    }

    fn questions(&self, id: u64, requests: Vec<Question>, sealed: Option<String>) {
        let capabilities = &self.manner.capabilities;
        let undeclared = requests
            .iter()
            .any(|(_, method, params)| capabilities.missing_for(method, params.as_ref()).is_some());
        if undeclared {
            let error = Error::protocol("the server asked for what this client did not declare");
            return self.finish(id, Err(error));
        }
        let calls: Vec<_> = requests.iter().map(|_| own_number()).collect();
        let (put_off, outer) = {
            let mut state = self.state.lock();
            let Some(exchange) = state.exchanges.get_mut(&id) else { return };
            exchange.round += 1;
            if exchange.round > self.manner.max_rounds {
                drop(state);
                let rounds = self.manner.max_rounds;
                let error = Error::protocol(format!("the server still had questions after {rounds} rounds"));
                return self.finish(id, Err(error));
            }
            exchange.state = sealed;
            exchange.answers.clear();
            exchange.open = calls.iter().copied().zip(requests.iter().map(|(key, ..)| key.clone())).collect();
            exchange.put_off += u32::from(requests.is_empty());
            (requests.is_empty().then_some(exchange.put_off), exchange.depth)
        };
        if let Some(times) = put_off {
            return self.retry_later(id, FIRST_BACKOFF.saturating_mul(1 << (times - 1).min(10)));
        }
        for (call, (_, method, params)) in calls.into_iter().zip(requests) {
            let Some(me) = self.me.upgrade() else { return };
            let depth = match self.depth_of(&method, outer) {
                Ok(depth) => depth,
                Err(error) => return self.finish(id, Err(error)),
            };
            let served = Served::new(Source::Question(me, id), params.as_ref(), id, depth);
            let item = Request {
                call,
                connection: self.id,
                origin: id,
                method: method.into(),
                name: None,
                params,
                invalid: None,
            };
            if let Err(error) = self.inbox.serve(served, item) {
                return self.finish(id, Err(error));
            }
        }
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
    pub(crate) fn question_answered(&self, id: u64, call: u64, outcome: Result<RawJson, Error>) -> bool {
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
        let complete = {
            let mut state = self.state.lock();
            let Some(exchange) = state.exchanges.get_mut(&id) else { return false };
            let Some(key) = exchange.open.remove(&call) else { return false };
            exchange.answers.push((key, answer));
            exchange.open.is_empty()
        };
        if complete {
            self.retry(id);
        }
        true
    }

    fn retry(&self, id: u64) {
        let params = {
            let mut state = self.state.lock();
            let Some(exchange) = state.exchanges.get_mut(&id) else { return };
            let answers = std::mem::take(&mut exchange.answers);
            wire::encode_retry(exchange.params.as_ref(), &answers, exchange.state.take().as_deref())
        };
        self.send_round(id, Some(params));
    }

    fn finish(&self, id: u64, outcome: Result<RawJson, Error>) {
        let exchange = self.state.lock().exchanges.remove(&id);
        let Some(exchange) = exchange else { return };
        let checks = &self.manner.checks;
        let outcome = outcome
            .and_then(|value| checks.check(&self.lists, &exchange.method, exchange.params.as_ref(), value));
        match (outcome, &checks.validate) {
            (Ok(value), Some(service)) => self.ask_host_about(service, id, exchange, value),
            (outcome, _) => self.deliver(id, exchange, outcome),
        }
    }

    fn ask_host_about(&self, service: &str, id: u64, exchange: Exchange, value: RawJson) {
        let Some(me) = self.me.upgrade() else { return };
        let (method, params) = (exchange.method.clone(), exchange.params.clone());
        let then = move |verdict| me.deliver(id, exchange, verdict);
        ResultChecks::ask(service, &self.inbox, &method, params.as_ref(), value, then);
    }

    fn deliver(&self, id: u64, exchange: Exchange, outcome: Result<RawJson, Error>) {
        let outcome = outcome.map(|value| self.learn(&exchange, value));
        self.withdraw(exchange, CancelWhy::StreamGone);
        self.inbox.answered(id, None, outcome);
    }

    /// What a result says beyond its request: how long it holds, which tools there are.
    fn learn(&self, exchange: &Exchange, value: RawJson) -> RawJson {
        let mut value = value;
        if exchange.method == methods::TOOLS_LIST && self.mirrors_params() {
            value = self.learn_tools(value);
        }
        // H2: what took questions belongs to their answers.
        if exchange.round == 0 && self.keeps(&exchange.method) {
            self.cache.put(&exchange.method, exchange.params.as_ref(), exchange.asked, &value);
        }
        value
    }

    /// T7: tools whose header annotations are invalid are taken out of the page.
    fn learn_tools(&self, value: RawJson) -> RawJson {
        let Ok(mut page) = value.decode::<ListToolsResult>() else { return value };
        let hidden = self.tools.learn(&mut page, true);
        if hidden.is_empty() {
            return value;
        }
        for name in &hidden {
            let message = format!("tool {name} is hidden: its x-mcp-header is invalid");
            self.inbox.post_droppable(Item::Log { connection: self.id, kind: "hidden_tool", message });
        }
        let mut members = RawObject::parse(&value).unwrap_or_default();
        let tools: Vec<RawJson> =
            members.get("tools").and_then(|tools| tools.decode().ok()).unwrap_or_default();
        let name = |tool: &RawJson| RawObject::parse(tool)?.get("name")?.as_string();
        let kept: Vec<_> =
            tools.into_iter().filter(|tool| name(tool).is_none_or(|name| !hidden.contains(&name))).collect();
        let _ = members.put("tools", &kept);
        members.to_raw()
    }

    /// Takes back the questions of an exchange that is over.
    pub(crate) fn withdraw(&self, exchange: Exchange, why: CancelWhy) {
        for call in exchange.open.into_keys() {
            self.inbox.unserve(call, why, None);
        }
    }

    /// The host gives up on a request.
    pub(crate) fn give_up(&self, id: u64) {
        let exchange = self.state.lock().exchanges.remove(&id);
        let Some(exchange) = exchange else { return };
        let request = exchange.request;
        if let Some(request) = request {
            self.state.lock().numbers.remove(&request);
        }
        self.withdraw(exchange, CancelWhy::StreamGone);
        if let (Some(request), Ok(connection)) = (request, self.connection()) {
            connection.cancel(request, None);
        }
    }
}
