//! Secret keys of a program, for states in the official format. Owns: nothing of its own. Must
//! not know: what is sealed.

use mcpbolt::seal;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Keys of a program: the first one seals, all of them open. Its errors are `ValueError`s.
#[pyclass(frozen, module = "mcpbolt._mcpbolt")]
pub(crate) struct KeyRing(seal::KeyRing);

fn refused(error: seal::KeyRingError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl KeyRing {
    #[new]
    fn new(secrets: Vec<Vec<u8>>) -> PyResult<Self> {
        seal::KeyRing::new(secrets).map(Self).map_err(refused)
    }

    fn seal(&self, payload: &[u8]) -> String {
        self.0.seal(payload)
    }

    fn open<'py>(&self, py: Python<'py>, token: &str) -> PyResult<Bound<'py, PyBytes>> {
        self.0.open(token).map(|opened| PyBytes::new(py, &opened)).map_err(refused)
    }
}
