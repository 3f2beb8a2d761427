//! [`Link`] of a server connection: what its calls may do with it.
//!
//! Owns: rate limits and full queues between a call and the session. Must not know: what a call
//! is about.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
use mcpbolt_proto::protocol::types::{Implementation, LoggingLevel};
use mcpbolt_proto::protocol::{Error, Revision, methods};
use mcpbolt_proto::session::server::{Asks, LogMessage, NotSent, ServerSession};
use mcpbolt_proto::session::{Answer, ExchangeId, OutgoingId, Problem, ProblemKind, StreamId};

use crate::handler::{AskPlan, Call, ConnectionInfo, Link, ReplyFn, Sent, Wake};
use crate::observe::events;

use super::connection::ServerConnection;

impl ServerConnection {
    /// The client takes no replies any more, so the connection is about to be closed.
    pub(crate) fn tell_slow_reader(&self) {
        let patience = self.engine.limits.slow_reader.as_secs_f64();
        let message =
            format!("the client took none of its replies for {patience} s: the connection is closed");
        let connection = self.info.id.0;
        tracing::error!(target: "mcpbolt::transport", connection, "the client takes no replies; the connection is closed");
        self.tell_problem(&Problem { kind: ProblemKind::Dropped, message });
    }

    pub(crate) fn tell_problem(&self, problem: &Problem) {
        events::problem(self.info.id.0, problem);
        self.engine.stats().problem();
        self.handler.problem(&self.info, problem);
    }

    /// On which stream an exchange is told something, or what belongs to none; `None` once it is over.
    fn stream(&self, exchange: Option<ExchangeId>) -> Option<StreamId> {
        match exchange {
            Some(exchange) => self.drive(|session, _| session.stream_of(exchange)),
            None => Some(StreamId::CONNECTION),
        }
    }

    fn full(&self, exchange: Option<ExchangeId>) -> bool {
        self.stream(exchange).is_some_and(|stream| self.sink.is_full(stream))
    }

    /// The rate limit of what belongs to no call; what does was counted there.
    fn rate_limit(&self, exchange: Option<ExchangeId>, method: &str) -> Result<(), Error> {
        let rails = &self.engine.rails;
        if exchange.is_some() || !rails.is_on() {
            return Ok(());
        }
        rails.limit_on_connection(&self.info, self.engine.now(), method)
    }
}

impl Link for ServerConnection {
    fn info(&self) -> &ConnectionInfo {
        &self.info
    }

    fn revision(&self) -> Option<Revision> {
        self.agreed().map(|agreed| agreed.revision)
    }

    fn answer(&self, exchange: ExchangeId, answer: Answer) -> bool {
        self.answer_exchange(exchange, answer)
    }

    fn progress(
        &self,
        exchange: ExchangeId,
        progress: f64,
        total: Option<f64>,
        message: Option<&str>,
    ) -> Result<Sent, NotSent> {
        if self.full(Some(exchange)) {
            return Ok(Sent::Full);
        }
        let now = self.engine.now();
        self.drive(|session, _| session.progress(now, exchange, progress, total, message))
            .map(|()| Sent::Sent)
    }

    fn log(
        &self,
        exchange: Option<ExchangeId>,
        level: LoggingLevel,
        logger: Option<&str>,
        data: RawJson,
    ) -> Result<Sent, NotSent> {
        // A handler does not wait to log, but where a norm says so; a message that finds no room waits by
        // itself, or is lost.
        if self.rate_limit(exchange, methods::MESSAGE).is_err() {
            self.engine.stats().dropped(1);
            return Ok(Sent::Sent);
        }
        let (full, now) = (self.full(exchange), self.engine.now());
        if full && self.engine.settings.norm.waits_to_log {
            return Ok(Sent::Full);
        }
        let lost = self.drive(|session, facts| {
            // A server without the capability sends no log messages.
            let declared = facts.capabilities().logging.is_some();
            if !declared && !self.engine.settings.norm.undeclared {
                return Err(NotSent::Unwanted);
            }
            session.log(now, LogMessage { exchange, level, logger, data }, full)
        })?;
        self.engine.stats().dropped(lost);
        Ok(Sent::Sent)
    }

    fn notify(
        &self,
        exchange: Option<ExchangeId>,
        method: &str,
        params: Option<&RawJson>,
    ) -> Result<Sent, NotSent> {
        if self.full(exchange) {
            return Ok(Sent::Full);
        }
        self.drive(|session, _| session.notify(exchange, method, params)).map(|()| Sent::Sent)
    }

    fn ask(
        &self,
        exchange: Option<ExchangeId>,
        method: &str,
        params: Option<&RawJson>,
        plan: AskPlan,
        reply: ReplyFn,
    ) -> Result<OutgoingId, Error> {
        self.rate_limit(exchange, method)?;
        let (timeout, max, fixed) = (plan.timeout, plan.max, plan.fixed);
        let asks = Asks { timeout, max, fixed, progress: plan.progress.is_some() };
        let ask = |session: &mut ServerSession, now| session.ask_with(now, exchange, method, params, asks);
        self.ask_locked(ask, reply, plan.progress)
    }

    fn give_up(&self, request: OutgoingId) {
        self.drive(|session, _| session.cancel_request(request, Some("no longer needed")));
    }

    fn adopt(&self, exchange: ExchangeId, call: &Arc<Call>) {
        self.register(exchange, call);
    }

    fn on_writable(&self, exchange: Option<ExchangeId>, wake: Wake) {
        match self.stream(exchange) {
            Some(stream) => self.sink.on_writable(stream, wake),
            None => wake(),
        }
    }

    fn disregard(&self, exchange: ExchangeId) {
        self.drive(|session, _| session.disregard(exchange));
    }

    fn close_stream(&self, exchange: ExchangeId) {
        self.detach(exchange);
    }

    fn close_standalone_stream(&self) {
        self.detach_standalone();
    }

    fn client(&self) -> (Option<ClientCapabilities>, Option<Implementation>) {
        self.agreed().map_or((None, None), |a| (Some(a.client_capabilities), a.client_info))
    }

    fn hold(&self) {
        self.hold_wire();
    }

    fn release(&self) {
        self.release_wire();
    }

    fn close(&self) {
        Self::close(self, true);
    }

    fn close_when_idle(&self) {
        let me = self.me.clone();
        self.when_idle(Box::new(move || me.upgrade().into_iter().for_each(|me| Self::close(&me, true))));
    }
}
