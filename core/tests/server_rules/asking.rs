//! Questions of a server: how far the client is with them.

use mcpbolt::server::{Context, Failure, Server};
use mcpbolt::types::Tool;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::peer::{Peer, text};
use super::soon;

type BusEvent = mpsc::UnboundedReceiver<(f64, Option<f64>, Option<String>)>;

/// Asks the client for its roots, and tells what it hears meanwhile.
fn server() -> (Server, BusEvent) {
    let (tell, heard) = mpsc::unbounded_channel();
    let server = Server::builder("s", "1")
        .raw_tool(Tool::new("ask", json!({"type": "object"})), move |params: Value, ctx: Context| {
            let tell = tell.clone();
            async move {
                let hear = move |progress: mcpbolt::protocol::types::ProgressParams| {
                    let _ = tell.send((progress.progress, progress.total, progress.message));
                };
                let roots: Value = ctx.ask_with_progress("roots/list", Some(&params), hear).await?;
                Ok::<_, Failure>(roots.to_string())
            }
        })
        .build();
    (server, heard)
}

#[tokio::test]
async fn progress_of_a_client_reaches_whoever_asked_it() {
    let (server, mut heard) = server();
    let peer = Peer::legacy(&server, "2025-11-25", json!({"roots": {}})).await;
    let call = json!({"name": "ask", "arguments": {"_meta": {"kept": 1}}});
    let asked = peer.request(1, "tools/call", call).await;
    assert_eq!(asked["params"], json!({"_meta": {"kept": 1, "progressToken": asked["id"]}}));
    for (progress, token) in [(1, asked["id"].clone()), (7, json!("of nobody")), (2, asked["id"].clone())] {
        let params = json!({"progressToken": token, "progress": progress, "total": 2, "message": "m"});
        peer.send(json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})).await;
    }
    let answered = peer.call(json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": []}})).await;
    assert_eq!(text(&answered), r#"{"roots":[]}"#);
    for progress in [1.0, 2.0] {
        assert_eq!(soon(heard.recv()).await, Some((progress, Some(2.0), Some("m".to_owned()))));
    }
    assert!(heard.try_recv().is_err());
}

#[tokio::test]
async fn a_question_within_an_answer_has_no_channel_for_progress_and_works() {
    let (server, mut heard) = server();
    let peer = Peer::new(&server);
    let mut call = json!({"name": "ask", "arguments": {}});
    let capabilities = json!({"roots": {}});
    let asked = peer.modern(1, "tools/call", call.clone(), &capabilities).await;
    let question = &asked["result"]["inputRequests"]["q1"];
    assert_eq!(question["method"], "roots/list", "{asked}");
    assert!(question["params"]["_meta"]["progressToken"].is_null(), "{asked}");
    call["requestState"] = asked["result"]["requestState"].clone();
    call["inputResponses"] = json!({"q1": {"roots": []}});
    assert_eq!(text(&peer.modern(2, "tools/call", call, &capabilities).await), r#"{"roots":[]}"#);
    assert!(heard.try_recv().is_err());
}
