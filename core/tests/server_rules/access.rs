//! Inputs are checked before a tool runs, a hook can refuse a call, and there are
//! limits. That annotations are only hints: `client_rules/review.rs`.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mcpbolt::server::{Context, Next, Server};
use mcpbolt::session::Answer;
use mcpbolt::types::Tool;
use mcpbolt::{Error, ErrorKind, Limits};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use super::peer::{Peer, text};
use super::soon;

fn schema() -> Value {
    json!({"type": "object", "properties": {"path": {"type": "string", "maxLength": 5}}, "required": ["path"],
        "additionalProperties": false})
}

#[tokio::test]
async fn a_tool_never_sees_arguments_that_do_not_fit_its_schema() {
    let ran = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&ran);
    let server = Server::builder("s", "1")
        .raw_tool(Tool::new("read", schema()), move |args: Value, _: Context| {
            counted.fetch_add(1, Ordering::SeqCst);
            async move { args["path"].to_string() }
        })
        .build();
    for modern in [false, true] {
        let peer =
            if modern { Peer::new(&server) } else { Peer::legacy(&server, "2025-11-25", json!({})).await };
        let call = async |id, arguments: Value| {
            let params = json!({"name": "read", "arguments": arguments});
            if modern {
                peer.modern(id, "tools/call", params, &json!({})).await
            } else {
                peer.request(id, "tools/call", params).await
            }
        };
        let bad =
            [json!({}), json!({"path": 7}), json!({"path": "toolong"}), json!({"path": "a", "more": 1})];
        for (id, arguments) in (1..).zip(bad) {
            let refused = call(id, arguments).await;
            assert_eq!(refused["result"]["isError"], true, "for the model to read: {refused}");
        }
        for (id, arguments) in (10..).zip([json!([]), json!("a")]) {
            assert_eq!(call(id, arguments).await["error"]["code"], -32602);
        }
        assert_eq!(ran.swap(0, Ordering::SeqCst), 0);
        assert_eq!(text(&call(20, json!({"path": "a"})).await), "\"a\"");
        assert_eq!(ran.swap(0, Ordering::SeqCst), 1);
    }
}

#[tokio::test]
async fn a_hook_refuses_a_call_before_the_tool_runs() {
    let ran = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&ran);
    // Only clients that call themselves "t" may delete.
    let guard = |context: Context, next: Next| -> mcpbolt::handler::BoxFuture<'static, Answer> {
        let known = context.client_info().is_some_and(|info| info.name == "t");
        let tool = context.call().param("name").and_then(mcpbolt::RawJson::as_string);
        if tool.as_deref() == Some("delete") && !known {
            let error = Error::new(ErrorKind::InvalidParams, "you may not delete");
            return Box::pin(async { Answer::error(error) });
        }
        next.run(context)
    };
    let server = Server::builder("s", "1")
        .middleware(guard)
        .raw_tool(Tool::new("delete", json!({"type": "object"})), move |_: Value, _: Context| {
            counted.fetch_add(1, Ordering::SeqCst);
            async { "deleted" }
        })
        .build();
    let delete = json!({"name": "delete", "arguments": {}});
    let refused = Peer::new(&server).modern(1, "tools/call", delete.clone(), &json!({})).await;
    assert_eq!((&refused["error"]["code"], ran.load(Ordering::SeqCst)), (&json!(-32602), 0), "{refused}");
    assert_eq!(refused["error"]["message"], "you may not delete");
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    assert_eq!(text(&peer.request(1, "tools/call", delete).await), "deleted");
    assert_eq!(ran.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn beyond_the_limit_calls_are_refused_and_those_that_run_go_on() {
    let gate = Arc::new(Semaphore::new(0));
    let waiting = Arc::clone(&gate);
    let server = Server::builder("s", "1")
        .limits(Limits { max_in_flight: 2, ..Limits::default() })
        .raw_tool(Tool::new("wait", json!({"type": "object"})), move |_: Value, _: Context| {
            let waiting = Arc::clone(&waiting);
            async move {
                waiting.acquire().await.expect("open").forget();
                "done"
            }
        })
        .build();
    let peer = Peer::legacy(&server, "2025-11-25", json!({})).await;
    for id in 1..=3 {
        let params = json!({"name": "wait", "arguments": {}});
        peer.send(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})).await;
    }
    let refused = peer.next().await;
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(3), &json!(-32603)), "{refused}");
    assert!(refused["error"]["data"]["reason"].is_string(), "{refused}");
    gate.add_permits(2);
    for _ in 0..2 {
        assert_eq!(text(&soon(peer.next()).await), "done");
    }
}
