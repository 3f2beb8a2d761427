//! What the rows do, and with what.

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use mcpbolt::client::{CallOptions, Client, ClientSession, ProtocolPolicy, Target};
use mcpbolt::protocol::types::{CallToolResult, ContentBlock, ElicitResult, SubscriptionFilter};
use mcpbolt::protocol::{ErrorKind, Revision};
use mcpbolt::transport::streamable_http::client::HttpClientOptions;
use mcpbolt::transport::streamable_http::server::{HttpServer, Sessions};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::{Over, Row, What, say};
use crate::census::Census;
use crate::program::{command, http_options, server, silent};

/// How many do it at the same time.
const TOGETHER: usize = 16;
/// How long a call is waited for that is not answered.
const IMPATIENCE: Duration = Duration::from_millis(2);

/// The server of a row, and a client for it.
pub(crate) struct World {
    over: Over,
    what: What,
    client: Client,
    http: Option<HttpServer>,
}

impl World {
    pub(crate) async fn start(row: &Row) -> Arc<Self> {
        let sessions = if row.over == Over::HttpStateless { Sessions::None } else { Sessions::Stateful };
        let http = match row.over {
            Over::StdioLegacy | Over::StdioModern => None,
            _ => {
                let server = server(silent());
                Some(server.serve_http("127.0.0.1:0", http_options(sessions)).await.expect("binds"))
            }
        };
        let revision = match row.over {
            Over::StdioModern | Over::HttpModern => Revision::V2026_07_28,
            Over::HttpSse => Revision::V2024_11_05,
            _ => Revision::V2025_11_25,
        };
        let client = Client::builder("endurance", "1")
            .protocol(ProtocolPolicy::Pinned(revision))
            .on_elicitation(|_| async { Ok(ElicitResult::decline()) })
            .build();
        Arc::new(Self { over: row.over, what: row.what, client, http })
    }

    fn address(&self) -> SocketAddr {
        self.http.as_ref().expect("an HTTP row").local_addr()
    }

    fn target(&self) -> Target {
        match self.over {
            Over::StdioLegacy | Over::StdioModern => command("stdio").into(),
            Over::HttpSse => {
                let options = HttpClientOptions { sse_only: true, ..HttpClientOptions::default() };
                Target::Http { url: format!("http://{}/sse", self.address()), options: Box::new(options) }
            }
            _ => format!("http://{}/mcp", self.address()).into(),
        }
    }

    pub(crate) async fn connect(&self) -> ClientSession {
        self.client.connect(self.target()).await.expect("connects")
    }

    /// As above, with everything started that starts with the first call or the first bytes
    /// that have to wait.
    /// Without sessions a cancellation finds nobody: there the call would wait for ever.
    pub(crate) async fn connect_warm(&self) -> ClientSession {
        let session = self.connect().await;
        if self.over == Over::HttpStateless {
            return session;
        }
        let options = CallOptions::new().timeout(10 * IMPATIENCE);
        let call = session.call_tool_with("hang", Some(json!({}).into()), options).await;
        assert_eq!(call.expect_err("no answer").kind, ErrorKind::Timeout);
        if matches!(self.over, Over::StdioLegacy | Over::StdioModern) {
            // More than a pipe takes at once: from then on each side has a thread that writes.
            let long = "x".repeat(1 << 20);
            let answer = session.call_tool("echo", say(&long)).await.expect("answered");
            assert_eq!(text(&answer).len(), long.len());
        }
        session
    }
}

/// Does the row's work so many times, some of it at the same time.
pub(crate) async fn repeat(world: &Arc<World>, session: Option<&ClientSession>, times: usize) {
    let mut workers = JoinSet::new();
    for worker in 0..TOGETHER {
        let (world, session) = (Arc::clone(world), session.cloned());
        workers.spawn(async move {
            for n in (worker..times).step_by(TOGETHER) {
                once(&world, session.as_ref(), n).await;
            }
        });
    }
    while let Some(done) = workers.join_next().await {
        done.expect("no panic");
    }
}

async fn once(world: &World, session: Option<&ClientSession>, n: usize) {
    let shared = || session.expect("a session");
    match world.what {
        What::Calls => echo(shared(), n).await,
        What::Questions => {
            let answer = shared().call_tool("ask", json!({})).await.expect("answered");
            assert_eq!(text(&answer), "decline");
        }
        What::Cancelled => {
            {
                let mut call = pin!(shared().call_tool("hang", json!({})));
                // Sent, and given up.
                std::future::poll_fn(|cx| {
                    assert!(call.as_mut().poll(cx).is_pending());
                    Poll::Ready(())
                })
                .await;
            }
            // Cancelling waits for nothing: without this there would be more and more at once.
            echo(shared(), n).await;
        }
        What::TimedOut => {
            let options = CallOptions::new().timeout(IMPATIENCE);
            let call = shared().call_tool_with("hang", Some(json!({}).into()), options).await;
            assert_eq!(call.expect_err("no answer").kind, ErrorKind::Timeout);
        }
        What::Listens => {
            let filter = SubscriptionFilter { tools_list_changed: Some(true), ..Default::default() };
            drop(shared().listen(filter).await.expect("agreed"));
        }
        What::SessionsClosed => {
            let session = world.connect().await;
            echo(&session, n).await;
            session.close().await;
        }
        What::SessionsDropped => echo(&world.connect().await, n).await,
        What::StreamsDropped if world.over == Over::HttpModern => drop_modern_stream(world.address()).await,
        What::StreamsDropped => drop_legacy_stream(world.address()).await,
    }
}

async fn echo(session: &ClientSession, n: usize) {
    let said = format!("call {n}");
    let answer = session.call_tool("echo", say(&said)).await.expect("answered");
    assert_eq!(text(&answer), said);
}

fn text(result: &CallToolResult) -> &str {
    match result.content.first() {
        Some(ContentBlock::Text(block)) => &block.text,
        other => panic!("no text: {other:?}"),
    }
}

/// What the server's process has open, if that is another than this.
pub(crate) async fn census_of_the_server(session: &ClientSession) -> Census {
    let answer = session.call_tool("census", json!({})).await.expect("counted");
    let (pid, census): (u32, Census) = serde_json::from_str(text(&answer)).expect("a census");
    if pid == std::process::id() { Census { rss_kb: 0, counts: [0; 7] } } else { census }
}

/// Sends a request and reads the head of its answer.
async fn begin(socket: &mut TcpStream, method: &str, headers: &str, body: &str) -> String {
    let request = format!(
        "{method} /mcp HTTP/1.1\r\nhost: localhost\r\naccept: application/json, text/event-stream\r\n\
         content-type: application/json\r\n{headers}content-length: {}\r\n\r\n{body}",
        body.len()
    );
    socket.write_all(request.as_bytes()).await.expect("written");
    let mut answer = Vec::new();
    while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = socket.read_buf(&mut answer).await.expect("read");
        assert!(read > 0, "closed before the head of an answer");
    }
    String::from_utf8(answer).expect("text")
}

async fn connect(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).await.expect("connects")
}

/// A call whose stream has begun when the connection is closed.
async fn drop_modern_stream(address: SocketAddr) {
    let params = json!({"name": "hang", "arguments": {}, "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string();
    let headers = "mcp-protocol-version: 2026-07-28\r\nmcp-method: tools/call\r\nmcp-name: hang\r\n";
    let answer = begin(&mut connect(address).await, "POST", headers, &body).await;
    assert!(answer.contains("text/event-stream"), "{answer}");
}

/// A session whose own stream is cut, twice, before it is ended.
async fn drop_legacy_stream(address: SocketAddr) {
    let mut calls = connect(address).await;
    let hello: Value = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let answer = begin(&mut calls, "POST", "", &hello.to_string()).await;
    let id = answer.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).expect("a session");
    let headers = format!("mcp-session-id: {id}\r\n");
    for _ in 0..2 {
        let answer = begin(&mut connect(address).await, "GET", &headers, "").await;
        assert!(answer.contains("text/event-stream"), "{answer}");
    }
    let answer = begin(&mut connect(address).await, "DELETE", &headers, "").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}
