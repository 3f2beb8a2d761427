//! Ending a stream or a connection from the host, or the sockets under it.
//!
//! Owns: finding what the number stands for. Must not know: how a connection ends.

use crate::bridge::boundary::panics::contain;
use crate::bridge::queue::inbox::Inbox;

use super::calls::OpenCalls;
use super::clients::Clients;

impl Inbox {
    /// Ends the stream of a call early: the client comes back for the rest (2025-11-25 over
    /// HTTP). Nothing happens elsewhere. `false` if the call is unknown or over.
    pub fn close_stream(&self, call: u64) -> bool {
        self.call(call).is_some_and(|call| contain(|| call.close_stream()).is_ok())
    }

    /// Ends the stream of a client's session that belongs to no request: the client opens it again
    /// for the rest (2025-11-25 over HTTP). Nothing happens elsewhere. `false` if there is no such
    /// connection.
    pub fn close_standalone_stream(&self, connection: u64) -> bool {
        let link = self.lock().of::<OpenCalls>().connections.link(connection);
        link.is_some_and(|link| contain(|| link.close_standalone_stream()).is_ok())
    }

    /// Has a client's connection stop trusting the sockets that are open, as
    /// [`ClientSession::reconnect`](crate::client::ClientSession::reconnect) does. `false` if there
    /// is no such connection.
    pub fn reconnect(&self, connection: u64) -> bool {
        let client = self.lock().of::<Clients>().get(connection).cloned();
        client.is_some_and(|link| contain(|| link.reconnect()).is_ok())
    }

    /// Ends a connection. A client's ends politely; its `Closed` item comes when it has.
    pub fn close_connection(&self, connection: u64) -> bool {
        let client = self.lock().of::<Clients>().get(connection).cloned();
        if let Some(link) = client {
            return contain(|| link.close()).is_ok();
        }
        let link = self.lock().of::<OpenCalls>().connections.link(connection);
        link.is_some_and(|link| contain(|| link.close()).is_ok())
    }
}
