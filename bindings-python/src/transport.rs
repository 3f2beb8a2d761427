//! Messages without a session, and events from a stream of bytes. Owns: nothing of its own.
//! Must not know: what messages mean.

use std::sync::{Arc, Mutex, PoisonError};

use mcpbolt::bridge::HostTransport;
use mcpbolt_proto::http::sse_decode::{SseDecoder, SseItem};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;

use crate::error::raise;
use crate::inbox::Inbox;
use crate::json::{decode, raw};

/// The largest event that is read from a stream.
const MAX_EVENT_BYTES: usize = 64 << 20;

/// A channel to one server that carries whole messages.
#[pyclass(frozen)]
pub(crate) struct Transport(Arc<HostTransport>);

#[pymethods]
impl Transport {
    /// Messages arrive as `message` items, the end as `closed`.
    #[new]
    fn new(py: Python<'_>, target: &str, inbox: PyRef<'_, Inbox>) -> PyResult<Self> {
        let (target, inbox) = (raw(target)?, Arc::clone(&inbox.inner));
        py.detach(|| HostTransport::open(&target, &inbox)).map(Self).map_err(raise)
    }

    /// The number that the items of this transport carry.
    #[getter]
    fn id(&self) -> u64 {
        self.0.id()
    }

    fn send(&self, message: &str) -> PyResult<()> {
        self.0.send(&raw(message)?).map_err(raise)
    }

    fn describe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        decode(py, Some(&self.0.describe()))
    }

    fn close(&self, py: Python<'_>) {
        py.detach(|| self.0.close());
    }
}

/// Splits the bytes of a `text/event-stream` into events, however the bytes are divided.
#[pyclass(frozen)]
pub(crate) struct EventReader(Mutex<SseDecoder>);

#[pymethods]
impl EventReader {
    #[new]
    fn new() -> Self {
        Self(Mutex::new(SseDecoder::new(MAX_EVENT_BYTES)))
    }

    /// Returns `(event, id, data)` for each event that the bytes complete, `("retry", None,
    /// seconds)` for the stream's reconnection time, and `("", id, None)` for an event that is
    /// too large.
    fn feed<'py>(&self, py: Python<'py>, bytes: &[u8]) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let mut items = Vec::new();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).feed(bytes, &mut items);
        let row = |item| match item {
            SseItem::Event { event, id, data } => {
                let data = String::from_utf8_lossy(&data);
                (event, id, data).into_bound_py_any(py)
            }
            SseItem::Retry(wait) => ("retry", None::<String>, wait.as_secs_f64()).into_bound_py_any(py),
            SseItem::TooLarge { id, .. } => ("", id, None::<String>).into_bound_py_any(py),
        };
        items.into_iter().map(row).collect()
    }
}
