//! The streams of one legacy session: a POST each, and the GET stream.
//!
//! Owns: which stream carries a message, what waits for a stream that is not open.
//! Called under the connection's lock, so it wakes readers and nobody else. Must not
//! know: HTTP requests, the table of sessions.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use bytestring::ByteString;
use parking_lot::Mutex;
use tokio::sync::{Notify, watch};

use mcpbolt_proto::http::{Delivery, ExchangeConfig, Prime, sse};
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Revision;
use mcpbolt_proto::session::{Outbound, OutboundKind, StreamId};

use crate::handler::Wake;
use crate::transport::connection::{Sink, Wire};

use super::journal::{Event, Journal, Place, StreamKey};
use super::pipe::Pipe;
use super::replay::{EventId, Replay};
use super::slot::Slot;
use kept::Kept;

mod kept;
mod recorded;

pub use recorded::{EventRecorder, KeptEvent};

/// All streams of a session.
pub(super) struct Streams {
    state: Mutex<State>,
    limits: Limits,
    retry: Duration,
    /// Changes when the shared log may have more.
    more: watch::Sender<u64>,
}

struct State {
    posts: HashMap<StreamId, Post>,
    /// Messages that belong to no POST.
    own: Channel,
    kept: Kept,
    /// GETs that read from the shared log.
    readers: Vec<(StreamKey, Arc<Pipe>)>,
    next: u64,
    revision: Option<Revision>,
}

/// A POST whose answer is not complete.
struct Post {
    /// Gone once the client left or the stream was closed early.
    slot: Option<Arc<Slot>>,
    channel: Channel,
}

/// A stream of numbered events, read by a GET or waiting for one.
struct Channel {
    stream: StreamId,
    pipe: Option<Arc<Pipe>>,
    /// Number of the last event.
    last: u64,
    /// Number of the last event that was handed to a reader.
    sent: u64,
}

/// A refusal to open another stream.
#[derive(Debug)]
pub(super) struct TooMany;

impl Channel {
    fn new(stream: StreamId) -> Self {
        Self { stream, pipe: None, last: 0, sent: 0 }
    }

    fn next(&self) -> EventId {
        EventId { stream: self.stream, number: self.last + 1 }
    }

    fn push(&mut self, text: ByteString, last: bool, kept: &mut Kept) {
        let id = self.next();
        self.last = id.number;
        if let Some(pipe) = &self.pipe {
            let tag = kept.tag(id);
            if pipe.write(|out| sse::message(out, tag.as_deref(), &text)) {
                self.sent = id.number;
            } else {
                self.pipe = None;
            }
        }
        kept.push(id, text, last);
    }

    fn end(&mut self) {
        if let Some(pipe) = self.pipe.take() {
            pipe.end();
        }
    }
}

impl Streams {
    pub(super) fn new(limits: &Limits, retry: Duration) -> Arc<Self> {
        Self::keeping(limits, retry, Kept::Here(Replay::new(limits)))
    }

    /// Streams whose events go to a log that others read; `wake` is told of new ones.
    pub(super) fn shared(limits: &Limits, retry: Duration, name: Arc<str>, wake: Arc<Notify>) -> Arc<Self> {
        let journal = Journal::new(name, Limits::size(limits.send_queue_bytes), wake);
        Self::keeping(limits, retry, Kept::Shared(journal))
    }

    fn keeping(limits: &Limits, retry: Duration, kept: Kept) -> Arc<Self> {
        let state = State {
            posts: HashMap::new(),
            own: Channel::new(StreamId::CONNECTION),
            kept,
            readers: Vec::new(),
            next: 1,
            revision: None,
        };
        let more = watch::Sender::new(0);
        Arc::new(Self { state: Mutex::new(state), limits: limits.clone(), retry, more })
    }

    /// The handshake agreed on this revision.
    pub(super) fn agreed(&self, revision: Revision) {
        self.state.lock().revision = Some(revision);
    }

    /// The revision of the session, once it is agreed on.
    pub(super) fn revision(&self) -> Option<Revision> {
        self.state.lock().revision
    }

    /// Opens the stream of a POST; a store may have been asked how it begins.
    pub(super) fn open(
        &self,
        mut config: ExchangeConfig,
        reserved: Option<(StreamId, String)>,
    ) -> Result<(StreamId, Arc<Slot>), TooMany> {
        let mut state = self.state.lock();
        // Plain answers are no event streams: count only when there may be too many.
        let most = self.limits.max_streams;
        if state.posts.len() >= most && state.posts.values().filter(|post| post.is_stream()).count() >= most {
            return Err(TooMany);
        }
        let (stream, begins) = match reserved {
            Some((stream, id)) => (stream, Some(id)),
            None => (state.next_stream(), None),
        };
        if let Some(revision) = state.revision {
            config.revision = revision;
            if revision.features().prime_events {
                let id = begins.or_else(|| state.kept.tag(EventId { stream, number: 0 }));
                config.prime = id.map(|id| Prime { id, retry: Some(self.retry) });
            }
        }
        let slot = Arc::new(Slot::new(config, &self.limits));
        state.posts.insert(stream, Post { slot: Some(slot.clone()), channel: Channel::new(stream) });
        Ok((stream, slot))
    }

    /// Nothing more is expected on the stream of a POST.
    pub(super) fn forget(&self, stream: StreamId) {
        self.state.lock().posts.remove(&stream);
    }

    /// Opens a GET: the session's own stream, or the rest of a stream that broke off.
    pub(super) fn attach(&self, last: Option<EventId>) -> Arc<Pipe> {
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
    pub(super) fn follow(&self, place: &Place) -> Result<Arc<Pipe>, TooMany> {
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
    pub(super) fn is_over(&self, key: &StreamKey) -> bool {
        let mut state = self.state.lock();
        let over = state.here(key).is_some_and(|stream| !state.posts.contains_key(&stream));
        over && state.kept.journal().is_none_or(|journal| journal.is_written())
    }

    /// What was taken with [`Streams::take_events`] is in the shared log, or lost.
    pub(super) fn events_written(&self) {
        if let Some(journal) = self.state.lock().kept.journal() {
            journal.written();
        }
        self.poke();
    }

    /// A POST of ours is read elsewhere from now on.
    pub(super) fn leave(&self, stream: StreamId) {
        let old = self.state.lock().leave(stream);
        if let Some(old) = old {
            old.kill();
        }
    }

    /// The shared log may have more.
    pub(super) fn poke(&self) {
        self.more.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Changes when the shared log may have more.
    pub(super) fn more(&self) -> watch::Receiver<u64> {
        self.more.subscribe()
    }

    /// Events that are not in the shared log yet, and who waits for room.
    pub(super) fn take_events(&self) -> (VecDeque<Event>, Vec<Wake>) {
        self.state.lock().kept.journal().map(Journal::take).unwrap_or_default()
    }

    /// The session is over for all nodes: its events are worth nothing.
    pub(super) fn discard(&self) {
        let wakes = self.state.lock().kept.journal().map(Journal::discard);
        for wake in wakes.into_iter().flatten() {
            wake();
        }
    }

    /// Something may have changed that other nodes should know.
    pub(super) fn touched(&self) {
        if let Some(journal) = self.state.lock().kept.journal() {
            journal.wake();
        }
    }

    /// Ends the GET stream; the session lives on.
    pub(super) fn end_own(&self) {
        let mut state = self.state.lock();
        state.own.end();
        for (_, reader) in state.readers.extract_if(.., |(stream, _)| *stream == StreamKey::Own) {
            reader.end();
        }
    }

    /// Whether somebody reads, or waits for an answer.
    pub(super) fn in_use(&self) -> bool {
        let state = self.state.lock();
        let mut readers = state.own.pipe.iter().chain(state.readers.iter().map(|(_, reader)| reader));
        !state.posts.is_empty() || readers.any(|pipe| !pipe.is_finished())
    }
}

type Replaced = [Option<Arc<Pipe>>; 2];

impl State {
    fn next_stream(&mut self) -> StreamId {
        let stream = StreamId(self.next);
        self.next += 1;
        stream
    }

    /// The POST behind a key, if this node serves it.
    fn here(&self, key: &StreamKey) -> Option<StreamId> {
        match (&self.kept, key) {
            (Kept::Shared(journal), StreamKey::Post { name, stream }) => {
                (**name == *journal.name).then_some(StreamId(*stream))
            }
            _ => None,
        }
    }

    /// From now on the events of a POST go to the log alone.
    fn leave(&mut self, stream: StreamId) -> Option<Arc<Pipe>> {
        let slot = self.posts.get_mut(&stream)?.slot.take()?;
        slot.end();
        Some(slot.pipe().clone())
    }

    fn kept_after(&self, last: EventId) -> impl Iterator<Item = (EventId, &ByteString)> {
        let replay = match &self.kept {
            Kept::Here(replay) => Some(replay),
            Kept::Shared(_) | Kept::Recorded(_) => None,
        };
        replay.into_iter().flat_map(move |replay| replay.after(last))
    }

    fn resume(&mut self, last: EventId, pipe: &Arc<Pipe>) -> Replaced {
        for (id, text) in self.kept_after(last) {
            pipe.write(|out| sse::message(out, Some(&id.to_string()), text));
        }
        let Some(post) = self.posts.get_mut(&last.stream) else {
            pipe.end();
            return [None, None];
        };
        let slot = post.slot.take();
        if let Some(slot) = &slot {
            slot.end();
        }
        post.channel.sent = post.channel.last;
        [slot.map(|slot| slot.pipe().clone()), post.channel.pipe.replace(pipe.clone())]
    }

    fn attach_own(&mut self, last: Option<EventId>, pipe: &Arc<Pipe>, retry: Duration) -> Replaced {
        let number = last.map_or(self.own.sent, |last| last.number);
        let from = EventId { stream: StreamId::CONNECTION, number };
        if self.revision.is_some_and(|revision| revision.features().prime_events) {
            pipe.write(|out| sse::priming(out, &from.to_string(), Some(retry)));
        }
        for (id, text) in self.kept_after(from) {
            pipe.write(|out| sse::message(out, Some(&id.to_string()), text));
        }
        self.own.sent = self.own.last;
        [self.own.pipe.replace(pipe.clone()), None]
    }

    fn message(&mut self, outbound: Outbound) {
        let Outbound { stream, kind, text } = outbound;
        // A store hears of the answer to `initialize` too, before the revision is agreed on.
        let agreed = self.revision.map(|revision| revision.features().resume);
        let resumes = agreed.unwrap_or(matches!(self.kept, Kept::Recorded(_)));
        let Some(post) = self.posts.get_mut(&stream) else {
            if stream == StreamId::CONNECTION {
                self.own.push(text, false, &mut self.kept);
            }
            return;
        };
        let last = matches!(kind, OutboundKind::Response { .. });
        let live = post.slot.take_if(|slot| slot.pipe().is_dead()).is_none() && post.slot.is_some();
        match post.slot.as_ref().filter(|_| live) {
            None => post.channel.push(text, last, &mut self.kept),
            Some(slot) => {
                let id = post.channel.next();
                let id_text = resumes.then(|| self.kept.tag(id)).flatten();
                let (delivery, streamed) = slot.send(&kind, text.clone(), id_text.as_deref());
                if delivery == Delivery::Accepted && streamed && resumes {
                    post.channel.last = id.number;
                    self.kept.push(id, text, last);
                } else if delivery == Delivery::Undeliverable && kind == OutboundKind::Request {
                    // The answer is plain JSON: the only other way is the GET stream.
                    self.own.push(text, false, &mut self.kept);
                }
            }
        }
        if last {
            post.channel.end();
            self.posts.remove(&stream);
        }
    }

    fn ended(&mut self, stream: StreamId) {
        if let Some(mut post) = self.posts.remove(&stream) {
            if let Some(journal) = self.kept.journal().filter(|_| post.is_stream()) {
                // Whoever reads it elsewhere learns that there is no more.
                journal.push(post.channel.next(), ByteString::new(), true);
            }
            post.end();
        }
    }

    fn close(&mut self) {
        self.own.end();
        for (_, mut post) in self.posts.drain() {
            post.end();
        }
        for (_, reader) in self.readers.drain(..) {
            reader.end();
        }
        if let Some(journal) = self.kept.journal() {
            journal.wake();
        }
    }

    fn detach(&mut self, stream: StreamId) {
        let Some(post) = self.posts.get_mut(&stream) else { return };
        post.channel.end();
        post.slot.take_if(|slot| slot.detach());
    }
}

impl Post {
    fn is_stream(&self) -> bool {
        self.slot.as_ref().is_none_or(|slot| slot.is_streaming())
    }

    fn end(&mut self) {
        if let Some(slot) = &self.slot {
            slot.end();
        }
        self.channel.end();
    }

    fn pipe(&self) -> Option<&Arc<Pipe>> {
        self.slot.as_ref().map(|slot| slot.pipe()).or(self.channel.pipe.as_ref())
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
        let pipe = state.posts.get(&stream).map_or(state.own.pipe.as_ref(), Post::pipe);
        pipe.is_some_and(|pipe| pipe.is_full())
    }

    fn on_writable(&self, wake: Wake) {
        let full = {
            let mut state = self.state.lock();
            if state.kept.is_full() {
                return state.kept.on_writable(wake);
            }
            let pipes = state.posts.values().filter_map(Post::pipe).chain(state.own.pipe.as_ref());
            pipes.into_iter().find(|pipe| pipe.is_full()).cloned()
        };
        match full {
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
