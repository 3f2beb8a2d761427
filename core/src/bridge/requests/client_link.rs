//! A client's connection to a server, as the verbs of an inbox see it.
//!
//! Owns: what can be asked of such a connection. Must not know: how it is done. It is for
//! clients what [`Link`](crate::handler::Link) is for servers.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::ExchangeId;
use mcpbolt_proto::session::negotiate::{Agreed, ProtocolPolicy};

use crate::bridge::options::request::RequestPlan;
use crate::observe::Snapshot;

/// How the answer to a handshake looks to the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HandshakeShape {
    /// As it came, from a server that is asked `server/discover` alone: its refusal ends nothing.
    Raw,
    /// As the result of `initialize`, whichever method was asked.
    Initialize,
}

/// A connection to one server. What is asked under a number `id` ends with
/// `Inbox::answered` for that number, failures too.
pub(crate) trait ClientLink: Send + Sync {
    /// The connection's number.
    fn id(&self) -> u64;

    /// Begins the handshake; without a policy as the client's options say.
    fn begin(&self, id: u64, policy: Option<ProtocolPolicy>, shape: HandshakeShape);

    /// Begins with what an earlier connection agreed on.
    fn adopt(&self, agreed: Agreed) -> Result<(), Error>;

    /// What was agreed with the server, once that is so.
    fn agreed(&self) -> Option<Arc<Agreed>>;

    /// Sends a request.
    fn ask(&self, id: u64, method: &str, params: Option<RawJson>, plan: RequestPlan);

    /// The host gives up on a request; the server is told the reason.
    fn give_up(&self, id: u64, reason: Option<&str>);

    /// Sends a notification.
    fn notify(&self, method: &str, params: Option<&RawJson>) -> Result<(), Error>;

    /// As [`ClientLink::notify`]; the answer under `id` says whether the server took it, as
    /// far as the transport can tell.
    fn tell(&self, id: u64, method: &str, params: Option<&RawJson>);

    /// The host answered a request that the server sent as one.
    fn answer(&self, exchange: ExchangeId, outcome: Result<RawJson, Error>) -> bool;

    /// The host answered, under the number `call`, a question that stood in the server's
    /// answer to the host's request `id`.
    fn answer_question(&self, id: u64, call: u64, outcome: Result<RawJson, Error>) -> bool;

    /// From now on what is sent waits for [`ClientLink::push`] or [`ClientLink::release`].
    fn hold(&self);

    /// Sends what waits, and has more of it wait.
    fn push(&self);

    /// Sends what waits.
    fn release(&self);

    /// Whether an answer of the server is on its way, as far as that is known.
    fn waits_for_answers(&self) -> bool;

    /// What is known of the connection.
    fn describe(&self) -> Option<RawJson>;

    /// Its counters.
    fn stats(&self) -> Option<Snapshot>;

    /// Stops trusting the sockets that are open.
    fn reconnect(&self);

    /// Ends the connection politely; a `Closed` item says when it is over.
    fn close(&self);
}
