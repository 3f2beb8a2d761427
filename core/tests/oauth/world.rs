//! A server and its authorization server on sockets of the loopback, and the user's browser.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use mcpbolt::Error;
use mcpbolt::auth::{OAuth, RedirectAnswer, RedirectCallback, Secret};
use mcpbolt::client::{Client, ClientSession, ProtocolPolicy};
use mcpbolt::transport::streamable_http::client::HttpClientOptions;
use parking_lot::Mutex;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

use crate::proofs::Proofs;
use crate::{authorization_server, resource_server};

pub(crate) const REDIRECT_URI: &str = "http://localhost:3000/callback";
pub(crate) type Body = BoxBody<Bytes, Infallible>;

/// What was asked of one of the servers.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) who: Who,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Seen {
    /// A parameter of the query or the form.
    pub(crate) fn field(&self, name: &str) -> Option<String> {
        let text = if self.query.is_empty() { &self.body } else { &self.query };
        let mut pairs = url::form_urlencoded::parse(text.as_bytes());
        pairs.find(|(known, _)| known == name).map(|(_, value)| value.into())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    Resource,
    Issuer,
}

/// A code that was given out.
pub(crate) struct Code {
    pub(crate) challenge: String,
    pub(crate) redirect_uri: String,
    pub(crate) scope: String,
}

/// What the servers know, and how they behave.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) resource: String,
    pub(crate) issuer: String,
    pub(crate) seen: Vec<Seen>,
    /// Access tokens that are good, with their scopes.
    pub(crate) tokens: BTreeMap<String, String>,
    pub(crate) refresh_tokens: BTreeMap<String, String>,
    pub(crate) codes: BTreeMap<String, Code>,
    pub(crate) clients: BTreeSet<String>,
    pub(crate) drawn: usize,
    /// Where the metadata of the resource are; the challenge says it if it is `Some`.
    pub(crate) resource_metadata: Place,
    /// The path of the authorization server's metadata.
    pub(crate) server_metadata: Option<String>,
    /// What the issuer says its name is in answers of the browser.
    pub(crate) claimed_issuer: Option<String>,
    /// The error that users of it cause.
    pub(crate) denies: bool,
    /// The PKCE methods that the issuer's metadata name, if not S256.
    pub(crate) pkce: Option<serde_json::Value>,
    /// How proofs of possession are treated.
    pub(crate) proofs: Proofs,
    /// What is answered to requests for the resource's metadata instead.
    pub(crate) instead: Option<fn(&State) -> Response<Body>>,
    /// Where calls are redirected to.
    pub(crate) moved: Option<String>,
}

/// Where the metadata of the resource are.
#[derive(Default, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    #[default]
    Header,
    Path,
    Root,
}

pub(crate) struct World {
    pub(crate) state: Arc<Mutex<State>>,
    pub(crate) url: String,
}

impl World {
    pub(crate) async fn start() -> Self {
        let state = Arc::new(Mutex::new(State::default()));
        let resource = listen(Who::Resource, &state).await;
        let issuer = listen(Who::Issuer, &state).await;
        let url = format!("http://127.0.0.1:{resource}/mcp");
        {
            let mut state = state.lock();
            state.resource.clone_from(&url);
            state.issuer = format!("http://127.0.0.1:{issuer}");
        }
        Self { state, url }
    }

    pub(crate) fn set(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock());
    }

    /// Requests to a path, of either server.
    pub(crate) fn seen(&self, path: &str) -> Vec<Seen> {
        self.state.lock().seen.iter().filter(|seen| seen.path == path).cloned().collect()
    }

    /// How often tokens were asked for with this grant.
    pub(crate) fn grants(&self, grant: &str) -> usize {
        let asked = self.seen("/token");
        asked.iter().filter(|seen| seen.field("grant_type").as_deref() == Some(grant)).count()
    }

    /// From now on no access token is good any more.
    pub(crate) fn expire_tokens(&self) {
        self.set(|state| state.tokens.clear());
    }

    pub(crate) async fn try_connect(&self, oauth: &OAuth) -> Result<ClientSession, Error> {
        let options = HttpClientOptions::default().oauth(oauth.clone());
        let client = Client::builder("test", "1").protocol(ProtocolPolicy::LegacyFirst).build();
        soon(client.connect((self.url.as_str(), options))).await
    }

    pub(crate) async fn connect(&self, oauth: &OAuth) -> ClientSession {
        self.try_connect(oauth).await.unwrap()
    }

    /// Why a client with the usual options cannot connect.
    pub(crate) async fn refusal(&self) -> String {
        self.try_connect(&oauth()).await.map(drop).unwrap_err().to_string()
    }
}

/// Signs in with a browser that has no window.
pub(crate) fn oauth() -> OAuth {
    OAuth::new("Test").redirect(RedirectCallback::new(REDIRECT_URI, browse))
}

/// Nothing here takes this long unless it hangs.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(40), future).await.expect("still waiting after 40 s")
}

/// What a browser does whose user agrees to everything.
pub(crate) async fn browse(url: Secret) -> Result<RedirectAnswer, Error> {
    let (_, location, _) = get(url.expose()).await;
    Ok(RedirectAnswer::from_url(&location.expect("a redirect"))?)
}

/// Status, `Location` and the whole text of the answer to a GET.
pub(crate) async fn get(url: &str) -> (u16, Option<String>, String) {
    let text = answered("GET", url, "", "").await;
    let status = text.split(' ').nth(1).unwrap().parse().unwrap();
    let location = text.lines().find_map(|line| line.strip_prefix("location: ").map(str::to_owned));
    (status, location, text)
}

/// The whole text of the answer to a request. Each of the headers ends its line.
pub(crate) async fn answered(method: &str, url: &str, headers: &str, body: &str) -> String {
    let url = Url::parse(url).unwrap();
    let host = format!("{}:{}", url.host_str().unwrap(), url.port().unwrap());
    let mut socket = TcpStream::connect(&host).await.unwrap();
    let target = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let length = body.len();
    let head = format!("{method} {target} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {length}\r\n");
    let request = format!("{head}connection: close\r\n{headers}\r\n{body}");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    socket.read_to_string(&mut text).await.unwrap();
    text
}

async fn listen(who: Who, state: &Arc<Mutex<State>>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let state = Arc::clone(state);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let state = Arc::clone(&state);
            let service = service_fn(move |request| answer(who, Arc::clone(&state), request));
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(socket), service));
        }
    });
    port
}

async fn answer(
    who: Who,
    state: Arc<Mutex<State>>,
    request: Request<Incoming>,
) -> Result<Response<Body>, hyper::Error> {
    let (head, body) = request.into_parts();
    let body = String::from_utf8(body.collect().await?.to_bytes().into()).unwrap();
    let seen = Seen {
        who,
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        headers: head.headers,
        body,
    };
    let mut state = state.lock();
    state.seen.push(seen.clone());
    Ok(match who {
        Who::Resource if head.method == Method::POST => resource_server::answer(&mut state, &seen),
        Who::Resource => resource_server::document(&state, &seen),
        Who::Issuer => authorization_server::answer(&mut state, &seen),
    })
}

pub(crate) fn json(status: u16, value: &serde_json::Value) -> Response<Body> {
    let mut response = text(status, &value.to_string());
    response.headers_mut().insert("content-type", "application/json".parse().unwrap());
    response
}

pub(crate) fn text(status: u16, text: &str) -> Response<Body> {
    let mut response = Response::new(Full::new(Bytes::from(text.to_owned())).boxed());
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response
}

pub(crate) fn redirect(status: u16, target: &str) -> Response<Body> {
    let mut response = text(status, "");
    response.headers_mut().insert("location", target.parse().unwrap());
    response
}
