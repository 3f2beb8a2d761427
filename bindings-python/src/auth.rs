//! Signing in where the program's `httpx` carries the requests, and tokens that the program
//! verifies. Owns: nothing of its own. Must
//! not know: what a step is.

use mcpbolt::bridge::{HostBearer, HostFlow, decide_auth};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

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

/// What a server asks of the tokens that its program verifies. A refusal is an `EngineError`
/// whose data has `error` and `error_description`.
#[pyclass(frozen)]
pub(crate) struct BearerRules(HostBearer);

#[pymethods]
impl BearerRules {
    #[new]
    fn new(options: &str) -> PyResult<Self> {
        HostBearer::new(options).map(Self).map_err(raise)
    }

    /// The token in the value of `Authorization`.
    fn token<'a>(&self, authorization: &'a str) -> PyResult<&'a str> {
        self.0.token(Some(authorization)).map_err(raise)
    }

    /// Whether a verified token is good here.
    #[pyo3(signature = (scopes, expires_at, resource))]
    fn judge(
        &self,
        scopes: Vec<PyBackedStr>,
        expires_at: Option<f64>,
        resource: Option<&str>,
    ) -> PyResult<()> {
        self.0.judge(&scopes, expires_at, resource).map_err(raise)
    }

    /// Whether all required scopes are granted.
    fn demand_scopes(&self, granted: Vec<PyBackedStr>) -> PyResult<()> {
        self.0.demand_scopes(&granted).map_err(raise)
    }

    /// The answer to a request that is refused.
    fn answer<'py>(&self, py: Python<'py>, refused: &str) -> PyResult<Bound<'py, PyAny>> {
        loads(py, &self.0.answer(refused).map_err(raise)?)
    }
}
