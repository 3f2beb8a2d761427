//! A receiver on this machine, which opens the user's browser.
//!
//! Owns: the listener, and which of the requests is the answer. Must not know: whether the
//! answer is good.

use std::convert::Infallible;
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use parking_lot::Mutex;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::OwnedMutexGuard;
use tokio::task::JoinSet;
use url::{Url, form_urlencoded};

use mcpbolt_proto::auth::redirect::RedirectAnswer;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::protocol::Error;

use super::{Listening, RedirectReceiver, page};
use crate::handler::BoxFuture;

/// Longest wait for the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

type Opener = Arc<dyn Fn(&str) -> io::Result<()> + Send + Sync>;

/// Opens the user's browser and receives its answer at `http://127.0.0.1`, on a free port. It
/// listens while a user signs in, not longer.
///
/// ```
/// use mcpbolt::auth::{Loopback, OAuth};
///
/// // A port that is registered at the authorization server.
/// let redirect = Loopback::new().port(33418).path("/oauth/callback");
/// let oauth = OAuth::new("Example").redirect(redirect);
/// # let _ = oauth;
/// ```
#[derive(Clone)]
pub struct Loopback {
    port: u16,
    path: String,
    open: Opener,
    /// Whose turn it is to listen on a port that is the same each time.
    turn: Arc<tokio::sync::Mutex<()>>,
}

impl Loopback {
    /// On a free port, at `/callback`, with the browser of the system.
    pub fn new() -> Self {
        let open: Opener = Arc::new(|url| open::that_detached(url));
        Self { port: 0, path: "/callback".to_owned(), open, turn: Arc::default() }
    }

    /// Listens on this port. For authorization servers that compare ports, which they should
    /// not for addresses of the user's machine. Users who sign in at several servers do so at one
    /// after the other.
    #[must_use]
    pub fn port(mut self, port: u16) -> Self {
        self.port = port;
        self
    }

    /// The path of the redirect URI, beginning with a slash.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.path = path.into();
        self
    }

    /// Opens URLs in another way: another browser, or a text that asks the user to do it.
    #[must_use]
    pub fn open_with(mut self, open: impl Fn(&str) -> io::Result<()> + Send + Sync + 'static) -> Self {
        self.open = Arc::new(open);
        self
    }
}

impl Default for Loopback {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Loopback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Loopback(127.0.0.1:{}{})", self.port, self.path)
    }
}

impl RedirectReceiver for Loopback {
    fn listen(&self) -> BoxFuture<'_, Result<Box<dyn Listening>, Error>> {
        Box::pin(async {
            let unusable = |why: io::Error| {
                let port = self.port;
                Error::usage(format!("redirect URI: port {port} of this machine cannot be used: {why}"))
            };
            let turn = if self.port == 0 { None } else { Some(Arc::clone(&self.turn).lock_owned().await) };
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).await.map_err(unusable)?;
            let port = listener.local_addr().map_err(unusable)?.port();
            let redirect_uri = format!("http://127.0.0.1:{port}{}", self.path);
            let setup = self.clone();
            Ok(Box::new(Receiver { listener, redirect_uri, setup, _turn: turn }) as Box<dyn Listening>)
        })
    }
}

struct Receiver {
    listener: TcpListener,
    redirect_uri: String,
    setup: Loopback,
    /// Given up after the port.
    _turn: Option<OwnedMutexGuard<()>>,
}

impl Listening for Receiver {
    fn redirect_uri(&self) -> &str {
        &self.redirect_uri
    }

    fn visit(self: Box<Self>, url: Secret) -> BoxFuture<'static, Result<RedirectAnswer, Error>> {
        Box::pin(async move {
            let expected = Expected { path: self.setup.path.clone(), state: state_of(url.expose()) };
            let open = Arc::clone(&self.setup.open);
            // It may wait for a program to start.
            let opened = tokio::task::spawn_blocking(move || open(url.expose())).await;
            opened.unwrap_or_else(|_| Err(io::ErrorKind::Interrupted.into())).map_err(|why| {
                Error::usage(format!(
                    "the browser cannot be opened: {why}; show the URL to the user with Loopback::open_with"
                ))
            })?;
            receive(&self.listener, Arc::new(expected)).await
        })
    }
}

/// What the answer looks like. A request that anybody else sends to the port ends nothing.
struct Expected {
    path: String,
    state: Option<Secret>,
}

fn state_of(url: &str) -> Option<Secret> {
    state_in(Url::parse(url).ok()?.query()?)
}

fn state_in(query: &str) -> Option<Secret> {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    pairs.find(|(name, _)| name == "state").map(|(_, value)| Secret::new(value))
}

impl Expected {
    /// The answer, and the page that is shown.
    fn judge(&self, request: &Request<Incoming>) -> (Option<RedirectAnswer>, Response<Full<Bytes>>) {
        if request.uri().path() != self.path {
            return (None, page::other(StatusCode::NOT_FOUND));
        }
        if request.method() != Method::GET {
            return (None, page::other(StatusCode::METHOD_NOT_ALLOWED));
        }
        let query = request.uri().query().unwrap_or_default();
        let ours = self.state == state_in(query);
        match RedirectAnswer::from_query(query) {
            Ok(answer) if ours => (Some(answer), page::received()),
            _ => (None, page::other(StatusCode::BAD_REQUEST)),
        }
    }
}

/// Waits for the answer. Browsers open connections that they never use, so that all of them are
/// served at once.
async fn receive(listener: &TcpListener, expected: Arc<Expected>) -> Result<RedirectAnswer, Error> {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let (socket, _) = accepted
                    .map_err(|why| Error::transport(format!("the answer of the browser: {why}")))?;
                connections.spawn(serve(socket, Arc::clone(&expected)));
            }
            // Any connection that ended, so that one without an answer does not end the waiting for others.
            Some(ended) = connections.join_next() => {
                if let Ok(Some(answer)) = ended {
                    return Ok(answer);
                }
            }
        }
    }
}

/// Serves one connection to its end, so that the user sees the page.
async fn serve(socket: TcpStream, expected: Arc<Expected>) -> Option<RedirectAnswer> {
    let found = Mutex::new(None);
    let service = service_fn(|request| {
        let (answer, page) = expected.judge(&request);
        if answer.is_some() {
            *found.lock() = answer;
        }
        std::future::ready(Ok::<_, Infallible>(page))
    });
    let mut builder = http1::Builder::new();
    builder.keep_alive(false).timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
    // A browser that does not wait for the page has answered all the same.
    let _ = builder.serve_connection(TokioIo::new(socket), service).await;
    found.into_inner()
}
