//! What signing in needs of the user's machine: the folder that tokens are kept in, the port that
//! the browser comes back to, the browser.
//!
//! Owns: nothing of its own; every verb that waits lets other threads of Python go on. Must not
//! know: when something is kept or shown.

use std::path::PathBuf;

use mcpbolt::bridge::{HostFileStore, HostRedirect, HostStoreLock, PendingRedirect, open_in_browser as show};
use pyo3::prelude::*;

use crate::error::raise;
use crate::inbox::seconds;
use crate::json::loads;

/// What is kept for one server in a folder.
#[pyclass(frozen)]
pub(crate) struct TokenFile(HostFileStore);

/// Keeps other programs from renewing the tokens of a server until it is released or dropped.
#[pyclass(frozen)]
pub(crate) struct TokenFileLock(HostStoreLock);

#[pymethods]
impl TokenFile {
    #[new]
    fn new(folder: PathBuf, server_url: &str) -> PyResult<Self> {
        HostFileStore::new(folder, server_url).map(Self).map_err(raise)
    }

    /// The tokens, with the time that is left.
    fn tokens<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let text = py.detach(|| self.0.tokens()).map_err(raise)?;
        text.map(|text| loads(py, &text)).transpose()
    }

    /// Keeps tokens.
    fn save_tokens(&self, py: Python<'_>, answer: &str) -> PyResult<()> {
        py.detach(|| self.0.save_tokens(answer)).map_err(raise)
    }

    /// The client.
    fn client<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let text = py.detach(|| self.0.client()).map_err(raise)?;
        text.map(|text| loads(py, &text)).transpose()
    }

    /// Keeps the client.
    fn save_client(&self, py: Python<'_>, information: &str) -> PyResult<()> {
        py.detach(|| self.0.save_client(information)).map_err(raise)
    }

    /// Waits for the lock; nothing if that takes longer than this many seconds.
    fn lock(&self, py: Python<'_>, patience: f64) -> PyResult<Option<TokenFileLock>> {
        let patience = seconds(patience)?;
        Ok(py.detach(|| self.0.lock(patience)).map_err(raise)?.map(TokenFileLock))
    }
}

#[pymethods]
impl TokenFileLock {
    /// Lets others go on.
    fn release(&self) {
        self.0.release();
    }
}

/// A port of this machine that listens for one answer.
#[pyclass(frozen)]
pub(crate) struct RedirectPort(HostRedirect);

/// The answer that is waited for.
#[pyclass(frozen)]
pub(crate) struct RedirectWait(PendingRedirect);

#[pymethods]
impl RedirectPort {
    #[new]
    fn new(py: Python<'_>, port: u16, path: &str) -> PyResult<Self> {
        py.detach(|| HostRedirect::listen(port, path)).map(Self).map_err(raise)
    }

    /// Where the browser shall come back to.
    #[getter]
    fn redirect_uri(&self) -> &str {
        self.0.redirect_uri()
    }

    /// Receives the answer to the request of this URL from now on.
    fn visit(&self, url: &str) -> PyResult<RedirectWait> {
        self.0.visit(url).map(RedirectWait).map_err(raise)
    }
}

#[pymethods]
impl RedirectWait {
    /// Waits, on a thread that may; nothing if that takes longer than this many seconds.
    fn wait(&self, py: Python<'_>, patience: f64) -> PyResult<Option<String>> {
        let patience = seconds(patience)?;
        py.detach(|| self.0.wait(patience)).map_err(raise)
    }
}

/// Has the browser of the system show a page.
#[pyfunction]
pub(crate) fn open_in_browser(py: Python<'_>, url: &str) -> PyResult<()> {
    py.detach(|| show(url)).map_err(raise)
}
