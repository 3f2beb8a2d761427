//! Messages without a session; the headers of one, and reading events from a stream of bytes, for
//! requests that the program carries. Owns: nothing of its own. Must not know: what messages mean.

use std::sync::{Arc, Mutex, PoisonError};

use mcpbolt::bridge::HostTransport;
use mcpbolt_proto::http::sse_decode::{SseDecoder, SseItem};
use mcpbolt_proto::http::standard_headers;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;

use crate::error::{Result, raw, throw};
use crate::inbox::Inbox;
use crate::number::to_js;

/// The largest event that is read from a stream.
const MAX_EVENT_BYTES: usize = 64 << 20;

/// A channel of whole messages to one server.
#[napi]
pub struct Transport(Arc<HostTransport>);

#[napi]
impl Transport {
    /// Opens the channel. Messages arrive as `message` items, its end as `closed`.
    #[napi(constructor)]
    pub fn new(target: String, inbox: &Inbox) -> Result<Self> {
        HostTransport::open(&raw(target)?, &inbox.inner).map(Self).map_err(throw)
    }

    /// The number that its items carry.
    #[napi(getter)]
    pub fn id(&self) -> f64 {
        to_js(self.0.id())
    }

    /// Sends one message.
    #[napi]
    pub fn send(&self, message: String) -> Result<()> {
        self.0.send(&raw(message)?).map_err(throw)
    }

    /// The session id and process id, as JSON text.
    #[napi]
    pub fn describe(&self) -> String {
        self.0.describe().as_str().to_owned()
    }

    /// Closes the channel; the item `closed` follows when it is closed.
    #[napi]
    pub fn close(&self) {
        self.0.close();
    }
}

/// The headers that repeat a message, as pairs; none in the legacy era.
#[napi]
#[allow(unreachable_pub, reason = "the macro wants it")]
pub fn message_headers(message: String) -> Result<Vec<Vec<String>>> {
    let pairs = standard_headers::message_headers(&raw(message)?);
    Ok(pairs.into_iter().map(|(name, value)| vec![name.to_owned(), value]).collect())
}

/// Whether a single message cannot bring along a header of this name.
#[napi]
#[allow(unreachable_pub, reason = "the macro wants it")]
pub fn is_reserved_header(name: String) -> bool {
    standard_headers::is_reserved(&name.to_ascii_lowercase())
}

/// Turns the bytes of a `text/event-stream` into events, however the bytes are split.
#[napi]
pub struct EventReader(Mutex<SseDecoder>);

#[napi]
impl EventReader {
    /// Creates a reader at the beginning of a stream.
    #[napi(constructor)]
    #[allow(clippy::new_without_default, reason = "JavaScript calls it")]
    pub fn new() -> Self {
        Self(Mutex::new(SseDecoder::new(MAX_EVENT_BYTES)))
    }

    /// Returns JSON text of `[event, id, data]` for each event that the bytes complete; `["retry",
    /// null, seconds]` for a retry time, and `["", id, null]` for an event that is too large.
    #[napi]
    pub fn feed(&self, bytes: Uint8Array) -> String {
        let mut items = Vec::new();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).feed(&bytes, &mut items);
        let row = |item| match item {
            SseItem::Event { event, id, data } => {
                serde_json::json!([event, id, String::from_utf8_lossy(&data)])
            }
            SseItem::Retry(wait) => serde_json::json!(["retry", null, wait.as_secs_f64()]),
            SseItem::TooLarge { id, .. } => serde_json::json!(["", id, null]),
        };
        serde_json::Value::Array(items.into_iter().map(row).collect()).to_string()
    }
}
