//! A server whose handlers are JavaScript.

use std::sync::Arc;

use bytes::Bytes;
use mcpbolt::Error;
use mcpbolt::bridge::{Framing, Grant, HostServer, HttpMount, IncomingHead, Options, Slot, encode_batch};
use napi::bindgen_prelude::{Either, Uint8Array};
use napi_derive::napi;

use crate::buffers::copied;
use crate::error::{Result, raw, throw};
use crate::inbox::Inbox;
use crate::number::{from_js, to_js};

pub(crate) fn payload(value: Either<String, Uint8Array>) -> Bytes {
    match value {
        Either::A(text) => Bytes::from(text),
        Either::B(bytes) => copied(&bytes),
    }
}

pub(crate) fn owned(messages: &[impl ToString]) -> Vec<String> {
    messages.iter().map(ToString::to_string).collect()
}

pub(crate) const fn framing(lines: bool) -> Framing {
    if lines { Framing::Lines } else { Framing::Message }
}

/// A server of the engine; the facade documents its verbs.
#[napi]
pub struct Server {
    pub(crate) inner: Arc<HostServer>,
}

#[napi]
impl Server {
    /// Creates a server on one inbox; `options` is JSON text.
    #[napi(constructor)]
    pub fn new(options: String, inbox: &Inbox) -> Result<Self> {
        let options = Options::parse(&raw(options)?).map_err(throw)?;
        let inner = HostServer::new(options, vec![Arc::clone(&inbox.inner)]).map_err(throw)?;
        Ok(Self { inner })
    }

    /// Sets whether the host or the engine answers a method.
    #[napi]
    pub fn set_slot(&self, method: String, host: bool) {
        self.inner.set_slot(&method, if host { Slot::Host } else { Slot::Engine });
    }

    /// Turns the engine's own answers on or off; if off, the host answers everything.
    #[napi]
    pub fn set_fast_path(&self, on: bool) {
        self.inner.set_fast_path(on);
    }

    /// Sets what the engine may answer from. Returns `false` if it has a newer generation already.
    #[napi]
    pub fn set_snapshot(&self, kind: String, generation: f64, json: String) -> Result<bool> {
        self.inner.set_snapshot(&kind, from_js(generation), &raw(json)?).map_err(throw)
    }

    /// Whether a token needs scopes for anything: then heads and `lacksScopes` want to know what it
    /// allows.
    #[napi]
    pub fn has_scopes(&self) -> bool {
        self.inner.has_scopes()
    }

    /// The challenge with which messages are refused whose token lacks scopes for any of them.
    /// `grant` is `{scopes, required, metadata_url}`; without it, nothing is allowed.
    #[napi]
    pub fn lacks_scopes(
        &self,
        messages: String,
        grant: Option<String>,
        is_bound: bool,
    ) -> Result<Option<String>> {
        let grant = grant
            .map(|text| raw(text)?.decode::<Grant>().map_err(|error| throw(Error::usage(error.to_string()))));
        Ok(self.inner.lacks_scopes(&messages, grant.transpose()?.as_ref(), is_bound))
    }

    /// Reports a change of a list: the host answers until its rows arrive. Returns whether to call
    /// `refreshLists` at the end of the turn.
    #[napi]
    pub fn list_changed(&self, kind: String, announce: bool) -> Result<bool> {
        self.inner.list_changed(&kind, announce).map_err(throw)
    }

    /// Announces the changes; returns the lists to set a snapshot of.
    #[napi]
    pub fn refresh_lists(&self) -> Result<Vec<OutdatedList>> {
        let lists = self.inner.refresh_lists().map_err(throw)?.into_iter();
        Ok(lists.map(|list| OutdatedList { kind: list.kind, generation: to_js(list.generation) }).collect())
    }

    /// The capabilities that the server declares, as JSON text.
    #[napi]
    pub fn capabilities(&self) -> String {
        self.inner.capabilities().as_str().to_owned()
    }

    /// Announces a change to all clients that want to know.
    #[napi]
    pub fn announce(&self, change: String, uri: Option<String>) -> Result<()> {
        self.inner.announce(&change, uri.as_deref()).map_err(throw)
    }

    /// Opens a connection whose bytes the host carries: as lines, or one message at a time.
    #[napi]
    pub fn connect(&self, lines: bool) -> Result<f64> {
        self.inner.connect(framing(lines)).map(to_js).map_err(throw)
    }

    /// Passes bytes that arrived; returns what to send at once.
    #[napi]
    pub fn feed(
        &self,
        connection: f64,
        bytes: Either<String, Uint8Array>,
        cause: f64,
    ) -> Result<Vec<String>> {
        let sent = self.inner.feed(from_js(connection), payload(bytes), from_js(cause)).map_err(throw)?;
        Ok(owned(&sent))
    }

    /// Opens a connection with a stream per request, for the program's own HTTP: outgoing messages
    /// begin with their stream and kind. With a revision, no handshake is awaited.
    #[napi]
    pub fn connect_streams(&self, revision: Option<String>) -> Result<f64> {
        self.inner.connect_streams(revision.as_deref()).map(to_js).map_err(throw)
    }

    /// Passes the bytes of a message that arrived on a stream; returns what to send at once.
    #[napi]
    pub fn feed_stream(
        &self,
        connection: f64,
        stream: f64,
        bytes: Either<String, Uint8Array>,
        cause: f64,
    ) -> Result<Vec<String>> {
        let (connection, stream) = (from_js(connection), from_js(stream));
        let sent = self.inner.feed_stream(connection, stream, payload(bytes), from_js(cause));
        Ok(owned(&sent.map_err(throw)?))
    }

    /// Reports that a stream takes no more messages.
    #[napi]
    pub fn stream_closed(&self, connection: f64, stream: f64) -> Result<()> {
        self.inner.stream_closed(from_js(connection), from_js(stream)).map_err(throw)
    }

    /// Takes the messages that wait to be sent.
    #[napi]
    pub fn take_outgoing(&self, connection: f64) -> Result<Vec<String>> {
        Ok(owned(&self.inner.take_outgoing(from_js(connection)).map_err(throw)?))
    }

    /// Reports the end of the host's transport; returns the last messages.
    #[napi]
    pub fn disconnect(&self, connection: f64) -> Result<Vec<String>> {
        Ok(owned(&self.inner.disconnect(from_js(connection)).map_err(throw)?))
    }

    /// Serves standard input and output; returns the connection.
    #[napi]
    pub fn listen_stdio(&self) -> Result<f64> {
        self.inner.listen_stdio().map(to_js).map_err(throw)
    }

    /// Serves HTTP on the engine's own threads.
    #[napi]
    pub fn listen_http(&self, options: String) -> Result<Listening> {
        let listening = self.inner.listen_http_beside(&raw(options)?, mcpbolt_inspector::beside);
        let (listener, address, docs) = listening.map_err(throw)?;
        Ok(Listening {
            listener: to_js(listener),
            host: address.ip().to_string(),
            port: address.port(),
            docs,
        })
    }

    /// Closes a listener; running calls may finish.
    #[napi]
    pub fn stop_http(&self, listener: f64) -> bool {
        self.inner.stop_http(from_js(listener))
    }

    /// Creates an HTTP endpoint without sockets.
    #[napi]
    pub fn mount(&self, options: String, inbox: &Inbox) -> Result<Mount> {
        self.inner.mount(&raw(options)?, &inbox.inner).map(Mount).map_err(throw)
    }

    /// The counters of all its connections, as JSON text.
    #[napi]
    pub fn stats(&self) -> String {
        self.inner.stats().as_str().to_owned()
    }

    /// Closes all connections and listeners.
    #[napi]
    pub fn close(&self) {
        self.inner.close();
    }
}

/// A list without a current snapshot.
#[napi(object, object_from_js = false)]
pub struct OutdatedList {
    /// Its name.
    pub kind: &'static str,
    /// The generation of its next snapshot.
    pub generation: f64,
}

/// A listener and its address.
#[napi(object)]
pub struct Listening {
    /// The listener's number: for `stop_http`, and as the connection of its items.
    pub listener: f64,
    /// The address it is bound to.
    pub host: String,
    /// The port.
    pub port: u16,
    /// The URL of its page, if the option `docs` asks for one.
    pub docs: Option<String>,
}

/// An endpoint in the program's web server.
#[napi]
pub struct Mount(HttpMount);

#[napi]
impl Mount {
    /// Begins an exchange. Returns `[number, items]` as JSON text; the items are what can be sent
    /// at once. `head` is `{method, target, headers, peer, principal, grant}`. Without `body`, the body
    /// follows through `Inbox.httpBody`.
    #[napi]
    pub fn request(&self, head: String, body: Option<Uint8Array>, cause: f64) -> Result<String> {
        let head = IncomingHead::parse(&raw(head)?).map_err(throw)?;
        let body = body.as_ref().map(copied);
        let (request, items) = self.0.request(head, body, from_js(cause)).map_err(throw)?;
        Ok(format!("[{request},{}]", encode_batch(&items)))
    }

    /// Stops accepting requests.
    #[napi]
    pub fn drain(&self) {
        self.0.drain();
    }

    /// Ends all sessions.
    #[napi]
    pub fn close(&self) {
        self.0.close();
    }

    /// The number of open legacy sessions.
    #[napi]
    pub fn sessions(&self) -> u32 {
        u32::try_from(self.0.sessions()).unwrap_or(u32::MAX)
    }
}
