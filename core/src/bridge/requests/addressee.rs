//! What a number stands for when something is sent or asked.
//!
//! Owns: finding it. Calls, connections and requests never share a number. Must not know:
//! what is sent.

use std::sync::Arc;

use crate::bridge::queue::inbox::Inbox;
use crate::handler::{Call, Link};

use super::calls::OpenCalls;
use super::client_link::ClientLink;
use super::clients::Clients;
use super::server_requests::ServerRequests;

/// The call, connection or request that a verb is about.
pub(crate) enum Addressee {
    /// A call of a client.
    Call(Arc<Call>),
    /// A connection of a server.
    Connection(Arc<dyn Link>),
    /// A connection of a client.
    Client(Arc<dyn ClientLink>),
    /// A request of a server, and the client's connection it came on.
    ServerRequest(Arc<dyn ClientLink>),
}

impl Inbox {
    /// What a number stands for; `None` if it is unknown or over.
    pub(crate) fn addressee(&self, number: u64) -> Option<Addressee> {
        let mut state = self.lock();
        if let Some(call) = state.of::<OpenCalls>().get(number) {
            return Some(Addressee::Call(Arc::clone(call)));
        }
        if let Some(link) = state.of::<Clients>().get(number) {
            return Some(Addressee::Client(Arc::clone(link)));
        }
        if let Some(link) = state.of::<ServerRequests>().link(number) {
            return Some(Addressee::ServerRequest(link));
        }
        state.of::<OpenCalls>().connections.link(number).map(Addressee::Connection)
    }
}
