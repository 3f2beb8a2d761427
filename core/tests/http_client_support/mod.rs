//! A server that does what the test says, request by request, and a recorder of what
//! the transport reports.
// Each test file uses its part.
#![allow(dead_code, unreachable_pub)]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::pin::Pin;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use bytes::Bytes;
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use mcpbolt::transport::client::{
    ClientEvents, ClientTransport, FrameKind, OutgoingFrame, RequestFrame, SendFailure,
};
use mcpbolt::transport::streamable_http::client::{HttpClientOptions, ReconnectPolicy, connect};
use mcpbolt_proto::jsonrpc::Id;
use mcpbolt_proto::protocol::{Error, Revision};
use mcpbolt_proto::session::OutgoingId;
use mcpbolt_proto::session::client::Resumption;

pub const MODERN: Revision = Revision::V2026_07_28;
pub const LEGACY: Revision = Revision::V2025_11_25;

/// Nothing here takes this long unless it hangs.
const BOUND: Duration = Duration::from_secs(20);

pub async fn bounded<T>(what: &str, future: impl Future<Output = T>) -> T {
    let outcome = tokio::time::timeout(BOUND, future).await;
    outcome.unwrap_or_else(|_| panic!("{what}: still waiting after {BOUND:?}"))
}

trait Socket: AsyncRead + AsyncWrite + Send {}
impl<T: AsyncRead + AsyncWrite + Send> Socket for T {}

/// A server whose requests come out one by one, each on a connection of its own.
pub struct Server {
    pub port: u16,
    requests: mpsc::UnboundedReceiver<Exchange>,
}

impl Server {
    pub async fn start() -> Self {
        Self::with_tls(None).await
    }

    pub async fn with_tls(tls: Option<Arc<rustls::ServerConfig>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, requests) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (tls, sender) = (tls.clone(), sender.clone());
                tokio::spawn(async move {
                    let socket: Pin<Box<dyn Socket>> = match tls {
                        None => Box::pin(socket),
                        Some(config) => match tokio_rustls::TlsAcceptor::from(config).accept(socket).await {
                            Ok(socket) => Box::pin(socket),
                            Err(_) => return,
                        },
                    };
                    if let Some(exchange) = Exchange::read(socket).await {
                        let _ = sender.send(exchange);
                    }
                });
            }
        });
        Self { port, requests }
    }

    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }

    /// The next request.
    pub async fn next(&mut self) -> Exchange {
        bounded("a request", self.whenever()).await
    }

    /// The next request, whenever that comes.
    pub async fn whenever(&mut self) -> Exchange {
        self.requests.recv().await.unwrap()
    }

    /// The next request, which has this HTTP method.
    pub async fn expect(&mut self, method: &str) -> Exchange {
        let exchange = self.next().await;
        assert_eq!(exchange.method, method, "{}", exchange.text());
        exchange
    }

    /// Whether nothing has been asked.
    pub fn is_idle(&mut self) -> bool {
        self.requests.try_recv().is_err()
    }
}

/// One request and the way back.
pub struct Exchange {
    pub method: String,
    pub target: String,
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
    pub at: Instant,
    socket: Pin<Box<dyn Socket>>,
}

impl Exchange {
    async fn read(mut socket: Pin<Box<dyn Socket>>) -> Option<Self> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(socket.read_u8().await.ok()?);
        }
        let at = Instant::now();
        let head = String::from_utf8(head).ok()?;
        let mut lines = head.lines();
        let mut first = lines.next()?.split(' ');
        let (method, target) = (first.next()?.to_owned(), first.next()?.to_owned());
        let mut headers = HashMap::new();
        for line in lines.filter(|line| !line.is_empty()) {
            let (name, value) = line.split_once(':')?;
            headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
        }
        let length = headers.get("content-length").and_then(|v| v.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        socket.read_exact(&mut body).await.ok()?;
        Some(Self { method, target, headers, body, at, socket })
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// A whole answer.
    pub async fn reply(mut self, status: u16, headers: &[(&str, &str)], body: &str) {
        let mut head =
            format!("HTTP/1.1 {status} Scripted\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
        for (name, value) in headers {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        self.write(&format!("{head}\r\n{body}")).await;
        let _ = self.socket.shutdown().await;
    }

    pub async fn json(self, status: u16, body: &str) {
        self.reply(status, &[("content-type", "application/json")], body).await;
    }

    /// Begins an event stream.
    pub async fn stream(mut self) -> Self {
        self.write("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\r\n").await;
        self
    }

    /// Sends raw text of an answer.
    pub async fn write(&mut self, text: &str) {
        let _ = self.socket.write_all(text.as_bytes()).await;
        let _ = self.socket.flush().await;
    }

    /// Ends the connection. Returns when that was.
    pub async fn end(mut self) -> Instant {
        let at = Instant::now();
        let _ = self.socket.shutdown().await;
        at
    }

    /// Waits until the client has closed the connection.
    pub async fn closed_by_client(&mut self) {
        let mut byte = [0];
        let end = bounded("the client's end of the stream", self.socket.read(&mut byte)).await;
        assert!(matches!(end, Ok(0) | Err(_)), "the client sent more");
    }
}

/// What the transport reported.
#[derive(Debug)]
pub enum Event {
    Received(String, Option<u64>),
    Failed(u64, Option<u16>, Error),
    Named(u64, String),
    Reconnecting(bool),
    SessionLost(Vec<u64>),
    Problem(Error),
    Closed(Error),
}

struct Recorder(mpsc::UnboundedSender<Event>);

impl Recorder {
    fn put(&self, event: Event) {
        let _ = self.0.send(event);
    }
}

impl ClientEvents for Recorder {
    fn received(&self, frame: Bytes, answers: Option<OutgoingId>) {
        let text = if frame.len() > 1000 {
            format!("{} bytes", frame.len())
        } else {
            String::from_utf8_lossy(&frame).into()
        };
        self.put(Event::Received(text, answers.map(|id| id.0)));
    }

    fn failed(&self, request: OutgoingId, failure: SendFailure) {
        self.put(Event::Failed(request.0, failure.status, failure.error));
    }

    fn event_id(&self, request: OutgoingId, id: &str) {
        self.put(Event::Named(request.0, id.to_owned()));
    }

    fn reconnecting(&self, lost: bool) {
        self.put(Event::Reconnecting(lost));
    }

    fn session_lost(&self, refused: Vec<OutgoingId>) {
        self.put(Event::SessionLost(refused.into_iter().map(|id| id.0).collect()));
    }

    fn problem(&self, error: Error) {
        self.put(Event::Problem(error));
    }

    fn closed(&self, reason: Error) {
        self.put(Event::Closed(reason));
    }
}

/// A transport with a recorder above it.
pub struct Client {
    pub transport: Arc<dyn ClientTransport>,
    events: mpsc::UnboundedReceiver<Event>,
    _recorder: Arc<Recorder>,
}

impl Client {
    pub fn new(url: &str, options: HttpClientOptions) -> Self {
        let (sender, events) = mpsc::unbounded_channel();
        let recorder = Arc::new(Recorder(sender));
        let weak: Weak<dyn ClientEvents> = Arc::downgrade(&recorder) as Weak<dyn ClientEvents>;
        let transport = connect(url, options, weak).unwrap();
        Self { transport, events, _recorder: recorder }
    }

    pub fn to(server: &Server) -> Self {
        Self::new(&server.url(), quick())
    }

    /// Sends a request with this number as its id.
    pub fn request(&self, number: u64, method: &str, revision: Option<Revision>) {
        self.send_request(number, method, revision, None, false);
    }

    /// Sends a request whose stream the program resumes by itself.
    pub fn resumable(&self, number: u64, revision: Revision, after: Option<&str>) {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"tools/call"}}"#);
        let mut facts = facts(number, "tools/call");
        facts.resumption = Resumption { after: after.map(str::to_owned), told: true };
        let (kind, revision) = (FrameKind::Request(facts), Some(revision));
        self.transport.send(OutgoingFrame { text: text.into(), kind, revision });
    }

    pub fn repeatable(&self, number: u64, method: &str, revision: Option<Revision>) {
        self.send_request(number, method, revision, None, true);
    }

    pub fn send_request(
        &self,
        number: u64,
        method: &str,
        revision: Option<Revision>,
        name: Option<&str>,
        repeatable: bool,
    ) {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"{method}"}}"#);
        self.transport.send(OutgoingFrame {
            text: text.into(),
            kind: FrameKind::Request(RequestFrame {
                name: name.map(str::to_owned),
                headers: name.map(|_| ("Mcp-Param-Region".into(), "eu".into())).into_iter().collect(),
                repeatable,
                ..facts(number, method)
            }),
            revision,
        });
    }

    pub fn notify(&self, method: &str, revision: Revision) {
        let text = format!(r#"{{"jsonrpc":"2.0","method":"{method}"}}"#);
        let (kind, revision) = (FrameKind::Notification, Some(revision));
        self.transport.send(OutgoingFrame { text: text.into(), kind, revision });
    }

    pub async fn event(&mut self) -> Event {
        bounded("an event", self.events.recv()).await.unwrap()
    }

    /// The next event is this message.
    pub async fn received(&mut self, text: &str, answers: Option<u64>) {
        match self.event().await {
            Event::Received(got, request) => assert_eq!((got.as_str(), request), (text, answers)),
            other => panic!("{other:?} instead of {text}"),
        }
    }

    /// The next event is the failure of this request.
    pub async fn failed(&mut self, request: u64) -> (Option<u16>, Error) {
        match self.event().await {
            Event::Failed(number, status, error) if number == request => (status, error),
            other => panic!("{other:?} instead of a failure of {request}"),
        }
    }

    pub fn is_quiet(&mut self) -> bool {
        self.events.try_recv().is_err()
    }
}

fn facts(number: u64, method: &str) -> RequestFrame {
    RequestFrame {
        request: OutgoingId(number),
        id: Id::Number(i64::try_from(number).unwrap()),
        method: method.into(),
        name: None,
        headers: Vec::new(),
        repeatable: false,
        resumption: Resumption::default(),
    }
}

/// Options that do not wait long before they try again.
pub fn quick() -> HttpClientOptions {
    let reconnect = ReconnectPolicy {
        initial: Duration::from_millis(10),
        max: Duration::from_millis(50),
        attempts: 3,
        ..ReconnectPolicy::default()
    };
    HttpClientOptions { reconnect, ..HttpClientOptions::default() }
}

pub fn result(id: u64) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)
}

/// The same for a copy of a request.
pub fn named(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":"{id}","result":{{}}}}"#)
}

/// A client that waits for nothing, and the waits that it would have made.
pub fn impatient(server: &Server) -> (Client, Arc<Mutex<Vec<Duration>>>) {
    let waits = Arc::<Mutex<Vec<Duration>>>::default();
    let noted = Arc::clone(&waits);
    let pause = Arc::new(move |time: Duration| {
        noted.lock().push(time);
        Box::pin(std::future::ready(())) as _
    });
    let options = HttpClientOptions { pause: Some(pause), ..quick() };
    (Client::new(&server.url(), options), waits)
}

pub const PROGRESS: &str =
    r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#;

/// Opens a legacy session: `initialize` as request 1, `initialized`, GET refused.
pub async fn open_session(server: &mut Server, client: &mut Client, session: &str) {
    initialize(server, client, 1, session).await;
    server.expect("GET").await.reply(405, &[], "").await;
}

/// The same without the answer to GET.
pub async fn initialize(server: &mut Server, client: &mut Client, id: u64, session: &str) {
    client.request(id, "initialize", None);
    let post = server.expect("POST").await;
    assert_eq!((post.header("mcp-session-id"), post.header("mcp-protocol-version")), (None, None));
    post.reply(200, &[("content-type", "application/json"), ("mcp-session-id", session)], &result(id)).await;
    client.received(&result(id), Some(id)).await;
    client.transport.negotiated(LEGACY);
    client.notify("notifications/initialized", LEGACY);
    let post = server.expect("POST").await;
    assert_eq!(post.header("mcp-session-id"), Some(session));
    assert_eq!(post.header("mcp-protocol-version"), Some("2025-11-25"));
    post.reply(202, &[], "").await;
}
