//! A client on fed bytes; the test plays the server.

use std::sync::Arc;

use mcpbolt::bridge::{Framing, HostClient, RequestPlan};
use serde_json::{Value, json};

use crate::driver::{Driver, client};

/// The client, and the host loop that its items come to.
pub(crate) struct Fed {
    pub(crate) driver: Driver,
    pub(crate) client: Arc<HostClient>,
    pub(crate) connection: u64,
}

impl Fed {
    pub(crate) fn open(options: Value) -> Self {
        Self::with(Driver::new(), options)
    }

    pub(crate) fn with(driver: Driver, options: Value) -> Self {
        let client = client(&driver, options);
        let connection = client.open_fed(Framing::Message).unwrap();
        Self { driver, client, connection }
    }

    /// One that has met a server of 2025-11-25.
    pub(crate) fn legacy(options: Value) -> Self {
        let mut fed = Self::open(options);
        let id = fed.client.initialize(fed.connection, Some("legacy")).unwrap();
        let sent = fed.sent();
        assert_eq!(sent[0]["method"], "initialize");
        let reply = fed.welcome(&sent[0]["id"]);
        assert_eq!(reply[0]["method"], "notifications/initialized");
        assert_eq!(fed.driver.response(id).unwrap()["serverInfo"]["name"], "s");
        fed
    }

    /// Answers `initialize`.
    pub(crate) fn welcome(&self, id: &Value) -> Vec<Value> {
        self.feed(&json!({"jsonrpc": "2.0", "id": id, "result": {
            "protocolVersion": "2025-11-25", "serverInfo": {"name": "s", "version": "2"},
            "capabilities": {"tools": {}, "resources": {}, "logging": {}}}}))
    }

    /// Meets a server of 2026-07-28.
    pub(crate) fn discover(&mut self) {
        let id = self.client.initialize(self.connection, Some("modern")).unwrap();
        let sent = self.sent();
        assert_eq!(sent[0]["method"], "server/discover");
        self.feed(&json!({"jsonrpc": "2.0", "id": sent[0]["id"], "result": {"resultType": "complete",
            "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {"listChanged": true}},
            "ttlMs": 0, "cacheScope": "public",
            "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "s", "version": "2"}}}}));
        self.driver.response(id).unwrap();
    }

    pub(crate) fn feed(&self, message: &Value) -> Vec<Value> {
        let sent = self.client.feed(self.connection, message.to_string().into()).unwrap();
        sent.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
    }

    pub(crate) fn sent(&self) -> Vec<Value> {
        let sent = self.client.take_outgoing(self.connection).unwrap();
        sent.iter().map(|text| serde_json::from_str(text).unwrap()).collect()
    }

    /// Sends a request; returns its number and its id on the wire.
    pub(crate) fn ask(&self, method: &str, plan: &Value) -> (u64, Value) {
        let plan = RequestPlan::parse(&plan.into()).unwrap();
        let id = self.driver.inbox.request_with(self.connection, method, None, plan);
        let sent = self.sent();
        assert_eq!(sent[0]["method"], method);
        (id, sent[0]["id"].clone())
    }
}
