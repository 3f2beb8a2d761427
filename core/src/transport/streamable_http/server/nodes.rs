//! Legacy sessions that several nodes serve: records, topics, the shared log.
//!
//! Owns: keys, what nodes tell each other, and the task of each session that lives
//! here. Must not know: HTTP requests.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::try_join;
use tokio::sync::watch;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::server::SessionRecord;

use crate::handler::lease::{self, Lease};
use crate::handler::{ConnectionId, Engine, Spawner};
use crate::observe::events;
use crate::store::{After, BoxStream, Bus, BusEvent, Condition, Entry, Keep, Log, MemoryBus, Table};

use super::journal::{Event, StreamKey};
use super::node_messages::{Letter, NodeMessage, Stored};
use super::options::HttpOptions;
use super::session_stores::SessionStores;

/// Most entries of the log that are read at once.
const PAGE: usize = 100;
/// Attempts to write a record that others write too.
const ATTEMPTS: usize = 16;
/// Locks that keep two requests from loading one session twice.
const LOADERS: usize = 16;
/// How long an answer is kept for the node that waits for it: longer than a node that lives is cut off
/// from the store.
const ANSWERS: Duration = Duration::from_mins(1);
/// How long a health check waits for the store.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the end of life of a record in use is put off.
const TOUCH: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(30));

/// The stores, and what this node does with them.
pub(super) struct Nodes {
    /// Without it sessions stay on their node, and only their events are kept outside.
    pub(super) sessions: Option<Arc<dyn Table>>,
    events: Arc<dyn Log>,
    bus: Arc<dyn Bus>,
    node: String,
    keep: Keep,
    idle: Duration,
    half_open: Duration,
    lease: Lease,
    spawner: Spawner,
    loading: [tokio::sync::Mutex<()>; LOADERS],
    /// How many sessions have a task here.
    residents: watch::Sender<usize>,
}

/// Counts the task of a session until it is dropped.
pub(super) struct Residence(Arc<Nodes>);

impl Drop for Residence {
    fn drop(&mut self) {
        self.0.residents.send_modify(|residents| *residents -= 1);
    }
}

impl Nodes {
    /// `None` when everything stays in this process.
    pub(super) fn of(options: &HttpOptions, engine: &Engine) -> Option<Arc<Self>> {
        let limits = &engine.limits;
        // A program that keeps events itself keeps its sessions here.
        let alone = options.event_store.is_some() || options.event_recorder.is_some();
        let built_with = || engine.stores.as_ref().filter(|_| !alone).and_then(SessionStores::of);
        let shared = options.stores.clone().or_else(built_with);
        let (sessions, events, bus, node) = match (shared, &options.event_store) {
            (Some(stores), _) => (Some(stores.sessions), stores.events, stores.bus, stores.node),
            (None, Some(events)) => {
                // Only one topic per session is told, for the session itself.
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
            lease: Lease::default(),
            spawner: engine.spawner.clone(),
            loading: Default::default(),
            residents: watch::Sender::new(0),
        }))
    }

    /// The name of this node's share of a session.
    pub(super) fn name(&self, connection: ConnectionId) -> String {
        format!("{}.{}", self.node, connection.0)
    }

    pub(super) fn touch_pause(&self) -> Duration {
        (self.idle / 16).clamp(TOUCH.0, TOUCH.1)
    }

    /// To be kept by the task of a session while it runs.
    pub(super) fn residence(self: &Arc<Self>) -> Residence {
        self.residents.send_modify(|residents| *residents += 1);
        Residence(Arc::clone(self))
    }

    /// Until no session has a task here.
    pub(super) async fn deserted(&self) {
        let _ = self.residents.subscribe().wait_for(|residents| *residents == 0).await;
    }

    /// Held while a session is loaded.
    pub(super) async fn loading(&self, key: &str) -> tokio::sync::MutexGuard<'_, ()> {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        // The remainder is below the number of locks.
        let at = usize::try_from(hasher.finish() % LOADERS as u64).unwrap_or_default();
        self.loading[at].lock().await
    }

    pub(super) async fn listen(&self, key: &str) -> Result<BoxStream<BusEvent>, Error> {
        if let Some(sessions) = &self.sessions {
            self.lease.keep(&self.spawner, sessions, &self.node);
        }
        self.bus.subscribe(&topic(key)).await
    }

    /// Tells the other nodes what they will find out in any case, only later.
    pub(super) async fn tell(&self, key: &str, from: &str, told: NodeMessage) {
        if let Err(error) = self.pass_on(key, from, told).await {
            events::store_failed(&error);
        }
    }

    /// As [`Nodes::tell`], for what nothing repeats.
    pub(super) async fn pass_on(&self, key: &str, from: &str, told: NodeMessage) -> Result<(), Error> {
        match letter(from, told) {
            Some(letter) => self.bus.publish(&topic(key), letter).await,
            None => Ok(()),
        }
    }

    /// As [`Nodes::pass_on`], for an answer to what another node asked. That node may not listen
    /// now, and the bus forgets: what it missed it finds with [`Nodes::answers`].
    pub(super) async fn pass_answer_on(&self, key: &str, from: &str, told: NodeMessage) -> Result<(), Error> {
        let Some(letter) = letter(from, told) else { return Ok(()) };
        if self.sessions.is_some() {
            let keep = Keep { age: Some(ANSWERS), ..self.keep };
            self.events.append(&answers(key), letter.clone(), keep).await?;
        }
        self.bus.publish(&topic(key), letter).await
    }

    /// What was passed on of late to answer what nodes asked, oldest first.
    pub(super) async fn answers(&self, key: &str) -> Result<Vec<Letter>, Error> {
        let (mut letters, mut last) = (Vec::new(), None);
        while self.sessions.is_some() {
            let page = self.events.read(&answers(key), last.as_deref(), PAGE).await?;
            let After::Entries(entries) = page else { return Ok(letters) };
            last = entries.last().map(|entry| entry.id.clone());
            letters.extend(
                entries.iter().filter_map(|entry| serde_json::from_slice::<Letter>(&entry.value).ok()),
            );
            if entries.len() < PAGE {
                break;
            }
        }
        Ok(letters)
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

    /// Puts off the end of a session's life, and of what is known of its reader; `false` if that
    /// has come.
    pub(super) async fn touch(&self, key: &str) -> Result<bool, Error> {
        match &self.sessions {
            Some(sessions) => {
                let (row, cursor) = (row(key), cursor(key));
                let both =
                    try_join(sessions.touch(&row, self.idle), sessions.touch(&cursor, self.cursor_life()));
                both.await.map(|(lives, _)| lives)
            }
            None => Ok(true),
        }
    }

    /// Ends a session for all nodes. `false` if another node was first.
    pub(super) async fn end(&self, key: &str, from: &str) -> Result<bool, Error> {
        let first = match &self.sessions {
            Some(sessions) => sessions.delete(&row(key)).await?,
            None => true,
        };
        self.tell(key, from, NodeMessage::Ended).await;
        self.forget(key).await;
        Ok(first)
    }

    pub(super) async fn forget(&self, key: &str) {
        if let Err(error) = self.events.delete(&journal(key)).await {
            events::store_failed(&error);
        }
        if let Some(sessions) = &self.sessions {
            let _ = self.events.delete(&answers(key)).await;
            let _ = sessions.delete(&cursor(key)).await;
        }
    }

    /// Writes what `mine` changed since `base` into the record; returns what it is now.
    pub(super) async fn change(
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

    /// Appends events; returns those that the log does not take now. One that failed may be in
    /// the log all the same: readers know events by their numbers.
    pub(super) async fn append(&self, key: &str, mut events: VecDeque<Event>) -> VecDeque<Event> {
        while let Some(event) = events.front() {
            if let Err(error) = self.events.append(&journal(key), event.encode(), self.keep).await {
                events::store_failed(&error);
                break;
            }
            events.pop_front();
        }
        events
    }

    /// Whether sessions can be read and written now.
    pub(super) async fn is_reachable(&self) -> bool {
        let Some(sessions) = &self.sessions else { return true };
        let asked = tokio::time::timeout(PATIENCE, sessions.get("health"));
        asked.await.is_ok_and(|answer| answer.is_ok())
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

    /// Whether a stream is made on another node that is gone.
    pub(super) async fn is_orphan(&self, stream: &StreamKey) -> bool {
        let (Some(sessions), Some(node)) = (&self.sessions, maker(stream)) else { return false };
        node != self.node && !lease::lives(&**sessions, node).await
    }

    /// The node that makes a stream is gone for good.
    pub(super) fn note_orphan(&self, stream: &StreamKey) {
        if let Some(node) = maker(stream) {
            self.lease.note_gone(node);
        }
    }

    /// Whether that was noted of its node.
    pub(super) fn noted_orphan(&self, stream: &StreamKey) -> bool {
        maker(stream).is_some_and(|node| self.lease.noted_gone(node))
    }

    /// How far the GET stream was read, by whichever node. Without that all that the log has would
    /// be sent again, so it is an error if it cannot be told.
    pub(super) async fn cursor(&self, key: &str) -> Result<Option<String>, Error> {
        let Some(sessions) = &self.sessions else { return Ok(None) };
        let Some(found) = sessions.get(&cursor(key)).await? else { return Ok(None) };
        let damaged = |_| Error::new(ErrorKind::Store, "how far a stream was read cannot be read");
        String::from_utf8(found.value.to_vec()).map(Some).map_err(damaged)
    }

    pub(super) async fn set_cursor(&self, key: &str, entry: &str) -> Result<(), Error> {
        let Some(sessions) = &self.sessions else { return Ok(()) };
        let value = Bytes::copy_from_slice(entry.as_bytes());
        sessions.put(&cursor(key), value, Condition::Any, Some(self.cursor_life())).await.map(drop)
    }

    /// Longer than the record's, which is what decides: a change of the record alone lets that live on.
    fn cursor_life(&self) -> Duration {
        self.idle.saturating_mul(2)
    }
}

/// The node on which a stream is made, if it is a request's.
fn maker(stream: &StreamKey) -> Option<&str> {
    match stream {
        StreamKey::Post { name, .. } => name.rsplit_once('.').map(|(node, _)| node),
        StreamKey::Own => None,
    }
}

fn row(key: &str) -> String {
    format!("session/{key}")
}

fn cursor(key: &str) -> String {
    format!("read/{key}")
}

fn journal(key: &str) -> String {
    format!("events/{key}")
}

fn answers(key: &str) -> String {
    format!("answers/{key}")
}

fn letter(from: &str, told: NodeMessage) -> Option<Bytes> {
    let letter = Letter { from: from.to_owned(), told };
    serde_json::to_vec(&letter).ok().map(Bytes::from)
}

fn topic(key: &str) -> String {
    format!("session/{key}")
}
