//! What several nodes keep of a session, and what they tell each other about it.
//!
//! Owns: the JSON of records and messages. Must not know: stores, or who listens.

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::server::SessionRecord;

use crate::handler::Principal;
use crate::store::hashed;

/// What is kept of a session.
#[derive(Debug, Clone)]
pub(super) struct Stored {
    pub(super) session: SessionRecord,
    /// Hash of its principal's identifier.
    principal: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct StoredJson {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    principal: Option<String>,
    session: RawJson,
}

/// What nodes that serve one session tell each other.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum NodeMessage {
    /// The log has more.
    Events,
    /// The record changed.
    Changed,
    /// The session is over.
    Ended,
    /// The GET stream is read elsewhere.
    Reads,
    /// A stream of yours is read elsewhere. `again`: its reader has nothing to read, and has to know
    /// if nothing will come.
    Resumed {
        name: String,
        stream: u64,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        again: bool,
    },
    /// A message for the node that waits for it; for one node if it is named.
    Message { to: Option<String>, text: String },
}

#[derive(Serialize, Deserialize)]
pub(super) struct Letter {
    pub(super) from: String,
    pub(super) told: NodeMessage,
}

impl Stored {
    pub(super) fn new(session: SessionRecord, principal: &Principal) -> Self {
        Self { session, principal: principal.id().map(hashed) }
    }

    pub(super) fn belongs_to(&self, principal: &Principal) -> bool {
        self.principal == principal.id().map(hashed)
    }

    pub(super) fn encode(&self) -> Result<Bytes, Error> {
        let json = StoredJson { principal: self.principal.clone(), session: self.session.to_json() };
        serde_json::to_vec(&json).map(Into::into).map_err(|_| damaged())
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let json: StoredJson = serde_json::from_slice(bytes).map_err(|_| damaged())?;
        let session = SessionRecord::from_json(&json.session).ok_or_else(damaged)?;
        Ok(Self { session, principal: json.principal })
    }
}

fn damaged() -> Error {
    Error::new(ErrorKind::Store, "the record of a session cannot be read; is another version running?")
}
