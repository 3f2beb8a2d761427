//! Signing in where the program's `httpx` carries the requests. Owns: nothing of its own. Must
//! not know: what a step is.

use mcpbolt::bridge::{HostFlow, decide_auth};
use pyo3::prelude::*;

use crate::error::raise;
use crate::json::loads;

/// The way to a token at one server, step by step.
#[pyclass(frozen)]
pub(crate) struct AuthFlow(HostFlow);

#[pymethods]
impl AuthFlow {
    #[new]
    #[pyo3(signature = (options, stored, saved=None))]
    fn new(options: &str, stored: &str, saved: Option<&str>) -> PyResult<Self> {
        HostFlow::new(options, stored, saved).map(Self).map_err(raise)
    }

    /// Begins; the first step.
    fn start<'py>(&self, py: Python<'py>, cause: &str) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.0.start(cause).map_err(raise)?)
    }

    /// Goes on with an event; the next step.
    fn take<'py>(&self, py: Python<'py>, event: &str) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.0.take(event).map_err(raise)?)
    }

    /// Goes on with the answer to a request; the next step.
    fn answered<'py>(&self, py: Python<'py>, status: u16, body: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.0.answered(status, body))
    }

    /// Notes that the server accepted the token for an operation.
    fn accepted(&self, operation: &str) {
        self.0.accepted(operation);
    }

    /// What the flow found so far.
    fn found<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.0.found())
    }

    /// What the next flow with this server has to know.
    fn save(&self) -> String {
        self.0.save()
    }
}

/// One decision of a flow, for functions that programs call by themselves.
#[pyfunction]
pub(crate) fn auth_decision<'py>(
    py: Python<'py>,
    name: &str,
    arguments: &str,
) -> PyResult<Bound<'py, PyAny>> {
    loads(py, &decide_auth(name, arguments).map_err(raise)?)
}
