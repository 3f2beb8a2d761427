//! Errors of the engine as Python exceptions. Owns: the one exception class of the boundary.
//! Must not know: the facade's classes, which it picks by `kind`.

use mcpbolt::bridge::{Failure, ForkedError, names_of};
use mcpbolt_proto::protocol::{Error, ErrorKind};
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::json::decode;

create_exception!(
    _mcpbolt,
    EngineError,
    PyException,
    "What the engine refuses: `args` are (kind, code, message, data)."
);

/// The exception for an error of the engine.
pub(crate) fn raise(error: Error) -> PyErr {
    let kind = names_of(error.kind).name;
    Python::try_attach(|py| {
        let data = decode(py, error.data.as_ref()).map_or_else(|_| py.None(), Bound::unbind);
        EngineError::new_err((kind, error.code.0, error.message.clone(), data))
    })
    .unwrap_or_else(|| EngineError::new_err((kind, error.code.0, error.message)))
}

/// The exception for a child process that uses what its parent made.
pub(crate) fn forked(error: ForkedError) -> PyErr {
    raise(Error::from(error))
}

/// A failure as the tuple `(kind, code, message, data)`; without data that Python does not read.
pub(crate) fn failure(py: Python<'_>, failure: Failure) -> PyResult<Bound<'_, PyAny>> {
    let data = decode(py, failure.data.as_ref()).unwrap_or_else(|_| py.None().into_bound(py));
    Ok((failure.kind, failure.code, failure.message, data).into_pyobject(py)?.into_any())
}

/// The kinds of errors, each with its class in the facade, and with the code that programs see
/// if that differs from the one on the wire.
#[pyfunction]
pub(crate) fn error_names() -> Vec<(&'static str, &'static str, Option<i64>, bool)> {
    let row = |row: &mcpbolt::bridge::ErrorNames| {
        (row.name, row.python, row.shown_code, ErrorKind::is_local(row.kind))
    };
    mcpbolt::bridge::ERROR_NAMES.iter().map(row).collect()
}
