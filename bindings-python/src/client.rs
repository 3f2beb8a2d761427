//! A client whose program is written in Python. Owns: opening connections and their
//! handshakes. Must not know: sessions, streams, or what is asked on a connection.

use std::sync::Arc;

use bytes::Bytes;
use mcpbolt::bridge::{ClientOptions, Framing, HostClient};
use pyo3::prelude::*;

use crate::error::raise;
use crate::inbox::Inbox;
use crate::json::raw;
use crate::server::{Server, owned};

/// Connects to any number of servers, with one set of options.
#[pyclass(frozen)]
pub(crate) struct Client(Arc<HostClient>);

#[pymethods]
impl Client {
    #[new]
    fn new(options: &str, inbox: PyRef<'_, Inbox>) -> PyResult<Self> {
        let options = ClientOptions::parse(&raw(options)?).map_err(raise)?;
        Ok(Self(HostClient::new(options, Arc::clone(&inbox.inner))))
    }

    /// Starts a process or prepares a URL; returns the connection's number.
    fn open(&self, py: Python<'_>, target: &str) -> PyResult<u64> {
        let target = raw(target)?;
        py.detach(|| self.0.open(&target)).map_err(raise)
    }

    /// Opens a connection whose messages the caller carries.
    fn open_fed(&self, lines: bool) -> PyResult<u64> {
        self.0.open_fed(if lines { Framing::Lines } else { Framing::Message }).map_err(raise)
    }

    /// Opens a connection to a server of this process.
    fn open_memory(&self, py: Python<'_>, server: PyRef<'_, Server>) -> PyResult<u64> {
        let server = Arc::clone(&server.0);
        py.detach(|| self.0.open_memory(&server)).map_err(raise)
    }

    /// Begins the handshake; a `response` item with the returned number has the answer.
    #[pyo3(signature = (connection, protocol=None))]
    fn initialize(&self, connection: u64, protocol: Option<&str>) -> PyResult<u64> {
        self.0.initialize(connection, protocol).map_err(raise)
    }

    fn discover(&self, connection: u64) -> PyResult<u64> {
        self.0.discover(connection).map_err(raise)
    }

    fn adopt(&self, connection: u64, revision: &str, discovered: &str) -> PyResult<()> {
        self.0.adopt(connection, revision, raw(discovered)?).map_err(raise)
    }

    fn feed(&self, connection: u64, bytes: &[u8]) -> PyResult<Vec<String>> {
        let sent = self.0.feed(connection, Bytes::copy_from_slice(bytes)).map_err(raise)?;
        Ok(owned(&sent))
    }

    fn take_outgoing(&self, connection: u64) -> PyResult<Vec<String>> {
        Ok(owned(&self.0.take_outgoing(connection).map_err(raise)?))
    }

    #[pyo3(signature = (connection, reason=None))]
    fn disconnect(&self, connection: u64, reason: Option<&str>) -> PyResult<()> {
        self.0.disconnect(connection, reason).map_err(raise)
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.close());
    }
}
