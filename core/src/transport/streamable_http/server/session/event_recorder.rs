//! A store of the program's own that is shown every event before it leaves.
//!
//! Owns: the trait it implements, what waits for it, in order, and which event belongs to
//! which stream of the session. Must not know: how streams are written or read.

use std::collections::VecDeque;
use std::sync::Arc;

use bytestring::ByteString;
use tokio::sync::Notify;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::StreamId;

use crate::handler::Wake;
use crate::store::BoxFuture;
use crate::transport::connection::Wire;

use super::super::pipe::Pipe;

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
pub(super) enum Step {
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
    pub(super) recorder: Arc<dyn EventRecorder>,
    /// Of the session.
    pub(super) key: String,
    pub(super) steps: VecDeque<Step>,
    pub(super) bytes: usize,
    pub(super) wake: Arc<Notify>,
    pub(super) wakes: Vec<Wake>,
    /// The id of the event that is on its way out.
    pub(super) current: Option<String>,
    /// The streams of the last events, oldest first.
    pub(super) known: VecDeque<(String, StreamId)>,
    /// Events of the session's own stream that were not read; without an id those that the store
    /// could not take.
    pub(super) missed: VecDeque<(Option<String>, ByteString)>,
    pub(super) missed_bytes: usize,
    pub(super) max_bytes: usize,
    pub(super) max_events: usize,
    pub(super) max_missed_bytes: usize,
}

impl Drop for Recorded {
    fn drop(&mut self) {
        self.wake.notify_one();
    }
}

impl Recorded {
    pub(super) fn new(
        limits: &Limits,
        key: String,
        recorder: Arc<dyn EventRecorder>,
        wake: Arc<Notify>,
    ) -> Self {
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

    pub(super) fn push(&mut self, step: Step) {
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

    pub(super) fn take(&mut self) -> Option<(Step, Vec<Wake>)> {
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

    pub(super) fn remember(&mut self, id: String, stream: StreamId) {
        self.known.push_back((id, stream));
        if self.known.len() > self.max_events {
            self.known.pop_front();
        }
    }

    pub(super) fn miss(&mut self, id: Option<String>, text: ByteString) {
        self.missed_bytes += text.len();
        self.missed.push_back((id, text));
        while self.missed.len() > self.max_events || self.missed_bytes > self.max_missed_bytes {
            let Some((_, oldest)) = self.missed.pop_front() else { return };
            self.missed_bytes -= oldest.len();
        }
    }

    pub(super) fn take_missed(&mut self) -> VecDeque<(Option<String>, ByteString)> {
        self.missed_bytes = 0;
        std::mem::take(&mut self.missed)
    }

    pub(super) fn name(&self, stream: StreamId) -> String {
        match stream {
            StreamId::CONNECTION => format!("{}/own", self.key),
            StreamId(number) => format!("{}/{number}", self.key),
        }
    }
}
