//! A server whose handlers are Python's.

use std::sync::Arc;

use bytes::Bytes;
use mcpbolt::bridge::{Framing, HostServer, Options, Slot};
use pyo3::prelude::*;

use crate::inbox::Inbox;
use crate::json::{raise, raw};

/// See the facade.
#[pyclass(frozen, module = "mcpbolt._mcpbolt")]
pub(crate) struct Server(Arc<HostServer>);

fn owned(messages: &[impl ToString]) -> Vec<String> {
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

    fn mark_stale(&self, kind: &str, generation: u64) -> PyResult<()> {
        self.0.mark_stale(kind, generation).map_err(raise)
    }

    #[pyo3(signature = (change, uri=None))]
    fn announce(&self, change: &str, uri: Option<&str>) -> PyResult<()> {
        self.0.announce(change, uri).map_err(raise)
    }

    fn connect(&self, lines: bool) -> PyResult<u64> {
        self.0.connect(if lines { Framing::Lines } else { Framing::Message }).map_err(raise)
    }

    fn feed(&self, connection: u64, bytes: &[u8], origin: u64) -> PyResult<Vec<String>> {
        let sent = self.0.feed(connection, Bytes::copy_from_slice(bytes), origin).map_err(raise)?;
        Ok(owned(&sent))
    }

    fn take_outgoing(&self, connection: u64) -> PyResult<Vec<String>> {
        Ok(owned(&self.0.take_outgoing(connection).map_err(raise)?))
    }

    fn disconnect(&self, connection: u64) -> PyResult<Vec<String>> {
        Ok(owned(&self.0.disconnect(connection).map_err(raise)?))
    }

    fn listen_stdio(&self) -> PyResult<u64> {
        self.0.listen_stdio().map_err(raise)
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.close());
    }
}
