//! The page beside the endpoint of a server that shows itself.
//!
//! Owns: where it is served, to whom, and what it may not stand beside. Must not know: when
//! there is a session.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::{AUTHORIZATION, HOST, HeaderValue, LOCATION};
use http::{Method, Response, StatusCode};
use http_body_util::Full;
use mcpbolt::Error;
use mcpbolt::auth::Scopes;
use mcpbolt::client::{Client, Target};
use mcpbolt::handler::{BoxFuture, Principal, RequestHead, Scope};
use mcpbolt::server::{RunError, Server};
use mcpbolt::transport::streamable_http::client::{HttpClientOptions, ProxyChoice};
use mcpbolt::transport::streamable_http::server::{
    Denied, Fallback, ForeignBody, HttpOptions, HttpServer, Verifier, serve,
};
use parking_lot::Mutex;
use tokio::net::{TcpListener, ToSocketAddrs};
use tokio::sync::watch;

use crate::inspector::Inspector;
use crate::keeper::{Keeper, Way, explain};
use crate::site::EVENTS;
use crate::subject::Subject;

/// Where the page is served. This path and those below it are the page's, before those of a
/// [`Fallback`].
///
/// ```
/// assert_eq!(mcpbolt_inspector::PATH, "/docs");
/// ```
pub const PATH: &str = "/docs";

/// Longest wait for an answer: a person may have to answer a question first.
const PATIENCE: Duration = Duration::from_mins(10);

/// A server over HTTP with a page about itself.
///
/// ```
/// # async fn tell(server: mcpbolt::server::Server) -> Result<(), mcpbolt::server::RunError> {
/// use mcpbolt::transport::streamable_http::server::HttpOptions;
///
/// let serving = mcpbolt_inspector::serve_http(&server, "127.0.0.1:3000", HttpOptions::default()).await?;
/// eprintln!("{}", serving.docs);
/// # serving.http.shutdown().await;
/// # Ok(())
/// # }
/// ```
pub struct Serving {
    /// The running server.
    pub http: HttpServer,
    /// The URL of the page. It holds the key of this run, a secret: who has it uses the server
    /// through the page.
    pub docs: String,
}

/// The URL holds a secret: it is not shown.
impl fmt::Debug for Serving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Serving").field("http", &self.http).finish_non_exhaustive()
    }
}

/// As [`Server::serve_http`], with the page of [`beside`].
///
/// # Errors
/// [`RunError::Io`] when the address cannot be bound, [`RunError::Failed`] as [`beside`] says.
pub async fn serve_http(
    server: &Server,
    address: impl ToSocketAddrs,
    options: HttpOptions,
) -> Result<Serving, RunError> {
    let listener = TcpListener::bind(address).await?;
    let (options, docs) = beside(options, listener.local_addr()?)?;
    Ok(Serving { http: serve(listener, server.engine(), server.handler(), options)?, docs })
}

/// Puts the page at [`PATH`] beside the endpoint that a listener at `address` serves with these
/// options. Returns them with the page, and the URL of the page, which holds the key of this run.
///
/// The page is behind the guard of the listener, and its endpoints want its key. It connects to
/// the endpoint, by HTTP and without credentials, when the first page opens, and closes the
/// session half a minute after the last one has left. Where the verifier wants a token, the page asks
/// its person for one, sends it as a bearer token, and forgets it with the session. All open pages
/// share one session.
///
/// ```
/// use mcpbolt::transport::streamable_http::server::HttpOptions;
///
/// let local = "127.0.0.1:3000".parse()?;
/// let (options, docs) = mcpbolt_inspector::beside(HttpOptions::default(), local)?;
/// assert!(options.fallback.is_some());
/// assert!(docs.starts_with("http://127.0.0.1:3000/docs/#token="));
///
/// let open = "0.0.0.0:3000".parse()?;
/// assert!(mcpbolt_inspector::beside(HttpOptions::default(), open).is_err()); // who may use it?
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// `Usage` on an address that is not loopback without a verifier, with TLS of the listener's own,
/// and when another path of the options is at or below [`PATH`].
pub fn beside(mut options: HttpOptions, address: SocketAddr) -> Result<(HttpOptions, String), Error> {
    allowed(&options, address)?;
    let near = near(address);
    let url = format!("http://{near}{}", options.path);
    let (inspector, wishes) = Inspector::new(&Subject::Url(url.clone()), Vec::new(), explain);
    let client = inspector.client(
        Client::builder("mcpbolt", env!("CARGO_PKG_VERSION"))
            .request_timeout(PATIENCE)
            .request_max(PATIENCE)
            .lenient(),
    )?;
    let host = Host::default();
    let keeper = Keeper { inspector: inspector.clone(), client, wishes, way: way(url, host.clone()) };
    let docs = format!("http://{near}{PATH}/#token={}", inspector.key());
    let page = Arc::new(Docs {
        inspector,
        host,
        keeper: Mutex::new(Some(keeper)),
        over: watch::Sender::new(false),
        verify: options.verify.take().unwrap_or_else(|| Arc::new(Anybody)),
        fallback: options.fallback.take(),
    });
    options.verify = Some(Arc::clone(&page) as Arc<dyn Verifier>);
    options.fallback = Some(page);
    Ok((options, docs))
}

/// Whether these options may have the page.
fn allowed(options: &HttpOptions, address: SocketAddr) -> Result<(), Error> {
    if !address.ip().to_canonical().is_loopback() && options.verify.is_none() {
        return Err(Error::usage(format!(
            "docs: {address} can be reached from other machines, and no verifier says who may use \
             the server: listen on 127.0.0.1, set a verifier, or leave docs out"
        )));
    }
    if options.tls.is_some() {
        return Err(Error::usage(
            "docs: the page cannot connect to a listener with TLS of its own: leave TLS to a proxy in \
             front, or leave docs out and look at the server with `mcpbolt inspect URL`",
        ));
    }
    let legacy = options.legacy_sse.as_ref();
    let paths = [
        ("path", Some(&options.path)),
        ("health", options.health.as_ref()),
        ("ready", options.ready.as_ref()),
        ("metrics", options.metrics.as_ref().map(|(path, _)| path)),
        ("sse path", legacy.map(|paths| &paths.sse)),
        ("message path", legacy.map(|paths| &paths.messages)),
    ];
    match paths.iter().find(|(_, path)| path.is_some_and(|path| below(path).is_some())) {
        None => Ok(()),
        Some((name, _)) => Err(Error::usage(format!(
            "docs: {PATH} and what is below it is the page's, and {name} is there too: give it another path"
        ))),
    }
}

/// An address that this machine reaches the listener by.
fn near(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}

/// The name that the newest page calls the server by. The guard let it in, so that it lets in the
/// session of the page as well.
type Host = Arc<Mutex<Option<HeaderValue>>>;

fn way(url: String, host: Host) -> Way {
    Box::new(move |token| {
        let mut options = HttpClientOptions { proxy: ProxyChoice::Off, ..HttpClientOptions::default() };
        if let Some(host) = host.lock().clone() {
            options.headers.insert(HOST, host);
        }
        if let Some(token) = token {
            let value = HeaderValue::try_from(format!("Bearer {token}"));
            let mut value = value.map_err(|_| Error::usage("no token has such characters"))?;
            value.set_sensitive(true);
            options.headers.insert(AUTHORIZATION, value);
        }
        Ok(Target::Http { url: url.clone(), options: Box::new(options) })
    })
}

/// The page, in front of the program's own verifier and fallback.
struct Docs {
    inspector: Inspector,
    host: Host,
    /// Until the first page opens.
    keeper: Mutex<Option<Keeper>>,
    /// The session ends when it says so or is gone.
    over: watch::Sender<bool>,
    verify: Arc<dyn Verifier>,
    fallback: Option<Arc<dyn Fallback>>,
}

impl Docs {
    fn at(&self, path: &str, head: &RequestHead, body: &Bytes) -> Response<ForeignBody> {
        if path.is_empty() && head.method == Method::GET {
            return to_the_folder();
        }
        if path == EVENTS && head.method == Method::GET {
            self.opened(head);
        }
        self.inspector.site().at(path, &head.method, body)
    }

    /// A page begins to listen: from now on there is somebody who looks.
    fn opened(&self, head: &RequestHead) {
        let authority = || HeaderValue::from_str(head.uri.authority()?.as_str()).ok();
        *self.host.lock() = head.headers.get(HOST).cloned().or_else(authority);
        if let Some(keeper) = self.keeper.lock().take() {
            tokio::spawn(keeper.keep(self.over.subscribe()));
        }
    }
}

impl Verifier for Docs {
    fn verify<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Principal, Denied>> {
        match below(head.uri.path()) {
            None => self.verify.verify(head),
            Some("") => Box::pin(std::future::ready(Ok(Principal::ANONYMOUS))),
            Some(path) => self.inspector.site().admit(path, head),
        }
    }

    fn allows(&self, principal: &Principal, needed: &Scopes) -> Result<(), Denied> {
        self.verify.allows(principal, needed)
    }

    fn document(&self, path: &str) -> Option<Arc<str>> {
        self.verify.document(path)
    }
}

impl Fallback for Docs {
    fn respond(
        &self,
        head: &RequestHead,
        body: Bytes,
        scope: &Scope,
    ) -> BoxFuture<'static, Response<ForeignBody>> {
        let response = match (below(head.uri.path()), &self.fallback) {
            (Some(path), _) => self.at(path, head, &body),
            (None, Some(fallback)) => return fallback.respond(head, body, scope),
            (None, None) => text(StatusCode::NOT_FOUND, "not found\n"),
        };
        Box::pin(std::future::ready(response))
    }

    fn drain(&self) {
        self.inspector.end();
        self.over.send_replace(true);
        if let Some(fallback) = &self.fallback {
            fallback.drain();
        }
    }
}

/// A server without a verifier.
struct Anybody;

impl Verifier for Anybody {
    fn verify<'a>(&'a self, _: &'a RequestHead) -> BoxFuture<'a, Result<Principal, Denied>> {
        Box::pin(std::future::ready(Ok(Principal::ANONYMOUS)))
    }
}

/// What follows the page's path.
fn below(path: &str) -> Option<&str> {
    path.strip_prefix(PATH).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The files of the page name each other relative to the folder, which may be below a prefix.
fn to_the_folder() -> Response<ForeignBody> {
    let mut response = text(StatusCode::TEMPORARY_REDIRECT, "");
    response.headers_mut().insert(LOCATION, HeaderValue::from_static("docs/"));
    response
}

fn text(status: StatusCode, text: &'static str) -> Response<ForeignBody> {
    let mut response = Response::new(Box::pin(Full::new(Bytes::from_static(text.as_bytes()))) as ForeignBody);
    *response.status_mut() = status;
    response
}
