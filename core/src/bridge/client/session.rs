//! One connection of a client of the host's.
//!
//! Owns: what the server is told and tells, seen as items; the end of a connection.
//! Must not know: how bytes travel. Nothing of an inbox is touched under its lock.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::policy::lists::OpenLists;
use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
use mcpbolt_proto::protocol::{Era, Error, ErrorKind, methods};
use mcpbolt_proto::session::client::ClientRequest;
use mcpbolt_proto::session::negotiate::{Agreed, ProtocolPolicy};
use mcpbolt_proto::session::{CancelReason, ExchangeId, OutgoingId, Problem};

use crate::client::ServerNotification;
use crate::client::cache::Cache;
use crate::client::tools::ToolBook;
use crate::transport::client_connection::telling::check_params;
use crate::transport::client_connection::{ClientConnection, ClientHost};

use crate::bridge::boundary::item::{CancelWhy, Item, Request};
use crate::bridge::boundary::outcome::Failure;
use crate::bridge::boundary::panics::contain;
use crate::bridge::client::exchange::Exchange;
use crate::bridge::client::result_checks::ResultChecks;
use crate::bridge::queue::inbox::{Inbox, own_number};
use crate::bridge::requests::server_requests::{Served, Source};

/// Longest wait for a transport that should close.
pub(crate) const CLOSE_BOUND: Duration = Duration::from_secs(15);

/// What of a client's options a connection needs.
#[derive(Clone)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub(crate) struct Manner {
    pub(crate) cache: bool,
    pub(crate) max_rounds: usize,
    pub(crate) raw_input: bool,
    pub(crate) capabilities: ClientCapabilities,
    pub(crate) http: bool,
    /// Closing takes no time: the host carries the bytes.
    pub(crate) fed: bool,
    /// A server that refuses the end of the handshake is not connected to.
    pub(crate) strict_opening: bool,
    /// How it travels, one word.
    pub(crate) kind: &'static str,
    /// Which era is tried unless the host says.
    pub(crate) policy: ProtocolPolicy,
    /// How results are checked.
    pub(crate) checks: ResultChecks,
}

/// A connection to one server.
pub(crate) struct HostSession {
    pub(crate) me: Weak<Self>,
    pub(crate) id: u64,
    pub(crate) inbox: Arc<Inbox>,
    pub(crate) manner: Manner,
    pub(crate) cache: Cache,
    pub(crate) tools: ToolBook,
    /// The server's lists that have further pages.
    pub(crate) lists: Mutex<OpenLists>,
    pub(crate) state: Mutex<State>,
    connection: OnceLock<Arc<ClientConnection>>,
}

/// Where a connection stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Phase {
    /// The transport is open, nothing was said.
    #[default]
    Open,
    Connecting,
    Ready,
    Reconnecting,
    Closed,
}

impl Phase {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Connecting => "connecting",
            Self::Ready => "ready",
            Self::Reconnecting => "reconnecting",
            Self::Closed => "closed",
        }
    }
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) phase: Phase,
    /// The host's number for the handshake, and the shape it wants.
    handshake: Option<(u64, Shape)>,
    pub(crate) exchanges: HashMap<u64, Exchange>,
    /// The host's numbers of notifications that the server has still to take.
    told: HashSet<u64>,
    /// Which request of the host's a wire request belongs to.
    pub(crate) numbers: HashMap<OutgoingId, u64>,
    /// The server's requests that the host has.
    served: HashMap<ExchangeId, u64>,
    /// The host asked for the end.
    closing: bool,
}

/// How the answer to a handshake looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// As it came.
    Raw,
    /// As the result of `initialize`, whatever was asked.
    Initialize,
}

impl HostSession {
    pub(crate) fn new(inbox: &Arc<Inbox>, id: u64, manner: Manner) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            id,
            inbox: Arc::clone(inbox),
            manner,
            cache: Cache::default(),
            tools: ToolBook::default(),
            lists: Mutex::default(),
            state: Mutex::default(),
            connection: OnceLock::new(),
        })
    }

    pub(crate) fn attach(&self, connection: Arc<ClientConnection>) {
        let _ = self.connection.set(connection);
    }

    pub(crate) fn connection(&self) -> Result<&Arc<ClientConnection>, Error> {
        self.connection.get().ok_or_else(Error::closed)
    }

    /// What is sent waits for [`HostSession::push`] or [`HostSession::release`].
    pub(crate) fn hold(&self) {
        if let Ok(connection) = self.connection() {
            connection.hold();
        }
    }

    /// Sends what waits, and has more of it wait.
    pub(crate) fn push(&self) {
        if let Ok(connection) = self.connection() {
            connection.release();
            connection.hold();
        }
    }

    pub(crate) fn release(&self) {
        if let Ok(connection) = self.connection() {
            connection.release();
        }
    }

    pub(crate) fn agreed(&self) -> Option<Arc<Agreed>> {
        self.connection.get()?.agreed()
    }

    /// Begins the handshake; its `Response` has the number `id`.
    pub(crate) fn begin(&self, id: u64, policy: ProtocolPolicy, shape: Shape) {
        let fresh = {
            let mut state = self.state.lock();
            let fresh = state.phase == Phase::Open;
            if fresh {
                state.phase = Phase::Connecting;
                state.handshake = Some((id, shape));
            }
            fresh
        };
        let started = fresh && self.connection().is_ok_and(|connection| connection.start(policy));
        if !started {
            self.inbox.answered(id, None, Err(Error::usage("the handshake has begun before")));
        }
    }

    /// Begins with what an earlier connection agreed on.
    pub(crate) fn adopt(&self, agreed: Agreed) -> Result<(), Error> {
        self.connection()?.adopt(agreed)
    }

    fn enter(&self, phase: Phase) -> bool {
        let changed = {
            let mut state = self.state.lock();
            let changed = state.phase != phase && state.phase != Phase::Closed;
            if changed {
                state.phase = phase;
            }
            changed
        };
        if changed && phase != Phase::Closed {
            self.inbox.post(Item::State { connection: self.id, state: phase.as_str() });
        }
        changed
    }

    /// Sends a notification of the host's.
    pub(crate) fn notify(&self, method: &str, params: Option<&RawJson>) -> Result<(), Error> {
        check_params(params)?;
        self.connection()?.notify(method, params)
    }

    /// As [`HostSession::notify`]; a `Response` with the number `id` says whether the server
    /// took it, as far as the transport can tell.
    pub(crate) fn tell(&self, id: u64, method: &str, params: Option<&RawJson>) {
        let me = self.me.clone();
        let taken = Box::new(move |outcome| {
            if let Some(me) = me.upgrade() {
                me.took(id, outcome);
            }
        });
        self.state.lock().told.insert(id);
        let sent = check_params(params)
            .and_then(|()| self.connection())
            .and_then(|connection| connection.notify_then(method, params, taken));
        if let Err(error) = sent {
            self.took(id, Err(error));
        }
    }

    fn took(&self, id: u64, outcome: Result<(), Error>) {
        if self.state.lock().told.remove(&id) {
            self.inbox.answered(id, None, outcome.map(|()| RawJson::null()));
        }
    }

    /// Ends the connection politely; a `Closed` item says when it is over.
    pub(crate) fn close(&self) {
        self.state.lock().closing = true;
        match self.connection.get() {
            None => self.closed(&Error::closed()),
            Some(connection) => self.end(connection, None),
        }
    }

    /// Closes session and transport; tells the end once both are over.
    fn end(&self, connection: &Arc<ClientConnection>, why: Option<Failure>) {
        let (inbox, id) = (Arc::clone(&self.inbox), self.id);
        let over = connection.clone();
        if self.manner.fed {
            // Ready at the first poll: nothing waits for a transport of the host's.
            let _ = contain(|| futures_util::FutureExt::now_or_never(over.close()));
            return inbox.client_over(id, why);
        }
        connection.spawner().spawn(async move {
            let _ = tokio::time::timeout(CLOSE_BOUND, over.close()).await;
            inbox.client_over(id, why);
        });
    }

    /// The host's number of the request on whose stream something came.
    fn origin_of(&self, request: Option<OutgoingId>) -> u64 {
        request.and_then(|request| self.state.lock().numbers.get(&request).copied()).unwrap_or(0)
    }

    /// The host answered a request of the server.
    pub(crate) fn answer(&self, exchange: ExchangeId, outcome: Result<RawJson, Error>) -> bool {
        self.state.lock().served.remove(&exchange);
        self.connection().is_ok_and(|connection| connection.answer(exchange, outcome))
    }

    /// What is known of the connection.
    pub(crate) fn describe(&self) -> Option<RawJson> {
        let phase = self.state.lock().phase;
        let mut about = RawObject::new();
        about.put("role", "client").ok()?;
        about.put("connection", &self.id).ok()?;
        about.put("transport", self.manner.kind).ok()?;
        about.put("state", phase.as_str()).ok()?;
        if let Some(connection) = self.connection.get() {
            let facts = connection.transport_facts();
            about.put("sessionId", &facts.session).ok()?;
            about.put("process", &facts.process).ok()?;
            about.put("inFlight", &connection.in_flight()).ok()?;
        }
        if let Some(agreed) = self.agreed() {
            about.put("revision", agreed.revision.as_str()).ok()?;
            let era = if agreed.revision.era() == Era::Modern { "modern" } else { "legacy" };
            about.put("era", era).ok()?;
            about.put("serverInfo", &agreed.server_info).ok()?;
            about.put("capabilities", &agreed.capabilities).ok()?;
            about.put("instructions", &agreed.instructions).ok()?;
            about.set("handshake", agreed.raw.clone());
        }
        Some(about.to_raw())
    }
}

impl Shape {
    fn of(self, agreed: &Agreed) -> RawJson {
        let legacy = agreed.revision.features().handshake;
        if self == Self::Raw || legacy {
            return agreed.raw.clone();
        }
        // P38: a program that initializes gets what it knows.
        let mut result = RawObject::parse(&agreed.raw).unwrap_or_default();
        result.remove("supportedVersions");
        let _ = result.put("protocolVersion", agreed.revision.as_str());
        let unnamed = serde_json::json!({"name": "", "version": ""});
        let info = agreed.server_info.as_ref().and_then(|info| RawJson::encode(info).ok());
        result.set("serverInfo", info.unwrap_or_else(|| unnamed.into()));
        result.to_raw()
    }
}

impl ClientHost for HostSession {
    fn ready(&self, agreed: &Arc<Agreed>) {
        self.cache.clear();
        self.enter(Phase::Ready);
        let handshake = self.state.lock().handshake.take();
        if let Some((id, shape)) = handshake {
            self.inbox.answered(id, None, Ok(shape.of(agreed)));
        }
    }

    fn request(&self, connection: &Arc<ClientConnection>, request: ClientRequest) {
        let call = own_number();
        let origin = self.origin_of(request.related);
        let Some(me) = self.me.upgrade() else { return };
        // It belongs to one of the open requests, at worst to the deepest.
        let outer = self.state.lock().exchanges.values().map(|exchange| exchange.depth).max();
        let depth = match self.depth_of(&request.method, outer.unwrap_or(0)) {
            Ok(depth) => depth,
            Err(error) => {
                connection.answer(request.exchange, Err(error));
                return;
            }
        };
        self.state.lock().served.insert(request.exchange, call);
        let source = Source::Wire(me, request.exchange, request.id.to_raw());
        let served = Served::new(source, request.params.as_ref(), origin, depth);
        let item = Request {
            call,
            connection: self.id,
            origin,
            method: request.method,
            name: None,
            params: request.params,
            invalid: None,
        };
        if let Err(error) = self.inbox.serve(served, item) {
            self.state.lock().served.remove(&request.exchange);
            connection.answer(request.exchange, Err(error));
        }
    }

    fn cancelled(&self, exchange: ExchangeId, reason: &CancelReason) {
        let call = self.state.lock().served.remove(&exchange);
        if let Some(call) = call {
            let words = match reason {
                CancelReason::Peer(words) => words.clone(),
                _ => None,
            };
            self.inbox.unserve(call, CancelWhy::from(reason), words);
        }
    }

    fn notification(&self, method: &str, params: Option<&RawJson>, subscription: Option<OutgoingId>) {
        self.cache.invalidate(&ServerNotification::read(method, params));
        let item = Item::Notification {
            connection: self.id,
            origin: self.origin_of(subscription),
            method: method.into(),
            params: params.cloned(),
        };
        // Somebody waits for this one.
        if method == methods::SUBSCRIPTIONS_ACKNOWLEDGED {
            self.inbox.post(item);
        } else {
            self.inbox.post_droppable(item);
        }
    }

    fn problem(&self, problem: &Problem) {
        self.inbox.post_droppable(crate::bridge::server::host_handler::log_item(self.id, problem));
    }

    fn stderr(&self, line: &str) {
        let item = Item::Log { connection: self.id, kind: "stderr", message: line.to_owned() };
        self.inbox.post_droppable(item);
    }

    fn reconnecting(&self) {
        self.enter(Phase::Reconnecting);
    }

    fn opening_refused(&self, _: &Error) -> bool {
        // One that was connected to before is not given up for it.
        self.manner.strict_opening && self.state.lock().handshake.is_some()
    }

    fn closed(&self, error: &Error) {
        let (handshake, exchanges, told, closing) = {
            let mut state = self.state.lock();
            if state.phase == Phase::Closed {
                return;
            }
            state.phase = Phase::Closed;
            state.served.clear();
            let exchanges: Vec<_> = std::mem::take(&mut state.exchanges).into_iter().collect();
            state.numbers.clear();
            let told = std::mem::take(&mut state.told);
            (state.handshake.take(), exchanges, told, state.closing)
        };
        for id in told {
            self.inbox.answered(id, None, Err(error.clone()));
        }
        if let Some((id, _)) = handshake {
            self.inbox.answered(id, None, Err(error.clone()));
        }
        for (id, exchange) in exchanges {
            self.withdraw(exchange, CancelWhy::SessionClosed);
            self.inbox.answered(id, None, Err(error.clone()));
        }
        if !closing {
            let why = Failure::from(error.clone());
            match self.connection.get() {
                Some(connection) => self.end(connection, Some(why)),
                None => self.inbox.client_over(self.id, Some(why)),
            }
        }
    }
}

/// The failure of a request of a connection that never opened.
pub(crate) fn not_open() -> Error {
    Error::new(ErrorKind::Usage, "the handshake has not begun: initialize first")
}
