//! A client that sends much at once: who awaits waits, and no longer than its deadline.
#![cfg(unix)]

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use mcpbolt::Limits;
use mcpbolt::client::{Client, ClientSession, Command};
use mcpbolt::protocol::ErrorKind;
use mcpbolt::server::{Context, Server};
use mcpbolt::transport::memory::MemoryTransport;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

const BOUND: Duration = Duration::from_mins(1);
const CALLS: usize = 20;
const MIB: usize = 1 << 20;

#[derive(Deserialize, JsonSchema)]
struct Text {
    text: String,
}

fn server() -> Server {
    Server::builder("taker", "1.0.0")
        .limits(Limits { max_in_flight_bytes: 1 << 30, ..Limits::default() })
        .tool(
            "length",
            "How long a text is",
            |args: Text, _: Context| async move { args.text.len().to_string() },
        )
        .build()
}

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(BOUND, future).await.expect("no end in time")
}

async fn send_much(session: &ClientSession) -> Vec<Option<ErrorKind>> {
    let text = "x".repeat(4 * MIB);
    let calls = (0..CALLS).map(|_| session.call_tool("length", json!({"text": text})));
    soon(join_all(calls)).await.into_iter().map(|outcome| outcome.err().map(|error| error.kind)).collect()
}

/// Runs as the child process of the test below.
#[test]
#[ignore = "a server on stdin and stdout"]
fn child_server() {
    std::process::exit(server().run_stdio().expect("stdio"));
}

#[tokio::test]
async fn a_caller_waits_until_its_request_can_be_sent() {
    let this = std::env::current_exe().expect("a program");
    let child = Command::new(this).args(["child_server", "--exact", "--ignored", "--nocapture"]);
    let client = Client::builder("sender", "1").build();
    let session = soon(client.connect(child)).await.expect("connects");
    assert_eq!(send_much(&session).await, [None; CALLS]);
    soon(session.close()).await;

    let (ours, theirs) = MemoryTransport::pair();
    let server = server();
    tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
    let session = soon(client.connect(ours)).await.expect("connects");
    assert_eq!(send_much(&session).await, [None; CALLS]);
    soon(session.close()).await;
}

/// What could not be sent in time is not sent later either.
#[tokio::test]
async fn the_deadline_of_a_caller_that_waits_runs() {
    const SERVER: &str = r#"
read a; printf '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"unknown"}}\n'
read b; printf '{"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}}\n'
read c; exec sleep 60
"#;
    let client = Client::builder("sender", "1").request_timeout(Duration::from_secs(2)).build();
    let session = soon(client.connect(Command::new("sh").args(["-c", SERVER]))).await.expect("connects");
    assert_eq!(send_much(&session).await, [Some(ErrorKind::Timeout); CALLS]);
    let waiting = session.stats().queued_bytes;
    assert!(waiting < 24 * MIB as u64, "{waiting} bytes are still to be sent");
}
