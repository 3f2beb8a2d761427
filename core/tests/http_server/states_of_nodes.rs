//! What a client changes while another change is on its way to the stores.

use std::sync::Arc;

use futures_util::FutureExt as _;
use mcpbolt::store::{Table as _, hashed};
use mcpbolt::transport::streamable_http::server::{HttpOptions, SessionStores};
use serde_json::json;
use tokio::io::AsyncBufReadExt as _;
use tokio::sync::Semaphore;

use super::support::*;
use super::watched_stores::{Fate, Watched};

fn level(id: u64, level: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "logging/setLevel", "params": {"level": level}}).to_string()
}

#[tokio::test]
async fn a_change_while_another_one_is_written_is_written_too() {
    let (waiting, open) = (Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let (waits, may) = (waiting.clone(), open.clone());
    let store = Watched::new(move |asked| {
        if !asked.changes {
            return Fate::Done;
        }
        waits.add_permits(1);
        Fate::after_permit(&may)
    });
    let stores = SessionStores::new(store.clone(), store.clone(), store.clone());
    let server = Server::start(HttpOptions { stores: Some(stores), ..HttpOptions::default() }).await;
    let mut client = server.connect().await;
    // The end of the handshake is the first change.
    let session = client.initialize("2025-06-18").await;
    soon("a change", waiting.acquire()).await.unwrap().forget();
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
    open.add_permits(10);
    assert_eq!(client.head().await.status, 200);
    let row = format!("session/{}", hashed(&session));
    let found = store.table.get(&row).await.unwrap().unwrap();
    assert!(found.value.windows(7).any(|part| part == b"\"error\""), "the level is in the stores");
}
