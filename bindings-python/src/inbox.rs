//! The inbox of one host loop. Owns: the functions of an inbox, as Python calls them. Must not
//! know: asyncio, threads, or what a handler is.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use bytes::Bytes;
use mcpbolt::bridge::{
    self, Delivery, Failure, ForkGuard, InboxLimits, Item, Outcome, Question, RequestPlan,
};
use mcpbolt_proto::jsonrpc::RawJson;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::error::{EngineError, failure, forked, raise};
use crate::items::{all_to_python, to_python};
use crate::json::{decode, long_raw, maybe_raw, raw};
use crate::wake::Signal;
use crate::write::Written;

/// The items that wait for one loop and its worker threads.
#[pyclass(frozen, module = "mcpbolt._mcpbolt")]
pub(crate) struct Inbox {
    pub(crate) inner: Arc<bridge::Inbox>,
    ready: Arc<Signal>,
    process: ForkGuard,
}

pub(crate) fn seconds(value: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(value).map_err(|_| PyValueError::new_err("a time must be positive"))
}

const fn word(delivery: Delivery) -> &'static str {
    match delivery {
        Delivery::Sent => "sent",
        Delivery::Full => "full",
        Delivery::Gone => "gone",
    }
}

/// Reads a row: `(id, result)` or `(id, None, kind, code, message, data)`.
fn outcome(row: &Bound<'_, PyAny>) -> PyResult<(u64, Outcome)> {
    let row = row.cast::<PyTuple>()?;
    let id = row.get_item(0)?.extract()?;
    if row.len() == 2 {
        return Ok((id, Outcome::Result(written(&row.get_item(1)?)?)));
    }
    let text = |at| -> PyResult<Option<String>> { row.get_item(at)?.extract() };
    let failure = Failure {
        kind: text(2)?.unwrap_or_default(),
        code: row.get_item(3)?.extract()?,
        message: text(4)?.unwrap_or_default(),
        data: maybe_raw(row.get_item(5)?.extract::<Option<Bound<'_, PyString>>>()?.as_ref())?,
    };
    Ok((id, Outcome::Error(failure)))
}

fn outcomes(rows: &Bound<'_, PyList>) -> PyResult<Vec<(u64, Outcome)>> {
    let read = |row: Bound<'_, PyAny>| match outcome(&row) {
        Err(error) => Ok((row.get_item(0)?.extract()?, internal(&error))),
        outcome => outcome,
    };
    rows.iter().map(read).collect()
}

/// Reads a result: text from Python, or text that was written here.
fn written(result: &Bound<'_, PyAny>) -> PyResult<RawJson> {
    match result.cast::<Written>() {
        Ok(written) => written.get().take(),
        Err(_) => long_raw(&result.extract()?),
    }
}

#[pymethods]
impl Inbox {
    #[new]
    #[pyo3(signature = (max_items=None, max_bytes=None))]
    fn new(max_items: Option<usize>, max_bytes: Option<usize>) -> PyResult<Self> {
        let ready = Arc::new(Signal::new()?);
        let limits = InboxLimits::default();
        let inner = bridge::Inbox::new(InboxLimits {
            max_items: max_items.unwrap_or(limits.max_items),
            max_bytes: max_bytes.unwrap_or(limits.max_bytes),
        });
        let signal = Arc::clone(&ready);
        inner.on_ready(Some(Arc::new(move || signal.set())));
        Ok(Self { inner, ready, process: ForkGuard::default() })
    }

    /// A descriptor that is readable while there are items to take.
    fn fileno(&self) -> i64 {
        self.ready.number()
    }

    /// Raises in a child of the process that made the inbox.
    fn check(&self) -> PyResult<()> {
        self.process.check().map_err(forked)
    }

    fn take<'py>(
        &self,
        py: Python<'py>,
        max_items: usize,
        max_bytes: usize,
    ) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        // The signal is cleared before the items are taken: what arrives in between sets it
        // again.
        self.ready.clear();
        all_to_python(py, &self.inner, self.inner.take(max_items, max_bytes))
    }

    /// Waits with the interpreter released. Items that are there already are taken without
    /// releasing it. `None` after the time, or if there was only an item that Python refuses.
    fn take_sync<'py>(&self, py: Python<'py>, timeout: f64) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let timeout = seconds(timeout)?;
        let waiting = |inner: &bridge::Inbox| inner.take_sync(Duration::ZERO);
        let item = waiting(&self.inner).or_else(|| py.detach(|| self.inner.take_sync(timeout)));
        Ok(item.map(|item: Item| to_python(py, &self.inner, item)).transpose()?.flatten())
    }

    fn complete(&self, id: u64, result: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.inner.complete(id, Outcome::Result(written(result)?)))
    }

    /// Completes several calls. A row is `(id, result)` or `(id, None, kind, code, message,
    /// data)`; results and data are JSON text. An invalid row fails only its own call.
    fn complete_many(&self, rows: &Bound<'_, PyList>) -> PyResult<Vec<bool>> {
        Ok(self.inner.complete_many(outcomes(rows)?))
    }

    /// Does what `complete_many` and then `take` do, without a wake in between.
    fn complete_and_take<'py>(
        &self,
        py: Python<'py>,
        rows: &Bound<'_, PyList>,
        max_items: usize,
        max_bytes: usize,
    ) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        let rows = outcomes(rows)?;
        let complete = || self.inner.complete_many(rows);
        let (_, items) = self.inner.take_after(complete, max_items, max_bytes);
        all_to_python(py, &self.inner, items)
    }

    #[pyo3(signature = (id, code, message, data=None, kind=""))]
    fn fail(
        &self,
        id: u64,
        code: i64,
        message: String,
        data: Option<Bound<'_, PyString>>,
        kind: &str,
    ) -> PyResult<bool> {
        let failure = Failure { kind: kind.to_owned(), code, message, data: maybe_raw(data.as_ref())? };
        Ok(self.inner.complete(id, Outcome::Error(failure)))
    }

    #[pyo3(signature = (id, questions, state=None))]
    fn ask_input(
        &self,
        id: u64,
        questions: Vec<(String, String, Option<Bound<'_, PyString>>)>,
        state: Option<String>,
    ) -> PyResult<bool> {
        let question = |(key, method, params): (String, String, Option<Bound<'_, PyString>>)| {
            Ok(Question { key, method, params: maybe_raw(params.as_ref())? })
        };
        let questions = questions.into_iter().map(question).collect::<PyResult<Vec<_>>>()?;
        Ok(self.inner.complete(id, Outcome::InputRequired { questions, state }))
    }

    /// Returns `"sent"`, `"full"` or `"gone"`.
    #[pyo3(signature = (target, method, params=None))]
    fn send(&self, target: u64, method: &str, params: Option<Bound<'_, PyString>>) -> PyResult<&'static str> {
        Ok(word(self.inner.send(target, method, maybe_raw(params.as_ref())?.as_ref())))
    }

    /// On a client's connection the request is sent with the next `drained` at the latest.
    #[pyo3(signature = (target, method, params=None, timeout=None))]
    fn request_in_turn(
        &self,
        target: u64,
        method: &str,
        params: Option<Bound<'_, PyString>>,
        timeout: Option<f64>,
    ) -> PyResult<u64> {
        let timeout = timeout.map(seconds).transpose()?;
        let plan = RequestPlan::within(timeout);
        Ok(self.inner.request_in_turn(target, method, maybe_raw(params.as_ref())?, plan))
    }

    /// As `request_in_turn`, with all options as JSON text, and without waiting for `drained`.
    #[pyo3(signature = (target, method, params, plan))]
    fn request_with(
        &self,
        target: u64,
        method: &str,
        params: Option<Bound<'_, PyString>>,
        plan: &str,
    ) -> PyResult<u64> {
        let plan = RequestPlan::parse(&raw(plan)?).map_err(raise)?;
        Ok(self.inner.request_with(target, method, maybe_raw(params.as_ref())?, plan))
    }

    /// Sends a request and waits for its answer, for a thread that may block.
    #[pyo3(signature = (target, method, params, plan))]
    fn request_sync<'py>(
        &self,
        py: Python<'py>,
        target: u64,
        method: &str,
        params: Option<Bound<'_, PyString>>,
        plan: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let plan = RequestPlan::parse(&raw(plan)?).map_err(raise)?;
        let params = maybe_raw(params.as_ref())?;
        match py.detach(|| self.inner.request_sync(target, method, params, plan)) {
            Ok(value) => decode(py, Some(&value)),
            Err(failed) => Err(EngineError::new_err(failure(py, failed)?.unbind())),
        }
    }

    fn describe_connection<'py>(&self, py: Python<'py>, connection: u64) -> PyResult<Bound<'py, PyAny>> {
        decode(py, self.inner.describe_connection(connection).as_ref())
    }

    /// The counters of a client's connection.
    fn connection_stats<'py>(&self, py: Python<'py>, connection: u64) -> PyResult<Bound<'py, PyAny>> {
        decode(py, self.inner.connection_stats(connection).as_ref())
    }

    /// Passes on a part of the body of an exchange that Python carries; returns the items that
    /// it caused.
    fn http_body<'py>(
        &self,
        py: Python<'py>,
        request: u64,
        bytes: &[u8],
        end: bool,
    ) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        all_to_python(py, &self.inner, self.inner.http_body(request, Bytes::copy_from_slice(bytes), end))
    }

    fn http_sent<'py>(&self, py: Python<'py>, request: u64) -> PyResult<Vec<Bound<'py, PyTuple>>> {
        all_to_python(py, &self.inner, self.inner.http_sent(request))
    }

    fn http_disconnect(&self, request: u64) -> bool {
        self.inner.http_disconnect(request)
    }

    fn http_respond(
        &self,
        request: u64,
        status: u16,
        headers: Vec<(Vec<u8>, Vec<u8>)>,
        body: &[u8],
        end: bool,
    ) -> PyResult<bool> {
        self.inner.http_respond(request, status, headers, Bytes::copy_from_slice(body), end).map_err(raise)
    }

    fn http_write(&self, request: u64, bytes: &[u8], end: bool) -> &'static str {
        word(self.inner.http_write(request, Bytes::copy_from_slice(bytes), end))
    }

    fn begin_task(&self, call: u64) -> u64 {
        self.inner.begin_task(call)
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

    fn close_stream(&self, call: u64) -> bool {
        self.inner.close_stream(call)
    }

    fn close_standalone_stream(&self, connection: u64) -> bool {
        self.inner.close_standalone_stream(connection)
    }

    fn is_cancelled(&self, call: u64) -> bool {
        self.inner.is_cancelled(call)
    }

    fn describe<'py>(&self, py: Python<'py>, call: u64) -> PyResult<Bound<'py, PyAny>> {
        decode(py, self.inner.describe(call).as_ref())
    }

    /// Calls a service as the engine does and waits for the answer; for tests, on a thread.
    fn ask_host<'py>(&self, py: Python<'py>, service: &str, payload: &str) -> PyResult<Bound<'py, PyAny>> {
        let (sender, answer) = mpsc::channel();
        let payload = raw(payload)?;
        let reply = Box::new(move |outcome| drop(sender.send(outcome)));
        self.inner.ask_host_then(service, payload, reply);
        let closed = |_| Err(mcpbolt_proto::protocol::Error::closed());
        let outcome = py.detach(move || answer.recv().unwrap_or_else(closed));
        decode(py, Some(&outcome.map_err(raise)?))
    }

    /// Waits until nothing is in progress; `False` after `timeout` seconds. For tests.
    fn settle(&self, py: Python<'_>, timeout: f64) -> PyResult<bool> {
        let timeout = seconds(timeout)?;
        Ok(py.detach(|| self.inner.settle(timeout)))
    }

    /// The number of calls that are not completed: queued, running or parked.
    fn open_calls(&self) -> usize {
        self.inner.open_calls()
    }

    /// The number of items that wait.
    fn __len__(&self) -> usize {
        self.inner.len()
    }

    fn close_connection(&self, py: Python<'_>, connection: u64) -> bool {
        py.detach(|| self.inner.close_connection(connection))
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| self.inner.close());
    }
}

/// The error for a call whose result cannot be sent.
fn internal(error: &PyErr) -> Outcome {
    let data: Option<RawJson> = None;
    let message = format!("the result is no JSON value that can be sent: {error}");
    Outcome::Error(Failure { kind: "internal".to_owned(), code: -32603, message, data })
}
