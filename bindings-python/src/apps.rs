//! The rules of apps. Owns: nothing of its own. Must not know: browsers, servers, clients.

use mcpbolt::bridge;
use pyo3::prelude::*;

use crate::error::raise;
use crate::json::loads;

/// One decision about apps.
#[pyfunction]
pub(crate) fn app_decision<'py>(py: Python<'py>, name: &str, arguments: &str) -> PyResult<Bound<'py, PyAny>> {
    loads(py, &bridge::decide_app(name, arguments).map_err(raise)?)
}
