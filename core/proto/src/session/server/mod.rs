//! The server side of one connection or legacy HTTP session, both eras at once.
//!
//! Owns: the handshake, the table of exchanges, subscriptions, our own requests.
//! Must not know: who answers a method, how bytes travel.
//!
//! ```
//! use mcpbolt_proto::protocol::Revision;
//! use mcpbolt_proto::session::server::{NotSent, Phase, ServerSession, ServerSettings};
//! use mcpbolt_proto::session::{ExchangeId, Time};
//! use std::sync::Arc;
//!
//! let settings = Arc::new(ServerSettings { max_in_flight: 100, ..ServerSettings::default() });
//! let mut fresh = ServerSession::new(Arc::clone(&settings));
//! assert_eq!(fresh.phase(), Phase::New);
//! assert_eq!(fresh.progress(Time::ZERO, ExchangeId(1), 0.5, None, None), Err(NotSent::Gone)); // nothing runs
//!
//! // A legacy session whose handshake another node made:
//! let known = ServerSession::stateless(Arc::clone(&settings), Revision::V2025_11_25);
//! let agreed: mcpbolt_proto::session::server::Agreed = known.agreed().unwrap().clone();
//! let resumed = ServerSession::resume(settings, agreed);
//! assert_eq!(resumed.phase(), Phase::Ready);
//! ```

mod answer;
mod ask;
mod listen;
mod logs;
mod notify;
mod progress;
mod receive;
mod record;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use bytestring::ByteString;

use crate::jsonrpc::Id;
use crate::limits::Limits;
use crate::protocol::capabilities::ClientCapabilities;
use crate::protocol::methods::Side;
use crate::protocol::types::{Implementation, LoggingLevel};
use crate::protocol::{Era, Error, ErrorKind, Method, Revision};

use super::outgoing::{Outgoing, Patience};
use super::{
    CancelReason, ExchangeId, NumberMap, Outbound, OutboundKind, OutgoingId, Output, Problem, ProblemKind,
    StreamId, Time,
};

pub use ask::{Asks, check_exists};
pub use logs::LogMessage;
pub use notify::NotSent;
pub use record::SessionRecord;

/// What does not change while a session lives.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Revisions on offer, oldest first.
    pub revisions: Vec<Revision>,
    /// Most requests in flight; beyond it new ones get `Overloaded`.
    pub max_in_flight: usize,
    /// Most bytes of params in flight.
    pub max_in_flight_bytes: usize,
    /// Most subscriptions, legacy and modern together.
    pub max_subscriptions: usize,
    /// Most progress notifications of one request in a second; 0 is no limit.
    pub progress_rate: usize,
    /// Most log messages in a second; 0 is no limit.
    pub log_rate: usize,
    /// Most log messages that wait for their turn.
    pub log_backlog: usize,
    /// How long the client may take to answer us.
    pub patience: Patience,
    /// Name of this node, part of the ids of our requests.
    pub node: Option<String>,
    /// Whether `subscriptions/listen` comes out as a request too. Answered with a result,
    /// it begins: with the members `notifications`, the filter that is honoured, and
    /// `muted`, URIs that the client is promised and never hears of.
    pub ask_before_listen: bool,
    /// Whether requests that need no call come out as [`Output::Settled`].
    pub tell_settled: bool,
}

impl Default for ServerSettings {
    fn default() -> Self {
        let limits = Limits::default();
        Self {
            revisions: Revision::ALL.to_vec(),
            max_in_flight: limits.max_in_flight,
            max_in_flight_bytes: Limits::size(limits.max_in_flight_bytes),
            max_subscriptions: limits.max_subscriptions,
            progress_rate: limits.progress_rate,
            log_rate: limits.log_rate,
            log_backlog: limits.log_backlog,
            patience: Patience { timeout: Time::from_mins(10), max: Time::from_hours(1) },
            node: None,
            ask_before_listen: false,
            tell_settled: false,
        }
    }
}

impl ServerSettings {
    /// Takes over the caps that a session keeps.
    pub fn limit(&mut self, limits: &Limits) {
        self.max_in_flight = limits.max_in_flight;
        self.max_in_flight_bytes = Limits::size(limits.max_in_flight_bytes);
        self.max_subscriptions = limits.max_subscriptions;
        self.progress_rate = limits.progress_rate;
        self.log_rate = limits.log_rate;
        self.log_backlog = limits.log_backlog;
    }

    /// The wire names of the revisions on offer, newest first.
    pub fn supported(&self) -> Vec<&'static str> {
        self.revisions.iter().rev().map(|r| r.as_str()).collect()
    }

    fn newest_legacy(&self) -> Option<Revision> {
        self.revisions.iter().rev().copied().find(|r| r.era() == Era::Legacy)
    }
}

/// Where the legacy handshake stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// No `initialize` yet.
    New,
    /// `initialize` was answered, `notifications/initialized` has not come.
    Initializing,
    /// Everything negotiated may be used.
    Ready,
    /// The session is over.
    Closed,
}

/// What the legacy handshake agreed on.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreed {
    /// The revision.
    pub revision: Revision,
    /// What the client can do.
    pub client_capabilities: ClientCapabilities,
    /// Who the client says it is.
    pub client_info: Option<Implementation>,
}

/// State of one server connection. See the [drive contract](super).
#[derive(Debug)]
pub struct ServerSession {
    settings: Arc<ServerSettings>,
    phase: Phase,
    agreed: Option<Agreed>,
    /// While `initialize` is being answered: what was before, should it fail.
    handshake: Option<Handshake>,
    exchanges: NumberMap<ExchangeId, Exchange>,
    by_id: HashMap<Id, ExchangeId>,
    bytes_in_flight: usize,
    next_exchange: u64,
    outgoing: Outgoing<Asked>,
    listens: BTreeMap<ExchangeId, listen::Listen>,
    subscriptions: BTreeSet<String>,
    log_level: Option<LoggingLevel>,
    logs: logs::Logs,
    /// Progress that came too soon, by when its turn is.
    held_progress: BTreeSet<(Time, ExchangeId)>,
    batches: HashMap<u64, Batch>,
    out: Vec<Output>,
}

/// A request of the peer in flight.
#[derive(Debug)]
struct Exchange {
    id: Id,
    stream: StreamId,
    revision: Revision,
    method: ByteString,
    effect: Effect,
    progress: progress::Progress,
    log_level: Option<LoggingLevel>,
    client_capabilities: Option<ClientCapabilities>,
    cancelled: bool,
    size: usize,
    batch: Option<u64>,
}

/// What a successful answer changes here.
#[derive(Debug)]
enum Effect {
    None,
    Initialize(Box<Agreed>),
    SetLevel(LoggingLevel),
    Subscribe(String),
    Unsubscribe(String),
    /// Begins to listen.
    Listen,
}

/// An `initialize` that is not answered yet.
#[derive(Debug)]
struct Handshake {
    phase: Phase,
    agreed: Option<Agreed>,
    /// `notifications/initialized` came with it in one write.
    initialized: bool,
}

/// A request of ours in flight.
#[derive(Debug)]
struct Asked {
    exchange: Option<ExchangeId>,
    stream: StreamId,
    method: String,
}

/// A legacy batch on a duplex stream, answered by one array.
#[derive(Debug)]
struct Batch {
    stream: StreamId,
    awaited: usize,
    answers: Vec<ByteString>,
}

impl ServerSession {
    /// A session that awaits either era's first message.
    pub fn new(settings: Arc<ServerSettings>) -> Self {
        let node = settings.node.clone().unwrap_or_else(|| "s".to_owned());
        Self {
            settings,
            phase: Phase::New,
            agreed: None,
            handshake: None,
            exchanges: NumberMap::default(),
            by_id: HashMap::new(),
            bytes_in_flight: 0,
            next_exchange: 1,
            outgoing: Outgoing::new(Some(node)),
            listens: BTreeMap::new(),
            subscriptions: BTreeSet::new(),
            log_level: None,
            logs: logs::Logs::default(),
            held_progress: BTreeSet::new(),
            batches: HashMap::new(),
            out: Vec::new(),
        }
    }

    /// A legacy session without a handshake, for HTTP without session ids (W6).
    pub fn stateless(settings: Arc<ServerSettings>, revision: Revision) -> Self {
        let agreed =
            Agreed { revision, client_capabilities: ClientCapabilities::default(), client_info: None };
        Self { phase: Phase::Ready, agreed: Some(agreed), ..Self::new(settings) }
    }

    /// A legacy session that was agreed on earlier, perhaps by another node.
    pub fn resume(settings: Arc<ServerSettings>, agreed: Agreed) -> Self {
        Self { phase: Phase::Ready, agreed: Some(agreed), ..Self::new(settings) }
    }

    /// Moves all outputs to `into`, oldest first.
    pub fn take_outputs(&mut self, into: &mut Vec<Output>) {
        into.append(&mut self.out);
    }

    /// Where the legacy handshake stands.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// What the legacy handshake agreed on, once it did.
    pub fn agreed(&self) -> Option<&Agreed> {
        self.agreed.as_ref()
    }

    /// Requests of the peer that are not answered yet.
    pub fn in_flight(&self) -> usize {
        self.exchanges.len()
    }

    /// Requests of ours that are not answered yet.
    pub fn asking(&self) -> usize {
        self.outgoing.len()
    }

    /// Whether an exchange in flight is cancelled; `None` if it is not in flight.
    pub fn exchange_cancelled(&self, exchange: ExchangeId) -> Option<bool> {
        self.exchanges.get(&exchange).map(|e| e.cancelled)
    }

    /// The stream of an exchange in flight.
    pub fn stream_of(&self, exchange: ExchangeId) -> Option<StreamId> {
        self.exchanges.get(&exchange).map(|e| e.stream)
    }

    /// Whether the peer may have asked for changes.
    pub fn wants_changes(&self) -> bool {
        self.phase == Phase::Ready || !self.listens.is_empty()
    }

    /// Listen requests that are open.
    pub fn listening(&self) -> usize {
        self.listens.len()
    }

    /// When [`ServerSession::tick`] has work.
    pub fn next_deadline(&self) -> Option<Time> {
        let held = self.held_progress.first().map(|(at, _)| *at);
        [self.outgoing.next_deadline(), held, self.logs.due()].into_iter().flatten().min()
    }

    /// Ends requests of ours whose time is over, and sends notifications whose turn it is.
    pub fn tick(&mut self, now: Time) {
        self.tick_unless(now, |_| false);
    }

    /// As [`ServerSession::tick`]; log messages go on waiting for streams that are `full`.
    pub fn tick_unless(&mut self, now: Time, full: impl Fn(StreamId) -> bool) {
        self.release_progress(now);
        self.release_logs(now, full);
        while let Some((request, asked)) = self.outgoing.expire(now) {
            self.send_cancelled(request, asked.stream, Some("timed out"));
            let error = Error::new(ErrorKind::Timeout, format!("{} was not answered in time", asked.method));
            self.out.push(Output::Answered { request, outcome: Err(error) });
        }
    }

    /// The stream of some exchanges is gone. Where the revision says so their calls
    /// are cancelled (C5); elsewhere the answer waits for a resumed stream.
    pub fn stream_closed(&mut self, stream: StreamId) {
        let mut gone: Vec<ExchangeId> = self
            .exchanges
            .iter()
            .filter(|(_, e)| e.stream == stream && e.revision.features().disconnect_cancels)
            .map(|(id, _)| *id)
            .collect();
        gone.sort_unstable();
        for exchange in gone {
            self.cancel_exchange(exchange, CancelReason::StreamGone);
        }
    }

    /// Ends the session: listen streams get their final result when `graceful`, calls
    /// are cancelled, requests of ours fail.
    pub fn close(&mut self, graceful: bool) {
        if self.phase == Phase::Closed {
            return;
        }
        if graceful {
            self.end_listens();
        }
        let ended: Vec<OutgoingId> = self.outgoing.drain().map(|(request, _)| request).collect();
        for request in ended {
            let outcome = Err(Error::new(ErrorKind::Closed, "the connection closed before an answer came"));
            self.out.push(Output::Answered { request, outcome });
        }
        let mut open: Vec<ExchangeId> = self.exchanges.keys().copied().collect();
        open.sort_unstable();
        for exchange in open {
            self.cancel_exchange(exchange, CancelReason::SessionClosed);
        }
        for uri in std::mem::take(&mut self.subscriptions) {
            self.out.push(Output::Subscription { uri, active: false });
        }
        self.logs = logs::Logs::default();
        self.phase = Phase::Closed;
    }

    /// Marks an exchange as unwanted and asks for its call to stop. The exchange stays
    /// until it is answered, so that nothing is forgotten while it still runs.
    fn cancel_exchange(&mut self, exchange: ExchangeId, reason: CancelReason) {
        let Some(entry) = self.exchanges.get_mut(&exchange) else { return };
        if std::mem::replace(&mut entry.cancelled, true) {
            return;
        }
        let (stream, id, batch, size) = (entry.stream, entry.id.clone(), entry.batch.take(), entry.size);
        self.forget_progress(exchange);
        self.forget_logs(exchange);
        if self.by_id.get(&id) == Some(&exchange) {
            self.by_id.remove(&id);
        }
        if self.listens.contains_key(&exchange) {
            self.drop_listen(exchange);
            self.exchanges.remove(&exchange);
            self.bytes_in_flight -= size;
        } else {
            self.out.push(Output::Cancel { exchange, reason });
        }
        self.cancel_children(exchange, "the request it served was cancelled");
        match batch {
            Some(batch) => self.finish_batch(batch, None),
            None => self.out.push(Output::Ended { stream }),
        }
    }

    fn problem(&mut self, kind: ProblemKind, message: impl Into<String>) {
        self.out.push(Output::Problem(Problem { kind, message: message.into() }));
    }

    fn send(&mut self, stream: StreamId, kind: OutboundKind, text: ByteString) {
        self.out.push(Output::Send(Outbound { stream, kind, text }));
    }

    fn legacy_revision(&self) -> Option<Revision> {
        self.agreed.as_ref().map(|a| a.revision)
    }

    /// The capabilities that count for an exchange: its own on the modern era (L4),
    /// the session's on the legacy one.
    fn capabilities_of(&self, exchange: Option<ExchangeId>) -> Option<&ClientCapabilities> {
        exchange
            .and_then(|e| self.exchanges.get(&e))
            .and_then(|e| e.client_capabilities.as_ref())
            .or_else(|| self.agreed.as_ref().map(|a| &a.client_capabilities))
    }
}

/// Whether a client may send this request in this revision.
fn client_may_request(spec: &Method, revision: Revision) -> bool {
    spec.is_request() && spec.may_be_sent_by(Side::Client, revision)
}
