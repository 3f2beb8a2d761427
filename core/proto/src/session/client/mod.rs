//! The client side of one connection, both eras.
//!
//! Owns: the handshake or probe, our requests and their deadlines, the server's
//! requests of the legacy era, listen streams, keep-alive. Must not know: who answers
//! the server, how bytes travel.
//!
//! ```
//! use mcpbolt_proto::jsonrpc::{DecodeLimits, Incoming, decode};
//! use mcpbolt_proto::protocol::Error;
//! use mcpbolt_proto::protocol::types::Implementation;
//! use mcpbolt_proto::session::Time;
//! use mcpbolt_proto::session::client::{
//!     Answered, ClientFrame, ClientOutput, ClientRequest, ClientSession, ClientSettings, FrameFacts, KeepAlive,
//!     RequestFacts, RequestOptions, SendFault,
//! };
//! use std::sync::Arc;
//!
//! let mut settings = ClientSettings::new(Implementation::new("example", "1.0"), Default::default());
//! settings.keep_alive = Some(KeepAlive { interval: Time::from_secs(30), timeout: Time::from_secs(10) });
//! let mut session = ClientSession::new(Arc::new(settings));
//!
//! let now = Time::ZERO;
//! session.start(now); // probes for the server's era
//! let options = RequestOptions { timeout: Some(Time::from_secs(5)), ..RequestOptions::default() };
//! let wanted = session.request(now, "tools/list", None, options)?; // waits for the probe
//!
//! let mut outputs = Vec::new();
//! session.take_outputs(&mut outputs);
//! for output in outputs {
//!     match output {
//!         ClientOutput::Send(ClientFrame { text, facts: FrameFacts::Request(facts), .. }) => {
//!             let RequestFacts { request, method, .. } = facts;
//!             println!("send {method}: {text}");
//!             // The carrier could not: the probe fails, and with it what waits for it.
//!             session.failed(now, request, SendFault { error: Error::transport("no line"), status: None });
//!         }
//!         ClientOutput::Answered { outcome: Ok(Answered::Complete(result)), .. } => println!("{result:?}"),
//!         ClientOutput::Request(ClientRequest { method, .. }) => println!("the server asks {method}"),
//!         _ => {}
//!     }
//! }
//! let mut outputs = Vec::new();
//! session.take_outputs(&mut outputs);
//! assert!(outputs.iter().any(
//!     |o| matches!(o, ClientOutput::Answered { request, outcome: Err(_) } if *request == wanted)
//! ));
//! # Ok::<(), Error>(())
//! ```

mod handshake;
mod output;
mod receive;
mod request;
mod resumption;
mod settings;
mod shape;
mod time;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytestring::ByteString;

use crate::jsonrpc::{Id, RawJson};
use crate::protocol::types::LoggingLevel;
use crate::protocol::{Error, ErrorKind, Revision};

use super::negotiate::{Agreed, Negotiator, ProtocolPolicy};
use super::outgoing::Outgoing;
use super::{CancelReason, ExchangeId, IdMap, OutgoingId, Problem, ProblemKind, Time};

pub use output::{Answered, ClientFrame, ClientOutput, ClientRequest, FrameFacts, RequestFacts, SendFault};
pub use resumption::Resumption;
pub use settings::{ClientSettings, KeepAlive};

/// How one request is to be sent.
#[derive(Debug, Clone, Default)]
#[allow(clippy::struct_excessive_bools, reason = "switches of a request, each by itself")]
pub struct RequestOptions {
    /// Longest time without an answer or progress; the session's when absent. A session's
    /// or a request's [`Time::MAX`] means no limit.
    pub timeout: Option<Time>,
    /// Longest time in all; the session's when absent, never below `timeout`.
    pub max: Option<Time>,
    /// Whether the timeout, this one or the session's, is the longest time in all, whatever
    /// progress says.
    pub fixed: bool,
    /// Whether to ask for progress.
    pub progress: bool,
    /// Lowest level of log messages for this request (modern era).
    pub log_level: Option<LoggingLevel>,
    /// Whether repeating it can do no harm; by method when absent.
    pub repeatable: Option<bool>,
    /// `Mcp-Param-*` headers: full name and encoded value.
    pub headers: Vec<(String, String)>,
    /// Whether a result that asks questions is the answer, as it came.
    pub raw_input: bool,
    /// Whether the request is passed on for somebody else who speaks the session's revision:
    /// its params go out as they are, but for the progress token where `progress` asks for
    /// one, and its result is the answer as it came, of whatever type.
    pub as_it_is: bool,
    /// Over HTTP: where the stream of its answer goes on, and who hears of that.
    pub resumption: Resumption,
}

/// Where the session stands.
#[derive(Debug)]
enum Phase {
    New,
    Negotiating(Box<Negotiator>),
    Ready,
    /// The channel is gone: what is asked waits for the next one.
    Lost,
    Closed,
}

/// Why a request of ours was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Probe,
    Handshake,
    User,
    Ping,
    Restore,
}

/// A request of ours in flight, or waiting for the handshake.
#[derive(Debug)]
struct Sent {
    role: Role,
    method: String,
    params: Option<RawJson>,
    options: RequestOptions,
    /// On the wire, in the present session.
    on_wire: bool,
    /// Sent at least once, so that its effect may have happened.
    tried: bool,
    /// A listen stream.
    listen: bool,
}

/// A request of the server in flight (legacy era).
#[derive(Debug)]
struct Asked {
    id: Id,
    method: ByteString,
    revision: Revision,
}

/// State of one client connection. See the [drive contract](super).
#[derive(Debug)]
pub struct ClientSession {
    settings: Arc<ClientSettings>,
    /// Which era to try, now and after a lost session.
    policy: ProtocolPolicy,
    /// Whether a refusal leaves the conversation as it was before it was asked for.
    probing: bool,
    phase: Phase,
    agreed: Option<Arc<Agreed>>,
    outgoing: Outgoing<Sent>,
    /// Requests that wait for the handshake, in order.
    waiting: Vec<OutgoingId>,
    asked: BTreeMap<ExchangeId, Asked>,
    by_id: IdMap<ExchangeId>,
    next_exchange: u64,
    subscriptions: BTreeSet<String>,
    log_level: Option<RawJson>,
    next_ping: Option<Time>,
    /// When the present session began.
    began: Time,
    /// How many sessions in a row the server has forgotten before they were of any use.
    useless: u32,
    /// A probe whose time is over. A server that starts slowly answers it yet.
    late_probe: Option<OutgoingId>,
    encoded: shape::Encoded,
    out: Vec<ClientOutput>,
}

impl ClientSession {
    /// A session that has not said anything yet.
    pub fn new(settings: Arc<ClientSettings>) -> Self {
        let encoded = shape::Encoded::new(&settings);
        let outgoing = settings.norm.first_id.map_or_else(|| Outgoing::new(None), Outgoing::counting_from);
        Self {
            policy: settings.policy,
            probing: false,
            settings,
            phase: Phase::New,
            agreed: None,
            outgoing,
            waiting: Vec::new(),
            asked: BTreeMap::new(),
            by_id: IdMap::default(),
            next_exchange: 1,
            subscriptions: BTreeSet::new(),
            log_level: None,
            next_ping: None,
            began: Time::ZERO,
            useless: 0,
            late_probe: None,
            encoded,
            out: Vec::new(),
        }
    }

    /// Moves all outputs to `into`, oldest first.
    pub fn take_outputs(&mut self, into: &mut Vec<ClientOutput>) {
        into.append(&mut self.out);
    }

    /// What was agreed on, once it was.
    pub fn agreed(&self) -> Option<&Arc<Agreed>> {
        self.agreed.as_ref()
    }

    /// Whether requests go out at once.
    pub fn is_ready(&self) -> bool {
        matches!(self.phase, Phase::Ready)
    }

    /// Whether the session is over.
    pub fn is_closed(&self) -> bool {
        matches!(self.phase, Phase::Closed)
    }

    /// Requests of ours without an answer yet.
    pub fn in_flight(&self) -> usize {
        self.outgoing.len()
    }

    /// Requests of the server without an answer yet.
    pub fn asked(&self) -> usize {
        self.asked.len()
    }

    /// The settings.
    pub fn settings(&self) -> &ClientSettings {
        &self.settings
    }

    /// The connection is gone, or the program closes it: everything pending ends with
    /// `error`.
    pub fn close(&mut self, error: &Error) {
        if self.is_closed() {
            return;
        }
        self.phase = Phase::Closed;
        self.next_ping = None;
        self.waiting.clear();
        let ended: Vec<_> = self.outgoing.drain().collect();
        for (request, sent) in ended {
            if sent.role == Role::User {
                self.out.push(ClientOutput::Answered { request, outcome: Err(error.clone()) });
            }
        }
        self.forget_asked();
        self.out.push(ClientOutput::Closed(error.clone()));
    }

    /// The server will not hear our answers any more.
    fn forget_asked(&mut self) {
        self.by_id.clear();
        for exchange in std::mem::take(&mut self.asked).into_keys() {
            self.out.push(ClientOutput::CancelRequest { exchange, reason: CancelReason::SessionClosed });
        }
    }

    fn problem(&mut self, kind: ProblemKind, message: impl Into<String>) {
        self.out.push(ClientOutput::Problem(Problem { kind, message: message.into() }));
    }

    fn send(&mut self, facts: FrameFacts, revision: Option<Revision>, text: ByteString) {
        self.out.push(ClientOutput::Send(ClientFrame { text, facts, revision }));
    }

    /// The revision spoken, as far as it is known.
    fn revision(&self) -> Option<Revision> {
        self.agreed.as_ref().map(|a| a.revision)
    }
}

fn closed() -> Error {
    Error::new(ErrorKind::Closed, "the connection is closed; connect again to go on")
}
