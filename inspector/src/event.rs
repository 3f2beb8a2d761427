//! What pages are told: one JSON document a line.
//!
//! Owns: the form of each. Must not know: how many pages there are.

use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use mcpbolt::client::ClientSession;
use mcpbolt::types::ProgressParams;
use mcpbolt::{Error, RawJson};
use serde::Serialize;
use serde_json::{Value, json};

use crate::subject::Failed;

/// Something that pages are told.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Event<'a> {
    /// Where the session with the server stands.
    State(&'a Session),
    /// A message on the wire, either way; `text` where it is no JSON. Milliseconds since 1970.
    Frame {
        at: f64,
        direction: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<RawJson>,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// The answer to a request of a page: one of the two.
    Answer {
        id: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<RawJson>,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<Refused<'a>>,
    },
    /// How far a request of a page is.
    Progress { id: &'a str, params: &'a ProgressParams },
    /// The server asks something; a page answers with this id.
    Question { id: u64, method: &'static str, params: &'a RawJson },
    /// The question is answered, or not asked any more.
    Settled { id: u64 },
    /// Something went wrong that belongs to no request.
    Problem { message: &'a str },
}

/// Where the session with the server stands.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Session {
    /// `connecting`, `ready` or `failed`.
    pub(crate) state: &'static str,
    /// Which server: `url`, or `command`.
    pub(crate) target: Value,
    /// Roots that the server is told of when it asks.
    pub(crate) roots: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) server: Option<Known>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failure: Option<Failed>,
}

/// What the server says of itself.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Known {
    /// Its name, version and capabilities, and what is spoken.
    #[serde(flatten)]
    server: Value,
    /// Whether the revision has a handshake, and with it requests for levels of the log.
    handshake: bool,
}

impl Known {
    pub(crate) fn of(session: &ClientSession) -> Self {
        Self { server: server(session), handshake: session.revision().features().handshake }
    }
}

/// Who the server of a session says it is, and what is spoken, for people and as JSON: `serverInfo`,
/// `protocolVersion`, `capabilities`, `instructions`.
///
/// ```
/// # async fn show(session: &mcpbolt::client::ClientSession) {
/// println!("{}", mcpbolt_inspector::server(session)["serverInfo"]["name"]);
/// # }
/// ```
pub fn server(session: &ClientSession) -> Value {
    json!({
        "serverInfo": session.server_info(),
        "protocolVersion": session.revision().as_str(),
        "capabilities": session.capabilities(),
        "instructions": session.instructions(),
    })
}

/// Why a request failed: as on the wire, and of which kind the engine says it is.
#[derive(Serialize)]
pub(crate) struct Refused<'a> {
    code: i64,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a RawJson>,
    kind: String,
    /// Whether it was this side that refused.
    local: bool,
}

impl<'a> Refused<'a> {
    pub(crate) fn new(error: &'a Error) -> Self {
        Self {
            code: error.code.0,
            message: &error.message,
            data: error.data.as_ref(),
            kind: format!("{:?}", error.kind),
            local: error.kind.is_local(),
        }
    }
}

impl Event<'_> {
    /// A message on the wire, now.
    pub(crate) fn frame(direction: &'static str, bytes: &[u8]) -> Self {
        let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64() * 1e3);
        let message = RawJson::parse(Bytes::copy_from_slice(bytes)).ok();
        let text = message.is_none().then(|| String::from_utf8_lossy(bytes).into_owned());
        Self::Frame { at, direction, message, text }
    }

    /// The line. What cannot be written as JSON is not told.
    pub(crate) fn line(&self) -> Option<Bytes> {
        let mut line = serde_json::to_vec(self).ok()?;
        line.push(b'\n');
        Some(line.into())
    }
}
