//! The open streams of one session: which carries a message, and which takes over another.
//!
//! Owns: the numbers of events, and the order in which they are written and kept.
//! Must not know: locks, limits, HTTP requests; [`Streams`](super::Streams) has those.

use std::sync::Arc;
use std::time::Duration;

use bytestring::ByteString;

use mcpbolt_proto::http::{Delivery, sse};
use mcpbolt_proto::protocol::Revision;
use mcpbolt_proto::session::{NumberMap, Outbound, OutboundKind, StreamId};

use super::super::asked_id::AskedId;
use super::super::journal::StreamKey;
use super::super::pipe::Pipe;
use super::super::post_answer::PostAnswer;
use super::super::replay::EventId;
use super::event_storage::EventStorage;

/// The streams of a session that are open, and where their events go.
pub(super) struct StreamTable {
    pub(super) posts: NumberMap<StreamId, Post>,
    /// Messages that belong to no POST.
    pub(super) own: Channel,
    pub(super) kept: EventStorage,
    /// GETs that read from the shared log.
    pub(super) readers: Vec<(StreamKey, Arc<Pipe>)>,
    pub(super) next: u64,
    pub(super) revision: Option<Revision>,
}

/// A POST whose answer is not complete.
pub(super) struct Post {
    /// Gone once the client left or the stream was closed early.
    pub(super) slot: Option<Arc<PostAnswer>>,
    pub(super) channel: Channel,
}

/// A stream of numbered events, read by a GET or waiting for one.
pub(super) struct Channel {
    pub(super) stream: StreamId,
    pub(super) pipe: Option<Arc<Pipe>>,
    /// Number of the last event.
    pub(super) last: u64,
    /// Number of the last event that was handed to a reader.
    pub(super) sent: u64,
    /// The request that it answers, where other nodes may have to know.
    pub(super) asked: Option<AskedId>,
}

impl Channel {
    pub(super) fn new(stream: StreamId, asked: Option<AskedId>) -> Self {
        Self { stream, pipe: None, last: 0, sent: 0, asked }
    }

    pub(super) fn next(&self) -> EventId {
        EventId { stream: self.stream, number: self.last + 1 }
    }

    pub(super) fn push(&mut self, text: ByteString, last: bool, kept: &mut EventStorage) {
        let id = self.next();
        self.last = id.number;
        if let Some(pipe) = &self.pipe {
            let tag = kept.tag(id, self.asked.as_ref());
            if pipe.write(|out| sse::message(out, tag.as_deref(), &text)) {
                self.sent = id.number;
            } else {
                self.pipe = None;
            }
        }
        kept.push(id, text, last);
    }

    pub(super) fn end(&mut self) {
        if let Some(pipe) = self.pipe.take() {
            pipe.end();
        }
    }
}

/// What was read until now by another pipe.
pub(super) type Replaced = [Option<Arc<Pipe>>; 2];

impl StreamTable {
    pub(super) fn next_stream(&mut self) -> StreamId {
        let stream = StreamId(self.next);
        self.next += 1;
        stream
    }

    /// Through which messages of a stream leave now, if it is read.
    pub(super) fn pipe(&self, stream: StreamId) -> Option<&Arc<Pipe>> {
        self.posts.get(&stream).map_or(self.own.pipe.as_ref(), Post::pipe)
    }

    /// The POST behind a key, if this node serves it.
    pub(super) fn here(&self, key: &StreamKey) -> Option<StreamId> {
        match (&self.kept, key) {
            (EventStorage::Shared(journal), StreamKey::Post { name, stream }) => {
                (**name == *journal.name).then_some(StreamId(*stream))
            }
            _ => None,
        }
    }

    /// Whether the POST behind a key was served by this node and is over.
    pub(super) fn is_past(&self, key: &StreamKey) -> bool {
        self.here(key).is_some_and(|stream| !self.posts.contains_key(&stream))
    }

    /// From now on the events of a POST go to the log alone.
    pub(super) fn leave(&mut self, stream: StreamId) -> Option<Arc<Pipe>> {
        let slot = self.posts.get_mut(&stream)?.slot.take()?;
        slot.end();
        Some(slot.pipe().clone())
    }

    pub(super) fn kept_after(&self, last: EventId) -> impl Iterator<Item = (EventId, &ByteString)> {
        let replay = match &self.kept {
            EventStorage::Here(replay) => Some(replay),
            EventStorage::Shared(_) | EventStorage::Recorded(_) => None,
        };
        replay.into_iter().flat_map(move |replay| replay.after(last))
    }

    pub(super) fn resume(&mut self, last: EventId, pipe: &Arc<Pipe>) -> Replaced {
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

    pub(super) fn attach_own(
        &mut self,
        last: Option<EventId>,
        pipe: &Arc<Pipe>,
        retry: Duration,
    ) -> Replaced {
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

    pub(super) fn message(&mut self, outbound: Outbound) {
        let Outbound { stream, kind, text } = outbound;
        // A store hears of the answer to `initialize` too, before the revision is agreed on.
        let agreed = self.revision.map(|revision| revision.features().resume);
        let resumes = agreed.unwrap_or(matches!(self.kept, EventStorage::Recorded(_)));
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
                let id_text = resumes.then(|| self.kept.tag(id, post.channel.asked.as_ref())).flatten();
                let (delivery, streamed) = slot.send(&kind, text.clone(), id_text.as_deref());
                if delivery == Delivery::Accepted && streamed && resumes {
                    post.channel.last = id.number;
                    self.kept.push(id, text, last);
                } else if delivery == Delivery::Undeliverable && asks(&kind) {
                    self.own.push(text, false, &mut self.kept);
                }
            }
        }
        if last {
            post.channel.end();
            self.posts.remove(&stream);
        }
    }

    pub(super) fn ended(&mut self, stream: StreamId) {
        if let Some(mut post) = self.posts.remove(&stream) {
            if let Some(journal) = self.kept.journal().filter(|_| post.is_stream()) {
                // Who reads it on another node learns that there is no more.
                journal.push(post.channel.next(), ByteString::new(), true);
            }
            post.end();
        }
    }

    /// Ends the GET stream.
    pub(super) fn end_own(&mut self) {
        self.own.end();
        for (_, reader) in self.readers.extract_if(.., |(stream, _)| *stream == StreamKey::Own) {
            reader.end();
        }
    }

    pub(super) fn close(&mut self) {
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

    /// Ends a stream whose messages go on with the next that is opened for them.
    pub(super) fn detach(&mut self, stream: StreamId) {
        if stream == StreamId::CONNECTION {
            return self.end_own();
        }
        let Some(post) = self.posts.get_mut(&stream) else { return };
        post.channel.end();
        post.slot.take_if(|slot| slot.detach());
    }
}

/// Whether a message has to reach the client although its stream is plain JSON: then by the GET
/// stream.
fn asks(kind: &OutboundKind) -> bool {
    matches!(kind, OutboundKind::Request | OutboundKind::Cancellation)
}

impl Post {
    pub(super) fn is_stream(&self) -> bool {
        self.slot.as_ref().is_none_or(|slot| slot.is_streaming())
    }

    pub(super) fn end(&mut self) {
        if let Some(slot) = &self.slot {
            slot.end();
        }
        self.channel.end();
    }

    pub(super) fn pipe(&self) -> Option<&Arc<Pipe>> {
        self.slot.as_ref().map(|slot| slot.pipe()).or(self.channel.pipe.as_ref())
    }
}
