//! A server whose handlers are written in Python. Owns: its functions, as Python calls them.
//! Must not know: handlers, or how items reach them.

use std::sync::Arc;

use bytes::Bytes;
use mcpbolt::bridge::{self, Framing, Grant, HostServer, HttpMount, IncomingHead, Options, Slot};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::error::raise;
use crate::inbox::Inbox;
use crate::items::all_to_python;
use crate::json::{decode, raw};

/// An MCP endpoint in a web server written in Python.
#[pyclass(frozen, module = "mcpbolt._mcpbolt")]
pub(crate) struct Mount {
    mount: HttpMount,
    inbox: Arc<bridge::Inbox>,
}

/// A listener, its address, and the URL of its page.
type Listening = (u64, (String, u16), Option<String>);

/// An exchange's number, the items that are ready, and further items to take.
type Begun<'py> = (u64, Vec<Bound<'py, PyTuple>>, Vec<Bound<'py, PyTuple>>);

#[pymethods]
impl Mount {
    /// Begins an exchange, and takes the items that wait then, without a wake in between. If
    /// there is no body yet, it follows with `Inbox.http_body`.
    #[expect(clippy::too_many_arguments, reason = "the parts of a request, as ASGI has them")]
    #[pyo3(signature = (method, target, headers, peer, body, cause, max_items, max_bytes, principal=None, grant=None))]
    fn request<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        target: &str,
        headers: Vec<(Vec<u8>, Vec<u8>)>,
        peer: Option<&str>,
        body: Option<&[u8]>,
        cause: u64,
        max_items: usize,
        max_bytes: usize,
        principal: Option<String>,
        grant: Option<(Vec<String>, Vec<String>, Option<String>)>,
    ) -> PyResult<Begun<'py>> {
        let peer = peer.and_then(|peer| peer.parse().ok());
        let head = IncomingHead::new(method, target, headers, peer).map_err(raise)?;
        let grant = grant.map(granted);
        let head = IncomingHead { principal, grant, ..head };
        let body = body.map(Bytes::copy_from_slice);
        let ask = || self.mount.request(head, body, cause);
        let (begun, taken) = self.inbox.take_after(ask, max_items, max_bytes);
        // It fails only if the inbox is closed or belongs to another process; then there are no
        // items to lose.
        let (request, items) = begun.map_err(raise)?;
        let rows = |items| all_to_python(py, &self.inbox, items);
        Ok((request, rows(items)?, rows(taken)?))
    }

    /// Whether a token needs scopes for anything: then `request` wants to know what it allows.
    fn has_scopes(&self) -> bool {
        self.mount.has_scopes()
    }

    fn drain(&self) {
        self.mount.drain();
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| self.mount.close());
    }

    /// The number of legacy sessions that are open.
    fn sessions(&self) -> usize {
        self.mount.sessions()
    }

    /// Whether the legacy session with this id is open in this process.
    fn has_session(&self, id: &str) -> bool {
        self.mount.has_session(id)
    }
}

/// What a token allows, the scopes that every request needs, and where the metadata are.
fn granted((scopes, required, metadata_url): (Vec<String>, Vec<String>, Option<String>)) -> Grant {
    Grant { scopes, required, metadata_url }
}

/// A server whose handlers are written in Python; the facade builds on it.
#[pyclass(frozen, module = "mcpbolt._mcpbolt")]
pub(crate) struct Server(pub(crate) Arc<HostServer>);

pub(crate) fn owned(messages: &[impl ToString]) -> Vec<String> {
    messages.iter().map(ToString::to_string).collect()
}

#[pymethods]
impl Server {
    #[new]
    fn new(options: &str, inboxes: Vec<PyRef<'_, Inbox>>) -> PyResult<Self> {
        let options = Options::parse(&raw(options)?).map_err(raise)?;
        let inboxes = inboxes.iter().map(|inbox| Arc::clone(&inbox.inner)).collect();
        HostServer::new(options, inboxes).map(Self).map_err(raise)
    }

    fn set_slot(&self, method: &str, host: bool) {
        self.0.set_slot(method, if host { Slot::Host } else { Slot::Engine });
    }

    fn set_fast_path(&self, on: bool) {
        self.0.set_fast_path(on);
    }

    fn set_snapshot(&self, kind: &str, generation: u64, json: &str) -> PyResult<bool> {
        self.0.set_snapshot(kind, generation, &raw(json)?).map_err(raise)
    }

    /// Whether a token needs scopes for anything.
    fn has_scopes(&self) -> bool {
        self.0.has_scopes()
    }

    /// The challenge with which messages are refused whose token lacks scopes for any of them.
    fn lacks_scopes(
        &self,
        messages: &str,
        grant: Option<(Vec<String>, Vec<String>, Option<String>)>,
    ) -> Option<String> {
        self.0.lacks_scopes(messages, grant.map(granted).as_ref(), false)
    }

    fn list_changed(&self, kind: &str, announce: bool) -> PyResult<bool> {
        self.0.list_changed(kind, announce).map_err(raise)
    }

    /// Announces what changed; the lists that have no current snapshot, and its generation.
    fn refresh_lists(&self) -> PyResult<Vec<(&'static str, u64)>> {
        let lists = self.0.refresh_lists().map_err(raise)?;
        Ok(lists.into_iter().map(|list| (list.kind, list.generation)).collect())
    }

    fn capabilities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        decode(py, Some(&self.0.capabilities()))
    }

    #[pyo3(signature = (change, uri=None))]
    fn announce(&self, change: &str, uri: Option<&str>) -> PyResult<()> {
        self.0.announce(change, uri).map_err(raise)
    }

    fn connect(&self, lines: bool) -> PyResult<u64> {
        self.0.connect(if lines { Framing::Lines } else { Framing::Message }).map_err(raise)
    }

    /// A connection whose outgoing messages begin with their stream and kind. With a revision
    /// no handshake is expected.
    #[pyo3(signature = (revision=None))]
    fn connect_streams(&self, revision: Option<&str>) -> PyResult<u64> {
        self.0.connect_streams(revision).map_err(raise)
    }

    fn feed(&self, connection: u64, bytes: &[u8], cause: u64) -> PyResult<Vec<String>> {
        let sent = self.0.feed(connection, Bytes::copy_from_slice(bytes), cause).map_err(raise)?;
        Ok(owned(&sent))
    }

    fn feed_stream(&self, connection: u64, stream: u64, bytes: &[u8], cause: u64) -> PyResult<Vec<String>> {
        let bytes = Bytes::copy_from_slice(bytes);
        Ok(owned(&self.0.feed_stream(connection, stream, bytes, cause).map_err(raise)?))
    }

    fn take_outgoing(&self, connection: u64) -> PyResult<Vec<String>> {
        Ok(owned(&self.0.take_outgoing(connection).map_err(raise)?))
    }

    fn disconnect(&self, connection: u64) -> PyResult<Vec<String>> {
        Ok(owned(&self.0.disconnect(connection).map_err(raise)?))
    }

    fn listen_stdio(&self, py: Python<'_>) -> PyResult<u64> {
        py.detach(|| self.0.listen_stdio()).map_err(raise)
    }

    /// Serves HTTP on threads of the engine; returns the listener, its address, and the URL of its
    /// page, if the option `docs` asks for one.
    fn listen_http(&self, py: Python<'_>, options: &str) -> PyResult<Listening> {
        let options = raw(options)?;
        let listening = py.detach(|| self.0.listen_http_beside(&options, mcpbolt_inspector::beside));
        let (listener, address, docs) = listening.map_err(raise)?;
        Ok((listener, (address.ip().to_string(), address.port()), docs))
    }

    fn stop_http(&self, py: Python<'_>, listener: u64) -> bool {
        py.detach(|| self.0.stop_http(listener))
    }

    fn mount(&self, options: &str, inbox: PyRef<'_, Inbox>) -> PyResult<Mount> {
        let mount = self.0.mount(&raw(options)?, &inbox.inner).map_err(raise)?;
        Ok(Mount { mount, inbox: Arc::clone(&inbox.inner) })
    }

    /// The counters of all connections of the server.
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        decode(py, Some(&self.0.stats()))
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.close());
    }
}
