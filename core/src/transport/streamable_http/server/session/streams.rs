//! The streams of one legacy session: a POST each, and the GET stream.
//!
//! Owns: which stream carries a message, what waits for a stream that is not open.
//! Called under the connection's lock, so it wakes readers and does nothing else.
//! Must not know: HTTP requests, the table of sessions.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Notify, watch};

use mcpbolt_proto::http::{ExchangeConfig, Prime, ResponseMode, sse};
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Revision;
use mcpbolt_proto::session::{NumberMap, StreamId};

use crate::handler::Wake;
use crate::transport::connection::{Sink, Wire};

use super::super::asked_id::AskedId;
use super::super::journal::{Event, Journal, LogPosition, StreamKey};
use super::super::pipe::Pipe;
use super::super::post_answer::PostAnswer;
use super::super::replay::{EventId, Replay};
use super::event_storage::EventStorage;
use super::stream_table::{Channel, Post, StreamTable};

/// All streams of a session.
pub(in super::super) struct Streams {
    pub(super) state: Mutex<StreamTable>,
    pub(super) limits: Limits,
    pub(super) retry: Duration,
    /// Changes when the shared log may have more.
    more: watch::Sender<u64>,
}

/// A refusal to open another stream.
#[derive(Debug)]
pub(in super::super) struct TooMany;

impl Streams {
    pub(in super::super) fn new(limits: &Limits, retry: Duration) -> Arc<Self> {
        Self::keeping(limits, retry, EventStorage::Here(Replay::new(limits)))
    }

    /// Streams whose events go to a log that others read; `wake` is told of new ones.
    pub(in super::super) fn shared(
        limits: &Limits,
        retry: Duration,
        name: Arc<str>,
        wake: Arc<Notify>,
    ) -> Arc<Self> {
        let journal = Journal::new(name, Limits::size(limits.send_queue_bytes), wake);
        Self::keeping(limits, retry, EventStorage::Shared(journal))
    }

    pub(super) fn keeping(limits: &Limits, retry: Duration, kept: EventStorage) -> Arc<Self> {
        let state = StreamTable {
            posts: NumberMap::default(),
            own: Channel::new(StreamId::CONNECTION, None),
            kept,
            readers: Vec::new(),
            next: 1,
            revision: None,
        };
        let more = watch::Sender::new(0);
        Arc::new(Self { state: Mutex::new(state), limits: limits.clone(), retry, more })
    }

    /// The handshake agreed on this revision.
    pub(in super::super) fn agreed(&self, revision: Revision) {
        self.state.lock().revision = Some(revision);
    }

    /// The revision of the session, once it is agreed on.
    pub(in super::super) fn revision(&self) -> Option<Revision> {
        self.state.lock().revision
    }

    /// Opens the stream of a POST that `asked` something; a store may have been asked how it begins.
    pub(in super::super) fn open(
        &self,
        mut config: ExchangeConfig,
        asked: Option<AskedId>,
        reserved: Option<(StreamId, String)>,
    ) -> Result<(StreamId, Arc<PostAnswer>), TooMany> {
        let mut state = self.state.lock();
        // What can be no event stream is none too many: an answer to a question of ours, which a stream
        // may wait for, or a call of a client that reads JSON. Nor are plain answers counted.
        let most = self.limits.max_streams;
        let may_stream = config.accepts.sse && config.mode != ResponseMode::Json;
        let streams = || state.posts.values().filter(|post| post.is_stream()).count();
        if may_stream && state.posts.len() >= most && streams() >= most {
            return Err(TooMany);
        }
        let (stream, begins) = match reserved {
            Some((stream, id)) => (stream, Some(id)),
            None => (state.next_stream(), None),
        };
        if let Some(revision) = state.revision {
            config.revision = revision;
            if revision.features().prime_events {
                let id = begins.or_else(|| state.kept.tag(EventId { stream, number: 0 }, asked.as_ref()));
                config.prime = id.map(|id| Prime { id, retry: Some(self.retry) });
            }
        }
        let slot = Arc::new(PostAnswer::new(config, &self.limits));
        let channel = Channel::new(stream, asked);
        state.posts.insert(stream, Post { slot: Some(slot.clone()), channel });
        Ok((stream, slot))
    }

    /// Nothing more is expected on the stream of a POST.
    pub(in super::super) fn forget(&self, stream: StreamId) {
        self.state.lock().posts.remove(&stream);
    }

    /// Opens a GET: the session's own stream, or the rest of a stream that broke off.
    pub(in super::super) fn attach(&self, last: Option<EventId>) -> Arc<Pipe> {
        let pipe = Pipe::new(&self.limits);
        let replaced = {
            let mut state = self.state.lock();
            match last {
                Some(last) if last.stream != StreamId::CONNECTION => state.resume(last, &pipe),
                last => state.attach_own(last, &pipe, self.retry),
            }
        };
        // Outside the lock: writers that waited for these are told.
        for old in replaced.into_iter().flatten() {
            old.kill();
        }
        pipe
    }

    /// Opens a GET that is read from the shared log.
    pub(in super::super) fn follow(&self, place: &LogPosition) -> Result<Arc<Pipe>, TooMany> {
        let pipe = Pipe::new(&self.limits);
        let key = place.stream();
        let replaced = {
            let mut state = self.state.lock();
            state.readers.retain(|(_, reader)| !reader.is_finished());
            let mut replaced: Vec<_> = state
                .readers
                .extract_if(.., |(stream, _)| *stream == key)
                .map(|(_, reader)| reader)
                .collect();
            if state.readers.len() >= self.limits.max_streams {
                return Err(TooMany);
            }
            state.readers.push((key.clone(), pipe.clone()));
            let prime = state.revision.is_some_and(|revision| revision.features().prime_events);
            if key == StreamKey::Own && prime {
                pipe.write(|out| sse::priming(out, &place.to_string(), Some(self.retry)));
            }
            if let Some(stream) = state.here(&key) {
                replaced.extend(state.leave(stream));
            }
            replaced
        };
        for old in replaced {
            old.kill();
        }
        Ok(pipe)
    }

    /// Whether a stream has all its events, and the shared log has them: what it does
    /// not hold will not come. Only known of streams that are made here.
    pub(in super::super) fn is_over(&self, key: &StreamKey) -> bool {
        let mut state = self.state.lock();
        state.is_past(key) && state.kept.journal().is_none_or(|journal| journal.is_written())
    }

    /// Whether a stream that was made here has all its events.
    pub(in super::super) fn is_past(&self, key: &StreamKey) -> bool {
        self.state.lock().is_past(key)
    }

    /// Ends a past stream once more, for a reader on another node who finds no end in the log: there
    /// it comes behind all that was ever written of the stream.
    pub(in super::super) fn end_lost(&self, key: StreamKey) {
        if let Some(journal) = self.state.lock().kept.journal() {
            journal.push_lost(key);
        }
    }

    /// What was taken with [`Streams::take_events`] is in the shared log, but for `left`.
    pub(in super::super) fn events_written(&self, left: VecDeque<Event>) {
        if let Some(journal) = self.state.lock().kept.journal() {
            journal.written(left);
        }
        self.poke();
    }

    /// A POST is read elsewhere from now on, if it is ours.
    pub(in super::super) fn leave(&self, key: &StreamKey) {
        let old = {
            let mut state = self.state.lock();
            state.here(key).and_then(|stream| state.leave(stream))
        };
        if let Some(old) = old {
            old.kill();
        }
    }

    /// The shared log may have more.
    pub(in super::super) fn poke(&self) {
        self.more.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Changes when the shared log may have more.
    pub(in super::super) fn more(&self) -> watch::Receiver<u64> {
        self.more.subscribe()
    }

    /// Until the shared log has all events.
    pub(in super::super) async fn written(&self) {
        let mut more = self.more();
        while self.state.lock().kept.journal().is_some_and(|journal| !journal.is_written()) {
            if more.changed().await.is_err() {
                return;
            }
        }
    }

    /// Events that are not in the shared log yet, and who waits for room.
    pub(in super::super) fn take_events(&self) -> (VecDeque<Event>, Vec<Wake>) {
        self.state.lock().kept.journal().map(Journal::take).unwrap_or_default()
    }

    /// The session is over for all nodes: its events are worth nothing.
    pub(in super::super) fn discard(&self) {
        let wakes = self.state.lock().kept.journal().map(Journal::discard);
        for wake in wakes.into_iter().flatten() {
            wake();
        }
    }

    /// Something may have changed that other nodes should know.
    pub(in super::super) fn touched(&self) {
        if let Some(journal) = self.state.lock().kept.journal() {
            journal.wake();
        }
    }

    /// Ends the GET stream; the session lives on.
    pub(in super::super) fn end_own(&self) {
        self.state.lock().end_own();
    }

    /// Whether a stream is read, or an answer awaited.
    pub(in super::super) fn in_use(&self) -> bool {
        let state = self.state.lock();
        let mut readers = state.own.pipe.iter().chain(state.readers.iter().map(|(_, reader)| reader));
        !state.posts.is_empty() || readers.any(|pipe| !pipe.is_finished())
    }
}

impl Sink for Streams {
    fn send(&self, steps: &mut Vec<Wire>) {
        let mut state = self.state.lock();
        if let Some(recorded) = state.kept.recorded() {
            return recorded.extend(steps.drain(..));
        }
        for step in steps.drain(..) {
            match step {
                Wire::Message(outbound) => state.message(outbound),
                Wire::Ended(stream) => state.ended(stream),
                Wire::Detach(stream) => state.detach(stream),
            }
        }
        // An answer may have changed the level of logs, or a subscription.
        if let Some(journal) = state.kept.journal() {
            journal.wake();
        }
    }

    fn is_full(&self, stream: StreamId) -> bool {
        let state = self.state.lock();
        if state.kept.is_full() {
            return true;
        }
        state.pipe(stream).is_some_and(|pipe| pipe.is_full())
    }

    fn on_writable(&self, stream: StreamId, wake: Wake) {
        let pipe = {
            let mut state = self.state.lock();
            if state.kept.is_full() {
                return state.kept.on_writable(wake);
            }
            state.pipe(stream).cloned()
        };
        match pipe {
            Some(pipe) => pipe.on_writable(wake),
            None => wake(),
        }
    }

    fn close(&self) {
        let mut state = self.state.lock();
        match state.kept.recorded() {
            Some(recorded) => recorded.close(),
            None => state.close(),
        }
    }
}
