//! Items as tuples: the name of the item first, then its members in the order of
//! `bridge::Item`. Owns: that order, and what becomes of an item that Python cannot have. Must not
//! know: who takes the items.

use mcpbolt::bridge::{Failure, Inbox, Item, Outcome, Request};
use mcpbolt_proto::protocol::Error;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString, PyTuple};
use pyo3::{IntoPyObjectExt as _, intern};

use crate::error::failure;
use crate::json::decode;

macro_rules! row {
    ($py:expr; $name:literal $(, $value:expr)*) => {
        (intern!($py, $name), $($value,)*).into_pyobject($py)
    };
}

/// The name of a method. Those that come with nearly every item are made only once.
fn method<'py>(py: Python<'py>, name: &str) -> Bound<'py, PyString> {
    match name {
        "tools/call" => intern!(py, "tools/call").clone(),
        "tools/list" => intern!(py, "tools/list").clone(),
        "resources/read" => intern!(py, "resources/read").clone(),
        "prompts/get" => intern!(py, "prompts/get").clone(),
        "notifications/progress" => intern!(py, "notifications/progress").clone(),
        _ => PyString::new(py, name),
    }
}

fn request(py: Python<'_>, r: Request) -> PyResult<Bound<'_, PyTuple>> {
    let (params, invalid) = (decode(py, r.params.as_ref())?, decode(py, r.invalid.as_ref())?);
    row!(py; "request", r.call, r.connection, r.cause, method(py, &r.method), r.name, params, invalid)
}

fn convert(py: Python<'_>, item: Item) -> PyResult<Bound<'_, PyTuple>> {
    match item {
        Item::Request(r) => request(py, r),
        Item::Notification { connection, cause, method: name, params } => {
            row!(py; "notification", connection, cause, method(py, &name), decode(py, params.as_ref())?)
        }
        Item::Response { id, call, cause, outcome } => {
            let (result, failed) = match outcome {
                Ok(value) => (decode(py, Some(&value))?, py.None().into_bound_py_any(py)?),
                Err(e) => (py.None().into_bound_py_any(py)?, failure(py, e)?),
            };
            row!(py; "response", id, call, cause, result, failed)
        }
        Item::Progress { id, params } => row!(py; "progress", id, decode(py, Some(&params))?),
        Item::Sent { id, request } => row!(py; "sent", id, request),
        Item::EventId { id, event } => row!(py; "event_id", id, event),
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
        Item::Listening { connection, on } => row!(py; "listening", connection, on),
        // As text: the facade makes a model of it, or sends it on another transport.
        Item::Message { connection, message } => row!(py; "message", connection, message.as_str()),
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
        Item::CauseClosed { cause } => row!(py; "cause_closed", cause),
    }
}

/// Who is owed an item's end. JSON may have a value that Python refuses, such as an integer of more
/// digits than it reads; the items taken with it are whole.
#[derive(Clone, Copy)]
enum Owed {
    Call(u64),
    Service(u64),
    Answer { id: u64, call: u64, cause: u64 },
    Log(u64),
    Nothing,
}

impl Owed {
    const fn of(item: &Item) -> Self {
        match item {
            Item::Request(request) => Self::Call(request.call),
            Item::Ask { id, .. } => Self::Service(*id),
            Item::Response { id, call, cause, .. } => Self::Answer { id: *id, call: *call, cause: *cause },
            Item::Notification { connection, .. } | Item::SendFailed { connection, .. } => {
                Self::Log(*connection)
            }
            _ => Self::Nothing,
        }
    }

    /// Ends what is open in the engine; the item that comes in place of the other, if any.
    fn settle(self, inbox: &Inbox, error: &PyErr) -> Option<Item> {
        let message = format!("a value that Python does not read: {error}");
        let end = |id, error| {
            inbox.complete(id, Outcome::Error(Failure::from(error)));
            None
        };
        match self {
            Self::Call(id) => end(id, Error::invalid_params(message)),
            Self::Service(id) => end(id, Error::internal(message)),
            Self::Answer { id, call, cause } => {
                let outcome = Err(Failure::from(Error::protocol(message)));
                Some(Item::Response { id, call, cause, outcome })
            }
            Self::Log(connection) => Some(Item::Log { connection, kind: "malformed", message }),
            Self::Nothing => None,
        }
    }
}

/// Converts an item. `None` if Python refuses it and need not know: the engine does then.
pub(crate) fn to_python<'py>(
    py: Python<'py>,
    inbox: &Inbox,
    item: Item,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let owed = Owed::of(&item);
    match convert(py, item) {
        Ok(row) => Ok(Some(row)),
        Err(error) => owed.settle(inbox, &error).map(|instead| convert(py, instead)).transpose(),
    }
}

/// Converts several items.
pub(crate) fn all_to_python<'py>(
    py: Python<'py>,
    inbox: &Inbox,
    items: Vec<Item>,
) -> PyResult<Vec<Bound<'py, PyTuple>>> {
    items.into_iter().filter_map(|item| to_python(py, inbox, item).transpose()).collect()
}
