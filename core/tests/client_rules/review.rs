//! A person decides: tool calls, forms and pages, programs.

use std::sync::Arc;

use mcpbolt::client::{AskAlways, AskUnlessReadOnly, Client, Command, ToolDecision};
use mcpbolt::protocol::ErrorKind;
use mcpbolt::protocol::types::{ElicitResult, Tool, ToolAnnotations};
use mcpbolt::server::{Context, Server};
use mcpbolt_proto::jsonrpc::RawJson;
use parking_lot::Mutex;
use serde_json::{Value, json};

use super::support::{ERAS, Script, client, connect, kind, soon, text};

#[tokio::test]
async fn a_denied_tool_call_sends_no_byte() {
    let deny = AskAlways::new(|_| async { ToolDecision::Deny("not today".into()) });
    let (script, session) = Script::legacy(client().review_tool_call(deny)).await;
    let sent = session.stats().bytes_out;
    let denied = soon(session.call_tool("rm", json!({"path": "/"}))).await.expect_err("denied");
    assert_eq!(denied.kind, ErrorKind::Rejected);
    assert!(denied.message.contains("not today"));
    assert_eq!(session.stats().bytes_out, sent);
    // The next thing on the wire is not the call.
    session.notify_raw("x/after", None).expect("sent");
    assert_eq!(script.next().await["method"], "x/after");
}

#[tokio::test]
async fn an_edited_tool_call_sends_the_edit_and_an_allowed_one_is_untouched() {
    let edit = AskAlways::new(|call| async move {
        match call.tool.as_str() {
            "edited" => ToolDecision::Edit(RawJson::from(json!({"path": "/safe"}))),
            _ => ToolDecision::Allow,
        }
    });
    let (script, session) = Script::legacy(client().review_tool_call(edit)).await;
    for (tool, path) in [("edited", "/safe"), ("allowed", "/")] {
        let session = session.clone();
        let call = tokio::spawn(async move { session.call_tool(tool, json!({"path": "/"})).await });
        let sent = script.next().await;
        assert_eq!(sent["params"]["arguments"], json!({"path": path}));
        script.reply(&sent, json!({"content": []})).await;
        soon(call).await.expect("no panic").expect("answered");
    }
}

#[tokio::test]
async fn read_only_tools_pass_without_a_question_only_if_the_server_is_trusted() {
    let schema = || RawJson::from(json!({"type": "object"}));
    let read_only = ToolAnnotations::new().read_only_hint(true);
    let server = Server::builder("s", "1")
        .raw_tool(Tool::new("look", schema()).annotations(read_only), |_: Value, _: Context| async { "seen" })
        .raw_tool(Tool::new("write", schema()), |_: Value, _: Context| async { "written" })
        .build();
    for policy in ERAS {
        for (trusted, expected) in [(false, vec!["look", "write"]), (true, vec!["write"])] {
            let asked = Arc::new(Mutex::new(Vec::new()));
            let heard = Arc::clone(&asked);
            let review = AskUnlessReadOnly::new(move |call| {
                heard.lock().push(call.tool);
                async { ToolDecision::Allow }
            });
            let client = client().trusted(trusted).review_tool_call(review);
            let session = connect(&server, client, policy).await;
            soon(session.list_all_tools()).await.expect("tools");
            assert_eq!(text(&soon(session.call_tool("look", json!({}))).await.expect("look")), "seen");
            soon(session.call_tool("write", json!({}))).await.expect("write");
            assert_eq!(*asked.lock(), expected);
        }
    }
}

#[tokio::test]
async fn a_url_is_handed_to_the_host_and_never_fetched_or_opened_by_us() {
    // Whoever connects here has fetched the page.
    let trap = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("binds");
    let url = format!("http://{}/connect?state=1", trap.local_addr().expect("address"));
    let pages = Arc::new(Mutex::new(Vec::new()));
    let shown = Arc::clone(&pages);
    let client = client().on_elicitation_url(move |page| {
        shown.lock().push((
            page.url.clone(),
            page.host().to_owned(),
            page.origin().to_owned(),
            page.is_secure(),
        ));
        async { Ok(ElicitResult::accept_url()) }
    });
    let (script, _session) = Script::legacy(client).await;
    let ask = async |url: &str| -> Value {
        let params = json!({"mode": "url", "elicitationId": "e1", "url": url, "message": "Sign in"});
        script.ask("elicitation/create", params).await
    };
    assert_eq!(ask(&url).await["result"], json!({"action": "accept"}));
    let origin = url.trim_end_matches("/connect?state=1").to_owned();
    assert_eq!(*pages.lock(), [(url, "127.0.0.1".to_owned(), origin, false)]);
    assert_eq!(ask("https://\u{430}pple.com/").await["result"], json!({"action": "accept"}));
    assert_eq!(pages.lock()[1].1, "xn--pple-43d.com", "a look-alike shows");
    for trick in ["javascript:alert(1)", "file:///etc/passwd", "no url"] {
        assert_eq!(ask(trick).await["error"]["code"], -32602, "{trick}");
    }
    assert_eq!(pages.lock().len(), 2, "the person is not asked about what is no page");
    tokio::select! {
        biased;
        _ = trap.accept() => panic!("the page was fetched"),
        () = std::future::ready(()) => {}
    }
}

#[tokio::test]
async fn a_server_is_started_only_if_the_person_agrees() {
    let folder = tempfile::tempdir().expect("folder");
    let marker = folder.path().join("started");
    let asked = Arc::new(Mutex::new(Vec::new()));
    let heard = Arc::clone(&asked);
    let client = Client::builder("client", "1")
        .review_start(move |start| {
            heard.lock().push(start);
            async { false }
        })
        .build();
    let command = Command::new("touch").arg(&marker).env("TOKEN", "canary").cwd(folder.path());
    assert_eq!(kind(soon(client.connect(command)).await), Some(ErrorKind::Rejected));
    assert!(!marker.exists());
    let asked = asked.lock();
    assert_eq!((asked[0].program.to_str(), asked[0].args.len()), (Some("touch"), 1));
    assert_eq!(asked[0].env, ["TOKEN"], "names, not values");
    assert_eq!(asked[0].cwd.as_deref(), Some(folder.path()));
}
