//! A client whose program is JavaScript. Owns: opening connections and their handshakes.
//! Must not know: sessions, streams, or what is asked on a connection.

use std::sync::Arc;

use mcpbolt::bridge::{ClientOptions, HostClient};
use napi::bindgen_prelude::{Either, Uint8Array};
use napi_derive::napi;

use crate::error::{Result, raw, throw};
use crate::inbox::Inbox;
use crate::number::{from_js, to_js};
use crate::server::{Server, framing, owned, payload};

/// Connects to any number of servers with one set of options.
#[napi]
pub struct Client(Arc<HostClient>);

#[napi]
impl Client {
    /// Creates a client on one inbox; `options` is JSON text.
    #[napi(constructor)]
    pub fn new(options: String, inbox: &Inbox) -> Result<Self> {
        let options = ClientOptions::parse(&raw(options)?).map_err(throw)?;
        Ok(Self(HostClient::new(options, Arc::clone(&inbox.inner))))
    }

    /// Starts a process or prepares a URL; returns the connection. No message is sent yet.
    #[napi]
    pub fn open(&self, target: String) -> Result<f64> {
        self.0.open(&raw(target)?).map(to_js).map_err(throw)
    }

    /// Opens a connection whose messages the caller carries.
    #[napi]
    pub fn open_fed(&self, lines: bool) -> Result<f64> {
        self.0.open_fed(framing(lines)).map(to_js).map_err(throw)
    }

    /// Opens a connection whose messages the caller carries, perhaps over HTTP: a message may come
    /// with a line before it, which is a JSON object of headers that belong to it.
    #[napi]
    pub fn open_fed_http(&self) -> Result<f64> {
        self.0.open_fed_http(framing(false)).map(to_js).map_err(throw)
    }

    /// Opens a connection to a server in this process.
    #[napi]
    pub fn open_memory(&self, server: &Server) -> Result<f64> {
        self.0.open_memory(&server.inner).map(to_js).map_err(throw)
    }

    /// Starts the handshake; the `response` item with the returned number has the answer.
    #[napi]
    pub fn initialize(&self, connection: f64, protocol: Option<String>) -> Result<f64> {
        self.0.initialize(from_js(connection), protocol.as_deref()).map(to_js).map_err(throw)
    }

    /// Sends only `server/discover`; the `response` item has the answer.
    #[napi]
    pub fn discover(&self, connection: f64) -> Result<f64> {
        self.0.discover(from_js(connection)).map(to_js).map_err(throw)
    }

    /// Starts with the answer to `server/discover` that an earlier connection got.
    #[napi]
    pub fn adopt(&self, connection: f64, revision: String, discovered: String) -> Result<()> {
        self.0.adopt(from_js(connection), &revision, raw(discovered)?).map_err(throw)
    }

    /// Passes a message of the server to the engine; returns the messages to send at once.
    #[napi]
    pub fn feed(&self, connection: f64, bytes: Either<String, Uint8Array>) -> Result<Vec<String>> {
        Ok(owned(&self.0.feed(from_js(connection), payload(bytes)).map_err(throw)?))
    }

    /// Takes the messages that wait to be sent.
    #[napi]
    pub fn take_outgoing(&self, connection: f64) -> Result<Vec<String>> {
        Ok(owned(&self.0.take_outgoing(from_js(connection)).map_err(throw)?))
    }

    /// Reports the end of the transport.
    #[napi]
    pub fn disconnect(&self, connection: f64, reason: Option<String>) -> Result<()> {
        self.0.disconnect(from_js(connection), reason.as_deref()).map_err(throw)
    }

    /// Closes all connections.
    #[napi]
    pub fn close(&self) {
        self.0.close();
    }
}
