//! What the host can ask of a call or a connection.
//!
//! Owns: the verbs. Must not know: what the members of an answer are called.

use mcpbolt_proto::jsonrpc::RawJson;

use crate::bridge::boundary::panics::contain;
use crate::bridge::queue::inbox::Inbox;

use super::addressee::Addressee;
use super::describe::{describe_call, describe_link};
use super::stats;

impl Inbox {
    /// Whether a call is no longer wanted; for code that cannot be interrupted. True also
    /// for a call that is unknown or completed.
    pub fn is_cancelled(&self, call: u64) -> bool {
        self.call(call).is_none_or(|call| call.is_cancelled())
    }

    /// What a handler may want to know of its call: `revision`, `era`, `id`,
    /// `transport`, `peer`, `principal`, `headers`, `clientInfo`, `clientCapabilities`,
    /// `meta`, `inputResponses`, `requestState`; of a server's request `id`
    /// (`key` if it is a question in an answer), `connection`, `cause`, `meta`, `revision`, `era`.
    /// `None` if it is unknown.
    pub fn describe(&self, call: u64) -> Option<RawJson> {
        if let Some(request) = self.server_request(call) {
            return contain(|| request.describe()).ok().flatten();
        }
        let call = self.call(call)?;
        contain(|| describe_call(&call)).ok().flatten()
    }

    /// What is known of a connection: `role` (`server`, `client`), `transport`,
    /// `revision`, `era`; of a server's also `peer`, `clientInfo`,
    /// `clientCapabilities`; of a client's `state`, `serverInfo`, `capabilities`,
    /// `instructions`, `handshake` (the answer as it came), `sessionId`, `process`,
    /// `inFlight`. `None` if it is unknown or over.
    pub fn describe_connection(&self, connection: u64) -> Option<RawJson> {
        contain(|| match self.addressee(connection)? {
            Addressee::Client(link) => link.describe(),
            Addressee::Connection(link) => describe_link(&*link),
            Addressee::Call(_) | Addressee::ServerRequest(_) => None,
        })
        .ok()
        .flatten()
    }

    /// Counters of one connection of a client, by the names that
    /// [`HostServer::stats`](crate::bridge::HostServer::stats) uses. `None` if it is unknown
    /// or over.
    pub fn connection_stats(&self, connection: u64) -> Option<RawJson> {
        contain(|| match self.addressee(connection)? {
            Addressee::Client(link) => link.stats().map(|now| stats::encode(&now)),
            Addressee::Connection(_) | Addressee::Call(_) | Addressee::ServerRequest(_) => None,
        })
        .ok()
        .flatten()
    }
}
