//! Legacy sessions that several nodes serve: records, topics, the shared log.
//!
//! Owns: keys, what nodes tell each other, and the task of each session that lives
//! here. Must not know: HTTP requests.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::StreamId;
use mcpbolt_proto::session::server::SessionRecord;

use crate::handler::{ConnectionId, Principal, Scope};
use crate::observe::events;
use crate::store::{After, BoxStream, Bus, BusEvent, Condition, Entry, Keep, Log, MemoryBus, Table, hashed};
use crate::transport::connection::ServerConnection;

use super::journal::{Event, StreamKey};
use super::options::HttpOptions;
use super::session::Streams;

/// Most entries of the log that are read at once.
const PAGE: usize = 100;
/// Attempts to write a record that others write too.
const ATTEMPTS: usize = 16;
/// Locks that keep two requests from loading one session twice.
const LOADERS: usize = 16;
/// How often the end of life of a record in use is put off.
const TOUCH: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(30));

/// The stores, and what this node does with them.
pub(super) struct Nodes {
    /// Without it sessions stay on their node, and only their events are kept outside.
    sessions: Option<Arc<dyn Table>>,
    events: Arc<dyn Log>,
    bus: Arc<dyn Bus>,
    node: String,
    keep: Keep,
    idle: Duration,
    half_open: Duration,
    loading: [tokio::sync::Mutex<()>; LOADERS],
}

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
pub(super) enum Told {
    /// The log has more.
    Events,
    /// The record changed.
    Changed,
    /// The session is over.
    Ended,
    /// The GET stream is read elsewhere.
    Reads,
    /// A stream of yours is read elsewhere.
    Resumed { name: String, stream: u64 },
    /// A message for whoever waits for it; for one node if it is named.
    Message { to: Option<String>, text: String },
}

#[derive(Serialize, Deserialize)]
struct Letter {
    from: String,
    told: Told,
}

impl Stored {
    pub(super) fn new(session: SessionRecord, principal: &Principal) -> Self {
        Self { session, principal: principal.id().map(hashed) }
    }

    pub(super) fn belongs_to(&self, principal: &Principal) -> bool {
        self.principal == principal.id().map(hashed)
    }

    fn encode(&self) -> Result<Bytes, Error> {
        let json = StoredJson { principal: self.principal.clone(), session: self.session.to_json() };
        serde_json::to_vec(&json).map(Into::into).map_err(|_| damaged())
    }

    fn decode(bytes: &[u8]) -> Result<Self, Error> {
        let json: StoredJson = serde_json::from_slice(bytes).map_err(|_| damaged())?;
        let session = SessionRecord::from_json(&json.session).ok_or_else(damaged)?;
        Ok(Self { session, principal: json.principal })
    }
}

fn damaged() -> Error {
    Error::new(ErrorKind::Store, "the record of a session cannot be read; is another version running?")
}

impl Nodes {
    /// `None` when everything stays in this process.
    pub(super) fn of(options: &HttpOptions, limits: &Limits) -> Option<Arc<Self>> {
        let (sessions, events, bus, node) = match (&options.stores, &options.event_store) {
            (Some(stores), _) => {
                let stores = stores.clone();
                (Some(stores.sessions), stores.events, stores.bus, stores.node)
            }
            (None, Some(events)) => {
                // Nobody else is told: one topic per session, for the session itself.
                let bus: Arc<dyn Bus> = Arc::new(MemoryBus::new(limits.max_sessions, 16));
                (None, events.clone(), bus, crate::seal::random_token(6))
            }
            (None, None) => return None,
        };
        let keep = Keep {
            entries: Some(limits.replay_events),
            bytes: Some(Limits::size(limits.replay_bytes)),
            age: Some(limits.session_idle),
        };
        let (idle, half_open) = (limits.session_idle, options.half_open);
        Some(Arc::new(Self {
            sessions,
            events,
            bus,
            node,
            keep,
            idle,
            half_open,
            loading: Default::default(),
        }))
    }

    /// The name of this node's share of a session.
    pub(super) fn name(&self, connection: ConnectionId) -> String {
        format!("{}.{}", self.node, connection.0)
    }

    pub(super) fn touch_pause(&self) -> Duration {
        (self.idle / 16).clamp(TOUCH.0, TOUCH.1)
    }

    /// Held while a session is looked up and loaded.
    pub(super) async fn loading(&self, key: &str) -> tokio::sync::MutexGuard<'_, ()> {
        let at = key.bytes().next_back().unwrap_or_default();
        self.loading[usize::from(at) % LOADERS].lock().await
    }

    pub(super) async fn listen(&self, key: &str) -> Result<BoxStream<BusEvent>, Error> {
        self.bus.subscribe(&topic(key)).await
    }

    pub(super) async fn tell(&self, key: &str, from: &str, told: Told) {
        let letter = Letter { from: from.to_owned(), told };
        let Ok(text) = serde_json::to_vec(&letter) else { return };
        if let Err(error) = self.bus.publish(&topic(key), text.into()).await {
            events::store_failed(&error);
        }
    }

    /// Enters a session that has just begun.
    pub(super) async fn begin(&self, key: &str, stored: &Stored) -> Result<(), Error> {
        let Some(sessions) = &self.sessions else { return Ok(()) };
        let life = Some(self.half_open.min(self.idle));
        sessions.put(&row(key), stored.encode()?, Condition::Absent, life).await.map(drop)
    }

    pub(super) async fn load(&self, key: &str) -> Result<Option<Stored>, Error> {
        let Some(sessions) = &self.sessions else { return Ok(None) };
        let found = sessions.get(&row(key)).await?;
        found.map(|found| Stored::decode(&found.value)).transpose()
    }

    /// Puts off the end of a session's life; `false` if that has come.
    pub(super) async fn touch(&self, key: &str) -> Result<bool, Error> {
        match &self.sessions {
            Some(sessions) => sessions.touch(&row(key), self.idle).await,
            None => Ok(true),
        }
    }

    /// Ends a session for all nodes. `false` if another node was first.
    pub(super) async fn end(&self, key: &str, from: &str) -> Result<bool, Error> {
        let first = match &self.sessions {
            Some(sessions) => sessions.delete(&row(key)).await?,
            None => true,
        };
        self.tell(key, from, Told::Ended).await;
        self.forget(key).await;
        Ok(first)
    }

    async fn forget(&self, key: &str) {
        if let Err(error) = self.events.delete(&journal(key)).await {
            events::store_failed(&error);
        }
        if let Some(sessions) = &self.sessions {
            let _ = sessions.delete(&cursor(key)).await;
        }
    }

    /// Writes what `mine` changed since `base` into the record; returns what it is now.
    async fn change(
        &self,
        key: &str,
        base: &SessionRecord,
        mine: &SessionRecord,
    ) -> Result<Option<SessionRecord>, Error> {
        let Some(sessions) = &self.sessions else { return Ok(Some(mine.clone())) };
        for _ in 0..ATTEMPTS {
            let Some(found) = sessions.get(&row(key)).await? else { return Ok(None) };
            let mut stored = Stored::decode(&found.value)?;
            stored.session = stored.session.merged(base, mine);
            let condition = Condition::Version(found.version);
            if sessions.put(&row(key), stored.encode()?, condition, Some(self.idle)).await?.is_some() {
                return Ok(Some(stored.session));
            }
        }
        Err(Error::new(ErrorKind::Store, "the record of a session is written too often"))
    }

    async fn append(&self, key: &str, events: VecDeque<Event>) {
        for event in events {
            if let Err(error) = self.events.append(&journal(key), event.encode(), self.keep).await {
                events::store_failed(&error);
            }
        }
    }

    /// The next entries behind one, and whether there may be more.
    pub(super) async fn read(&self, key: &str, after: Option<&str>) -> Result<(Vec<Entry>, bool), Error> {
        let mut page = self.events.read(&journal(key), after, PAGE).await?;
        if page == After::Unknown {
            // What the client saw is gone, so all that is left came later.
            page = self.events.read(&journal(key), None, PAGE).await?;
        }
        let After::Entries(entries) = page else { return Ok((Vec::new(), false)) };
        let more = entries.len() == PAGE;
        Ok((entries, more))
    }

    /// How far the GET stream was read, by whichever node.
    pub(super) async fn cursor(&self, key: &str) -> Option<String> {
        let found = self.sessions.as_ref()?.get(&cursor(key)).await.ok()??;
        String::from_utf8(found.value.to_vec()).ok()
    }

    pub(super) async fn set_cursor(&self, key: &str, entry: &str) {
        if let Some(sessions) = &self.sessions {
            let value = Bytes::copy_from_slice(entry.as_bytes());
            let _ = sessions.put(&cursor(key), value, Condition::Any, Some(self.idle)).await;
        }
    }
}

fn row(key: &str) -> String {
    format!("mcpbolt:session:{key}")
}

fn cursor(key: &str) -> String {
    format!("mcpbolt:read:{key}")
}

fn journal(key: &str) -> String {
    format!("mcpbolt:events:{key}")
}

fn topic(key: &str) -> String {
    format!("mcpbolt:session:{key}")
}

/// A session that lives here, to be kept in step with the other nodes.
pub(super) struct Resident {
    pub(super) nodes: Arc<Nodes>,
    pub(super) key: String,
    pub(super) name: Arc<str>,
    pub(super) streams: Arc<Streams>,
    pub(super) connection: Weak<ServerConnection>,
    pub(super) principal: Principal,
    pub(super) wake: Arc<Notify>,
    /// The record as this node knows it.
    pub(super) known: Option<SessionRecord>,
}

impl Resident {
    /// Until the session ends here.
    pub(super) async fn run(mut self, heard: BoxStream<BusEvent>) {
        // When the bus ends the session goes on alone.
        let mut heard = heard.chain(futures_util::stream::pending());
        let pause = self.nodes.touch_pause();
        let mut touch = tokio::time::interval(pause);
        touch.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        touch.tick().await;
        loop {
            tokio::select! {
                heard = heard.next() => match heard {
                    Some(BusEvent::Message(letter)) => self.hear(&letter).await,
                    Some(BusEvent::Missed(_)) => self.catch_up().await,
                    None => {}
                },
                () = self.wake.notified() => self.flush().await,
                _ = touch.tick() => self.keep_alive().await,
            }
            let open = self.connection.upgrade().is_some_and(|connection| !connection.is_closed());
            if !open {
                break;
            }
        }
        self.flush().await;
        // The last node to go clears up, if the session is over everywhere.
        if matches!(self.nodes.load(&self.key).await, Ok(None)) {
            self.nodes.forget(&self.key).await;
        }
    }

    /// Writes what waits, first the events, then the record.
    async fn flush(&mut self) {
        let (events, wakes) = self.streams.take_events();
        if !events.is_empty() {
            self.nodes.append(&self.key, events).await;
            self.streams.events_written();
            self.nodes.tell(&self.key, &self.name, Told::Events).await;
        }
        for wake in wakes {
            wake();
        }
        let Some(mine) = self.connection.upgrade().and_then(|connection| connection.record()) else { return };
        let Some(known) = self.known.replace(mine.clone()) else { return };
        if known == mine {
            return;
        }
        match self.nodes.change(&self.key, &known, &mine).await {
            Ok(Some(now)) => {
                self.adopt(now);
                self.nodes.tell(&self.key, &self.name, Told::Changed).await;
            }
            Ok(None) => self.close(),
            Err(error) => {
                events::store_failed(&error);
                self.known = Some(known);
            }
        }
    }

    async fn hear(&mut self, letter: &Bytes) {
        let Ok(Letter { from, told }) = serde_json::from_slice(letter) else { return };
        if from == *self.name {
            return;
        }
        match told {
            Told::Events => self.streams.poke(),
            Told::Changed => self.reload().await,
            Told::Ended => self.close(),
            Told::Reads => self.streams.end_own(),
            Told::Resumed { name, stream } if name == *self.name => self.streams.leave(StreamId(stream)),
            Told::Resumed { .. } => {}
            Told::Message { to, text } => {
                let connection = self.connection.upgrade().filter(|_| to.is_none_or(|to| to == *self.name));
                if let Some(connection) = connection {
                    let scope = Scope { principal: self.principal.clone(), ..Scope::default() };
                    connection.receive([Bytes::from(text)], StreamId::CONNECTION, &scope);
                }
            }
        }
    }

    async fn catch_up(&mut self) {
        self.streams.poke();
        self.reload().await;
    }

    async fn reload(&mut self) {
        match self.nodes.load(&self.key).await {
            Ok(Some(stored)) => self.adopt(stored.session),
            Ok(None) if self.nodes.sessions.is_some() => self.close(),
            Ok(None) => {}
            Err(error) => events::store_failed(&error),
        }
    }

    fn adopt(&mut self, record: SessionRecord) {
        if let Some(connection) = self.connection.upgrade() {
            connection.adopt(&record);
        }
        self.known = Some(record);
    }

    /// A session that is read lives on; one whose record is gone does not.
    async fn keep_alive(&mut self) {
        if !self.streams.in_use() {
            return;
        }
        match self.nodes.touch(&self.key).await {
            Ok(true) => {}
            Ok(false) => self.close(),
            Err(error) => events::store_failed(&error),
        }
    }

    fn close(&self) {
        self.streams.discard();
        if let Some(connection) = self.connection.upgrade() {
            connection.close(true);
        }
    }
}

/// Whether an event belongs to a stream and was not read yet.
pub(super) fn is_of(event: &Event, stream: &StreamKey, after: u64) -> bool {
    event.stream == *stream && (*stream == StreamKey::Own || event.number > after || event.last)
}
