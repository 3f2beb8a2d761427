//! What a client changes while another change is on its way to the stores.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use mcpbolt::Error;
use mcpbolt::store::{BoxFuture, Condition, MemoryBus, MemoryLog, MemoryTable, Table, Versioned, hashed};
use mcpbolt::transport::streamable_http::server::{HttpOptions, SessionStores};
use serde_json::json;
use tokio::io::AsyncBufReadExt as _;
use tokio::sync::Semaphore;

use super::support::*;

/// A table whose changes of records wait until they may.
struct Gate {
    table: MemoryTable,
    waiting: Semaphore,
    open: Semaphore,
}

impl Table for Gate {
    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Versioned>, Error>> {
        self.table.get(key)
    }

    fn put<'a>(
        &'a self,
        key: &'a str,
        value: Bytes,
        condition: Condition,
        ttl: Option<Duration>,
    ) -> BoxFuture<'a, Result<Option<u64>, Error>> {
        let changes = matches!(condition, Condition::Version(_));
        Box::pin(async move {
            if changes {
                self.waiting.add_permits(1);
                self.open.acquire().await.expect("a gate").forget();
            }
            self.table.put(key, value, condition, ttl).await
        })
    }

    fn take<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<Bytes>, Error>> {
        self.table.take(key)
    }

    fn delete<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<bool, Error>> {
        self.table.delete(key)
    }

    fn touch<'a>(&'a self, key: &'a str, ttl: Duration) -> BoxFuture<'a, Result<bool, Error>> {
        self.table.touch(key, ttl)
    }
}

fn level(id: u64, level: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "logging/setLevel", "params": {"level": level}}).to_string()
}

#[tokio::test]
async fn a_change_while_another_one_is_written_is_written_too() {
    let gate = Arc::new(Gate {
        table: MemoryTable::new(100, 1 << 20),
        waiting: Semaphore::new(0),
        open: Semaphore::new(0),
    });
    let stores = SessionStores::new(
        gate.clone(),
        Arc::new(MemoryLog::new(100, 1 << 20)),
        Arc::new(MemoryBus::new(9, 9)),
    );
    let server = Server::start(HttpOptions { stores: Some(stores), ..HttpOptions::default() }).await;
    let mut client = server.connect().await;
    // The end of the handshake is the first change.
    let session = client.initialize("2025-06-18").await;
    soon("a change", gate.waiting.acquire()).await.unwrap().forget();
    client.send("POST", "/mcp", &[("Mcp-Session-Id", &session)], &level(1, "error")).await;
    let calls = |server: &Server| {
        let methods = server.engine.stats().snapshot().methods;
        methods.get("logging/setLevel").map_or(0, |method| method.calls)
    };
    server.until("the change", |server| calls(server) == 1).await;
    // The next request may reach another node, so nothing is said before it is written.
    for _ in 0..100 {
        assert!(client.stream.fill_buf().now_or_never().is_none());
        tokio::task::yield_now().await;
    }
    gate.open.add_permits(10);
    assert_eq!(client.head().await.status, 200);
    let row = format!("session/{}", hashed(&session));
    let found = gate.get(&row).await.unwrap().unwrap();
    assert!(found.value.windows(7).any(|part| part == b"\"error\""), "the level is in the stores");
}
