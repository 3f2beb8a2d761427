//! The connection of a call that became a task.
//!
//! Owns: what becomes of the answers and questions of such a call, and of what nobody hears.
//! Must not know: clients, or where a task is kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
use mcpbolt_proto::protocol::types::{Implementation, InputRequest, LoggingLevel};
use mcpbolt_proto::protocol::{Error, Revision};
use mcpbolt_proto::session::server::NotSent;
use mcpbolt_proto::session::{Answer, ExchangeId, OutgoingId};

use crate::handler::{AskPlan, Call, ConnectionId, ConnectionInfo, Link, ReplyFn, Sent, Wake};

use super::running::{Asked, Running};

/// The connection of a task's work. No stream waits for what the work tells meanwhile: the
/// protocol has no progress and no log of tasks.
pub(super) struct TaskLink {
    running: Arc<Running>,
    origin: ConnectionId,
    /// What the client said in a handshake: one of 2026-07-28 has none.
    client: Option<Box<(Option<ClientCapabilities>, Option<Implementation>)>>,
    asked: AtomicU64,
}

impl TaskLink {
    /// In place of `link`, which the call came on.
    pub(super) fn new(running: &Arc<Running>, link: &dyn Link) -> Self {
        let (origin, client) = (link.origin(), link.client());
        let client = (client.0.is_some() || client.1.is_some()).then(|| Box::new(client));
        Self { running: Arc::clone(running), origin, client, asked: AtomicU64::new(0) }
    }
}

impl Link for TaskLink {
    fn info(&self) -> &ConnectionInfo {
        self.running.info()
    }

    fn task(&self) -> Option<&str> {
        Some(&self.running.id)
    }

    fn origin(&self) -> ConnectionId {
        self.origin
    }

    fn answer(&self, _: ExchangeId, answer: Answer) -> bool {
        self.running.end(answer, Revision::LATEST_MODERN);
        true
    }

    fn ask(
        &self,
        _: Option<ExchangeId>,
        method: &str,
        params: Option<&RawJson>,
        plan: AskPlan,
        reply: ReplyFn,
    ) -> Result<OutgoingId, Error> {
        let number = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let wish = plan.key.unwrap_or_else(|| format!("q{number}"));
        let request = InputRequest { method: method.to_owned(), params: params.cloned() };
        self.running.ask(Asked { number, wish, request, reply });
        Ok(OutgoingId(number))
    }

    fn give_up(&self, request: OutgoingId) {
        self.running.withdraw(request.0);
    }

    fn adopt(&self, _: ExchangeId, call: &Arc<Call>) {
        self.running.served_by(call);
    }

    fn progress(&self, _: ExchangeId, _: f64, _: Option<f64>, _: Option<&str>) -> Result<Sent, NotSent> {
        Err(NotSent::Unwanted)
    }

    fn log(
        &self,
        _: Option<ExchangeId>,
        _: LoggingLevel,
        _: Option<&str>,
        _: RawJson,
    ) -> Result<Sent, NotSent> {
        Err(NotSent::Unwanted)
    }

    fn notify(&self, _: Option<ExchangeId>, _: &str, _: Option<&RawJson>) -> Result<Sent, NotSent> {
        Err(NotSent::Unwanted)
    }

    fn on_writable(&self, _: Option<ExchangeId>, wake: Wake) {
        wake();
    }

    fn client(&self) -> (Option<ClientCapabilities>, Option<Implementation>) {
        self.client.as_deref().cloned().unwrap_or_default()
    }

    fn close(&self) {}
}
