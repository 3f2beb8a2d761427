//! The URL error lists its elicitations, and their end reaches the one client that
//! started them.

use std::sync::Arc;

use mcpbolt::client::{Client, ProtocolPolicy, ServerNotification};
use mcpbolt::server::{Context, Failure, Page, Server};
use mcpbolt::transport::custom::Transport;
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt::types::{ElicitResult, ElicitUrlParams, Tool};
use mcpbolt::{ErrorKind, types::ElicitParams};
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::peer::Peer;
use super::soon;

type Pages = Arc<Mutex<Vec<Page>>>;

fn page(id: &str) -> ElicitUrlParams {
    ElicitUrlParams {
        message: "Sign in".into(),
        url: format!("https://example.com/login?state={id}"),
        elicitation_id: Some(id.to_owned()),
        ..ElicitUrlParams::default()
    }
}

/// Refuses `files` until its client has visited two pages.
fn server() -> (Server, Pages) {
    let pages = Pages::default();
    let kept = Arc::clone(&pages);
    let server = Server::builder("s", "1")
        .raw_tool(Tool::new("files", json!({"type": "object"})), move |args: Value, ctx: Context| {
            let who = args["who"].as_str().unwrap_or_default();
            let ids = [format!("{who}-login"), format!("{who}-terms")];
            kept.lock().extend(ids.iter().map(|id| ctx.page(id)));
            async move { Err::<String, _>(Failure::pages(ids.iter().map(|id| page(id)))) }
        })
        .raw_tool(Tool::new("asks", json!({"type": "object"})), |_: Value, ctx: Context| async move {
            Ok::<_, Failure>(ctx.elicit(ElicitParams::Url(page("asked"))).await?.action.as_str().to_owned())
        })
        .build();
    (server, pages)
}

fn files(who: &str) -> Value {
    json!({"name": "files", "arguments": {"who": who}})
}

#[tokio::test]
async fn the_url_error_lists_all_its_elicitations() {
    let (server, _) = server();
    let peer = Peer::legacy(&server, "2025-11-25", json!({"elicitation": {"url": {}}})).await;
    let refused = peer.request(1, "tools/call", files("ann")).await;
    assert_eq!(refused["error"]["code"], -32042, "{refused}");
    let listed = |id: &str| {
        json!({"mode": "url", "message": "Sign in", "elicitationId": id,
        "url": format!("https://example.com/login?state={id}")})
    };
    assert_eq!(refused["error"]["data"]["elicitations"], json!([listed("ann-login"), listed("ann-terms")]));
    for revision in ["2025-06-18", "2024-11-05"] {
        let old = Peer::legacy(&server, revision, json!({})).await;
        let refused = old.request(1, "tools/call", files("old")).await;
        assert_eq!(refused["error"]["code"], -32603, "{revision} has no such error");
    }
    for faulty in
        [vec![], vec![ElicitUrlParams { elicitation_id: None, ..page("x") }], vec![page("a"), page("")]]
    {
        assert_eq!(Failure::pages(faulty).into_error().kind, ErrorKind::Usage);
    }
}

#[tokio::test]
async fn the_end_reaches_the_client_that_was_sent_there_and_nobody_else() {
    let (server, pages) = server();
    let ann = Peer::legacy(&server, "2025-11-25", json!({})).await;
    let bob = Peer::legacy(&server, "2025-11-25", json!({})).await;
    ann.request(1, "tools/call", files("ann")).await;
    bob.request(1, "tools/call", files("bob")).await;
    let pages = pages.lock().clone();
    assert!(soon(pages[0].complete()).await);
    assert!(!soon(pages[0].complete()).await, "once");
    assert!(soon(pages[3].complete()).await);
    let told = |id: &str| {
        json!({"jsonrpc": "2.0", "method": "notifications/elicitation/complete",
        "params": {"elicitationId": id}})
    };
    assert_eq!(ann.next().await, told("ann-login"));
    assert_eq!(bob.next().await, told("bob-terms"));
    for peer in [&ann, &bob] {
        assert_eq!(peer.request(2, "ping", json!({})).await["id"], 2, "and nothing else came");
    }
}

#[tokio::test]
async fn a_client_that_cannot_be_told_is_not() {
    let (server, pages) = server();
    let old = Peer::legacy(&server, "2025-06-18", json!({})).await;
    old.request(1, "tools/call", files("old")).await;
    let page = pages.lock()[0].clone();
    assert!(!soon(page.complete()).await, "its revision has no such notification");
    assert_eq!(old.request(2, "ping", json!({})).await["id"], 2);
    let modern = Peer::new(&server);
    modern.modern(1, "tools/call", files("new"), &json!({})).await;
    let page = pages.lock()[2].clone();
    assert!(!soon(page.complete()).await);
    let gone = Peer::legacy(&server, "2025-11-25", json!({})).await;
    gone.request(1, "tools/call", files("gone")).await;
    let page = pages.lock()[4].clone();
    drop(gone);
    soon(async {
        while server.stats().connections > 2 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert!(!soon(page.complete()).await, "it left");
}

#[tokio::test]
async fn a_client_hears_of_its_own_pages_once_and_of_no_others() {
    let (server, pages) = server();
    let (ours, theirs) = MemoryTransport::pair();
    let far = server.clone();
    tokio::spawn(async move { far.serve(Arc::new(theirs)).await });
    let client = Client::builder("c", "1")
        .protocol(ProtocolPolicy::LegacyFirst)
        .on_elicitation_url(|_| async { Ok(ElicitResult::accept_url()) })
        .build();
    let session = soon(client.connect(ours)).await.expect("connects");
    let mut heard = session.notifications();
    let refused = soon(session.call_tool("files", json!({"who": "ann"}))).await.expect_err("pages first");
    assert_eq!(refused.kind, ErrorKind::UrlElicitationRequired);
    let ids: Vec<_> = refused.url_elicitations().into_iter().filter_map(|page| page.elicitation_id).collect();
    assert_eq!(ids, ["ann-login", "ann-terms"]);
    let first = pages.lock()[0].clone();
    assert!(soon(first.complete()).await);
    let done = ServerNotification::PageCompleted { elicitation_id: "ann-login".into() };
    assert_eq!(soon(heard.next()).await, Some(done));
    soon(session.close()).await;
}

#[tokio::test]
async fn ends_that_are_unknown_or_over_are_ignored() {
    let (ours, theirs) = MemoryTransport::pair();
    let client = Client::builder("c", "1")
        .protocol(ProtocolPolicy::LegacyFirst)
        .on_elicitation_url(|_| async { Ok(ElicitResult::accept_url()) })
        .build();
    let connecting = tokio::spawn(async move { client.connect(ours).await });
    let next = async || -> Value {
        serde_json::from_slice(&soon(theirs.receive()).await.expect("open").expect("readable")).expect("JSON")
    };
    let send = async |message: Value| theirs.send(message.to_string().into()).await.expect("open");
    let hello = next().await;
    send(json!({"jsonrpc": "2.0", "id": hello["id"], "result": {"protocolVersion": "2025-11-25",
        "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}}}))
    .await;
    assert_eq!(next().await["method"], "notifications/initialized");
    let session = soon(connecting).await.expect("no panic").expect("connects");
    let mut heard = session.notifications();
    send(json!({"jsonrpc": "2.0", "id": 9, "method": "elicitation/create", "params": {"mode": "url",
        "elicitationId": "ours", "url": "https://example.com/", "message": "Visit"}}))
    .await;
    assert_eq!(next().await["result"]["action"], "accept");
    for id in ["foreign", "ours", "ours"] {
        let params = json!({"elicitationId": id});
        send(json!({"jsonrpc": "2.0", "method": "notifications/elicitation/complete", "params": params}))
            .await;
    }
    send(json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})).await;
    let ours = ServerNotification::PageCompleted { elicitation_id: "ours".into() };
    assert_eq!(soon(heard.next()).await, Some(ours));
    assert_eq!(soon(heard.next()).await, Some(ServerNotification::ToolsChanged), "and no other end");
}
