//! Streams whose events a store is shown before they leave, and which carry its ids.
//!
//! Owns: when an event is written, given that the store was asked, and how a stream that
//! broke off goes on from the store. Must not know: what the store is.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};

use mcpbolt_proto::http::{ExchangeConfig, ResponseMode, sse};
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::session::{Outbound, StreamId};

use crate::observe::events;
use crate::transport::connection::Wire;

use super::super::pipe::Pipe;
use super::super::replay::EventId;
use super::event_recorder::{EventRecorder, Recorded, Step};
use super::event_storage::EventStorage;
use super::streams::Streams;

impl Streams {
    /// Streams whose events are shown to a store first; `key` names the session to it.
    pub(in super::super) fn recorded(
        limits: &Limits,
        retry: Duration,
        key: String,
        recorder: Arc<dyn EventRecorder>,
    ) -> Arc<Self> {
        let wake = Arc::new(Notify::new());
        let kept = EventStorage::Recorded(Box::new(Recorded::new(limits, key, recorder, wake.clone())));
        let streams = Self::keeping(limits, retry, kept);
        tokio::spawn(record(Arc::downgrade(&streams), wake));
        streams
    }

    fn with<T>(&self, body: impl FnOnce(&mut Recorded) -> T) -> Option<T> {
        self.state.lock().kept.recorded().map(body)
    }

    /// Has the store keep an event; `None` where it cannot: the event leaves without an id.
    async fn keep(&self, stream: StreamId, message: Option<RawJson>) -> Option<String> {
        let (recorder, name) = self.with(|all| (all.recorder.clone(), all.name(stream)))?;
        match recorder.keep(&name, message).await {
            Ok(id) => Some(id),
            Err(error) => {
                events::store_failed(&error);
                None
            }
        }
    }

    /// The number of the next POST's stream, and the id of its beginning, where a store is
    /// asked for one.
    pub(in super::super) async fn reserve(&self, config: &ExchangeConfig) -> Option<(StreamId, String)> {
        let stream = {
            let mut state = self.state.lock();
            let primes = state.revision.is_some_and(|revision| revision.features().prime_events);
            let may_stream = config.accepts.sse && config.mode != ResponseMode::Json;
            if !primes || !may_stream || state.kept.recorded().is_none() {
                return None;
            }
            state.next_stream()
        };
        let id = self.keep(stream, None).await?;
        self.with(|all| all.remember(id.clone(), stream));
        Some((stream, id))
    }

    /// Whether a store is asked.
    pub(in super::super) fn is_recorded(&self) -> bool {
        self.with(|_| ()).is_some()
    }

    /// Opens a GET on the session's own stream, from the first event that was not read.
    pub(in super::super) fn attach_recorded(&self) -> Arc<Pipe> {
        let pipe = Pipe::new(&self.limits);
        let old = {
            let mut state = self.state.lock();
            let missed = state.kept.recorded().map(Recorded::take_missed).unwrap_or_default();
            for (id, text) in missed {
                pipe.write(|out| sse::message(out, id.as_deref(), &text));
            }
            state.own.sent = state.own.last;
            state.own.pipe.replace(pipe.clone())
        };
        if let Some(old) = old {
            old.kill();
        }
        pipe
    }

    /// Opens a GET for what came after an event; `None` if the event is unknown.
    pub(in super::super) fn resume_recorded(&self, after: &str) -> Option<Arc<Pipe>> {
        let pipe = Pipe::new(&self.limits);
        self.with(|all| {
            let stream = all.known.iter().rev().find(|(id, _)| id == after)?.1;
            all.push(Step::Resume { after: after.to_owned(), stream, pipe: pipe.clone() });
            Some(())
        })
        .flatten()?;
        Some(pipe)
    }

    /// Whether the session's own stream is read.
    pub(in super::super) fn is_read(&self) -> bool {
        let state = self.state.lock();
        let mut own = state.own.pipe.iter().chain(
            state
                .readers
                .iter()
                .filter(|(key, _)| *key == super::super::journal::StreamKey::Own)
                .map(|(_, reader)| reader),
        );
        own.any(|pipe| !pipe.is_finished())
    }

    async fn step(&self, step: Step) {
        match step {
            Step::Wire(Wire::Message(outbound)) => self.say(outbound).await,
            Step::Wire(Wire::Ended(stream)) => self.state.lock().ended(stream),
            Step::Wire(Wire::Detach(stream)) => self.state.lock().detach(stream),
            Step::Resume { after, stream, pipe } => self.resume(&after, stream, pipe).await,
            Step::Close => self.state.lock().close(),
        }
    }

    async fn say(&self, outbound: Outbound) {
        let stream = outbound.stream;
        let message = RawJson::parse(outbound.text.to_string().into_bytes()).ok();
        let id = if message.is_some() { self.keep(stream, message).await } else { None };
        let mut state = self.state.lock();
        let (before, text) = (state.own.last, outbound.text.clone());
        if let Some(all) = state.kept.recorded() {
            all.current.clone_from(&id);
        }
        state.message(outbound);
        let missed = state.own.last > before && state.own.sent != state.own.last;
        if let Some(all) = state.kept.recorded() {
            all.current = None;
            if missed {
                all.miss(id, text);
            }
        }
    }

    async fn resume(&self, after: &str, stream: StreamId, pipe: Arc<Pipe>) {
        let Some(recorder) = self.with(|all| all.recorder.clone()) else { return pipe.end() };
        let rows = match recorder.replay(after).await {
            Ok(Some(rows)) => rows,
            Ok(None) => return pipe.end(),
            Err(error) => {
                events::store_failed(&error);
                return pipe.end();
            }
        };
        for (id, message) in rows {
            pipe.write(|out| sse::message(out, Some(&id), message.as_str()));
            let (room, wait) = oneshot::channel();
            pipe.on_writable(Box::new(move || {
                let _ = room.send(());
            }));
            let _ = wait.await;
            self.with(|all| all.remember(id, stream));
        }
        self.prime_again(stream, &pipe).await;
        let replaced = {
            let mut state = self.state.lock();
            if stream == StreamId::CONNECTION {
                // The store has all the others.
                let missed = state.kept.recorded().map(Recorded::take_missed).unwrap_or_default();
                for (_, text) in missed.iter().filter(|(id, _)| id.is_none()) {
                    pipe.write(|out| sse::message(out, None, text));
                }
                state.own.sent = state.own.last;
                [state.own.pipe.replace(pipe), None]
            } else {
                state.resume(EventId { stream, number: 0 }, &pipe)
            }
        };
        for old in replaced.into_iter().flatten() {
            old.kill();
        }
    }
}

impl Streams {
    /// A POST's stream that goes on begins like the first time: with an id to come back with.
    async fn prime_again(&self, stream: StreamId, pipe: &Pipe) {
        let primes = {
            let state = self.state.lock();
            state.revision.is_some_and(|revision| revision.features().prime_events)
                && state.posts.contains_key(&stream)
        };
        if primes && let Some(id) = self.keep(stream, None).await {
            pipe.write(|out| sse::priming(out, &id, Some(self.retry)));
            self.with(|all| all.remember(id, stream));
        }
    }
}

/// Shows events to the store, one after the other, until the streams are not needed any more.
async fn record(streams: Weak<Streams>, wake: Arc<Notify>) {
    loop {
        wake.notified().await;
        loop {
            let Some(streams) = streams.upgrade() else { return };
            let Some((step, wakes)) = streams.with(Recorded::take).flatten() else { break };
            streams.step(step).await;
            for wake in wakes {
                wake();
            }
        }
    }
}
