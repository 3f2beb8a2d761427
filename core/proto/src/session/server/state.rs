//! What a server's session remembers.
//!
//! Owns: the handshake, the table of exchanges, subscriptions, our own requests, what waits
//! to be put out. Must not know: when any of it changes; the other files of this folder are
//! the verbs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use bytestring::ByteString;

use crate::jsonrpc::{Id, RawJson};
use crate::protocol::Revision;
use crate::protocol::capabilities::ClientCapabilities;
use crate::protocol::types::{Implementation, LoggingLevel};

use super::super::outgoing::Outgoing;
use super::super::throttle::Throttle;
use super::super::{
    ExchangeId, IdMap, NumberMap, Outbound, OutboundKind, Output, Problem, ProblemKind, StreamId, Time,
};
use super::changes::Listen;
use super::log_queue::Logs;
use super::settings::ServerSettings;

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

/// State of one server connection. See the [drive contract](super::super).
#[derive(Debug)]
pub struct ServerSession {
    pub(super) settings: Arc<ServerSettings>,
    pub(super) phase: Phase,
    pub(super) agreed: Option<Agreed>,
    /// While `initialize` is being answered: what was before, should it fail.
    pub(super) handshake: Option<Handshake>,
    pub(super) exchanges: NumberMap<ExchangeId, Exchange>,
    pub(super) by_id: IdMap<ExchangeId>,
    pub(super) bytes_in_flight: usize,
    pub(super) next_exchange: u64,
    pub(super) outgoing: Outgoing<Asked>,
    pub(super) listens: BTreeMap<ExchangeId, Listen>,
    pub(super) subscriptions: BTreeSet<String>,
    pub(super) log_level: Option<LoggingLevel>,
    pub(super) logs: Logs,
    /// Progress that came too soon, by when its turn is.
    pub(super) held_progress: BTreeSet<(Time, ExchangeId)>,
    pub(super) batches: HashMap<u64, Batch>,
    /// Whether each request has a response of its own to end with, as over HTTP.
    pub(super) one_response_each: bool,
    pub(super) out: Vec<Output>,
}

/// A request of the peer in flight.
#[derive(Debug)]
pub(super) struct Exchange {
    pub(super) id: Id,
    pub(super) stream: StreamId,
    pub(super) revision: Revision,
    pub(super) method: ByteString,
    pub(super) effect: Effect,
    pub(super) progress: Progress,
    pub(super) log_level: Option<LoggingLevel>,
    pub(super) client_capabilities: Option<ClientCapabilities>,
    pub(super) cancelled: bool,
    pub(super) size: usize,
    pub(super) batch: Option<u64>,
}

/// What a successful answer changes here.
#[derive(Debug)]
pub(super) enum Effect {
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
pub(super) struct Handshake {
    pub(super) phase: Phase,
    pub(super) agreed: Option<Agreed>,
    /// `notifications/initialized` came with it in one write.
    pub(super) initialized: bool,
}

/// A request of ours in flight.
#[derive(Debug)]
pub(super) struct Asked {
    pub(super) exchange: Option<ExchangeId>,
    pub(super) stream: StreamId,
    pub(super) method: String,
    /// How long it may take.
    pub(super) timeout: Time,
}

/// A legacy batch on a duplex stream, answered by one array.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) stream: StreamId,
    pub(super) awaited: usize,
    pub(super) answers: Vec<ByteString>,
}

/// What an exchange knows of its progress.
#[derive(Debug)]
pub(super) struct Progress {
    pub(super) token: Option<Id>,
    pub(super) last: Option<f64>,
    pub(super) throttle: Throttle,
    /// The newest report that came too soon, and when its turn is.
    pub(super) held: Option<(Time, RawJson)>,
}

impl Progress {
    pub(super) fn new(token: Option<Id>) -> Self {
        Self { token, last: None, throttle: Throttle::default(), held: None }
    }
}

impl ServerSession {
    /// A session that awaits either era's first message.
    pub fn new(settings: Arc<ServerSettings>) -> Self {
        let outgoing = match settings.norm.first_id {
            Some(first) => Outgoing::counting_from(first),
            None => Outgoing::new(Some(settings.node.clone().unwrap_or_else(|| "s".to_owned()))),
        };
        Self {
            settings,
            phase: Phase::New,
            agreed: None,
            handshake: None,
            exchanges: NumberMap::default(),
            by_id: IdMap::default(),
            bytes_in_flight: 0,
            next_exchange: 1,
            outgoing,
            listens: BTreeMap::new(),
            subscriptions: BTreeSet::new(),
            log_level: None,
            logs: Logs::default(),
            held_progress: BTreeSet::new(),
            batches: HashMap::new(),
            one_response_each: false,
            out: Vec::new(),
        }
    }

    /// For transports on which a request ends with a response: one that its client cancels is
    /// answered, where the settings' norm has an error for it.
    #[must_use]
    pub fn with_one_response_each(mut self) -> Self {
        self.one_response_each = true;
        self
    }

    pub(super) fn problem(&mut self, kind: ProblemKind, message: impl Into<String>) {
        self.out.push(Output::Problem(Problem { kind, message: message.into() }));
    }

    pub(super) fn send(&mut self, stream: StreamId, kind: OutboundKind, text: ByteString) {
        self.out.push(Output::Send(Outbound { stream, kind, text }));
    }

    pub(super) fn legacy_revision(&self) -> Option<Revision> {
        self.agreed.as_ref().map(|a| a.revision)
    }

    /// The capabilities that count for an exchange: its own on the modern era,
    /// the session's on the legacy one.
    pub(super) fn capabilities_of(&self, exchange: Option<ExchangeId>) -> Option<&ClientCapabilities> {
        exchange
            .and_then(|e| self.exchanges.get(&e))
            .and_then(|e| e.client_capabilities.as_ref())
            .or_else(|| self.agreed.as_ref().map(|a| &a.client_capabilities))
    }
}
