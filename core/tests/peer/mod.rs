//! The other end of an in-memory connection, message by message.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::server::Server;
use mcpbolt::transport::custom::Transport;
use mcpbolt::transport::memory::MemoryTransport;
use serde_json::{Value, json};

/// A scripted client.
pub(crate) struct Peer(MemoryTransport);

impl Peer {
    /// Connects to a server.
    pub(crate) fn new(server: &Server) -> Self {
        let (ours, theirs) = MemoryTransport::pair();
        let server = server.clone();
        tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
        Self(ours)
    }

    /// Connects and shakes hands.
    pub(crate) async fn legacy(server: &Server, revision: &str, capabilities: Value) -> Self {
        let peer = Self::new(server);
        let reply = peer
            .call(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": revision, "capabilities": capabilities,
                "clientInfo": {"name": "t", "version": "1"}}}))
            .await;
        assert_eq!(reply["result"]["protocolVersion"], revision, "{reply}");
        peer.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        peer
    }

    /// Sends one message.
    pub(crate) async fn send(&self, message: Value) {
        self.0.send(message.to_string().into()).await.unwrap();
    }

    /// The next message.
    pub(crate) async fn next(&self) -> Value {
        let frame = tokio::time::timeout(Duration::from_secs(5), self.0.receive()).await;
        serde_json::from_slice(&frame.expect("no message within 5 s").expect("closed").unwrap()).unwrap()
    }

    /// Sends one message and takes the next.
    pub(crate) async fn call(&self, message: Value) -> Value {
        self.send(message).await;
        self.next().await
    }

    /// A legacy request and its answer.
    pub(crate) async fn request(&self, id: i64, method: &str, params: Value) -> Value {
        self.call(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await
    }

    /// A modern request and its answer.
    pub(crate) async fn modern(&self, id: i64, method: &str, params: Value, capabilities: &Value) -> Value {
        self.call(modern(id, method, params, capabilities)).await
    }
}

/// A modern request.
pub(crate) fn modern(id: i64, method: &str, mut params: Value, capabilities: &Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// The text of a tool's first block.
pub(crate) fn text(reply: &Value) -> &str {
    reply["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("no text in {reply}"))
}
