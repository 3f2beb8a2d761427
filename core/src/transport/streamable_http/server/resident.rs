//! A session that lives on this node, kept in step with the others that serve it.
//!
//! Owns: the one task per session: what it writes to the stores, and what it does about what
//! other nodes say. Must not know: HTTP requests, or how stores keep things.

use std::sync::{Arc, Weak};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use mcpbolt_proto::session::StreamId;
use mcpbolt_proto::session::server::SessionRecord;

use crate::handler::{Principal, Scope};
use crate::observe::events;
use crate::store::{BoxStream, BusEvent};
use crate::transport::connection::ServerConnection;

use super::journal::{Event, StreamKey};
use super::node_messages::{Letter, NodeMessage};
use super::nodes::Nodes;
use super::session::Streams;

/// A session that lives here, to be kept in step with the other nodes.
pub(super) struct Resident {
    pub(super) nodes: Arc<Nodes>,
    pub(super) key: String,
    pub(super) name: Arc<str>,
    pub(super) streams: Arc<Streams>,
    pub(super) connection: Weak<ServerConnection>,
    pub(super) principal: Principal,
    pub(super) wake: Arc<Notify>,
    /// The record as the store has it, as far as this node knows; others wait for it.
    pub(super) written: watch::Sender<Written>,
    /// When what the stores did not take is written again.
    pub(super) again: Option<Instant>,
}

/// How far a record is written.
#[derive(Default)]
pub(super) struct Written {
    pub(super) record: Option<SessionRecord>,
    /// How often the store did not take it.
    pub(super) failures: u64,
}

/// The pause before something is written again.
const AGAIN: Duration = Duration::from_secs(1);

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
                () = self.wake.notified(), if self.again.is_none() => self.flush().await,
                () = due(self.again), if self.again.is_some() => {
                    self.again = None;
                    self.flush().await;
                }
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
        self.write_events().await;
        self.write_record().await;
    }

    async fn write_events(&mut self) {
        let (events, wakes) = self.streams.take_events();
        if !events.is_empty() {
            let left = self.nodes.append(&self.key, events).await;
            self.again = (!left.is_empty()).then(|| Instant::now() + AGAIN);
            self.streams.events_written(left);
            self.nodes.tell(&self.key, &self.name, NodeMessage::Events).await;
        }
        for wake in wakes {
            wake();
        }
    }

    async fn write_record(&mut self) {
        let Some(mine) = self.connection.upgrade().and_then(|connection| connection.record()) else { return };
        if self.written.borrow().record.as_ref() == Some(&mine) {
            return;
        }
        let known = self.written.borrow().record.clone();
        let Some(known) = known else { return self.know(mine) };
        match self.nodes.change(&self.key, &known, &mine).await {
            Ok(Some(now)) => {
                self.adopt(&mine, now);
                self.nodes.tell(&self.key, &self.name, NodeMessage::Changed).await;
            }
            Ok(None) => self.close(),
            Err(error) => {
                events::store_failed(&error);
                self.again = Some(Instant::now() + AGAIN);
                self.written.send_modify(|written| written.failures += 1);
            }
        }
    }

    fn know(&self, record: SessionRecord) {
        self.written.send_modify(|written| written.record = Some(record));
    }

    async fn hear(&mut self, letter: &Bytes) {
        let Ok(Letter { from, told }) = serde_json::from_slice(letter) else { return };
        if from == *self.name {
            return;
        }
        match told {
            NodeMessage::Events => self.streams.poke(),
            NodeMessage::Changed => self.reload().await,
            NodeMessage::Ended => self.close(),
            NodeMessage::Reads => self.streams.end_own(),
            NodeMessage::Resumed { name, stream, again } => {
                let key = StreamKey::Post { name, stream };
                if again && self.streams.is_past(&key) {
                    self.streams.end_lost(key);
                } else {
                    self.streams.leave(&key);
                }
            }
            NodeMessage::Message { to, text } => {
                let connection = self.connection.upgrade().filter(|_| to.is_none_or(|to| to == *self.name));
                if let Some(connection) = connection {
                    connection.receive([Bytes::from(text)], StreamId::CONNECTION, &self.scope());
                }
            }
        }
    }

    async fn catch_up(&mut self) {
        self.streams.poke();
        self.reload().await;
        self.look_for_answers().await;
    }

    /// Clients may have answered what calls here asked.
    async fn look_for_answers(&self) {
        let Some(connection) = self.connection.upgrade().filter(|connection| connection.asks()) else {
            return;
        };
        match self.nodes.answers(&self.key).await {
            Ok(letters) => {
                for letter in letters {
                    if let NodeMessage::Message { to: Some(to), text } = letter.told
                        && to == *self.name
                    {
                        connection.receive_awaited(&text.into(), &self.scope());
                    }
                }
            }
            Err(error) => events::store_failed(&error),
        }
    }

    fn scope(&self) -> Scope {
        Scope { principal: self.principal.clone(), ..Scope::default() }
    }

    async fn reload(&mut self) {
        match self.nodes.load(&self.key).await {
            Ok(Some(stored)) => {
                let known = self.written.borrow().record.clone();
                let known = known.unwrap_or_else(|| stored.session.clone());
                self.adopt(&known, stored.session);
            }
            Ok(None) if self.nodes.sessions.is_some() => self.close(),
            Ok(None) => {}
            Err(error) => events::store_failed(&error),
        }
    }

    /// What clients changed since `known`, while the stores were asked, is not in `record`: it stays,
    /// and is written when its own wake comes.
    fn adopt(&self, known: &SessionRecord, record: SessionRecord) {
        if let Some(connection) = self.connection.upgrade() {
            connection.adopt(known, record.clone());
        }
        self.know(record);
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

async fn due(at: Option<Instant>) {
    if let Some(at) = at {
        tokio::time::sleep_until(at).await;
    }
}

/// Whether an event belongs to a stream and was not read yet.
pub(super) fn is_of(event: &Event, stream: &StreamKey, after: u64) -> bool {
    event.stream == *stream && (*stream == StreamKey::Own || event.number > after || event.last)
}
