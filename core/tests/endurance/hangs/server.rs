//! Rows whose waiting side is a server: its handlers say how their waiting ended.

use std::fmt::{self, Display};
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::Arc;
use std::time::Duration;

use mcpbolt::protocol::ErrorKind;
use mcpbolt::transport::streamable_http::server::{HttpOptions, Sessions};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::client::{User, begin, client, soon};
use super::{BOUND, Ended, Over, Waits};
use crate::program::{http_options, server, stdio_process};
use crate::relay::{Relay, Upstream};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Close {
    /// Both pipes, as when the client is killed.
    ClientLeaves,
    /// Standard input only.
    InputEnds,
    /// The TCP connections.
    StreamCut,
    /// The client's DELETE.
    SessionEnded,
    ServerShutDown,
}

pub(crate) type Row = super::Row<Close>;

impl Display for Close {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ClientLeaves => "client leaves",
            Self::InputEnds => "input ends",
            Self::StreamCut => "stream cut",
            Self::SessionEnded => "session ended",
            Self::ServerShutDown => "server shut down",
        })
    }
}

pub(crate) fn rows() -> Vec<Row> {
    use Close::{ClientLeaves, InputEnds, ServerShutDown, SessionEnded, StreamCut};
    use Waits::{Elicit, Listen, Request};
    super::table(
        &[ClientLeaves, InputEnds, StreamCut, SessionEnded, ServerShutDown],
        &[Request, Listen, Elicit],
        expected,
    )
}

/// How a row must end; `None` where there is no such thing.
fn expected(over: Over, close: Close, waits: Waits) -> Option<Ended> {
    let pipes = matches!(close, Close::ClientLeaves | Close::InputEnds);
    match (close, waits) {
        _ if pipes == over.is_http() => None,
        // Calls of the legacy era outlive their streams.
        (_, Waits::Listen) | (Close::StreamCut, _) if !over.is_modern() => None,
        // A question of the modern era waits for a retry, whatever becomes of streams.
        (_, Waits::Elicit) | (Close::SessionEnded, _) if over.is_modern() => None,
        // Nothing keeps the process.
        _ if pipes => Some(Ended::Well),
        (_, Waits::Listen) => Some(Ended::Well),
        _ => Some(Ended::As(ErrorKind::Cancelled)),
    }
}

pub(crate) async fn run(row: Row) -> Ended {
    if row.over.is_http() { over_http(row).await } else { over_stdio(row).await }
}

async fn over_http(row: Row) -> Ended {
    let (report, mut reports) = mpsc::unbounded_channel();
    let server = server(Arc::new(move |ended| {
        let _ = report.send(ended);
    }));
    let options = HttpOptions { drain: Duration::from_millis(50), ..http_options(Sessions::Stateful) };
    let http = server.serve_http("127.0.0.1:0", options).await.expect("binds");
    let relay = Relay::start(Upstream::Server(http.local_addr())).await;
    let user = Arc::new(User::default());
    let url = format!("http://{}/mcp", relay.address);
    let session = soon("connecting", client(row.over, &user).connect(url)).await.expect("connects");
    let mut heard = session.notifications();
    let _waiting = begin(row.waits, &session, &mut heard, &user).await;
    match row.close {
        Close::StreamCut => relay.cut(),
        Close::SessionEnded => session.close().await,
        _ => soon("the shutdown", http.shutdown()).await,
    }
    if row.waits == Waits::Listen {
        let gone = async {
            while server.stats().streams > 0 {
                tokio::task::yield_now().await;
            }
        };
        return tokio::time::timeout(BOUND, gone).await.map_or(Ended::Hangs, |()| Ended::Well);
    }
    tokio::time::timeout(BOUND, reports.recv()).await.map_or(Ended::Hangs, |ended| ended.expect("a report"))
}

/// A client played line by line.
struct Lines {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Lines {
    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").expect("the server reads");
    }

    /// The next message of that method, or the answer to that id.
    fn until(&mut self, what: &str) {
        let mut line = String::new();
        while !line.contains(what) {
            line.clear();
            assert!(self.output.read_line(&mut line).expect("the server writes") > 0, "no {what}");
        }
    }

    fn begin(&mut self, row: Row) {
        let modern = row.over.is_modern();
        if !modern {
            self.send(&json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}},
                "clientInfo": {"name": "t", "version": "1"}}}));
            self.until(r#""id":0"#);
            self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        let tool = if row.waits == Waits::Elicit { "ask" } else { "hang" };
        let (method, mut params, began) = match row.waits {
            Waits::Listen => (
                "subscriptions/listen",
                json!({"notifications": {"toolsListChanged": true}}),
                "notifications/subscriptions/acknowledged",
            ),
            Waits::Elicit => ("tools/call", json!({"name": tool, "arguments": {}}), "elicitation/create"),
            _ => ("tools/call", json!({"name": tool, "arguments": {}}), crate::program::STARTED),
        };
        if modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        self.send(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}));
        self.until(began);
    }
}

/// Whether the server's process ends, whatever its handler waits for.
async fn over_stdio(row: Row) -> Ended {
    let mut child = stdio_process();
    let input = child.stdin.take().expect("piped");
    let output = BufReader::new(child.stdout.take().expect("piped"));
    let mut lines = Lines { input, output };
    lines.begin(row);
    let Lines { input, output } = lines;
    let kept = (row.close == Close::InputEnds).then_some(output);
    drop(input);
    let watching = tokio::task::spawn_blocking(move || {
        let status = child.wait().expect("our child");
        drop(kept);
        status.success()
    });
    match tokio::time::timeout(BOUND, watching).await {
        Ok(Ok(true)) => Ended::Well,
        Ok(_) => Ended::Panics,
        Err(_) => Ended::Hangs,
    }
}
