//! Lists and subscriptions that a client keeps up to date.

use mcpbolt::Error;
use mcpbolt::client::{Host, ProtocolPolicy, ServerNotification};
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt_proto::session::{Problem, ProblemKind};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::support::{Script, client, soon};

/// Waits until a host has the tool.
async fn appears(host: &Host, name: &str) {
    soon(async {
        while host.find(name).is_none() {
            tokio::task::yield_now().await;
        }
    })
    .await;
}

/// A host that is adding a server.
fn adding(protocol: ProtocolPolicy, server: MemoryTransport) -> (Host, JoinHandle<Result<(), Error>>) {
    let host = Host::new(client().protocol(protocol).build());
    let own = host.clone();
    (host, tokio::spawn(async move { own.add("one", server).await.map(drop) }))
}

#[tokio::test]
async fn a_change_right_behind_the_first_list_is_not_missed() {
    let (script, ours) = Script::pair();
    let (host, adding) = adding(ProtocolPolicy::LegacyFirst, ours);
    let hello = script.next().await;
    let about = json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": true}},
        "serverInfo": {"name": "script", "version": "1"}});
    script.reply(&hello, about).await;
    assert_eq!(script.next().await["method"], "notifications/initialized");
    script.lists(&["old"]).await;
    script.send(json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})).await;
    soon(adding).await.expect("no panic").expect("added");
    script.lists(&["new"]).await;
    appears(&host, "new").await;
}

#[tokio::test]
async fn a_host_listens_before_it_lists_and_again_when_that_ends() {
    let (script, ours) = Script::pair();
    let (host, adding) = adding(ProtocolPolicy::ModernOnly, ours);
    script.discovered(json!({"tools": {"listChanged": true}})).await;
    let listen = script.agree().await;
    script.lists(&["first"]).await;
    soon(adding).await.expect("no panic").expect("added");
    // In good order, as before a new version of the server starts.
    script.reply(&listen, json!({"resultType": "complete"})).await;
    let listen = script.agree().await;
    script.lists(&["second"]).await;
    appears(&host, "second").await;
    // And not.
    let lost = json!({"code": -32603, "message": "lost"});
    script.send(json!({"jsonrpc": "2.0", "id": listen["id"], "error": lost})).await;
    script.agree().await;
    script.lists(&["third"]).await;
    appears(&host, "third").await;
    soon(host.close()).await;
}

#[tokio::test]
async fn a_resource_stays_subscribed_to_and_counts_as_changed_after_a_break() {
    let (problems, mut told) = mpsc::unbounded_channel();
    let told_of = move |problem: &Problem| {
        let _ = problems.send((problem.kind, problem.message.clone()));
    };
    let (script, ours) = Script::pair();
    let client = client().protocol(ProtocolPolicy::ModernOnly).on_error(told_of).build();
    let connecting = tokio::spawn(async move { client.connect(ours).await });
    script.discovered(json!({"resources": {"subscribe": true}})).await;
    let session = soon(connecting).await.expect("no panic").expect("connects");
    let mut heard = session.notifications();
    let subscribing = tokio::spawn({
        let session = session.clone();
        async move { session.subscribe("file:///a").await }
    });
    let listen = script.agree().await;
    soon(subscribing).await.expect("no panic").expect("agreed");
    let end = |listen: &Value, code: i64, message: &str| {
        let error = json!({"code": code, "message": message});
        json!({"jsonrpc": "2.0", "id": listen["id"], "error": error})
    };
    script.send(end(&listen, -32603, "lost")).await;
    let listen = script.agree().await;
    let changed = ServerNotification::ResourceUpdated { uri: "file:///a".to_owned() };
    soon(async { while heard.next().await.as_ref() != Some(&changed) {} }).await;
    // What the server will not have any more is told.
    script.send(end(&listen, -32602, "no more")).await;
    let words = "changes of the server are not heard: no more".to_owned();
    assert_eq!(soon(told.recv()).await, Some((ProblemKind::Stream, words)));
    soon(session.close()).await;
}
