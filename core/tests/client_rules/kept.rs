//! Lists and subscriptions that a client keeps up to date.

use std::time::Duration;

use mcpbolt::Error;
use mcpbolt::client::{ClientSession, Host, ProtocolPolicy, ResultCaps, ServerNotification};
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt_proto::session::{Problem, ProblemKind};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

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

/// A host that has met a legacy server, whose tools it asks for next.
async fn met() -> (Script, Host, JoinHandle<Result<(), Error>>) {
    let (script, ours) = Script::pair();
    let (host, adding) = adding(ProtocolPolicy::LegacyFirst, ours);
    let hello = script.next().await;
    let about = json!({"protocolVersion": "2025-11-25", "capabilities": {"tools": {"listChanged": true}},
        "serverInfo": {"name": "script", "version": "1"}});
    script.reply(&hello, about).await;
    assert_eq!(script.next().await["method"], "notifications/initialized");
    (script, host, adding)
}

async fn change(script: &Script) {
    script.send(json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})).await;
}

#[tokio::test]
async fn a_change_right_behind_the_first_list_is_not_missed() {
    let (script, host, adding) = met().await;
    script.lists(&["old"]).await;
    change(&script).await;
    soon(adding).await.expect("no panic").expect("added");
    script.lists(&["new"]).await;
    appears(&host, "new").await;
}

#[tokio::test(start_paused = true)]
async fn a_server_whose_tools_change_with_each_list_is_asked_less_and_less() {
    let (script, host, adding) = met().await;
    script.lists(&["first"]).await;
    soon(adding).await.expect("no panic").expect("added");
    change(&script).await;
    let mut asked = Vec::new();
    for _ in 0..9 {
        let list = script.next().await;
        assert_eq!(list["method"], "tools/list");
        asked.push(Instant::now());
        for _ in 0..5 {
            change(&script).await;
        }
        script.reply(&list, json!({"tools": []})).await;
    }
    let waits: Vec<_> = asked.windows(2).map(|pair| (pair[1] - pair[0]).as_millis() / 10).collect();
    assert_eq!(waits, [10, 20, 40, 80, 160, 320, 400, 400], "in hundredths of a second");
    // Once it is quiet the next change is heard at once, and many of them once.
    script.lists(&[]).await;
    assert!(tokio::time::timeout(Duration::from_millis(4_900), script.next()).await.is_err(), "all is read");
    for _ in 0..5 {
        change(&script).await;
    }
    let changed = Instant::now();
    script.lists(&["last"]).await;
    assert!(changed.elapsed() < Duration::from_millis(50), "{:?}", changed.elapsed());
    appears(&host, "last").await;
    assert!(tokio::time::timeout(Duration::from_millis(4_900), script.next()).await.is_err(), "all is read");
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

/// Takes one page of the tools, which has these and a cursor of the next.
async fn page(
    script: &Script,
    session: &ClientSession,
    cursor: Option<&str>,
    names: &[&str],
    next: Option<&str>,
) {
    let answer = async {
        let list = script.next().await;
        assert_eq!((&list["method"], list["params"]["cursor"].as_str()), (&json!("tools/list"), cursor));
        let tool = |name| json!({"name": name, "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}});
        let tools: Vec<Value> = names.iter().map(tool).collect();
        let mut page = json!({"tools": tools});
        if let Some(next) = next {
            page["nextCursor"] = next.into();
        }
        script.reply(&list, page).await;
    };
    let (page, ()) = tokio::join!(soon(session.list_tools(cursor)), answer);
    assert_eq!(page.expect("a page").tools.len(), names.len());
}

/// Which of these tools a session knows, as letters.
fn known(session: &ClientSession, names: &str) -> String {
    names.chars().filter(|name| session.annotations(&name.to_string()).is_some()).collect()
}

#[tokio::test]
async fn tools_are_known_until_a_list_to_its_end_has_them_no_more() {
    let (script, session) = Script::legacy(client()).await;
    page(&script, &session, None, &["a", "b"], Some("2")).await;
    page(&script, &session, Some("2"), &["c"], None).await;
    assert_eq!(known(&session, "abc"), "abc");
    page(&script, &session, None, &["a"], Some("2")).await;
    assert_eq!(known(&session, "abc"), "abc", "the list goes on");
    page(&script, &session, Some("2"), &["d"], None).await;
    assert_eq!(known(&session, "abcd"), "ad");
    // Two lists at a time, with cursors of their own or the same ones.
    for (second, third) in [("y2", "y3"), ("2", "3")] {
        page(&script, &session, None, &["a"], Some("2")).await;
        page(&script, &session, Some("2"), &["b"], Some("3")).await;
        page(&script, &session, None, &["a"], Some(second)).await;
        page(&script, &session, Some("3"), &["c"], None).await;
        assert_eq!(known(&session, "abcd"), "abc");
        page(&script, &session, Some(second), &["b"], Some(third)).await;
        page(&script, &session, Some(third), &["c"], None).await;
        assert_eq!(known(&session, "abcd"), "abc");
        page(&script, &session, None, &["d"], None).await;
        assert_eq!(known(&session, "abcd"), "d");
    }
}

#[tokio::test]
async fn no_more_tools_are_remembered_than_a_list_may_have() {
    let caps = ResultCaps { max_list_items: 3, ..ResultCaps::default() };
    let (script, session) = Script::legacy(client().result_caps(caps)).await;
    page(&script, &session, None, &["a", "b"], Some("2")).await;
    page(&script, &session, Some("2"), &["c", "d"], Some("3")).await;
    assert_eq!(known(&session, "abcd"), "abc");
}
