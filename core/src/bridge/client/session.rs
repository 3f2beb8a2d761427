//! One connection of a client of the host's.
//!
//! Owns: what is known of it, and the notifications sent on it. Must not know: how bytes
//! travel; handshake, requests, events and the end are in files of their own.
//!
//! Nothing of an inbox is touched under the session's lock, nor is the connection called: its own
//! lock is taken first, where both are.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::policy::lists::OpenLists;
use mcpbolt_proto::protocol::{Error, ErrorKind, methods};
use mcpbolt_proto::session::negotiate::Agreed;
use mcpbolt_proto::session::outgoing::Outgoing;
use mcpbolt_proto::session::{ExchangeId, NumberMap, OutgoingId};

use crate::bridge::boundary::item::Item;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::requests::client_link::HandshakeShape;
use crate::bridge::requests::describe::era_name;
use crate::client::cache::Cache;
use crate::client::sampling_depth::too_deep;
use crate::client::tools::ToolBook;
use crate::transport::client_connection::ClientConnection;
use crate::transport::client_connection::telling::check_params;

use super::connection_options::ConnectionOptions;
use super::pending_request::PendingRequest;

/// Longest wait for a transport that should close.
pub(crate) const CLOSE_BOUND: Duration = Duration::from_secs(15);

/// A connection of the host to one server.
pub(crate) struct HostSession {
    pub(super) me: Weak<Self>,
    pub(super) id: u64,
    pub(super) inbox: Arc<Inbox>,
    pub(super) options: ConnectionOptions,
    pub(super) cache: Cache,
    pub(super) tools: ToolBook,
    /// The server's lists that have further pages.
    pub(super) lists: Mutex<OpenLists>,
    pub(super) state: Mutex<SessionState>,
    connection: OnceLock<Arc<ClientConnection>>,
}

/// Where a connection stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum SessionPhase {
    /// The transport is open, the handshake has not begun.
    #[default]
    Open,
    Connecting,
    Ready,
    Reconnecting,
    Closed,
}

impl SessionPhase {
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

/// What changes while a connection lasts.
#[derive(Default)]
pub(super) struct SessionState {
    pub(super) phase: SessionPhase,
    /// The host's number for the handshake, and the shape it wants.
    pub(super) handshake: Option<(u64, HandshakeShape)>,
    /// The host's requests that are not answered.
    pub(super) pending: HashMap<u64, PendingRequest>,
    /// The host's numbers of notifications that the server has still to take.
    pub(super) notifications: HashSet<u64>,
    /// Which request of the host's a wire request belongs to. Noted before it is sent.
    pub(super) numbers: NumberMap<OutgoingId, u64>,
    /// The server's requests that the host has.
    pub(super) served: HashMap<ExchangeId, u64>,
    /// The host asked for the end.
    pub(super) closing: bool,
    /// Why it is over.
    pub(super) ended: Option<Error>,
}

impl HostSession {
    pub(crate) fn new(inbox: &Arc<Inbox>, id: u64, options: ConnectionOptions) -> Arc<Self> {
        let tools = ToolBook::new(options.checks.caps.max_list_items);
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            id,
            inbox: Arc::clone(inbox),
            options,
            cache: Cache::default(),
            tools,
            lists: Mutex::default(),
            state: Mutex::default(),
            connection: OnceLock::new(),
        })
    }

    /// The transport is open.
    pub(crate) fn attach(&self, connection: Arc<ClientConnection>) {
        let _ = self.connection.set(connection);
    }

    pub(super) fn connection(&self) -> Result<&Arc<ClientConnection>, Error> {
        self.connection.get().ok_or_else(Error::closed)
    }

    /// What was agreed with the server, once that is so.
    pub(super) fn agreement(&self) -> Option<Arc<Agreed>> {
        self.connection.get()?.agreed()
    }

    /// Another phase begins, and the host is told. A connection that is closed stays so.
    pub(super) fn enter(&self, phase: SessionPhase) {
        let changed = {
            let mut state = self.state.lock();
            let changed = state.phase != phase && state.phase != SessionPhase::Closed;
            if changed {
                state.phase = phase;
            }
            changed
        };
        if changed {
            self.inbox.post(Item::State { connection: self.id, state: phase.as_str() });
        }
    }

    /// The host's number of the request on whose stream something came.
    pub(super) fn cause_of(&self, request: Option<OutgoingId>) -> u64 {
        request.and_then(|request| self.state.lock().numbers.get(&request).copied()).unwrap_or(0)
    }

    /// The JSON-RPC id under which a request is sent, as text.
    pub(super) fn wire_id(&self, request: OutgoingId) -> String {
        let first = self.options.norm.first_id;
        let ids = first.map_or_else(|| Outgoing::<()>::new(None), Outgoing::counting_from);
        ids.wire_id(request).to_string()
    }

    /// How deep a request of the server is that belongs to a request of ours at `outer`.
    /// A model that a server asked may call a tool, whose server asks a model, and so on.
    pub(super) fn depth_of(&self, method: &str, outer: usize) -> Result<usize, Error> {
        if method != methods::SAMPLING_CREATE_MESSAGE {
            return Ok(outer);
        }
        let nests = self.options.checks.caps.nests(outer + 1);
        nests.then_some(outer + 1).ok_or_else(too_deep)
    }

    /// Sends a notification of the host's.
    pub(super) fn send_notification(&self, method: &str, params: Option<&RawJson>) -> Result<(), Error> {
        check_params(params)?;
        self.connection()?.notify(method, params)
    }

    /// As [`HostSession::send_notification`]; a `Response` with the number `id` says whether the
    /// server took it, as far as the transport can tell.
    pub(super) fn tell_server(&self, id: u64, method: &str, params: Option<&RawJson>) {
        let me = self.me.clone();
        let taken = Box::new(move |outcome| {
            if let Some(me) = me.upgrade() {
                me.notification_taken(id, outcome);
            }
        });
        // Before it is sent: what the server says of it may come on another thread, and the end
        // of the connection answers all that is noted here.
        self.state.lock().notifications.insert(id);
        let sent = check_params(params)
            .and_then(|()| self.connection())
            .and_then(|connection| connection.notify_then(method, params, taken));
        if let Err(error) = sent {
            self.notification_taken(id, Err(error));
        }
    }

    fn notification_taken(&self, id: u64, outcome: Result<(), Error>) {
        if self.state.lock().notifications.remove(&id) {
            self.inbox.answered(id, None, outcome.map(|()| RawJson::null()));
        }
    }

    /// What is known of the connection.
    pub(super) fn facts(&self) -> Option<RawJson> {
        let phase = self.state.lock().phase;
        let mut about = RawObject::new();
        about.put("role", "client").ok()?;
        about.put("connection", &self.id).ok()?;
        about.put("transport", self.options.kind).ok()?;
        about.put("state", phase.as_str()).ok()?;
        if let Some(connection) = self.connection.get() {
            let facts = connection.transport_facts();
            about.put("sessionId", &facts.session).ok()?;
            about.put("process", &facts.process).ok()?;
            about.put("inFlight", &connection.in_flight()).ok()?;
        }
        if let Some(agreed) = self.agreement() {
            about.put("revision", agreed.revision.as_str()).ok()?;
            about.put("era", era_name(agreed.revision)).ok()?;
            about.put("serverInfo", &agreed.server_info).ok()?;
            about.put("capabilities", &agreed.capabilities).ok()?;
            about.put("instructions", &agreed.instructions).ok()?;
            about.set("handshake", agreed.raw.clone());
        }
        Some(about.to_raw())
    }
}

/// The failure of a request on a connection whose handshake has not begun.
pub(super) fn not_open() -> Error {
    Error::new(ErrorKind::Usage, "the handshake has not begun: initialize first")
}
