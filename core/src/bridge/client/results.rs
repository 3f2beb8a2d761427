//! The end of a host's request: its result is checked, learned from and handed over.
//!
//! Owns: what a result says beyond its request. Must not know: how it came.

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::types::ListToolsResult;
use mcpbolt_proto::protocol::{Error, methods};

use crate::bridge::boundary::item::{CancelWhy, Item};

use super::pending_request::PendingRequest;
use super::result_checks::{ask_about, check};
use super::session::{HostSession, SessionPhase};

impl HostSession {
    /// Whether an answer of the server is on its way, as far as that is known.
    pub(super) fn expects_answers(&self) -> bool {
        let state = self.state.lock();
        state.phase == SessionPhase::Connecting
            || state
                .pending
                .values()
                .any(|request| request.on_wire.is_some() && request.method != methods::SUBSCRIPTIONS_LISTEN)
    }

    /// Whether results of a method are kept.
    pub(super) fn keeps(&self, method: &str) -> bool {
        self.options.cache && methods::lookup(method).is_some_and(|spec| spec.cacheable)
    }

    /// Whether tools name arguments that are repeated as headers.
    pub(super) fn mirrors_params(&self) -> bool {
        self.options.http
            && self.agreement().is_some_and(|agreed| agreed.revision.features().standard_headers)
    }

    /// A request is over, with a result or without. The host is asked about a result if it
    /// wants to be.
    pub(super) fn finish(&self, id: u64, outcome: Result<RawJson, Error>) {
        // Taken out first: what comes second, an answer or the end of the connection, does
        // nothing. The inbox still has the number, so that giving up while the host is asked
        // about the result is answered `cancelled`, and the result is dropped.
        let request = self.state.lock().pending.remove(&id);
        let Some(request) = request else { return };
        let checks = &self.options.checks;
        let outcome = outcome
            .and_then(|value| check(checks, &self.lists, &request.method, request.params.as_ref(), value));
        match (outcome, &checks.validate) {
            (Ok(value), Some(service)) => self.ask_host_about(service, id, request, value),
            (outcome, _) => self.deliver(id, request, outcome),
        }
    }

    fn ask_host_about(&self, service: &str, id: u64, request: PendingRequest, value: RawJson) {
        let Some(me) = self.me.upgrade() else { return };
        let (method, params) = (request.method.clone(), request.params.clone());
        let then = move |verdict| me.deliver(id, request, verdict);
        ask_about(service, &self.inbox, &method, params.as_ref(), value, then);
    }

    fn deliver(&self, id: u64, request: PendingRequest, outcome: Result<RawJson, Error>) {
        let outcome = outcome.map(|value| self.learn(&request, value));
        // Before the answer: questions that are still open must not be taken for those of a
        // later request.
        self.withdraw(request, CancelWhy::StreamGone);
        self.inbox.answered(id, None, outcome);
    }

    /// What a result says beyond its request: how long it holds, which tools there are.
    fn learn(&self, request: &PendingRequest, value: RawJson) -> RawJson {
        let mut value = value;
        if request.method == methods::TOOLS_LIST {
            let cursor = || RawObject::parse(request.params.as_ref()?)?.get("cursor")?.as_string();
            let cursor = cursor();
            if self.mirrors_params() {
                value = self.learn_tools(cursor.as_deref(), value);
            } else {
                self.tools.learn_repeatable(cursor.as_deref(), &value);
            }
        }
        // A result that took questions belongs to their answers and is not kept.
        if request.round == 0 && self.keeps(&request.method) {
            self.cache.put(&request.method, request.params.as_ref(), request.asked, &value);
        }
        value
    }

    /// Tools whose header annotations are invalid are taken out of the page.
    fn learn_tools(&self, cursor: Option<&str>, value: RawJson) -> RawJson {
        let Ok(mut page) = value.decode::<ListToolsResult>() else { return value };
        let hidden = self.tools.learn(cursor, &mut page, true);
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

    /// Takes back the questions of a request that is over.
    pub(super) fn withdraw(&self, request: PendingRequest, why: CancelWhy) {
        for call in request.open.into_keys() {
            self.inbox.unserve(call, why, None);
        }
    }
}
