//! An event store written by the host: it is shown every event, and its ids are on the wire.
//!
//! Owns: what the services `events.store` and `events.replay` are given and answer.
//! Must not know: what is in a message.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::bridge::queue::inbox::Inbox;
use crate::store::BoxFuture;
use crate::transport::streamable_http::server::{EventRecorder, KeptEvent};

/// Longest id of an event.
const MAX_ID: usize = 256;

/// The host's store.
pub(crate) struct HostEvents(pub(crate) Arc<Inbox>);

#[derive(Deserialize)]
struct Replayed {
    id: String,
    message: RawJson,
}

fn id_of(answer: &RawJson) -> Result<String, Error> {
    let id = answer.as_string().filter(|id| {
        !id.is_empty() && id.len() <= MAX_ID && id.chars().all(|character| character.is_ascii_graphic())
    });
    id.ok_or_else(|| {
        let what = format!("events.store must answer an id of 1 to {MAX_ID} visible ASCII characters");
        Error::new(ErrorKind::Store, what)
    })
}

fn messages_of(answer: &RawJson) -> Result<Option<Vec<KeptEvent>>, Error> {
    if answer.is_null() {
        return Ok(None);
    }
    let wrong = |e: serde_json::Error| Error::new(ErrorKind::Store, format!("events.replay: {e}"));
    let events: Vec<Replayed> = answer.decode().map_err(wrong)?;
    let messages = events.into_iter().filter(|event| !event.message.is_null());
    Ok(Some(messages.map(|event| (event.id, event.message)).collect()))
}

impl EventRecorder for HostEvents {
    fn keep<'a>(&'a self, stream: &'a str, message: Option<RawJson>) -> BoxFuture<'a, Result<String, Error>> {
        let mut payload = RawObject::new();
        payload.set("stream", json!(stream).into());
        payload.set("message", message.unwrap_or_else(RawJson::null));
        let answer = self.0.ask_host("events.store", payload.to_raw());
        Box::pin(async move { id_of(&answer.await?) })
    }

    fn replay<'a>(&'a self, after: &'a str) -> BoxFuture<'a, Result<Option<Vec<KeptEvent>>, Error>> {
        let answer = self.0.ask_host("events.replay", json!({"after": after}).into());
        Box::pin(async move { messages_of(&answer.await?) })
    }
}
