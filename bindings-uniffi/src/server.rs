//! A server whose handlers are Kotlin or Swift.

use std::sync::Arc;

use mcpbolt::bridge::{Framing, HostServer, Options, Slot};

use crate::error::{Result, raw};
use crate::http::{self, EngineListening, EngineMount};
use crate::inbox::EngineInbox;

pub(crate) fn owned(messages: &[impl ToString]) -> Vec<String> {
    messages.iter().map(ToString::to_string).collect()
}

pub(crate) const fn framing(lines: bool) -> Framing {
    if lines { Framing::Lines } else { Framing::Message }
}

/// See the facades.
#[derive(uniffi::Object)]
pub struct EngineServer {
    pub(crate) inner: Arc<HostServer>,
}

/// A list without a current snapshot, and the generation of the next one.
#[derive(uniffi::Record)]
pub struct EngineOutdatedList {
    /// Its name.
    pub kind: String,
    /// The generation of its next snapshot.
    pub generation: u64,
}

#[uniffi::export]
impl EngineServer {
    /// A server on one inbox; options as JSON text.
    #[uniffi::constructor]
    pub fn new(options: String, inbox: Arc<EngineInbox>) -> Result<Self> {
        let options = Options::parse(&raw(options)?)?;
        Ok(Self { inner: HostServer::new(options, vec![Arc::clone(&inbox.inner)])? })
    }

    /// Who answers a method.
    pub fn set_slot(&self, method: String, host: bool) {
        self.inner.set_slot(&method, if host { Slot::Host } else { Slot::Engine });
    }

    /// Off: the host answers everything.
    pub fn set_fast_path(&self, on: bool) {
        self.inner.set_fast_path(on);
    }

    /// What the engine may answer from. `false` if a newer generation is there.
    pub fn set_snapshot(&self, kind: String, generation: u64, json: String) -> Result<bool> {
        Ok(self.inner.set_snapshot(&kind, generation, &raw(json)?)?)
    }

    /// A list changed: the host is asked until its rows arrive. Whether to call
    /// `refresh_lists` at the end of the turn.
    pub fn list_changed(&self, kind: String, announce: bool) -> Result<bool> {
        Ok(self.inner.list_changed(&kind, announce)?)
    }

    /// Announces the changes; the lists to set a snapshot of.
    pub fn refresh_lists(&self) -> Result<Vec<EngineOutdatedList>> {
        let lists = self.inner.refresh_lists()?.into_iter();
        Ok(lists
            .map(|list| EngineOutdatedList { kind: list.kind.into(), generation: list.generation })
            .collect())
    }

    /// The capabilities that the server declares, as JSON text.
    pub fn capabilities(&self) -> String {
        self.inner.capabilities().as_str().to_owned()
    }

    /// Tells all who want to know of a change.
    pub fn announce(&self, change: String, uri: Option<String>) -> Result<()> {
        Ok(self.inner.announce(&change, uri.as_deref())?)
    }

    /// Opens a connection whose bytes the host carries: lines, or one message at a time.
    pub fn connect(&self, lines: bool) -> Result<u64> {
        Ok(self.inner.connect(framing(lines))?)
    }

    /// Bytes that arrived; returns what to send at once.
    pub fn feed(&self, connection: u64, bytes: Vec<u8>, origin: u64) -> Result<Vec<String>> {
        Ok(owned(&self.inner.feed(connection, bytes.into(), origin)?))
    }

    /// A connection with a stream per request, for HTTP of the program's: outgoing messages
    /// begin with their stream and kind. With a revision no handshake is awaited.
    pub fn connect_streams(&self, revision: Option<String>) -> Result<u64> {
        Ok(self.inner.connect_streams(revision.as_deref())?)
    }

    /// Bytes of a message that arrived on a stream; returns what to send at once.
    pub fn feed_stream(
        &self,
        connection: u64,
        stream: u64,
        bytes: Vec<u8>,
        origin: u64,
    ) -> Result<Vec<String>> {
        Ok(owned(&self.inner.feed_stream(connection, stream, bytes.into(), origin)?))
    }

    /// A stream takes no more messages.
    pub fn stream_closed(&self, connection: u64, stream: u64) -> Result<()> {
        Ok(self.inner.stream_closed(connection, stream)?)
    }

    /// The messages that wait to be sent.
    pub fn take_outgoing(&self, connection: u64) -> Result<Vec<String>> {
        Ok(owned(&self.inner.take_outgoing(connection)?))
    }

    /// The host's transport ended; the last messages.
    pub fn disconnect(&self, connection: u64) -> Result<Vec<String>> {
        Ok(owned(&self.inner.disconnect(connection)?))
    }

    /// Serves stdin and stdout; returns the connection.
    pub fn listen_stdio(&self) -> Result<u64> {
        Ok(self.inner.listen_stdio()?)
    }

    /// Serves HTTP from threads of the engine's own.
    pub fn listen_http(&self, options: String) -> Result<EngineListening> {
        http::listen(&self.inner, &raw(options)?)
    }

    /// Ends a listener in good order.
    pub fn stop_http(&self, listener: u64) -> bool {
        http::stop(&self.inner, listener)
    }

    /// The same HTTP server without sockets.
    pub fn mount(&self, options: String, inbox: Arc<EngineInbox>) -> Result<EngineMount> {
        http::mount(&self.inner, &raw(options)?, &inbox.inner)
    }

    /// Counters of all its connections, as JSON text.
    pub fn stats(&self) -> String {
        self.inner.stats().as_str().to_owned()
    }

    /// Ends all connections and listeners.
    pub fn close(&self) {
        self.inner.close();
    }
}
