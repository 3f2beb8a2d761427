//! A client on one end of an in-memory pair, a server or a script on the other.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::client::{Client, ClientBuilder, ClientSession, ProtocolPolicy};
use mcpbolt::protocol::Error;
use mcpbolt::protocol::types::CallToolResult;
use mcpbolt::server::Server;
use mcpbolt::transport::custom::Transport;
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use serde_json::{Value, json};

pub(crate) const ERAS: [ProtocolPolicy; 2] = [ProtocolPolicy::Auto, ProtocolPolicy::LegacyFirst];

/// No wait is longer than this.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(5), future).await.expect("no answer within 5 s")
}

pub(crate) fn client() -> ClientBuilder {
    Client::builder("client", "1")
}

pub(crate) async fn connect(server: &Server, client: ClientBuilder, policy: ProtocolPolicy) -> ClientSession {
    let (ours, theirs) = MemoryTransport::pair();
    let server = server.clone();
    tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
    soon(client.protocol(policy).build().connect(ours)).await.expect("connects")
}

pub(crate) fn text(result: &CallToolResult) -> String {
    let raw = RawJson::encode(&result.content[0]).expect("content");
    RawObject::parse(&raw).and_then(|c| c.get("text")?.as_string()).expect("text")
}

/// A scripted server: what the client sends comes out, what the test says goes in.
pub(crate) struct Script(MemoryTransport);

impl Script {
    /// One that plays the server, and what a client connects to.
    pub(crate) fn pair() -> (Self, MemoryTransport) {
        let (ours, theirs) = MemoryTransport::pair();
        (Self(theirs), ours)
    }

    /// Answers the handshake of a modern client.
    pub(crate) async fn discovered(&self, capabilities: Value) {
        let hello = self.next().await;
        assert_eq!(hello["method"], "server/discover");
        let about = json!({"resultType": "complete", "supportedVersions": ["2026-07-28"],
            "capabilities": capabilities, "ttlMs": 0, "cacheScope": "private"});
        self.reply(&hello, about).await;
    }

    /// Agrees to the subscription that is asked for next.
    pub(crate) async fn agree(&self) -> Value {
        let listen = self.next().await;
        assert_eq!(listen["method"], "subscriptions/listen");
        let meta = json!({"io.modelcontextprotocol/subscriptionId": listen["id"]});
        let params = json!({"notifications": listen["params"]["notifications"], "_meta": meta});
        let method = "notifications/subscriptions/acknowledged";
        self.send(json!({"jsonrpc": "2.0", "method": method, "params": params})).await;
        listen
    }

    /// Answers the list of tools that is asked for next.
    pub(crate) async fn lists(&self, names: &[&str]) {
        let list = self.next().await;
        assert_eq!(list["method"], "tools/list");
        let tools: Vec<Value> =
            names.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect();
        let page =
            json!({"resultType": "complete", "tools": tools, "ttlMs": 60_000, "cacheScope": "private"});
        self.reply(&list, page).await;
    }

    /// A legacy session that is past its handshake.
    pub(crate) async fn legacy(client: ClientBuilder) -> (Self, ClientSession) {
        let (ours, theirs) = MemoryTransport::pair();
        let script = Self(theirs);
        let client = client.protocol(ProtocolPolicy::LegacyFirst).build();
        let connecting = tokio::spawn(async move { client.connect(ours).await });
        let hello = script.next().await;
        assert_eq!(hello["method"], "initialize");
        script
            .reply(
                &hello,
                json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {}, "resources": {}},
                    "serverInfo": {"name": "script", "version": "1"}}),
            )
            .await;
        assert_eq!(script.next().await["method"], "notifications/initialized");
        let session = soon(connecting).await.expect("no panic").expect("connects");
        (script, session)
    }

    /// The next message of the client.
    pub(crate) async fn next(&self) -> Value {
        let frame = soon(self.0.receive()).await.expect("open").expect("readable");
        serde_json::from_slice(&frame).expect("JSON")
    }

    pub(crate) async fn send(&self, message: Value) {
        self.0.send(message.to_string().into()).await.expect("open");
    }

    pub(crate) async fn reply(&self, request: &Value, result: Value) {
        self.send(json!({"jsonrpc": "2.0", "id": request["id"], "result": result})).await;
    }

    /// Sends a request and takes the answer.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        self.send(json!({"jsonrpc": "2.0", "id": "ask", "method": method, "params": params})).await;
        loop {
            let message = self.next().await;
            if message["id"] == "ask" {
                return message;
            }
        }
    }
}

/// Whether an outcome is a failure of this kind, here or as a result of a tool.
pub(crate) fn kind<T>(outcome: Result<T, Error>) -> Option<mcpbolt::protocol::ErrorKind> {
    outcome.err().map(|error| error.kind)
}
