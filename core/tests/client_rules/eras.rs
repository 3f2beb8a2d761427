//! What a client remembers of a server's era, and what it does when headers disagree.

use std::time::Duration;

use std::sync::Arc;

use mcpbolt::client::Client;
use mcpbolt::handler::ManualClock;
use mcpbolt::protocol::{ErrorKind, Revision};
use serde_json::{Value, json};

use super::http::Server;
use super::support::{kind, soon, text};

/// The message in a request's body.
fn message(exchange: &super::http::Exchange) -> Value {
    serde_json::from_slice(&exchange.body).expect("JSON")
}

fn reply(to: &Value, result: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": to["id"], "result": result}).to_string()
}

fn hello() -> Value {
    json!({"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "s", "version": "1"}})
}

fn discovered() -> Value {
    json!({"resultType": "complete", "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}},
        "ttlMs": 0, "cacheScope": "private"})
}

/// The methods a connecting client posts to a server that speaks only the legacy era,
/// or only the modern one, until it is connected.
async fn connect(server: &mut Server, client: &Client, path: &str, modern: bool) -> Vec<String> {
    let (client, url) = (client.clone(), format!("http://127.0.0.1:{}{path}", server.port));
    let connecting = tokio::spawn(async move { client.connect(url).await });
    let mut asked = Vec::new();
    let expected = if modern { "server/discover" } else { "initialize" };
    loop {
        let post = server.expect("POST").await;
        let sent = message(&post);
        let method = sent["method"].as_str().expect("a request").to_owned();
        asked.push(method.clone());
        if method != expected {
            post.reply(404, &[], "").await;
            continue;
        }
        post.json(200, &reply(&sent, &if modern { discovered() } else { hello() })).await;
        break;
    }
    if !modern {
        server.expect("POST").await.reply(202, &[], "").await;
        server.expect("GET").await.reply(405, &[], "").await;
    }
    let session = soon(connecting).await.expect("no panic").expect("connects");
    assert_eq!(session.revision().is_modern(), modern);
    soon(session.close()).await;
    asked
}

fn client(clock: &Arc<ManualClock>) -> Client {
    Client::builder("client", "1").clock(clock.clone()).remember_era(Duration::from_mins(10)).build()
}

#[tokio::test]
async fn an_era_is_remembered_per_origin_and_path_until_it_expires() {
    let mut server = Server::start().await;
    let clock = Arc::new(ManualClock::default());
    let client = client(&clock);
    let (probed, straight) = (["server/discover", "initialize"], ["initialize"]);
    assert_eq!(connect(&mut server, &client, "/mcp", false).await, probed);
    assert_eq!(
        connect(&mut server, &client, "/mcp?x=1", false).await,
        straight,
        "the query is no other server"
    );
    assert_eq!(connect(&mut server, &client.clone(), "/mcp", false).await, straight, "clones share it");
    assert_eq!(
        connect(&mut server, &client, "/other", false).await,
        probed,
        "another path is another server"
    );
    clock.advance(Duration::from_secs(599));
    assert_eq!(connect(&mut server, &client, "/other", false).await, straight);
    clock.advance(Duration::from_mins(10));
    assert_eq!(connect(&mut server, &client, "/other", false).await, probed, "nothing is believed for ever");
    let forgetful = Client::builder("client", "1").remember_era(Duration::ZERO).build();
    for _ in 0..2 {
        assert_eq!(connect(&mut server, &forgetful, "/mcp", false).await, probed);
    }
}

#[tokio::test]
async fn a_server_that_answers_otherwise_is_believed_and_remembered_anew() {
    let mut server = Server::start().await;
    let clock = Arc::new(ManualClock::default());
    let client = client(&clock);
    connect(&mut server, &client, "/mcp", false).await;
    // Upgraded to modern only: the handshake is refused, discover is not.
    assert_eq!(connect(&mut server, &client, "/mcp", true).await, ["initialize", "server/discover"]);
    assert_eq!(connect(&mut server, &client, "/mcp", true).await, ["server/discover"]);
    // And back again.
    assert_eq!(connect(&mut server, &client, "/mcp", false).await, ["server/discover", "initialize"]);
    assert_eq!(connect(&mut server, &client, "/mcp", false).await, ["initialize"]);
}

#[tokio::test]
async fn missing_credentials_say_nothing_about_the_era() {
    let mut server = Server::start().await;
    let clock = Arc::new(ManualClock::default());
    let client = client(&clock);
    connect(&mut server, &client, "/mcp", false).await;
    let (again, url) = (client.clone(), server.url());
    let connecting = tokio::spawn(async move { again.connect(url).await });
    let post = server.expect("POST").await;
    assert_eq!(message(&post)["method"], "initialize");
    post.reply(401, &[], "").await;
    assert_eq!(kind(soon(connecting).await.expect("no panic")), Some(ErrorKind::Unauthorized));
    assert!(server.is_idle(), "asked once");
    assert_eq!(connect(&mut server, &client, "/mcp", false).await, ["initialize"], "still remembered");
}

#[cfg(unix)]
#[tokio::test]
async fn an_era_is_remembered_per_command() {
    use mcpbolt::client::Command;
    let folder = tempfile::tempdir().expect("folder");
    let log = folder.path().join("asked");
    let script = r#"
hello='{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"sh","version":"1"}}'
while read -r line; do n=${line#*\"id\":}; n=${n%%[,\}]*}; case "$line" in
  *server/discover*) echo discover >> "$1"; printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"?"}}\n' "$n" ;;
  *initialize\"*) echo initialize >> "$1"; printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$n" "$hello" ;;
esac; done"#;
    let client = Client::builder("client", "1").build();
    let command = Command::new("sh").args(["-c", script, "sh"]).arg(&log);
    for command in [command.clone(), command.clone(), command.arg("other")] {
        let session = soon(client.connect(command)).await.expect("connects");
        assert_eq!(session.revision(), Revision::V2025_06_18);
        soon(session.close()).await;
    }
    let asked = std::fs::read_to_string(&log).expect("written");
    assert_eq!(
        asked.split_whitespace().collect::<Vec<_>>(),
        ["discover", "initialize", "initialize", "discover", "initialize"]
    );
}

#[tokio::test]
async fn after_a_header_mismatch_the_list_is_refreshed_and_the_call_repeated_once() {
    let mut server = Server::start().await;
    let url = server.url();
    let connecting = tokio::spawn(async move { Client::builder("client", "1").build().connect(url).await });
    let probe = server.expect("POST").await;
    let sent = message(&probe);
    probe.json(200, &reply(&sent, &discovered())).await;
    let session = soon(connecting).await.expect("no panic").expect("connects");
    let tools = |header: &str| {
        json!({"resultType": "complete", "ttlMs": 60_000, "cacheScope": "private", "tools": [{"name": "move",
            "inputSchema": {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": header}}}}]})
    };
    let mismatch = |to: &Value| {
        json!({"jsonrpc": "2.0", "id": to["id"], "error": {"code": -32020, "message": "Header mismatch"}})
            .to_string()
    };
    // The client knows an old schema.
    let lister = session.clone();
    let listing = tokio::spawn(async move { lister.list_all_tools().await });
    let post = server.expect("POST").await;
    let sent = message(&post);
    post.json(200, &reply(&sent, &tools("Old-Region"))).await;
    soon(listing).await.expect("no panic").expect("tools");

    for (second_is_good, last) in [(true, None), (false, Some(ErrorKind::HeaderMismatch))] {
        let caller = session.clone();
        let call = tokio::spawn(async move { caller.call_tool("move", json!({"region": "eu"})).await });
        let first = server.expect("POST").await;
        let old = message(&first);
        assert_eq!(old["method"], "tools/call");
        if second_is_good {
            assert_eq!(first.header("mcp-param-old-region"), Some("eu"));
        }
        first.json(400, &mismatch(&old)).await;
        let list = server.expect("POST").await;
        let sent = message(&list);
        assert_eq!(sent["method"], "tools/list", "asked for, though a fresh copy is in the cache");
        list.json(200, &reply(&sent, &tools("Region"))).await;
        let second = server.expect("POST").await;
        let again = message(&second);
        assert_eq!(again["method"], "tools/call");
        assert_ne!(again["id"], old["id"], "a new request");
        assert_eq!(
            (second.header("mcp-param-region"), second.header("mcp-param-old-region")),
            (Some("eu"), None)
        );
        if second_is_good {
            let done = json!({"resultType": "complete", "content": [{"type": "text", "text": "moved"}]});
            second.json(200, &reply(&again, &done)).await;
        } else {
            second.json(400, &mismatch(&again)).await;
        }
        let outcome = soon(call).await.expect("no panic");
        if let Ok(result) = &outcome {
            assert_eq!(text(result), "moved");
        }
        assert_eq!(kind(outcome), last);
        assert!(server.is_idle(), "not a third time");
    }
}
