//! Streams whose events a store is shown before they leave, and which carry its ids.
//!
//! Owns: what waits for the store, in order, and which event belongs to which stream of the
//! session. Must not know: what the store is.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::Duration;

use bytestring::ByteString;
use tokio::sync::{Notify, oneshot};

use mcpbolt_proto::http::{ExchangeConfig, ResponseMode, sse};
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::{Outbound, StreamId};

use crate::handler::Wake;
use crate::observe::events;
use crate::store::BoxFuture;
use crate::transport::connection::Wire;

use super::super::pipe::Pipe;
use super::super::replay::EventId;
use super::Streams;
use super::kept::Kept;

/// An event that was kept: its id, and the message.
pub type KeptEvent = (String, RawJson);

/// Keeps the events of resumable streams, under ids of its own. It is told of each event
/// when it happens, before a client sees it; ids on the wire are its ids.
///
/// ```
/// use mcpbolt::store::BoxFuture;
/// use mcpbolt::transport::streamable_http::server::{EventRecorder, KeptEvent};
/// use mcpbolt_proto::jsonrpc::RawJson;
/// use mcpbolt_proto::protocol::Error;
/// use std::sync::Mutex;
///
/// #[derive(Default)]
/// struct Everything(Mutex<Vec<(String, Option<RawJson>)>>);
///
/// impl EventRecorder for Everything {
///     fn keep<'a>(
///         &'a self,
///         stream: &'a str,
///         message: Option<RawJson>,
///     ) -> BoxFuture<'a, Result<String, Error>> {
///         let mut rows = self.0.lock().unwrap();
///         rows.push((stream.to_owned(), message));
///         Box::pin(std::future::ready(Ok((rows.len() - 1).to_string())))
///     }
///
///     fn replay<'a>(&'a self, after: &'a str) -> BoxFuture<'a, Result<Option<Vec<KeptEvent>>, Error>> {
///         let rows = self.0.lock().unwrap();
///         let found = after.parse::<usize>().ok().and_then(|at| Some((at, &rows.get(at)?.0)));
///         let later = found.map(|(at, stream)| {
///             let later = rows.iter().enumerate().skip(at + 1).filter(|(_, row)| row.0 == *stream);
///             later.filter_map(|(id, row)| Some((id.to_string(), row.1.clone()?))).collect()
///         });
///         Box::pin(std::future::ready(Ok(later)))
///     }
/// }
/// ```
pub trait EventRecorder: Send + Sync {
    /// Keeps a message of a stream, or without one the stream's beginning. Returns its id:
    /// visible ASCII.
    fn keep<'a>(&'a self, stream: &'a str, message: Option<RawJson>) -> BoxFuture<'a, Result<String, Error>>;
    /// The messages that the stream of an event had after it; `None` if it is unknown.
    fn replay<'a>(&'a self, after: &'a str) -> BoxFuture<'a, Result<Option<Vec<KeptEvent>>, Error>>;
}

/// What happens on the streams, in order.
enum Step {
    Wire(Wire),
    /// A client is back for what came after an event.
    Resume {
        after: String,
        stream: StreamId,
        pipe: Arc<Pipe>,
    },
    Close,
}

impl Step {
    fn size(&self) -> usize {
        match self {
            Self::Wire(Wire::Message(outbound)) => outbound.text.len(),
            _ => 0,
        }
    }
}

/// What waits for the store.
pub(super) struct Recorded {
    recorder: Arc<dyn EventRecorder>,
    /// Of the session.
    key: String,
    steps: VecDeque<Step>,
    bytes: usize,
    wake: Arc<Notify>,
    wakes: Vec<Wake>,
    /// The id of the event that is on its way out.
    current: Option<String>,
    /// The streams of the last events, oldest first.
    known: VecDeque<(String, StreamId)>,
    /// Events of the session's own stream that nobody has read.
    missed: VecDeque<(String, ByteString)>,
    missed_bytes: usize,
    max_bytes: usize,
    max_events: usize,
    max_missed_bytes: usize,
}

impl Drop for Recorded {
    fn drop(&mut self) {
        self.wake.notify_one();
    }
}

impl Recorded {
    fn new(limits: &Limits, key: String, recorder: Arc<dyn EventRecorder>, wake: Arc<Notify>) -> Self {
        Self {
            recorder,
            key,
            steps: VecDeque::new(),
            bytes: 0,
            wake,
            wakes: Vec::new(),
            current: None,
            known: VecDeque::new(),
            missed: VecDeque::new(),
            missed_bytes: 0,
            max_bytes: Limits::size(limits.send_queue_bytes),
            max_events: limits.replay_events,
            max_missed_bytes: Limits::size(limits.replay_bytes),
        }
    }

    fn push(&mut self, step: Step) {
        self.bytes += step.size();
        self.steps.push_back(step);
        self.wake.notify_one();
    }

    /// What happened.
    pub(super) fn extend(&mut self, steps: impl Iterator<Item = Wire>) {
        steps.for_each(|step| self.push(Step::Wire(step)));
    }

    /// All streams end, after what was said on them.
    pub(super) fn close(&mut self) {
        self.push(Step::Close);
    }

    fn take(&mut self) -> Option<(Step, Vec<Wake>)> {
        let step = self.steps.pop_front()?;
        self.bytes -= step.size();
        let wakes = if self.is_full() { Vec::new() } else { std::mem::take(&mut self.wakes) };
        Some((step, wakes))
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes > self.max_bytes
    }

    pub(super) fn on_writable(&mut self, wake: Wake) {
        self.wakes.push(wake);
    }

    /// The store's id of the event that is sent now.
    pub(super) fn current(&self) -> Option<String> {
        self.current.clone()
    }

    /// The event that is sent now is of this stream.
    pub(super) fn sent(&mut self, stream: StreamId) {
        if let Some(id) = self.current.clone() {
            self.remember(id, stream);
        }
    }

    fn remember(&mut self, id: String, stream: StreamId) {
        self.known.push_back((id, stream));
        if self.known.len() > self.max_events {
            self.known.pop_front();
        }
    }

    fn miss(&mut self, id: String, text: ByteString) {
        self.missed_bytes += text.len();
        self.missed.push_back((id, text));
        while self.missed.len() > self.max_events || self.missed_bytes > self.max_missed_bytes {
            let Some((_, oldest)) = self.missed.pop_front() else { return };
            self.missed_bytes -= oldest.len();
        }
    }

    fn take_missed(&mut self) -> VecDeque<(String, ByteString)> {
        self.missed_bytes = 0;
        std::mem::take(&mut self.missed)
    }

    fn name(&self, stream: StreamId) -> String {
        match stream {
            StreamId::CONNECTION => format!("{}/own", self.key),
            StreamId(number) => format!("{}/{number}", self.key),
        }
    }
}

impl Streams {
    /// Streams whose events are shown to a store first; `key` names the session to it.
    pub(in super::super) fn recorded(
        limits: &Limits,
        retry: Duration,
        key: String,
        recorder: Arc<dyn EventRecorder>,
    ) -> Arc<Self> {
        let wake = Arc::new(Notify::new());
        let kept = Kept::Recorded(Box::new(Recorded::new(limits, key, recorder, wake.clone())));
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

    /// Opens a GET on the session's own stream, from what nobody has read.
    pub(in super::super) fn attach_recorded(&self) -> Arc<Pipe> {
        let pipe = Pipe::new(&self.limits);
        let old = {
            let mut state = self.state.lock();
            let missed = state.kept.recorded().map(Recorded::take_missed).unwrap_or_default();
            for (id, text) in missed {
                pipe.write(|out| sse::message(out, Some(&id), &text));
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

    /// Whether somebody reads the session's own stream.
    pub(in super::super) fn is_read(&self) -> bool {
        let state = self.state.lock();
        let mut own = state.own.pipe.iter().chain(
            state.readers.iter().filter(|(key, _)| *key == super::StreamKey::Own).map(|(_, reader)| reader),
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
            if let (true, Some(id)) = (missed, id) {
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
        let replaced = {
            let mut state = self.state.lock();
            if stream == StreamId::CONNECTION {
                drop(state.kept.recorded().map(Recorded::take_missed));
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

/// Shows events to the store, one after the other, until nobody needs the streams.
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
