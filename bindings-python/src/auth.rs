//! Signing in where the program's `httpx` carries the requests, and tokens that the program
//! verifies. Owns: nothing of its own. Must
//! not know: what a step is.

use std::sync::Arc;

use mcpbolt::bridge::{
    HostAssertions, HostBearer, HostClientDocuments, HostDpopKey, HostFlow, HostResourceServer, IncomingHead,
    PendingCheck, PendingText, TokenCheck, decide_auth,
};
use mcpbolt_proto::protocol::Error;
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

/// A key that tokens are bound to (DPoP, RFC 9449).
#[pyclass(frozen)]
pub(crate) struct DpopKey(HostDpopKey);

#[pymethods]
impl DpopKey {
    #[new]
    #[pyo3(signature = (pkcs8=None))]
    fn new(pkcs8: Option<&[u8]>) -> PyResult<Self> {
        HostDpopKey::new(pkcs8).map(Self).map_err(raise)
    }

    /// The key to be kept, in DER (PKCS#8).
    #[getter]
    fn pkcs8(&self) -> &[u8] {
        self.0.pkcs8()
    }

    /// The thumbprint of its public part.
    #[getter]
    fn thumbprint(&self) -> String {
        self.0.thumbprint()
    }

    /// A proof for one request, with the access token that goes with it.
    #[pyo3(signature = (method, url, token=None))]
    fn proof(&self, method: &str, url: &str, token: Option<&str>) -> PyResult<String> {
        self.0.proof(method, url, token).map_err(raise)
    }

    /// Takes note of an answer; whether the request has to be sent once more.
    fn answered(
        &self,
        url: &str,
        nonce: &str,
        status: u16,
        challenges: Vec<PyBackedStr>,
        body: Option<&[u8]>,
    ) -> bool {
        self.0.answered(url, nonce, status, &challenges, body)
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

/// What a server asks of tokens that the engine verifies.
#[pyclass(frozen)]
pub(crate) struct ResourceServer(Arc<HostResourceServer>);

/// A check that waits for an issuer.
#[pyclass(frozen)]
pub(crate) struct TokenWait {
    server: Arc<HostResourceServer>,
    pending: PendingCheck,
}

/// The number of claims, or why the request is refused, or what has to be waited for.
type Checked<'py> = (Option<u64>, Option<Bound<'py, PyAny>>, Option<TokenWait>);

fn checked<'py>(
    py: Python<'py>,
    server: &Arc<HostResourceServer>,
    check: TokenCheck,
) -> PyResult<Checked<'py>> {
    Ok(match check {
        TokenCheck::Admitted(number) => (Some(number), None, None),
        TokenCheck::Refused(answer) => (None, Some(loads(py, &answer)?), None),
        TokenCheck::Later(pending) => (None, None, Some(TokenWait { server: Arc::clone(server), pending })),
    })
}

#[pymethods]
impl ResourceServer {
    #[new]
    fn new(options: &str) -> PyResult<Self> {
        HostResourceServer::new(options).map(|server| Self(Arc::new(server))).map_err(raise)
    }

    /// The path of its metadata, and what is there.
    fn document(&self) -> (String, String) {
        let (path, text) = self.0.document();
        (path.to_owned(), text.to_owned())
    }

    /// Looks at the head of a request.
    fn check<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        target: &str,
        headers: Vec<(Vec<u8>, Vec<u8>)>,
    ) -> PyResult<Checked<'py>> {
        let head = IncomingHead::new(method, target, headers, None).map_err(raise)?;
        checked(py, &self.0, self.0.check(head).map_err(raise)?)
    }

    /// What the claims of a number say.
    fn claims<'py>(&self, py: Python<'py>, number: u64) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.claims(number).map(|text| loads(py, &text)).transpose()
    }
}

#[pymethods]
impl TokenWait {
    /// Waits, on a thread that may.
    fn wait<'py>(&self, py: Python<'py>) -> PyResult<Checked<'py>> {
        let check = py.detach(|| self.server.wait(&self.pending)).map_err(raise)?;
        checked(py, &self.server, check)
    }
}

/// An answer of another server that is waited for.
#[pyclass(frozen)]
pub(crate) struct AnswerWait(PendingText);

/// The answer, or what has to be waited for.
type Begun<'py> = (Option<Bound<'py, PyAny>>, Option<AnswerWait>);

fn begun(py: Python<'_>, begun: Result<Result<String, PendingText>, Error>) -> PyResult<Begun<'_>> {
    Ok(match begun.map_err(raise)? {
        Ok(answer) => (Some(loads(py, &answer)?), None),
        Err(pending) => (None, Some(AnswerWait(pending))),
    })
}

#[pymethods]
impl AnswerWait {
    /// Waits, on a thread that may.
    fn wait<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let answer = py.detach(|| self.0.wait()).map_err(raise)?;
        loads(py, &answer)
    }
}

/// Exchanges assertions of identity providers.
#[pyclass(frozen)]
pub(crate) struct IdentityAssertions(HostAssertions);

#[pymethods]
impl IdentityAssertions {
    #[new]
    fn new(rules: &str) -> PyResult<Self> {
        HostAssertions::new(rules).map(Self).map_err(raise)
    }

    /// Begins an exchange: what is granted, or what has to be waited for.
    fn redeem<'py>(&self, py: Python<'py>, asked: &str) -> PyResult<Begun<'py>> {
        begun(py, self.0.redeem(asked))
    }
}

/// Looks up clients whose id is the URL of a document.
#[pyclass(frozen)]
pub(crate) struct ClientDocuments(HostClientDocuments);

#[pymethods]
impl ClientDocuments {
    #[new]
    fn new(places: &str) -> PyResult<Self> {
        HostClientDocuments::new(places).map(Self).map_err(raise)
    }

    /// Begins to look a client up: what its document says, or what has to be waited for.
    fn client<'py>(&self, py: Python<'py>, client_id: &str) -> PyResult<Begun<'py>> {
        begun(py, self.0.client(client_id))
    }
}
