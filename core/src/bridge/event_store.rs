//! An event store written by the host, as the log that the HTTP server keeps its events
//! in.
//!
//! Owns: which event of which stream has which of the store's ids. The events themselves
//! are with the host alone, which is asked `events.store` for every event and
//! `events.replay` when a client resumes. Must not know: what is in a message.
//!
//! A store replays what came after an event of its own, so each stream begins with an
//! event without a message: what a client that saw nothing yet comes back from.

use std::collections::hash_map;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use bytes::Bytes;
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::json;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::store::{After, BoxFuture, Entry, Keep, Log};
use crate::transport::streamable_http::server::event_parts;

use super::inbox::Inbox;

/// Longest id of an event.
const MAX_ID: usize = 256;

/// A log whose entries the host keeps.
pub(super) struct HostEvents {
    inbox: Arc<Inbox>,
    logs: Mutex<HashMap<String, Index>>,
}

/// One log: what is known of its entries without their messages.
#[derive(Default)]
struct Index {
    rows: VecDeque<Row>,
    /// The streams that have rows.
    streams: HashMap<String, Stream>,
}

struct Stream {
    /// The event before its first row.
    before: String,
    rows: usize,
}

#[derive(Clone)]
struct Row {
    id: String,
    stream: String,
    head: Bytes,
}

#[derive(Deserialize)]
struct Replayed {
    id: String,
    message: RawJson,
}

impl HostEvents {
    pub(super) fn new(inbox: Arc<Inbox>) -> Self {
        Self { inbox, logs: Mutex::default() }
    }

    /// Has the host keep an event; the id it chose.
    async fn keep(&self, log: &str, stream: &str, message: RawJson) -> Result<String, Error> {
        let payload = json!({"stream": format!("{log}/{stream}"), "message": message});
        let answer = self.inbox.ask_host("events.store", payload.into()).await?;
        let id = answer
            .as_string()
            .filter(|id| !id.is_empty() && id.len() <= MAX_ID && id.chars().all(|c| c.is_ascii_graphic()));
        id.ok_or_else(|| {
            let what = format!("events.store must answer an id of 1 to {MAX_ID} visible ASCII characters");
            Error::new(ErrorKind::Store, what)
        })
    }

    /// The messages behind an event of one stream, by their ids.
    async fn replay(&self, after: &str) -> Result<HashMap<String, RawJson>, Error> {
        let answer = self.inbox.ask_host("events.replay", json!({"after": after}).into()).await?;
        if answer.is_null() {
            return Ok(HashMap::new());
        }
        let wrong = |e: serde_json::Error| Error::new(ErrorKind::Store, format!("events.replay: {e}"));
        let events: Vec<Replayed> = answer.decode().map_err(wrong)?;
        Ok(events.into_iter().map(|event| (event.id, event.message)).collect())
    }

    async fn add(&self, log: &str, value: Bytes, keep: Keep) -> Result<String, Error> {
        let damaged = || Error::new(ErrorKind::Store, "an event cannot be read");
        let (stream, head, text) = event_parts(&value).ok_or_else(damaged)?;
        let known = self.logs.lock().get(log).is_some_and(|index| index.streams.contains_key(&stream));
        let first = if known { None } else { Some(self.keep(log, &stream, RawJson::null()).await?) };
        let message = if text.is_empty() {
            RawJson::null()
        } else {
            RawJson::parse(text.into_bytes()).map_err(|_| damaged())?
        };
        let id = self.keep(log, &stream, message).await?;
        let mut logs = self.logs.lock();
        let index = logs.entry(log.to_owned()).or_default();
        let of_stream = index.streams.entry(stream.clone());
        of_stream.or_insert_with(|| Stream { before: first.unwrap_or_else(|| id.clone()), rows: 0 }).rows +=
            1;
        index.rows.push_back(Row { id: id.clone(), stream, head });
        index.trim(keep.entries);
        Ok(id)
    }

    async fn entries(&self, log: &str, id: Option<&str>, max: usize) -> Result<After, Error> {
        let Some((rows, from)) = self.wanted(log, id, max) else { return Ok(After::Unknown) };
        let mut messages = HashMap::new();
        for after in from {
            messages.extend(self.replay(&after).await?);
        }
        let mut entries = Vec::with_capacity(rows.len());
        for row in rows {
            // The store has lost it: what follows is not known to be complete.
            let Some(message) = messages.get(&row.id) else { return Ok(After::Unknown) };
            let text = if message.is_null() { "" } else { message.as_str() };
            let value = [&row.head[..], b"\n", text.as_bytes()].concat().into();
            entries.push(Entry { id: row.id, value });
        }
        Ok(After::Entries(entries))
    }

    /// The rows behind `id`, and for each of their streams the event before them.
    fn wanted(&self, log: &str, id: Option<&str>, max: usize) -> Option<(Vec<Row>, Vec<String>)> {
        let logs = self.logs.lock();
        let Some(index) = logs.get(log) else { return id.is_none().then(Default::default) };
        let start = match id {
            None => 0,
            Some(id) => index.rows.iter().position(|row| row.id == id)? + 1,
        };
        let rows: Vec<_> = index.rows.range(start..).take(max).cloned().collect();
        let mut from: HashMap<&str, &str> = HashMap::new();
        for row in &rows {
            from.entry(&row.stream).or_insert_with(|| {
                index.streams.get(&row.stream).map_or("", |stream| stream.before.as_str())
            });
        }
        for row in index.rows.range(..start) {
            from.entry(&row.stream).and_modify(|id| *id = &row.id);
        }
        let from = from.into_values().map(str::to_owned).collect();
        Some((rows, from))
    }
}

impl Index {
    /// Forgets the oldest rows. Returns how many.
    fn trim(&mut self, entries: Option<usize>) -> usize {
        let excess = entries.map_or(0, |most| self.rows.len().saturating_sub(most.max(1)));
        for row in self.rows.drain(..excess) {
            let hash_map::Entry::Occupied(mut stream) = self.streams.entry(row.stream) else { continue };
            stream.get_mut().rows -= 1;
            stream.get_mut().before = row.id;
            if stream.get().rows == 0 {
                stream.remove();
            }
        }
        excess
    }
}

impl Log for HostEvents {
    fn append<'a>(&'a self, name: &'a str, value: Bytes, keep: Keep) -> BoxFuture<'a, Result<String, Error>> {
        Box::pin(self.add(name, value, keep))
    }

    fn read<'a>(
        &'a self,
        name: &'a str,
        id: Option<&'a str>,
        max: usize,
    ) -> BoxFuture<'a, Result<After, Error>> {
        Box::pin(self.entries(name, id, max))
    }

    fn trim<'a>(&'a self, name: &'a str, keep: Keep) -> BoxFuture<'a, Result<usize, Error>> {
        let dropped = self.logs.lock().get_mut(name).map_or(0, |index| index.trim(keep.entries));
        Box::pin(std::future::ready(Ok(dropped)))
    }

    fn delete<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), Error>> {
        self.logs.lock().remove(name);
        Box::pin(std::future::ready(Ok(())))
    }
}
