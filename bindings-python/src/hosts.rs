//! The rule of hosts of several servers. Owns: nothing of its own. Must not know: servers, clients.

use mcpbolt::bridge;
use pyo3::prelude::*;

use crate::error::raise;
use crate::json::loads;

/// What the tools of several servers are called.
#[pyfunction]
pub(crate) fn host_names<'py>(py: Python<'py>, servers: &str) -> PyResult<Bound<'py, PyAny>> {
    loads(py, &bridge::host_names(servers).map_err(raise)?)
}
