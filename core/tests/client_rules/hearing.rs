//! What a client hears of what it did not ask for: from when on, and what is lost.

use mcpbolt::client::{ProtocolPolicy, ServerNotification};
use mcpbolt::types::SubscriptionFilter;
use serde_json::json;

use super::support::{Script, client, soon};

#[tokio::test]
async fn what_is_told_before_the_handshake_is_over_is_heard() {
    let (script, target) = Script::pair();
    let client = client().protocol(ProtocolPolicy::LegacyFirst).build();
    let connecting = tokio::spawn(async move { client.connect_hearing(target).await });
    let hello = script.next().await;
    script.send(json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})).await;
    let about = json!({"protocolVersion": "2025-11-25", "capabilities": {},
        "serverInfo": {"name": "script", "version": "1"}});
    script.reply(&hello, about).await;
    let (session, mut heard) = soon(connecting).await.expect("no panic").expect("connects");
    assert_eq!(soon(heard.next()).await, Some(ServerNotification::ToolsChanged));
    session.close().await;
    assert_eq!(soon(heard.next()).await, None);
}

#[tokio::test]
async fn a_subscription_counts_what_was_not_read_in_time() {
    const TOLD: u64 = 5_000;
    let (script, target) = Script::pair();
    let client = client().build();
    let connecting = tokio::spawn(async move { client.connect(target).await });
    script.discovered(json!({"tools": {"listChanged": true}})).await;
    let session = soon(connecting).await.expect("no panic").expect("connects");
    let filter = SubscriptionFilter { tools_list_changed: Some(true), ..Default::default() };
    let (changes, listen) = tokio::join!(soon(session.listen(filter)), script.agree());
    let mut changes = changes.expect("it agrees");
    let meta = json!({"io.modelcontextprotocol/subscriptionId": listen["id"]});
    for _ in 0..TOLD {
        let method = "notifications/tools/list_changed";
        script.send(json!({"jsonrpc": "2.0", "method": method, "params": {"_meta": meta}})).await;
    }
    script.reply(&listen, json!({"resultType": "complete"})).await;
    let mut heard = 0;
    while soon(changes.next()).await.is_some() {
        heard += 1;
    }
    assert!(changes.dropped() > 0, "all {heard} were heard");
    assert_eq!(heard + changes.dropped(), TOLD);
}
