//! The inbox of one asyncio loop.

use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use mcpbolt::bridge::{self, Delivery, Failure, InboxLimits, Item, Outcome, Question};
use mcpbolt_proto::jsonrpc::RawJson;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use rustix::event::{EventfdFlags, eventfd};

use crate::json::{decode, raise, raw};

/// One per loop: `add_reader(inbox.fileno(), drain)`.
#[pyclass(frozen, module = "mcpbolt._mcpbolt")]
pub(crate) struct Inbox {
    pub(crate) inner: Arc<bridge::Inbox>,
    ready: Arc<OwnedFd>,
}

fn text(value: Option<&str>) -> PyResult<Option<RawJson>> {
    value.map(raw).transpose()
}

macro_rules! row {
    ($py:expr; $($value:expr),+) => {
        ($($value,)+).into_pyobject($py)
    };
}

/// Kind, code, message, data.
fn failure(py: Python<'_>, failure: Failure) -> PyResult<(String, i64, String, Py<PyAny>)> {
    Ok((failure.kind, failure.code, failure.message, decode(py, failure.data.as_ref())?))
}

fn to_python(py: Python<'_>, item: Item) -> PyResult<Bound<'_, PyTuple>> {
    match item {
        Item::Request(r) => {
            let (params, invalid) = (decode(py, r.params.as_ref())?, decode(py, r.invalid.as_ref())?);
            row!(py; "request", r.call, r.connection, r.origin, &*r.method, r.name, params, invalid)
        }
        Item::Notification { connection, origin, method, params } => {
            row!(py; "notification", connection, origin, &*method, decode(py, params.as_ref())?)
        }
        Item::Response { id, call, origin, outcome } => match outcome {
            Ok(value) => row!(py; "response", id, call, origin, decode(py, Some(&value))?, py.None()),
            Err(e) => row!(py; "response", id, call, origin, py.None(), failure(py, e)?),
        },
        Item::Progress { id, params } => row!(py; "progress", id, decode(py, Some(&params))?),
        Item::Cancel { call, why, reason } => row!(py; "cancel", call, why.as_str(), reason),
        Item::Writable { target } => row!(py; "writable", target),
        Item::Ask { id, service, payload } => row!(py; "ask", id, service, decode(py, Some(&payload))?),
        Item::Outgoing { connection } => row!(py; "outgoing", connection),
        Item::Subscription { connection, uri, active } => row!(py; "subscription", connection, uri, active),
        Item::Log { connection, kind, message } => row!(py; "log", connection, kind, message),
        Item::Closed { connection, failure: failed } => {
            row!(py; "closed", connection, failed.map(|e| failure(py, e)).transpose()?)
        }
        Item::State { connection, state } => row!(py; "state", connection, state),
        Item::Message { connection, message } => {
            row!(py; "message", connection, decode(py, Some(&message))?)
        }
        Item::SendFailed { connection, id, failure: failed } => {
            row!(py; "send_failed", connection, decode(py, Some(&id))?, failure(py, failed)?)
        }
        Item::HttpHead { request, status, headers, body, end } => {
            row!(py; "http_head", request, status, headers, PyBytes::new(py, &body), end)
        }
        Item::HttpChunk { request, bytes, end } => {
            row!(py; "http_chunk", request, PyBytes::new(py, &bytes), end)
        }
        Item::HttpRequest { request, head, body } => {
            row!(py; "http_request", request, decode(py, Some(&head))?, PyBytes::new(py, &body))
        }
        Item::HttpClosed { request } => row!(py; "http_closed", request),
        Item::OriginClosed { origin } => row!(py; "origin_closed", origin),
    }
}

#[pymethods]
impl Inbox {
    #[new]
    fn new() -> PyResult<Self> {
        let ready = Arc::new(
            eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).map_err(std::io::Error::from)?,
        );
        let inner = bridge::Inbox::new(InboxLimits::default());
        let signal = Arc::clone(&ready);
        inner.on_ready(Some(Arc::new(move || {
            let _ = rustix::io::write(&signal, &1_u64.to_ne_bytes());
        })));
        Ok(Self { inner, ready })
    }

    /// Readable when there is something to take.
    fn fileno(&self) -> i32 {
        self.ready.as_raw_fd()
    }

    fn take<'py>(
        &self,
        py: Python<'py>,
        max_items: usize,
        max_bytes: usize,
    ) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        // First the signal, then the items: what comes in between fires again.
        let _ = rustix::io::read(&self.ready, &mut [0_u8; 8]);
        let items = self.inner.take(max_items, max_bytes);
        items.into_iter().map(|item| to_python(py, item)).collect()
    }

    fn take_sync<'py>(&self, py: Python<'py>, timeout: f64) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let item = py.detach(|| self.inner.take_sync(Duration::from_secs_f64(timeout)));
        item.map(|item| to_python(py, item)).transpose()
    }

    fn complete(&self, id: u64, result: &str) -> PyResult<bool> {
        Ok(self.inner.complete(id, Outcome::Result(raw(result)?)))
    }

    fn complete_many(&self, results: Vec<(u64, String)>) -> PyResult<Vec<bool>> {
        let outcomes: PyResult<Vec<_>> =
            results.into_iter().map(|(id, text)| Ok((id, Outcome::Result(raw(&text)?)))).collect();
        Ok(self.inner.complete_many(outcomes?))
    }

    #[pyo3(signature = (id, code, message, data=None, kind=""))]
    fn fail(&self, id: u64, code: i64, message: String, data: Option<&str>, kind: &str) -> PyResult<bool> {
        let failure = Failure { kind: kind.to_owned(), code, message, data: text(data)? };
        Ok(self.inner.complete(id, Outcome::Error(failure)))
    }

    #[pyo3(signature = (id, questions, state=None))]
    fn ask_input(
        &self,
        id: u64,
        questions: Vec<(String, String, String)>,
        state: Option<String>,
    ) -> PyResult<bool> {
        let questions: PyResult<Vec<_>> = questions
            .into_iter()
            .map(|(key, method, params)| Ok(Question { key, method, params: Some(raw(&params)?) }))
            .collect();
        Ok(self.inner.complete(id, Outcome::InputRequired { questions: questions?, state }))
    }

    /// `"sent"`, `"full"` or `"gone"`.
    #[pyo3(signature = (target, method, params=None))]
    fn send(&self, target: u64, method: &str, params: Option<&str>) -> PyResult<&'static str> {
        Ok(match self.inner.send(target, method, text(params)?.as_ref()) {
            Delivery::Sent => "sent",
            Delivery::Full => "full",
            Delivery::Gone => "gone",
        })
    }

    #[pyo3(signature = (target, method, params=None, timeout=None))]
    fn request(
        &self,
        target: u64,
        method: &str,
        params: Option<&str>,
        timeout: Option<f64>,
    ) -> PyResult<u64> {
        let timeout = timeout.map(Duration::from_secs_f64);
        Ok(self.inner.request(target, method, text(params)?, timeout))
    }

    fn flush(&self, call: u64) -> bool {
        self.inner.flush(call)
    }

    fn drained(&self) {
        self.inner.drained();
    }

    fn cancel(&self, request: u64) -> bool {
        self.inner.cancel(request)
    }

    fn is_cancelled(&self, call: u64) -> bool {
        self.inner.is_cancelled(call)
    }

    fn describe(&self, py: Python<'_>, call: u64) -> PyResult<Py<PyAny>> {
        decode(py, self.inner.describe(call).as_ref())
    }

    /// Asks a service as the engine does, and waits; for tests, on a thread.
    fn ask_host(&self, py: Python<'_>, service: &str, payload: &str) -> PyResult<Py<PyAny>> {
        let (sender, answer) = mpsc::channel();
        let payload = raw(payload)?;
        let reply = Box::new(move |outcome| drop(sender.send(outcome)));
        self.inner.ask_host_then(service, payload, reply);
        let closed = |_| Err(mcpbolt_proto::protocol::Error::closed());
        let outcome = py.detach(move || answer.recv().unwrap_or_else(closed));
        decode(py, Some(&outcome.map_err(raise)?))
    }

    fn settle(&self, py: Python<'_>, timeout: f64) -> bool {
        py.detach(|| self.inner.settle(Duration::from_secs_f64(timeout)))
    }

    fn close_connection(&self, connection: u64) -> bool {
        self.inner.close_connection(connection)
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| self.inner.close());
    }
}
