//! A server with four tools, and a client that sees every byte.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::handler::{Call, Engine, EngineOptions, Handler, Reply, Sent, ServerFacts};
use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpServer, bind};
use mcpbolt_proto::http::ParamHeaders;
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::types::Implementation;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::{Answer, Change};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::{Notify, mpsc};

pub(crate) const MEBIBYTE: usize = 1 << 20;
/// The bound of every wait.
pub(crate) const BOUND: Duration = Duration::from_secs(10);

pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(BOUND, future).await.unwrap_or_else(|_| panic!("{what}: nothing within {BOUND:?}"))
}

/// Tools: `echo`, `progress` (one notification, then an answer), `hang` (until
/// released), `large` (the same, and answers a mebibyte), `ask` (the client's roots), `poll` and
/// `poll_large` (close their stream, then are as `hang` and `large`), `part` (closes the GET stream),
/// `flood` (more than a socket holds, as there is room, then an answer).
pub(crate) struct Tools {
    facts: Arc<ServerFacts>,
    pub(crate) release: Arc<Notify>,
    events: mpsc::UnboundedSender<&'static str>,
    headers: Arc<ParamHeaders>,
}

struct OnDrop(mpsc::UnboundedSender<&'static str>, bool);

impl Drop for OnDrop {
    fn drop(&mut self) {
        if self.1 {
            let _ = self.0.send("cancelled");
        }
    }
}

fn raw(value: &Value) -> RawJson {
    RawJson::encode(value).unwrap()
}

fn text(text: &str) -> Answer {
    Answer::result(raw(&json!({"content": [{"type": "text", "text": text}]})))
}

/// Tells 32 mebibytes, one after the other.
async fn flood(call: Arc<Call>) -> Answer {
    let params = raw(&json!({"text": "x".repeat(MEBIBYTE / 16)}));
    // What is told before is collected for one write.
    tokio::task::yield_now().await;
    for _ in 0..512 {
        while let Ok(Sent::Full) = call.notify("notifications/x-flood", Some(&params)) {
            let (tell, told) = tokio::sync::oneshot::channel::<()>();
            call.on_writable(Box::new(move || drop(tell)));
            let _ = told.await;
        }
    }
    text("flooded")
}

impl Tools {
    fn tool(&self, call: &Arc<Call>, name: &str) -> Reply {
        let (call, events, release) = (call.clone(), self.events.clone(), self.release.clone());
        match name {
            "echo" => Reply::Done(text(call.param("arguments").map_or("", |a| a.as_str()))),
            "progress" => {
                let _ = call.progress(1.0, Some(2.0), Some("half"));
                Reply::Done(text("done"))
            }
            "hang" | "poll" | "large" | "poll_large" => {
                let poll = name.starts_with("poll");
                let answer = if name.ends_with("large") { MEBIBYTE } else { 0 };
                Reply::Later(Box::pin(async move {
                    let mut guard = OnDrop(events.clone(), true);
                    if poll {
                        call.close_stream();
                    }
                    let _ = events.send("started");
                    release.notified().await;
                    guard.1 = false;
                    let _ = call.progress(1.0, None, None);
                    if poll && answer > 0 {
                        let _ = events.send("released");
                    }
                    if answer > 0 { text(&"x".repeat(answer)) } else { text("released") }
                }))
            }
            "part" => {
                call.link().close_standalone_stream();
                Reply::Done(text("parted"))
            }
            "flood" => Reply::Later(Box::pin(flood(call))),
            "ask" => Reply::Later(Box::pin(async move {
                match call.ask("roots/list", None, None).await {
                    Ok(roots) => text(roots.as_str()),
                    Err(error) => Answer::error(error),
                }
            })),
            _ => Reply::Done(Answer::error(Error::new(ErrorKind::InvalidParams, "no such tool"))),
        }
    }
}

impl Handler for Tools {
    fn facts(&self) -> Arc<ServerFacts> {
        self.facts.clone()
    }

    fn call(&self, call: &Arc<Call>) -> Reply {
        match call.method() {
            "initialize" => Reply::Done(Answer::result(raw(&json!({
                "capabilities": {"logging": {}, "tools": {"listChanged": true}},
                "serverInfo": {"name": "t", "version": "1"},
            })))),
            "server/discover" => Reply::Done(Answer::result(raw(&json!({"capabilities": {"tools": {}}})))),
            "tools/list" => Reply::Done(Answer::result(raw(&json!({"tools": []})))),
            "logging/setLevel" => Reply::Done(Answer::result(RawJson::empty_object())),
            "tools/call" => {
                let name = call.param("name").and_then(RawJson::as_string).unwrap_or_default();
                self.tool(call, &name)
            }
            _ => Reply::Done(Answer::error(Error::new(ErrorKind::Internal, "not here"))),
        }
    }

    fn param_headers(&self, tool: &str) -> Option<Arc<ParamHeaders>> {
        (tool == "echo").then(|| self.headers.clone())
    }

    fn as_any(self: Arc<Self>) -> Arc<dyn std::any::Any + Send + Sync> {
        self
    }
}

/// A running server.
pub(crate) struct Server {
    pub(crate) http: HttpServer,
    pub(crate) engine: Arc<Engine>,
    pub(crate) release: Arc<Notify>,
    pub(crate) events: mpsc::UnboundedReceiver<&'static str>,
}

impl Server {
    pub(crate) async fn start(options: HttpOptions) -> Self {
        Self::with(EngineOptions::default(), options).await
    }

    pub(crate) async fn with(engine: EngineOptions, options: HttpOptions) -> Self {
        let capabilities = raw(&json!({"logging": {}, "tools": {"listChanged": true}})).decode().unwrap();
        let schema =
            json!({"type": "object", "properties": {"r": {"type": "string", "x-mcp-header": "Region"}}});
        let (events, received) = mpsc::unbounded_channel();
        let release = Arc::new(Notify::new());
        let handler: Arc<dyn Handler> = Arc::new(Tools {
            facts: Arc::new(ServerFacts::new(Implementation::new("t", "1"), capabilities)),
            release: release.clone(),
            events,
            headers: Arc::new(ParamHeaders::from_schema(&raw(&schema)).unwrap()),
        });
        let engine = Engine::new(engine);
        let http = bind("127.0.0.1:0", &engine, &handler, options).await.unwrap();
        Self { http, engine, release, events: received }
    }

    pub(crate) async fn connect(&self) -> Client {
        Client::new(TcpStream::connect(self.http.local_addr()).await.unwrap())
    }

    /// A client at another address of this machine.
    pub(crate) async fn connect_from(&self, address: &str) -> Client {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(format!("{address}:0").parse().unwrap()).unwrap();
        Client::new(socket.connect(self.http.local_addr()).await.unwrap())
    }

    /// What the tools report.
    pub(crate) async fn event(&mut self) -> &'static str {
        soon("event of a tool", self.events.recv()).await.unwrap()
    }

    pub(crate) fn publish(&self) {
        self.engine.bus().publish(&Change::Tools);
    }

    /// Waits until a condition of the server holds.
    pub(crate) async fn until(&self, what: &str, condition: impl Fn(&Self) -> bool) {
        soon(what, async {
            while !condition(self) {
                tokio::task::yield_now().await;
            }
        })
        .await;
    }
}

/// One HTTP/1.1 connection.
pub(crate) struct Client {
    pub(crate) stream: BufReader<TcpStream>,
    chunked: bool,
    length: usize,
    pending: String,
}

/// Head of a response.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) status: u16,
    headers: Vec<(String, String)>,
}

impl Head {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn is_stream(&self) -> bool {
        self.header("content-type") == Some("text/event-stream")
    }
}

/// One event of a stream.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) name: Option<String>,
    pub(crate) id: Option<String>,
    pub(crate) retry: Option<String>,
    pub(crate) data: String,
}

impl Event {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }
}

impl Client {
    pub(crate) fn new(stream: TcpStream) -> Self {
        Self { stream: BufReader::new(stream), chunked: false, length: 0, pending: String::new() }
    }

    /// Begins a call whose stream its handler closes before the answer; the event to come back with.
    pub(crate) async fn poll(&mut self, session: &str, server: &mut Server) -> Event {
        assert!(self.post(session, &call(1, "poll")).await.is_stream());
        let prime = self.event().await.unwrap();
        assert_eq!(self.event().await, None, "closed early");
        assert_eq!(server.event().await, "started");
        prime
    }

    pub(crate) async fn write(&mut self, bytes: &str) {
        self.stream.get_mut().write_all(bytes.as_bytes()).await.unwrap();
    }

    pub(crate) async fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) {
        let mut text = format!("{method} {path} HTTP/1.1\r\n");
        let mut add = |name: &str, value: &str| text.extend([name, ": ", value, "\r\n"]);
        let has = |name: &str| headers.iter().any(|(found, _)| found.eq_ignore_ascii_case(name));
        if !has("host") {
            add("Host", "localhost");
        }
        if !has("accept") {
            add("Accept", "application/json, text/event-stream");
        }
        if method == "POST" && !has("content-type") {
            add("Content-Type", "application/json");
        }
        if method == "POST" {
            add("Content-Length", &body.len().to_string());
        }
        for (name, value) in headers {
            add(name, value);
        }
        text.push_str("\r\n");
        text.push_str(body);
        self.write(&text).await;
    }

    pub(crate) async fn line(&mut self) -> String {
        let mut line = String::new();
        soon("a line", self.stream.read_line(&mut line)).await.unwrap();
        line
    }

    pub(crate) async fn head(&mut self) -> Head {
        let first = self.line().await;
        let status = first.split(' ').nth(1).and_then(|code| code.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status line: {first:?}"));
        let mut headers = Vec::new();
        loop {
            let line = self.line().await;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let head = Head { status, headers };
        self.chunked = head.header("transfer-encoding") == Some("chunked");
        self.length = head.header("content-length").map_or(0, |length| length.parse().unwrap());
        self.pending.clear();
        head
    }

    /// The next chunk; `None` at the end of the body or connection.
    async fn chunk(&mut self) -> Option<String> {
        let size = self.line().await;
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        let mut bytes = vec![0; size + 2];
        soon("a chunk", self.stream.read_exact(&mut bytes)).await.ok()?;
        bytes.truncate(size);
        (size > 0).then(|| String::from_utf8(bytes).unwrap())
    }

    /// The rest of the body.
    pub(crate) async fn body(&mut self) -> String {
        if !self.chunked {
            let mut bytes = vec![0; self.length];
            soon("a body", self.stream.read_exact(&mut bytes)).await.unwrap();
            return String::from_utf8(bytes).unwrap();
        }
        let mut all = std::mem::take(&mut self.pending);
        while let Some(chunk) = self.chunk().await {
            all.push_str(&chunk);
        }
        all
    }

    pub(crate) async fn json(&mut self) -> Value {
        let body = self.body().await;
        serde_json::from_str(&body).unwrap_or_else(|_| panic!("no JSON: {body:?}"))
    }

    /// The next event, comments left out; `None` at the end.
    pub(crate) async fn event(&mut self) -> Option<Event> {
        loop {
            if let Some((block, rest)) = self.pending.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.pending = rest;
                if block.lines().all(|line| line.starts_with(':')) {
                    continue;
                }
                return Some(parse(&block));
            }
            let chunk = self.chunk().await?;
            self.pending.push_str(&chunk);
        }
    }

    /// Whether the server has closed the connection.
    pub(crate) async fn is_closed(&mut self) -> bool {
        let mut rest = [0; 64];
        matches!(soon("the end", self.stream.read(&mut rest)).await, Ok(0) | Err(_))
    }

    /// A modern request and its response.
    pub(crate) async fn modern(&mut self, method: &str, params: Value) -> Head {
        let (headers, body) = modern(method, params);
        let headers: Vec<_> = headers.iter().map(|(n, v)| (*n, v.as_str())).collect();
        self.send("POST", "/mcp", &headers, &body).await;
        self.head().await
    }

    /// Sends a modern call that hangs, and waits until it does.
    pub(crate) async fn hang(&mut self, server: &mut Server, headers: &[(&str, &str)]) {
        let (own, body) = modern("tools/call", json!({"name": "hang"}));
        let mut all: Vec<_> = own.iter().map(|(n, v)| (*n, v.as_str())).collect();
        all.extend(headers);
        self.send("POST", "/mcp", &all, &body).await;
        assert_eq!(server.event().await, "started");
    }

    /// Opens a legacy session.
    pub(crate) async fn initialize(&mut self, revision: &str) -> String {
        let body = initialize(revision);
        self.send("POST", "/mcp", &[], &body).await;
        let head = self.head().await;
        assert_eq!(head.status, 200);
        assert_eq!(self.json().await["result"]["protocolVersion"], revision);
        let id = head.header("mcp-session-id").expect("a session id").to_owned();
        self.send(
            "POST",
            "/mcp",
            &[("Mcp-Session-Id", &id)],
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        )
        .await;
        assert_eq!(self.head().await.status, 202);
        id
    }

    /// A POST within a session.
    pub(crate) async fn post(&mut self, session: &str, body: &str) -> Head {
        self.send("POST", "/mcp", &[("Mcp-Session-Id", session)], body).await;
        self.head().await
    }

    /// A GET within a session.
    pub(crate) async fn get(&mut self, session: &str, last: Option<&str>) -> Head {
        let mut headers = vec![("Mcp-Session-Id", session), ("Accept", "text/event-stream")];
        headers.extend(last.map(|id| ("Last-Event-ID", id)));
        self.send("GET", "/mcp", &headers, "").await;
        self.head().await
    }
}

fn parse(block: &str) -> Event {
    let mut event = Event::default();
    for line in block.lines() {
        let (name, value) = line.split_once(": ").unwrap_or((line.trim_end_matches(':'), ""));
        let value = value.to_owned();
        match name {
            "event" => event.name = Some(value),
            "id" => event.id = Some(value),
            "retry" => event.retry = Some(value),
            "data" => event.data = value,
            _ => {}
        }
    }
    event
}

pub(crate) fn initialize(revision: &str) -> String {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": revision, "capabilities": {"roots": {}},
        "clientInfo": {"name": "c", "version": "1"},
    }})
    .to_string()
}

pub(crate) fn call(id: u32, tool: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {
        "name": tool, "arguments": {}, "_meta": {"progressToken": id},
    }})
    .to_string()
}

/// Headers and body of a modern request with id 1.
pub(crate) fn modern(method: &str, mut params: Value) -> (Vec<(&'static str, String)>, String) {
    let mut headers =
        vec![("MCP-Protocol-Version", "2026-07-28".to_owned()), ("Mcp-Method", method.to_owned())];
    if let Some(name) = params["name"].as_str() {
        headers.push(("Mcp-Name", name.to_owned()));
    }
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "progressToken": "p",
    });
    (headers, json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string())
}
