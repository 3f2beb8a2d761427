//! The rules of skills. Owns: nothing of its own. Must not know: files, servers, clients.

use mcpbolt::bridge;
use pyo3::prelude::*;

use crate::error::raise;
use crate::json::loads;

/// One decision about skills.
#[pyfunction]
pub(crate) fn skill_decision<'py>(
    py: Python<'py>,
    name: &str,
    arguments: &str,
) -> PyResult<Bound<'py, PyAny>> {
    loads(py, &bridge::decide_skill(name, arguments).map_err(raise)?)
}

/// The digest of a file.
#[pyfunction]
pub(crate) fn skill_digest(content: &[u8]) -> String {
    bridge::skill_digest(content)
}

/// Compares the bytes of a file with its skill's entry.
#[pyfunction]
pub(crate) fn verify_skill<'py>(
    py: Python<'py>,
    skill: &str,
    uri: &str,
    content: &[u8],
) -> PyResult<Bound<'py, PyAny>> {
    loads(py, &bridge::verify_skill(skill, uri, content).map_err(raise)?)
}
