//! How a server is reached over HTTP.
//!
//! Owns: the options and their defaults. Must not know: what is sent.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response, StatusCode};
use http_body::Body;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use url::Url;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;

use crate::handler::{BoxFuture, RequestHead, Spawner};

/// What to do after a 401 or 403.
///
/// ```
/// use mcpbolt::transport::streamable_http::client::Verdict;
///
/// let renewed = true;
/// let verdict = if renewed { Verdict::Retry } else { Verdict::GiveUp };
/// assert_eq!(verdict, Verdict::Retry);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Ask [`Authorizer::authorize`] again and repeat the request.
    Retry,
    /// Fail the request.
    GiveUp,
}

/// Gives requests their credentials.
///
/// ```
/// use http::HeaderValue;
/// use mcpbolt::Error;
/// use mcpbolt::handler::{BoxFuture, RequestHead};
/// use mcpbolt::transport::streamable_http::client::{Authorizer, RefusedRequest, Verdict};
///
/// /// One token, never renewed.
/// struct Token(HeaderValue);
///
/// impl Authorizer for Token {
///     fn authorize<'a>(&'a self, _: &'a RequestHead) -> BoxFuture<'a, Result<Option<HeaderValue>, Error>> {
///         Box::pin(async { Ok(Some(self.0.clone())) })
///     }
///     fn challenged<'a>(&'a self, _: RefusedRequest<'a>) -> BoxFuture<'a, Result<Verdict, Error>> {
///         Box::pin(async { Ok(Verdict::GiveUp) })
///     }
/// }
/// ```
pub trait Authorizer: Send + Sync + 'static {
    /// The value of `Authorization` for a request about to be sent; `None` sends none.
    /// Asked for every request. An error fails the request.
    fn authorize<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Option<HeaderValue>, Error>>;

    /// The value of `DPoP` for a request whose `Authorization` this one gave: the proof that the
    /// sender has the key which the token is bound to. None unless said.
    fn prove(&self, head: &RequestHead) -> Result<Option<HeaderValue>, Error> {
        let _ = head;
        Ok(None)
    }

    /// The head of an answer came, before anything is done about it. Nothing unless said.
    fn answered(&self, head: &RequestHead, headers: &HeaderMap) {
        let _ = (head, headers);
    }

    /// The server refused the request. What was sent is in it, so that of several requests
    /// refused at once one renews the credentials. Asked at most three times for one request.
    fn challenged<'a>(&'a self, refused: RefusedRequest<'a>) -> BoxFuture<'a, Result<Verdict, Error>>;

    /// The server took a request of this operation with its credentials.
    fn accepted(&self, head: &RequestHead, operation: &str) {
        let _ = (head, operation);
    }

    /// Another authorizer to ask in place of this one for all requests of a transport to
    /// `server`, if credentials belong to one server. `options` are the transport's: what is
    /// needed to get credentials is sent by the same proxy, trust and certificate. Asked once
    /// when a transport is opened; an error fails that.
    fn for_server(
        &self,
        server: &Url,
        options: &HttpClientOptions,
    ) -> Result<Option<Arc<dyn Authorizer>>, Error> {
        let _ = (server, options);
        Ok(None)
    }
}

/// A request that the server refused, as an [`Authorizer`] is told.
///
/// ```
/// use mcpbolt::transport::streamable_http::client::{RefusedRequest, Verdict};
///
/// /// Only a missing or expired token can be helped here.
/// fn judge(refused: RefusedRequest<'_>) -> Verdict {
///     if refused.status == http::StatusCode::UNAUTHORIZED { Verdict::Retry } else { Verdict::GiveUp }
/// }
/// # let _ = judge;
/// ```
#[derive(Debug, Clone, Copy)]
pub struct RefusedRequest<'a> {
    /// What was sent, `Authorization` included.
    pub head: &'a RequestHead,
    /// What the request does: its method and the name of what it is about, such as
    /// `tools/call echo`, or the HTTP method where it carries no message.
    pub operation: &'a str,
    /// 401 or 403.
    pub status: StatusCode,
    /// The values of `WWW-Authenticate`.
    pub challenges: &'a [HeaderValue],
}

/// Gives further headers for one request. Headers of the protocol cannot be replaced.
pub type HeaderHook = Arc<dyn Fn(&RequestHead) -> BoxFuture<'static, Result<HeaderMap, Error>> + Send + Sync>;

/// Waits as long as it is told.
pub type PauseHook = Arc<dyn Fn(Duration) -> BoxFuture<'static, ()> + Send + Sync>;

/// A body that comes as it arrives.
pub type CarriedBody = Pin<Box<dyn Body<Data = Bytes, Error = Error> + Send + Sync>>;

/// Carries requests in place of the engine's own HTTP client: one that the program has
/// already, with its proxies, certificates and logs. Redirects, bounds, sessions and
/// streams stay with the engine; a carrier follows no redirect and decodes nothing.
///
/// ```
/// use std::sync::Arc;
///
/// use bytes::Bytes;
/// use http::{Request, Response};
/// use mcpbolt::Error;
/// use mcpbolt::handler::BoxFuture;
/// use mcpbolt::transport::streamable_http::client::{CarriedBody, Carrier, HttpClientOptions};
///
/// /// A network that is always down.
/// struct Nowhere;
///
/// impl Carrier for Nowhere {
///     fn carry(&self, _: Request<Bytes>) -> BoxFuture<'static, Result<Response<CarriedBody>, Error>> {
///         Box::pin(async { Err(Error::transport("the cable is out")) })
///     }
/// }
///
/// let options = HttpClientOptions { carrier: Some(Arc::new(Nowhere)), ..HttpClientOptions::default() };
/// # let _ = options;
/// ```
pub trait Carrier: Send + Sync + 'static {
    /// Sends a request; ready with the head of the answer. Dropping the future, or the
    /// body, gives up on the rest. Fails with `Transport`.
    fn carry(&self, request: Request<Bytes>) -> BoxFuture<'static, Result<Response<CarriedBody>, Error>>;
}

/// Which proxy is used.
///
/// ```
/// use mcpbolt::transport::streamable_http::client::{HttpClientOptions, ProxyChoice};
///
/// let proxy = ProxyChoice::Url("http://proxy.example.com:8080".to_owned());
/// let options = HttpClientOptions { proxy, ..HttpClientOptions::default() };
/// # let _ = options;
/// ```
#[derive(Clone, Default)]
pub enum ProxyChoice {
    /// What the environment (`HTTPS_PROXY`, `NO_PROXY`, …) or the system says, except
    /// for loopback addresses.
    #[default]
    System,
    /// None.
    Off,
    /// This one, for everything. Credentials may stand in the URL.
    Url(String),
}

impl fmt::Debug for ProxyChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System => "System",
            Self::Off => "Off",
            Self::Url(_) => "Url(..)",
        })
    }
}

/// Certificate chain, own certificate first, and key of the client.
///
/// ```
/// use mcpbolt::transport::streamable_http::client::{ClientIdentity, HttpClientOptions};
///
/// fn with_certificate(chain: &[u8], key: &[u8]) -> Result<HttpClientOptions, mcpbolt::Error> {
///     let identity = Some(ClientIdentity::from_pem(chain, key)?);
///     Ok(HttpClientOptions { identity, ..HttpClientOptions::default() })
/// }
/// assert!(with_certificate(b"no", b"PEM").is_err());
/// ```
pub struct ClientIdentity {
    pub(super) chain: Vec<CertificateDer<'static>>,
    pub(super) key: PrivateKeyDer<'static>,
}

impl ClientIdentity {
    /// An identity from DER values.
    pub fn new(chain: Vec<CertificateDer<'static>>, key: PrivateKeyDer<'static>) -> Self {
        Self { chain, key }
    }

    /// An identity from PEM texts. Fails with `Usage`.
    pub fn from_pem(chain: &[u8], key: &[u8]) -> Result<Self, Error> {
        let key =
            PrivateKeyDer::from_pem_slice(key).map_err(|_| Error::usage("the private key is not PEM"))?;
        Ok(Self { chain: certificates(chain)?, key })
    }
}

impl Clone for ClientIdentity {
    fn clone(&self) -> Self {
        Self { chain: self.chain.clone(), key: self.key.clone_key() }
    }
}

impl fmt::Debug for ClientIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClientIdentity({} certificates)", self.chain.len())
    }
}

/// Reads certificates from PEM text. Fails with `Usage` if there is none.
pub fn certificates(pem: &[u8]) -> Result<Vec<CertificateDer<'static>>, Error> {
    CertificateDer::pem_slice_iter(pem)
        .collect::<Result<Vec<_>, _>>()
        .ok()
        .filter(|found| !found.is_empty())
        .ok_or_else(|| Error::usage("the certificates are not PEM"))
}

/// How lost event streams are opened again.
///
/// ```
/// use mcpbolt::transport::streamable_http::client::{HttpClientOptions, ReconnectPolicy};
///
/// let reconnect = ReconnectPolicy { attempts: 2, ..ReconnectPolicy::default() };
/// let impatient = HttpClientOptions { reconnect, ..HttpClientOptions::default() };
/// # let _ = impatient;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReconnectPolicy {
    /// Wait before the first attempt, when the server named no `retry`.
    pub initial: Duration,
    /// Longest wait between attempts, unless the server's `retry` is longer. The wait
    /// doubles with each attempt, up to a quarter of it is added at random.
    pub max: Duration,
    /// Fruitless attempts in a row after which a request whose stream was lost fails.
    pub attempts: u32,
    /// The same for the stream of messages that belong to no request: it is given up then.
    /// `None` tries for ever.
    pub stream_attempts: Option<u32>,
    /// Each wait in percent of the one before, up to `max`: exactly, and a server's `retry`
    /// takes its place. `None`: the rule of `max`.
    pub growth_percent: Option<u32>,
}

impl Default for ReconnectPolicy {
    fn default() -> Self {
        Self {
            initial: Duration::from_secs(1),
            max: Duration::from_secs(30),
            attempts: 5,
            stream_attempts: None,
            growth_percent: None,
        }
    }
}

/// Options of [`connect`](super::connect).
///
/// ```
/// use mcpbolt::client::{Client, Target};
/// use mcpbolt::transport::streamable_http::client::HttpClientOptions;
///
/// async fn connect(key: &str) -> Result<(), mcpbolt::Error> {
///     let options = Box::new(HttpClientOptions::default().header("x-api-key", key)?);
///     let target = Target::Http { url: "https://example.com/mcp".to_owned(), options };
///     let session = Client::builder("example", "1.0").build().connect(target).await?;
///     session.close().await;
///     Ok(())
/// }
/// ```
#[derive(Clone)]
pub struct HttpClientOptions {
    /// Headers of every request. Headers of the protocol cannot be replaced.
    pub headers: HeaderMap,
    /// Headers per request.
    pub header_hook: Option<HeaderHook>,
    /// Credentials per request.
    pub authorizer: Option<Arc<dyn Authorizer>>,
    /// Who carries requests, in place of the engine's own client; what concerns sockets
    /// (trust, identity, proxy, `connect_timeout`) is then the carrier's.
    pub carrier: Option<Arc<dyn Carrier>>,
    /// Whether what the platform trusts counts: on iOS, macOS and Windows its own verifier
    /// decides, elsewhere the files of its trust store (on Android those of the system).
    /// `SSL_CERT_FILE` and `SSL_CERT_DIR` replace it.
    pub system_roots: bool,
    /// Further trusted certificates.
    pub extra_roots: Vec<CertificateDer<'static>>,
    /// Certificate of the client, if the server wants one.
    pub identity: Option<ClientIdentity>,
    /// The proxy.
    pub proxy: ProxyChoice,
    /// Longest wait for a connection, TLS included.
    pub connect_timeout: Duration,
    /// Longest wait for the acknowledgement of a notification or an answer of ours.
    /// Requests are timed by the session.
    pub acknowledge_timeout: Duration,
    /// Whether a legacy session is deleted at the end. On.
    pub end_session: bool,
    /// Longest time a polite end may take.
    pub close_timeout: Duration,
    /// Largest JSON body or event, in bytes.
    pub max_message_bytes: u64,
    /// Lost event streams.
    pub reconnect: ReconnectPolicy,
    /// Waits before a lost stream is opened again, and before a request that may run twice is sent
    /// again which a gateway had no node for. The runtime's timer, unless set.
    pub pause: Option<PauseHook>,
    /// The server is known to speak HTTP+SSE (2024-11-05): the URL is its event stream.
    /// Deprecated since 2025-03-26 (SEP-2596); earliest removal three months after that
    /// SEP is final.
    pub sse_only: bool,
    /// Where the transport's tasks run.
    pub spawner: Spawner,
}

impl Default for HttpClientOptions {
    fn default() -> Self {
        let limits = Limits::default();
        Self {
            headers: HeaderMap::new(),
            header_hook: None,
            authorizer: None,
            carrier: None,
            system_roots: true,
            extra_roots: Vec::new(),
            identity: None,
            proxy: ProxyChoice::System,
            connect_timeout: Duration::from_secs(30),
            acknowledge_timeout: limits.request_timeout,
            end_session: true,
            close_timeout: Duration::from_secs(5),
            max_message_bytes: limits.max_message_bytes,
            reconnect: ReconnectPolicy::default(),
            pause: None,
            sse_only: false,
            spawner: Spawner::current(),
        }
    }
}

impl HttpClientOptions {
    /// The same options with this header, in place of one of the same name. Fails with `Usage` if
    /// name or value cannot be a header.
    pub fn header(mut self, name: &str, value: &str) -> Result<Self, Error> {
        let name: HeaderName = name.parse().map_err(|_| Error::usage("not a header name"))?;
        let mut value: HeaderValue = value.parse().map_err(|_| Error::usage("not a header value"))?;
        value.set_sensitive(true);
        self.headers.insert(name, value);
        Ok(self)
    }
}

/// Headers and proxies hold credentials: they are not shown.
impl fmt::Debug for HttpClientOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpClientOptions")
            .field("headers", &self.headers.len())
            .field("authorizer", &self.authorizer.is_some())
            .field("carrier", &self.carrier.is_some())
            .field("identity", &self.identity)
            .field("sse_only", &self.sse_only)
            .finish_non_exhaustive()
    }
}
