//! The streams of one legacy session: a POST each, and the GET stream.
//!
//! Owns: which stream carries a message, what waits for a stream that is not open.
//! Called under the connection's lock, so it wakes readers and nobody else. Must not
//! know: HTTP requests, the table of sessions.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bytestring::ByteString;
use parking_lot::Mutex;

use mcpbolt_proto::http::{Delivery, ExchangeConfig, Prime, sse};
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Revision;
use mcpbolt_proto::session::{Outbound, OutboundKind, StreamId};

use crate::transport::connection::{Sink, Wire};

use super::pipe::Pipe;
use super::replay::{EventId, Replay};
use super::slot::Slot;

/// All streams of a session.
pub(super) struct Streams {
    state: Mutex<State>,
    limits: Limits,
    retry: Duration,
}

struct State {
    posts: HashMap<StreamId, Post>,
    /// Messages that belong to no POST.
    own: Channel,
    replay: Replay,
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

    fn push(&mut self, text: ByteString, replay: &mut Replay) {
        let id = self.next();
        self.last = id.number;
        if let Some(pipe) = &self.pipe {
            if pipe.write(|out| sse::message(out, Some(&id.to_string()), &text)) {
                self.sent = id.number;
            } else {
                self.pipe = None;
            }
        }
        replay.push(id, text);
    }

    fn end(&mut self) {
        if let Some(pipe) = self.pipe.take() {
            pipe.end();
        }
    }
}

impl Streams {
    pub(super) fn new(limits: &Limits, retry: Duration) -> Arc<Self> {
        let state = State {
            posts: HashMap::new(),
            own: Channel::new(StreamId::CONNECTION),
            replay: Replay::new(limits),
            next: 1,
            revision: None,
        };
        Arc::new(Self { state: Mutex::new(state), limits: limits.clone(), retry })
    }

    /// The handshake agreed on this revision.
    pub(super) fn agreed(&self, revision: Revision) {
        self.state.lock().revision = Some(revision);
    }

    /// The revision of the session, once it is agreed on.
    pub(super) fn revision(&self) -> Option<Revision> {
        self.state.lock().revision
    }

    /// Opens the stream of a POST.
    pub(super) fn open(&self, mut config: ExchangeConfig) -> Result<(StreamId, Arc<Slot>), TooMany> {
        let mut state = self.state.lock();
        // Plain answers are no event streams: count only when there may be too many.
        let most = self.limits.max_streams;
        if state.posts.len() >= most && state.posts.values().filter(|post| post.is_stream()).count() >= most {
            return Err(TooMany);
        }
        let stream = StreamId(state.next);
        state.next += 1;
        if let Some(revision) = state.revision {
            config.revision = revision;
            if revision.features().prime_events {
                let id = EventId { stream, number: 0 }.to_string();
                config.prime = Some(Prime { id, retry: Some(self.retry) });
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

    /// Ends the GET stream; the session lives on.
    pub(super) fn end_own(&self) {
        self.state.lock().own.end();
    }

    /// Whether somebody reads, or waits for an answer.
    pub(super) fn in_use(&self) -> bool {
        let state = self.state.lock();
        !state.posts.is_empty() || state.own.pipe.as_ref().is_some_and(|pipe| !pipe.is_finished())
    }
}

type Replaced = [Option<Arc<Pipe>>; 2];

impl State {
    fn resume(&mut self, last: EventId, pipe: &Arc<Pipe>) -> Replaced {
        for (id, text) in self.replay.after(last) {
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
        for (id, text) in self.replay.after(from) {
            pipe.write(|out| sse::message(out, Some(&id.to_string()), text));
        }
        self.own.sent = self.own.last;
        [self.own.pipe.replace(pipe.clone()), None]
    }

    fn message(&mut self, outbound: Outbound) {
        let Outbound { stream, kind, text } = outbound;
        let resumes = self.revision.is_some_and(|revision| revision.features().resume);
        let Some(post) = self.posts.get_mut(&stream) else {
            if stream == StreamId::CONNECTION {
                self.own.push(text, &mut self.replay);
            }
            return;
        };
        let live = post.slot.take_if(|slot| slot.pipe().is_dead()).is_none() && post.slot.is_some();
        match post.slot.as_ref().filter(|_| live) {
            None => post.channel.push(text, &mut self.replay),
            Some(slot) => {
                let id = post.channel.next();
                let id_text = resumes.then(|| id.to_string());
                let (delivery, streamed) = slot.send(&kind, text.clone(), id_text.as_deref());
                if delivery == Delivery::Accepted && streamed && resumes {
                    post.channel.last = id.number;
                    self.replay.push(id, text);
                } else if delivery == Delivery::Undeliverable && kind == OutboundKind::Request {
                    // The answer is plain JSON: the only other way is the GET stream.
                    self.own.push(text, &mut self.replay);
                }
            }
        }
        if matches!(kind, OutboundKind::Response { .. }) {
            post.channel.end();
            self.posts.remove(&stream);
        }
    }

    fn ended(&mut self, stream: StreamId) {
        if let Some(mut post) = self.posts.remove(&stream) {
            post.end();
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
        for step in steps.drain(..) {
            match step {
                Wire::Message(outbound) => state.message(outbound),
                Wire::Ended(stream) => state.ended(stream),
                Wire::Detach(stream) => state.detach(stream),
            }
        }
    }

    fn is_full(&self, stream: StreamId) -> bool {
        let state = self.state.lock();
        let pipe = state.posts.get(&stream).map_or(state.own.pipe.as_ref(), Post::pipe);
        pipe.is_some_and(|pipe| pipe.is_full())
    }

    fn on_writable(&self, wake: Box<dyn FnOnce() + Send>) {
        let full = {
            let state = self.state.lock();
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
        state.own.end();
        for (_, mut post) in state.posts.drain() {
            post.end();
        }
    }
}
