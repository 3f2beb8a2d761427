//! A client's connection as the verbs see it.
//!
//! Owns: which part of the session does what. Must not know: verbs, items.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::ExchangeId;
use mcpbolt_proto::session::negotiate::{Agreed, ProtocolPolicy};

use crate::bridge::options::request::RequestPlan;
use crate::bridge::requests::client_link::{ClientLink, HandshakeShape};
use crate::observe::Snapshot;

use super::session::HostSession;

impl ClientLink for HostSession {
    fn id(&self) -> u64 {
        self.id
    }

    fn begin(&self, id: u64, policy: Option<ProtocolPolicy>, shape: HandshakeShape) {
        self.shake_hands(id, policy.unwrap_or(self.options.policy), shape);
    }

    fn adopt(&self, agreed: Agreed) -> Result<(), Error> {
        self.connection()?.adopt(agreed)
    }

    fn agreed(&self) -> Option<Arc<Agreed>> {
        self.agreement()
    }

    fn ask(&self, id: u64, method: &str, params: Option<RawJson>, plan: RequestPlan) {
        self.start_request(id, method, params, plan);
    }

    fn give_up(&self, id: u64, reason: Option<&str>) {
        self.abandon(id, reason);
    }

    fn notify(&self, method: &str, params: Option<&RawJson>) -> Result<(), Error> {
        self.send_notification(method, params)
    }

    fn tell(&self, id: u64, method: &str, params: Option<&RawJson>) {
        self.tell_server(id, method, params);
    }

    fn answer(&self, exchange: ExchangeId, outcome: Result<RawJson, Error>) -> bool {
        self.state.lock().served.remove(&exchange);
        self.connection().is_ok_and(|connection| connection.answer(exchange, outcome))
    }

    fn answer_question(&self, id: u64, call: u64, outcome: Result<RawJson, Error>) -> bool {
        self.question_answered(id, call, outcome)
    }

    fn hold(&self) {
        if let Ok(connection) = self.connection() {
            connection.hold();
        }
    }

    fn push(&self) {
        if let Ok(connection) = self.connection() {
            connection.release();
            connection.hold();
        }
    }

    fn release(&self) {
        if let Ok(connection) = self.connection() {
            connection.release();
        }
    }

    fn waits_for_answers(&self) -> bool {
        self.expects_answers()
    }

    fn describe(&self) -> Option<RawJson> {
        self.facts()
    }

    fn stats(&self) -> Option<Snapshot> {
        Some(self.connection().ok()?.stats())
    }

    fn reconnect(&self) {
        if let Ok(connection) = self.connection() {
            connection.reconnect();
        }
    }

    fn close(&self) {
        self.end_politely();
    }
}
