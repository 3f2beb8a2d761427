//! `stats().streams` counts what is open, on every transport.

use mcpbolt::client::{Client, ProtocolPolicy};
use mcpbolt::server::{Context, Server};
use mcpbolt::transport::streamable_http::server::HttpOptions;
use mcpbolt::types::{SubscriptionFilter, Tool};
use serde_json::{Value, json};

use super::peer::{Peer, modern};
use super::soon;

fn server() -> Server {
    Server::builder("s", "1")
        .raw_tool(Tool::new("x", json!({"type": "object"})), |_: Value, _: Context| async { "x" })
        .build()
}

/// Waits until so many streams are open.
async fn until(server: &Server, streams: u64) {
    soon(async {
        while server.stats().streams != streams {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

#[tokio::test]
async fn listen_requests_count_while_they_are_open() {
    let server = server();
    let peer = Peer::new(&server);
    assert_eq!(server.stats().streams, 0);
    for id in 1..=2 {
        let filter = json!({"notifications": {"toolsListChanged": true}});
        let opened = peer.call(modern(id, "subscriptions/listen", filter, &json!({}))).await;
        assert_eq!(opened["method"], "notifications/subscriptions/acknowledged");
        assert_eq!(server.stats().streams, id.unsigned_abs());
    }
    peer.send(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}))
        .await;
    until(&server, 1).await;
    drop(peer);
    until(&server, 0).await;
}

#[tokio::test]
async fn event_streams_over_http_count_while_they_are_open() {
    let server = server();
    let http = server.serve_http("127.0.0.1:0", HttpOptions::default()).await.expect("binds");
    let url = format!("http://{}/mcp", http.local_addr());
    let modern = Client::builder("c", "1").protocol(ProtocolPolicy::Auto).build();
    let session = soon(modern.connect(url.as_str())).await.expect("connects");
    assert_eq!(server.stats().streams, 0, "an answer that is JSON is no stream");
    let filter = SubscriptionFilter { tools_list_changed: Some(true), ..SubscriptionFilter::default() };
    let subscription = soon(session.listen(filter)).await.expect("agreed");
    until(&server, 1).await;
    drop(subscription);
    until(&server, 0).await;
    soon(session.close()).await;
    let legacy = Client::builder("c", "1").protocol(ProtocolPolicy::LegacyFirst).build();
    let session = soon(legacy.connect(url.as_str())).await.expect("connects");
    until(&server, 1).await; // its GET
    soon(session.close()).await;
    until(&server, 0).await;
    soon(http.shutdown()).await;
}
