//! A legacy session as a record, for another node or a later process to go on with.
//!
//! Owns: what a record holds, its JSON, how concurrent changes are merged.
//! Must not know: where records are kept.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::jsonrpc::RawJson;
use crate::protocol::Revision;
use crate::protocol::capabilities::ClientCapabilities;
use crate::protocol::types::{Implementation, LoggingLevel};

use super::super::Output;
use super::super::outgoing::Outgoing;
use super::settings::ServerSettings;
use super::state::{Agreed, Phase, ServerSession};

/// Version of the JSON form. Records of another version are not read.
const VERSION: u32 = 1;

/// All of a legacy session that outlives the process it began in. Requests in flight
/// do not: they belong to the node that runs them.
///
/// ```
/// use mcpbolt_proto::jsonrpc::RawJson;
/// use mcpbolt_proto::session::server::SessionRecord;
///
/// let stored = r#"{"version":1,"revision":"2025-11-25","capabilities":{},"ready":true}"#;
/// let record = SessionRecord::from_json(&RawJson::parse(stored)?).expect("a record of this version");
/// assert!(record.ready && record.subscriptions.is_empty());
/// # Ok::<(), mcpbolt_proto::jsonrpc::RawError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SessionRecord {
    /// What the handshake agreed on.
    pub agreed: Agreed,
    /// Whether the client has sent `notifications/initialized`.
    pub ready: bool,
    /// Lowest level of log messages the client wants, once it said so.
    pub log_level: Option<LoggingLevel>,
    /// URIs of subscribed resources.
    pub subscriptions: BTreeSet<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Json {
    version: u32,
    revision: String,
    capabilities: ClientCapabilities,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    client_info: Option<Implementation>,
    ready: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log_level: Option<LoggingLevel>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    subscriptions: BTreeSet<String>,
}

impl SessionRecord {
    /// The record as one JSON object.
    pub fn to_json(&self) -> RawJson {
        let json = Json {
            version: VERSION,
            revision: self.agreed.revision.as_str().to_owned(),
            capabilities: self.agreed.client_capabilities.clone(),
            client_info: self.agreed.client_info.clone(),
            ready: self.ready,
            log_level: self.log_level,
            subscriptions: self.subscriptions.clone(),
        };
        RawJson::encode(&json).unwrap_or_else(|_| RawJson::null())
    }

    /// Reads what [`SessionRecord::to_json`] wrote; `None` if it is of another version
    /// or damaged.
    pub fn from_json(json: &RawJson) -> Option<Self> {
        let json: Json = json.decode().ok()?;
        let agreed = Agreed {
            revision: Revision::parse(&json.revision)?,
            client_capabilities: json.capabilities,
            client_info: json.client_info,
        };
        (json.version == VERSION).then_some(Self {
            agreed,
            ready: json.ready,
            log_level: json.log_level,
            subscriptions: json.subscriptions,
        })
    }

    /// What this record becomes by the changes that led from `base` to `mine`, while
    /// another node changed it too.
    #[must_use]
    pub fn merged(mut self, base: &Self, mine: &Self) -> Self {
        self.ready |= mine.ready;
        if mine.log_level != base.log_level {
            self.log_level = mine.log_level;
        }
        self.subscriptions.extend(mine.subscriptions.difference(&base.subscriptions).cloned());
        for lost in base.subscriptions.difference(&mine.subscriptions) {
            self.subscriptions.remove(lost);
        }
        self
    }
}

impl ServerSession {
    /// The session as a record; `None` while no legacy handshake is complete.
    pub fn record(&self) -> Option<SessionRecord> {
        let open = self.handshake.is_none() && matches!(self.phase, Phase::Initializing | Phase::Ready);
        let agreed = self.agreed.clone().filter(|_| open)?;
        Some(SessionRecord {
            agreed,
            ready: self.phase == Phase::Ready,
            log_level: self.log_level,
            subscriptions: self.subscriptions.clone(),
        })
    }

    /// The session of a record, with nothing in flight. Its subscriptions are told as if they began:
    /// here they do.
    pub fn restore(settings: Arc<ServerSettings>, record: SessionRecord) -> Self {
        let phase = if record.ready { Phase::Ready } else { Phase::Initializing };
        let mut session = Self {
            phase,
            agreed: Some(record.agreed),
            log_level: record.log_level,
            subscriptions: record.subscriptions,
            ..Self::new(settings)
        };
        let begun = session.subscriptions.iter().cloned();
        session.out.extend(begun.map(|uri| Output::Subscription { uri, active: true }));
        session
    }

    /// Takes over what other nodes changed in the record. What changed here since the record was
    /// `base`, and is not written yet, stays.
    pub fn adopt(&mut self, base: &SessionRecord, record: SessionRecord) {
        let Some(mine) = self.record() else { return };
        let record = record.merged(base, &mine);
        self.log_level = record.log_level;
        let before = std::mem::replace(&mut self.subscriptions, record.subscriptions.clone());
        for (uris, other, active) in
            [(&record.subscriptions, &before, true), (&before, &record.subscriptions, false)]
        {
            for uri in uris.difference(other) {
                self.out.push(Output::Subscription { uri: uri.clone(), active });
            }
        }
        if record.ready && self.phase == Phase::Initializing {
            self.ready();
        }
    }

    /// From now on the ids of our requests begin with `name`, so that an answer finds
    /// the node that waits for it. For sessions that have not asked anything yet.
    #[must_use]
    pub fn named(mut self, name: String) -> Self {
        self.outgoing = Outgoing::new(Some(name));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(subscriptions: &[&str]) -> SessionRecord {
        SessionRecord {
            agreed: Agreed {
                revision: Revision::LATEST_LEGACY,
                client_capabilities: ClientCapabilities::default(),
                client_info: Some(Implementation::new("c", "1")),
            },
            ready: false,
            log_level: None,
            subscriptions: subscriptions.iter().map(|&uri| uri.to_owned()).collect(),
        }
    }

    #[test]
    fn a_record_survives_its_json_and_other_versions_are_not_read() {
        let record = SessionRecord { log_level: Some(LoggingLevel::Error), ..record(&["a:b"]) };
        assert_eq!(SessionRecord::from_json(&record.to_json()), Some(record.clone()));
        let other = record.to_json().as_str().replace("\"version\":1", "\"version\":2");
        assert_eq!(SessionRecord::from_json(&RawJson::parse(other).unwrap()), None);
    }

    #[test]
    fn what_changed_here_meanwhile_outlives_what_others_changed() {
        let base = record(&["a", "b"]);
        let mut session = ServerSession::restore(Arc::default(), base.clone());
        session.subscriptions.insert("mine".to_owned());
        session.subscriptions.remove("b");
        session.log_level = Some(LoggingLevel::Debug);
        let theirs = SessionRecord { ready: true, ..record(&["a", "b", "theirs"]) };
        session.adopt(&base, theirs);
        let now = session.record().unwrap();
        assert_eq!(now.subscriptions, record(&["a", "mine", "theirs"]).subscriptions);
        assert_eq!((now.log_level, now.ready), (Some(LoggingLevel::Debug), true));
        // What is written next says the same as what was adopted.
        session.adopt(&now, record(&["a", "theirs"]));
        assert_eq!(session.record().unwrap().subscriptions, record(&["a", "theirs"]).subscriptions);
    }

    #[test]
    fn subscriptions_of_a_record_begin_where_it_is_restored_and_end_there() {
        let told = |session: &mut ServerSession| {
            let mut outputs = Vec::new();
            session.take_outputs(&mut outputs);
            let told = outputs.into_iter().filter_map(|output| match output {
                Output::Subscription { uri, active } => Some((uri, active)),
                _ => None,
            });
            told.collect::<Vec<_>>()
        };
        let both = |active| ["a", "b"].map(|uri| (uri.to_owned(), active));
        let base = record(&["a", "b"]);
        let mut session = ServerSession::restore(Arc::default(), base.clone());
        session.adopt(&base, base.clone());
        assert_eq!(told(&mut session), both(true));
        session.close(false);
        assert_eq!(told(&mut session), both(false));
    }

    #[test]
    fn changes_of_two_nodes_are_merged() {
        let (base, theirs) = (record(&["a", "b"]), record(&["a", "b", "theirs"]));
        let mine = SessionRecord { ready: true, ..record(&["a", "mine"]) };
        let merged = theirs.merged(&base, &mine);
        assert!(merged.ready);
        assert_eq!(merged.subscriptions, record(&["a", "mine", "theirs"]).subscriptions);
    }
}
