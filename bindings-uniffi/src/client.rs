//! A client whose program is Kotlin or Swift. Owns: opening connections and their
//! handshakes. Must not know: sessions, streams, or what is asked on a connection.

use std::sync::Arc;

use mcpbolt::bridge::{ClientOptions, HostClient};

use crate::error::{Result, raw};
use crate::inbox::EngineInbox;
use crate::server::{EngineServer, framing, owned};

/// Reaches any number of servers with one set of options.
#[derive(uniffi::Object)]
pub struct EngineClient(pub(crate) Arc<HostClient>);

#[uniffi::export]
impl EngineClient {
    /// A client on one inbox; options as JSON text.
    #[uniffi::constructor]
    pub fn new(options: String, inbox: Arc<EngineInbox>) -> Result<Self> {
        let options = ClientOptions::parse(&raw(options)?)?;
        Ok(Self(HostClient::new(options, Arc::clone(&inbox.inner))))
    }

    /// Starts a process or prepares a URL; returns the connection. Nothing is said yet.
    pub fn open(&self, target: String) -> Result<u64> {
        Ok(self.0.open(&raw(target)?)?)
    }

    /// Opens a connection whose messages the caller carries.
    pub fn open_fed(&self, lines: bool) -> Result<u64> {
        Ok(self.0.open_fed(framing(lines))?)
    }

    /// Opens a connection to a server of this process.
    pub fn open_memory(&self, server: Arc<EngineServer>) -> Result<u64> {
        Ok(self.0.open_memory(&server.inner)?)
    }

    /// Begins the handshake; a `response` with the number returned has the answer.
    pub fn initialize(&self, connection: u64, protocol: Option<String>) -> Result<u64> {
        Ok(self.0.initialize(connection, protocol.as_deref())?)
    }

    /// Asks `server/discover` alone.
    pub fn discover(&self, connection: u64) -> Result<u64> {
        Ok(self.0.discover(connection)?)
    }

    /// Begins with what an earlier connection was told by `server/discover`.
    pub fn adopt(&self, connection: u64, revision: String, discovered: String) -> Result<()> {
        Ok(self.0.adopt(connection, &revision, raw(discovered)?)?)
    }

    /// A message of the server; the messages to send at once.
    pub fn feed(&self, connection: u64, bytes: Vec<u8>) -> Result<Vec<String>> {
        Ok(owned(&self.0.feed(connection, bytes.into())?))
    }

    /// The messages that wait to be sent.
    pub fn take_outgoing(&self, connection: u64) -> Result<Vec<String>> {
        Ok(owned(&self.0.take_outgoing(connection)?))
    }

    /// The transport ended.
    pub fn disconnect(&self, connection: u64, reason: Option<String>) -> Result<()> {
        Ok(self.0.disconnect(connection, reason.as_deref())?)
    }

    /// Ends all connections.
    pub fn close(&self) {
        self.0.close();
    }
}
