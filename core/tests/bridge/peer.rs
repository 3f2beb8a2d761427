//! A peer that feeds bytes into a connection opened through the bridge.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::bridge::{Failure, Framing, HostServer, Inbox, InboxLimits, Item, Options, Request};
use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::{Value, json};

/// More than anything here takes.
pub(crate) const WAIT: Duration = Duration::from_secs(5);

pub(crate) fn raw(value: Value) -> RawJson {
    value.into()
}

pub(crate) fn failure(code: i64, message: &str) -> Failure {
    Failure { kind: String::new(), code, message: message.into(), data: None }
}

pub(crate) struct Peer {
    pub(crate) server: Arc<HostServer>,
    pub(crate) inbox: Arc<Inbox>,
    pub(crate) connection: u64,
    early: Vec<Item>,
}

/// A request of 2026-07-28 from a client that can be asked.
pub(crate) fn modern(id: i64, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

impl Peer {
    pub(crate) fn with(limits: InboxLimits, options: &Value) -> Self {
        let inbox = Inbox::new(limits);
        let options = Options::parse(&options.into()).unwrap();
        let server = HostServer::new(options, vec![Arc::clone(&inbox)]).unwrap();
        let about = json!({"serverInfo": {"name": "bridge", "version": "1"},
            "capabilities": {"tools": {"listChanged": true}, "logging": {}}});
        server.set_snapshot("server", 0, &about.into()).unwrap();
        let tool = json!([{"tool": {"name": "echo", "inputSchema": {"type": "object"}}}]);
        server.set_snapshot("tools", 0, &tool.into()).unwrap();
        let connection = server.connect(Framing::Message).unwrap();
        Self { server, inbox, connection, early: Vec::new() }
    }

    pub(crate) fn modern() -> Self {
        Self::with(InboxLimits::default(), &json!({}))
    }

    pub(crate) fn legacy() -> Self {
        let mut peer = Self::modern();
        peer.hello();
        peer
    }

    pub(crate) fn hello(&mut self) {
        let reply = self.feed(&json!({"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}, "roots": {"listChanged": true}},
            "clientInfo": {"name": "t", "version": "1"}}}));
        assert_eq!(reply[0]["result"]["serverInfo"]["name"], "bridge");
        self.feed(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        // The host hears of it too.
        assert!(matches!(self.take()[..], [Item::Notification { .. }]));
    }

    pub(crate) fn feed(&mut self, message: &Value) -> Vec<Value> {
        self.feed_from(message, 0)
    }

    pub(crate) fn feed_from(&mut self, message: &Value, cause: u64) -> Vec<Value> {
        let sent = self.server.feed(self.connection, message.to_string().into(), cause).unwrap();
        sent.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
    }

    pub(crate) fn call(&mut self, id: i64, tool: &str, arguments: &Value) -> Vec<Value> {
        let params = json!({"name": tool, "arguments": arguments});
        self.feed(&json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))
    }

    pub(crate) fn cancel(&mut self, id: i64) {
        let params = json!({"requestId": id, "reason": "enough"});
        self.feed(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    }

    /// All items that wait.
    pub(crate) fn take(&mut self) -> Vec<Item> {
        let mut items = std::mem::take(&mut self.early);
        items.extend(self.inbox.take(1000, 1 << 20));
        items
    }

    /// The next request; other items before it are forgotten.
    pub(crate) fn request(&mut self) -> Request {
        let mut items = self.take().into_iter();
        let found = items.by_ref().find_map(|item| match item {
            Item::Request(request) => Some(request),
            _ => None,
        });
        self.early = items.collect();
        found.expect("no request came")
    }

    /// Numbers of the answered requests, and whether they succeeded.
    pub(crate) fn responses(&mut self) -> Vec<(u64, bool)> {
        let answers = self.take().into_iter().filter_map(|item| match item {
            Item::Response { id, outcome, .. } => Some((id, outcome.is_ok())),
            _ => None,
        });
        answers.collect()
    }

    pub(crate) fn outgoing(&mut self) -> Vec<Value> {
        let sent = self.server.take_outgoing(self.connection).unwrap();
        sent.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
    }

    pub(crate) fn set_tools(&self, generation: u64, tools: &Value) {
        self.server.set_snapshot("tools", generation, &tools.into()).unwrap();
    }
}
