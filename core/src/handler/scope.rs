//! Where a request came from: connection, HTTP head, principal, origin.
//!
//! Owns: the numbers of calls and connections, and what an input carries beside its bytes.
//! Must not know: what any of it is used for.

use std::fmt;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use http::header::{self, HeaderName};
use parking_lot::Mutex;

use super::charge::Account;
use super::principal::{Principal, Sender};

/// The host's number for what caused an input; 0 when the host gave none. A binding
/// maps it to the context of that cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cause(pub u64);

/// Number of a call. Never reused in a process; fits 53 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallId(pub u64);

/// A connection or session, unique in the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConnectionId(pub u64);

/// How a connection travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TransportKind {
    /// stdin and stdout.
    Stdio,
    /// Streamable HTTP.
    Http,
    /// HTTP+SSE of 2024-11-05.
    LegacySse,
    /// A pair within the process.
    Memory,
    /// A transport of the program's own.
    Custom,
}

impl TransportKind {
    /// Its name in events.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
            Self::LegacySse => "http+sse",
            Self::Memory => "memory",
            Self::Custom => "custom",
        }
    }
}

/// What is known of a connection from its start.
#[derive(Debug, Clone)]
pub struct ConnectionInfo {
    /// Its number.
    pub id: ConnectionId,
    /// How it travels.
    pub transport: TransportKind,
    /// The peer's address, where there is one.
    pub peer: Option<SocketAddr>,
    /// Whether it serves one request: over HTTP without a session.
    pub per_request: bool,
}

impl ConnectionInfo {
    /// Of a connection that lasts, to a peer without an address.
    pub fn lasting(id: ConnectionId, transport: TransportKind) -> Self {
        Self { id, transport, peer: None, per_request: false }
    }
}

/// Head of the HTTP request that carried a message.
#[derive(Clone)]
pub struct RequestHead {
    /// The method, `POST` for messages.
    pub method: http::Method,
    /// The request target.
    pub uri: http::Uri,
    /// All headers.
    pub headers: http::HeaderMap,
    /// Who sent it, as far as that is known: behind trusted proxies the client, not the proxy.
    pub peer: Option<SocketAddr>,
}

/// Headers that say how one message is carried.
static OF_EXCHANGE: [HeaderName; 8] = [
    header::ACCEPT,
    header::ACCEPT_ENCODING,
    header::CONNECTION,
    header::CONTENT_ENCODING,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::EXPECT,
    header::TRANSFER_ENCODING,
];

impl RequestHead {
    /// What of it is still true when its request is answered and the call goes on, whatever connection
    /// that came on. A copy: the head itself holds the buffer in which it came, of 8 KiB or more.
    fn without_exchange(&self) -> Self {
        let mut headers = http::HeaderMap::with_capacity(self.lasting().count());
        for (name, value) in self.lasting() {
            // What was a value is one.
            let Ok(mut copy) = http::HeaderValue::from_bytes(value.as_bytes()) else { continue };
            copy.set_sensitive(value.is_sensitive());
            headers.append(name.clone(), copy);
        }
        let uri = http::Uri::try_from(self.uri.to_string()).unwrap_or_default();
        Self { method: self.method.clone(), uri, headers, peer: None }
    }

    /// The headers that do not describe the exchange.
    fn lasting(&self) -> impl Iterator<Item = (&HeaderName, &http::HeaderValue)> {
        let stays = |name: &HeaderName| !OF_EXCHANGE.contains(name) && !name.as_str().starts_with(PROTOCOLS);
        self.headers.iter().filter(move |(name, _)| stays(name))
    }
}

/// The heads of calls that go on after their exchange. Those of one client mostly say the same: the
/// last one is kept once for all that do.
#[derive(Default)]
pub(super) struct KeptHeads(Mutex<Weak<RequestHead>>);

impl KeptHeads {
    /// What is kept of a head.
    pub(super) fn keep(&self, head: &RequestHead) -> Arc<RequestHead> {
        let mut last = self.0.lock();
        let same = |known: &Arc<RequestHead>| {
            known.method == head.method && known.uri == head.uri && known.lasting().eq(head.lasting())
        };
        last.upgrade().filter(same).unwrap_or_else(|| {
            let kept = Arc::new(head.without_exchange());
            *last = Arc::downgrade(&kept);
            kept
        })
    }
}

/// How the protocol's own headers begin, which repeat what the message says.
const PROTOCOLS: &str = "mcp-";

/// Headers hold credentials: only their number is shown.
impl fmt::Debug for RequestHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RequestHead({} {} headers)", self.method, self.headers.len())
    }
}

/// What one input carries beside its bytes.
#[derive(Debug, Clone, Default)]
pub struct Scope {
    /// The host's number for its cause.
    pub cause: Cause,
    /// The HTTP head, over HTTP. Once the call has become a task, without the headers that say how
    /// its message was carried (`Content-Length` and the like) and those of the protocol (`Mcp-…`).
    pub head: Option<Arc<RequestHead>>,
    /// Who is asking.
    pub principal: Principal,
    /// Where what it causes is counted.
    pub(crate) account: Option<Account>,
}

impl Scope {
    /// Key for quotas and bindings of state: the principal, else the peer's address, of
    /// IPv6 its /64.
    pub fn quota_key(&self, info: &ConnectionInfo) -> String {
        Sender::of(&self.principal, info.peer)
            .map_or_else(|| format!("c:{}", info.id.0), |sender| sender.to_string())
    }
}

/// Process-wide: a binding keys its tables by these numbers alone.
static NEXT: AtomicU64 = AtomicU64::new(1);

/// A number for a new call.
pub(super) fn next_call() -> CallId {
    CallId(NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A number for a new connection of either side.
pub(crate) fn next_connection() -> ConnectionId {
    ConnectionId(NEXT.fetch_add(1, Ordering::Relaxed))
}
