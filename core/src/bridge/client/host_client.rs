//! A client whose program lives in the host.
//!
//! Owns: opening connections and their handshakes. Must not know: what is said on a
//! connection; all else is done on its number with the verbs of its [`Inbox`].

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use bytestring::ByteString;
use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::{Error, Revision};
use mcpbolt_proto::session::negotiate::{Agreed, ProtocolPolicy};

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::panics::contain;
use crate::bridge::fed::client::{FedClient, FedClientTransport};
use crate::bridge::fed::framing::Framing;
use crate::bridge::fed::outbox::Outbox;
use crate::bridge::http::client_hooks::ClientHooks;
use crate::bridge::options::client::{ClientOptions, policy};
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::numbers::own_number;
use crate::bridge::requests::client_link::{ClientLink, HandshakeShape};
use crate::bridge::server::host_server::HostServer;
use crate::handler::{Spawner, TransportKind};
use crate::transport::client_connection::{ClientConnection, ClientConnectionOptions, ClientHost, Connector};
use crate::transport::custom;
use crate::transport::duplex_client::DuplexClient;
use crate::transport::memory::MemoryTransport;
use crate::transport::streamable_http::client::Authorizer;

use super::connection_options::ConnectionOptions;
use super::server_target::ServerTarget;
use super::session::{CLOSE_BOUND, HostSession};
use super::target_options::read_target;

/// Longest line of a fed connection.
const MAX_LINE: usize = 64 << 20;

/// How the host carries the bytes of a connection.
#[derive(Clone, Copy)]
struct Carried {
    /// It wants the headers that belong to a message.
    headers: bool,
}

/// The engine's half of a client of the host's: reaches any number of servers.
pub struct HostClient {
    options: ClientOptions,
    inbox: Arc<Inbox>,
    fed: Mutex<HashMap<u64, Arc<FedClient>>>,
    opened: Mutex<Vec<u64>>,
    process: ForkGuard,
}

impl HostClient {
    /// A client whose items come out of this inbox.
    pub fn new(options: ClientOptions, inbox: Arc<Inbox>) -> Arc<Self> {
        Arc::new(Self {
            options,
            inbox,
            fed: Mutex::default(),
            opened: Mutex::default(),
            process: ForkGuard::default(),
        })
    }

    /// Opens a transport, without sending anything on it yet. Returns the connection's number.
    ///
    /// A process: `{"command": "python", "args": [], "env": {}, "inherit": "allow_list" |
    /// "all" | "nothing", "cwd": …, "stderr": "inherit" | "null" | "capture" | {"file":
    /// path}, "restart": {"max": 3, "backoff": 0.5}, "close_grace": 2, "kill_grace": 2,
    /// "max_message_bytes": …}`. Captured lines come as `Log` items of kind `stderr`;
    /// the last of them stand in the failure of a process that ended.
    ///
    /// A URL: `{"url": …, "headers": [[name, value]], "transport": "auto" | "sse",
    /// "header_hook": bool, "authorizer": bool, "carrier": bool, "system_roots": bool, "ca": PEM,
    /// "client_certificate": {"certificate": PEM, "key": PEM}, "proxy": "system" | "off"
    /// | URL, "connect_timeout", "acknowledge_timeout", "close_timeout",
    /// "max_message_bytes", "reconnect": {"initial", "max", "attempts",
    /// "stream_attempts", "growth_percent"}, "pause": bool, "end_session"}`.
    /// The two hooks ask the services `client.headers`, which answers `[[name, value]]`,
    /// and `client.authorize`, which answers the header's value or null, and
    /// `client.challenged`, which answers `{"retry": bool}`; each is given `connection`,
    /// `method`, `url` and `headers`, the last one also `status`, `challenges` and `was_good`:
    /// whether these credentials were the last that the server took.
    /// `carrier` has the host send requests: the service `client.fetch` is given
    /// `connection`, `method`, `url`, `headers` and `body` (text or null) and answers
    /// `{"status", "headers", "body": text, "more": bool}`; with `more`, parts follow with
    /// [`Inbox::http_body`] under the number of the ask, and [`Inbox::http_disconnect`]
    /// says that they broke off. `HttpClosed` with that number: the rest is not wanted.
    /// `pause` has the host wait before a lost stream is opened again: the service
    /// `client.pause` is given `connection` and `seconds`, and answers when they are over.
    ///
    /// # Errors
    /// `Usage` for wrong options and in a forked child, `Transport` when the process
    /// cannot be started.
    pub fn open(&self, target: &RawJson) -> Result<u64, Error> {
        self.open_authorized(target, None)
    }

    /// As [`HostClient::open`], with what gives its requests their credentials.
    pub(crate) fn open_authorized(
        &self,
        target: &RawJson,
        authorizer: Option<Arc<dyn Authorizer>>,
    ) -> Result<u64, Error> {
        self.process.check()?;
        let id = own_number();
        let hooks = ClientHooks::new(Arc::downgrade(&self.inbox), id);
        let target = read_target(target, &hooks, authorizer)?;
        self.attach(id, target, None).map(|()| id)
    }

    /// Opens a connection whose bytes the host carries: [`HostClient::feed`] and
    /// [`HostClient::take_outgoing`].
    ///
    /// # Errors
    /// `Usage` in a forked child.
    pub fn open_fed(&self, framing: Framing) -> Result<u64, Error> {
        self.open_carried(framing, false)
    }

    /// As [`HostClient::open_fed`], for a host that may send each message as an HTTP request of
    /// its own. A `tools/call` with arguments that the tool wants repeated as headers comes with
    /// a line before it: a JSON object with these headers.
    ///
    /// # Errors
    /// As [`HostClient::open_fed`].
    pub fn open_fed_http(&self, framing: Framing) -> Result<u64, Error> {
        self.open_carried(framing, true)
    }

    fn open_carried(&self, framing: Framing, headers: bool) -> Result<u64, Error> {
        self.process.check()?;
        let id = own_number();
        let outbox = Arc::new(Outbox::new(self.options.send_queue_bytes, false));
        outbox.belongs_to(&self.inbox, id);
        let made: Arc<Mutex<Option<Arc<FedClient>>>> = Arc::default();
        let keep = Arc::clone(&made);
        let connector: Connector = Box::new(move |events| {
            let fed = Arc::new(FedClient::new(outbox, framing, MAX_LINE, headers, events));
            *keep.lock() = Some(Arc::clone(&fed));
            Ok(Arc::new(FedClientTransport(fed)) as _)
        });
        let carried = Carried { headers };
        self.attach(id, ServerTarget::once(connector, "custom"), Some(carried))?;
        if let Some(fed) = made.lock().take() {
            self.fed.lock().insert(id, fed);
        }
        Ok(id)
    }

    /// Opens a connection to a server of the same process, without carrying bytes.
    ///
    /// # Errors
    /// `Usage` in a forked child.
    pub fn open_memory(&self, server: &HostServer) -> Result<u64, Error> {
        self.process.check()?;
        let id = own_number();
        let (ours, theirs) = MemoryTransport::pair();
        let (engine, handler) = (Arc::clone(server.engine()), Arc::clone(server.handler()));
        let spawner = Spawner::default();
        spawner.spawn(async move {
            custom::serve(&engine, &handler, Arc::new(theirs), TransportKind::Memory).await;
        });
        let connector: Connector =
            Box::new(move |events| Ok(DuplexClient::start(Arc::new(ours), events, &spawner) as _));
        self.attach(id, ServerTarget::once(connector, "memory"), None)?;
        Ok(id)
    }

    fn attach(&self, id: u64, target: ServerTarget, carried: Option<Carried>) -> Result<(), Error> {
        let mut options = ClientConnectionOptions::new(self.options.settings.clone());
        options.spawner = Spawner::default();
        options.restart = target.restart;
        if target.legacy_only && options.settings.policy == ProtocolPolicy::Auto {
            options.settings.policy = ProtocolPolicy::LegacyFirst;
        }
        let settings = ConnectionOptions {
            http: target.http || carried.is_some_and(|carried| carried.headers),
            fed: carried.is_some(),
            kind: target.kind,
            policy: options.settings.policy,
            ..ConnectionOptions::new(&self.options)
        };
        let session = HostSession::new(&self.inbox, id, settings);
        // Known before the transport speaks.
        self.inbox.client_opened(Arc::clone(&session) as Arc<dyn ClientLink>)?;
        let host: Arc<dyn ClientHost> = Arc::clone(&session) as _;
        let opened = contain(|| {
            ClientConnection::attach(options, target.http, Arc::downgrade(&host), target.connector)
        });
        match opened.and_then(|opened| opened) {
            Ok(connection) => {
                session.attach(connection);
                self.opened.lock().push(id);
                Ok(())
            }
            Err(error) => {
                self.inbox.client_forgotten(id);
                Err(error)
            }
        }
    }

    /// Begins the handshake; a `Response` with the number returned here has the answer.
    /// `protocol` is `auto`, `legacy` (initialize first), `modern` (discover alone) or a
    /// revision; the client's options say when absent. The answer of a modern server is
    /// given the shape of an `initialize` result.
    ///
    /// # Errors
    /// `Usage` for an unknown word, `Closed` if there is no such connection.
    pub fn initialize(&self, connection: u64, protocol: Option<&str>) -> Result<u64, Error> {
        let protocol = protocol.map(policy).transpose()?;
        self.begin(connection, protocol, HandshakeShape::Initialize)
    }

    /// Begins the handshake by asking `server/discover` alone; the answer as it came. If the
    /// server refuses, the connection can begin in another way.
    ///
    /// # Errors
    /// `Closed` if there is no such connection.
    pub fn discover(&self, connection: u64) -> Result<u64, Error> {
        self.begin(connection, Some(ProtocolPolicy::ModernOnly), HandshakeShape::Raw)
    }

    fn begin(
        &self,
        connection: u64,
        protocol: Option<ProtocolPolicy>,
        shape: HandshakeShape,
    ) -> Result<u64, Error> {
        let link = self.inbox.client(connection)?;
        let id = own_number();
        self.inbox.request_begun(id);
        contain(|| link.begin(id, protocol, shape))?;
        Ok(id)
    }

    /// Begins without asking, with what an earlier connection was told by
    /// `server/discover`.
    ///
    /// # Errors
    /// `Usage` for a revision with a handshake, `Protocol` if `discovered` is not an
    /// answer to `server/discover`, `Closed` if there is no such connection.
    pub fn adopt(&self, connection: u64, revision: &str, discovered: RawJson) -> Result<(), Error> {
        let revision = Revision::parse(revision)
            .ok_or_else(|| Error::usage(format!("there is no revision {revision}")))?;
        let agreed = Agreed::from_discover(revision, discovered)?;
        let link = self.inbox.client(connection)?;
        contain(|| link.adopt(agreed))?
    }

    /// Hands over bytes of the server; returns the messages to send at once. What comes
    /// later is announced by an `Outgoing` item.
    ///
    /// # Errors
    /// `Closed` if there is no such connection.
    pub fn feed(&self, connection: u64, bytes: Bytes) -> Result<Vec<ByteString>, Error> {
        let fed = self.fed(connection)?;
        contain(|| fed.feed(bytes))
    }

    /// The messages that wait to be sent, in order.
    ///
    /// # Errors
    /// `Closed` if there is no such connection.
    pub fn take_outgoing(&self, connection: u64) -> Result<Vec<ByteString>, Error> {
        let fed = self.fed(connection)?;
        contain(|| fed.take())
    }

    /// The host's transport is at its end, for this reason: what waits for an answer
    /// fails, and `Closed` follows.
    ///
    /// # Errors
    /// `Closed` if there is no such connection.
    pub fn disconnect(&self, connection: u64, reason: Option<&str>) -> Result<(), Error> {
        let fed = self.fed.lock().remove(&connection).ok_or_else(Error::closed)?;
        let error = reason.map_or_else(Error::closed, Error::transport);
        contain(|| fed.lost(error))
    }

    fn fed(&self, connection: u64) -> Result<Arc<FedClient>, Error> {
        self.fed.lock().get(&connection).cloned().ok_or_else(Error::closed)
    }

    /// Ends all connections politely; each has its `Closed` item. Nothing happens in a forked
    /// child: they are its parent's.
    pub fn close(&self) {
        if self.process.check().is_err() {
            return;
        }
        self.fed.lock().clear();
        let opened = std::mem::take(&mut *self.opened.lock());
        for connection in opened {
            self.inbox.close_connection(connection);
        }
    }

    /// Longest a polite end may take before it is given up.
    pub const fn close_bound() -> Duration {
        CLOSE_BOUND
    }
}

impl Drop for HostClient {
    fn drop(&mut self) {
        self.close();
    }
}

impl fmt::Debug for HostClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostClient").field("open", &self.opened.lock().len()).finish_non_exhaustive()
    }
}
