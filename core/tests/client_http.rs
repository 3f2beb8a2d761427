//! Client against server over HTTP on the loopback, in both eras.
#![cfg(all(feature = "http-client", feature = "http-server"))]

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::client::{Client, ProtocolPolicy, ServerNotification, SessionState};
use mcpbolt::protocol::types::{
    CallToolResult, ElicitParams, ElicitResult, FormSchema, SubscriptionFilter, Tool,
};
use mcpbolt::protocol::{ErrorKind, Revision};
use mcpbolt::server::{Context, Failure, Server};
use mcpbolt::transport::streamable_http::server::HttpOptions;
use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Notify;

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

struct Running(Arc<Notify>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.notify_one();
    }
}

fn server(ended: &Arc<Notify>) -> Server {
    let ended = Arc::clone(ended);
    let mirrored =
        json!({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}});
    let broken =
        json!({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "a b"}}});
    Server::builder("test", "1.0.0")
        .capabilities(|c| c.tools.get_or_insert_default().list_changed = Some(true))
        .raw_tool(Tool::new("mirror", RawJson::from(mirrored)), |args: Value, _: Context| async move {
            args["region"].as_str().unwrap_or("none").to_owned()
        })
        .raw_tool(Tool::new("broken", RawJson::from(broken)), |_: Value, _: Context| async { "?" })
        .tool("ask", "Asks", |_: Nothing, ctx: Context| async move {
            let answer = ctx.elicit(ElicitParams::form("Sure?", FormSchema::builder().build())).await?;
            Ok::<_, Failure>(answer.action.as_str().to_owned())
        })
        .tool("hang", "Never answers", move |_: Nothing, ctx: Context| {
            let running = Running(Arc::clone(&ended));
            async move {
                ctx.cancelled().await;
                drop(running);
                "cancelled"
            }
        })
        .build()
}

/// No wait is longer than this.
async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(5), future).await.expect("no answer within 5 s")
}

fn text(result: &CallToolResult) -> String {
    let raw = RawJson::encode(&result.content[0]).expect("content");
    RawObject::parse(&raw).and_then(|c| c.get("text")?.as_string()).expect("text")
}

#[tokio::test]
async fn one_endpoint_in_both_eras() {
    let ended = Arc::new(Notify::new());
    let server = server(&ended);
    let http = server.serve_http("127.0.0.1:0", HttpOptions::default()).await.expect("binds");
    let url = format!("http://{}/mcp", http.local_addr());
    for policy in [ProtocolPolicy::Auto, ProtocolPolicy::LegacyFirst] {
        let client = Client::builder("client", "1")
            .protocol(policy)
            .on_elicitation(|_| async { Ok(ElicitResult::decline()) })
            .build();
        let session = soon(client.connect(url.as_str())).await.expect("connects");
        let modern = session.revision() == Revision::LATEST_MODERN;
        assert_eq!(modern, policy == ProtocolPolicy::Auto);
        // A tool with a wrong header annotation is hidden only where headers count.
        let names: Vec<String> =
            soon(session.list_all_tools()).await.expect("tools").into_iter().map(|t| t.name).collect();
        assert_eq!(names.contains(&"broken".to_owned()), !modern, "{names:?}");
        // The server checks the header against the argument.
        let mirrored = soon(session.call_tool("mirror", json!({"region": " ü"}))).await.expect("mirrored");
        assert_eq!(text(&mirrored), " ü");
        assert_eq!(text(&soon(session.call_tool("ask", json!({}))).await.expect("asked")), "decline");
        if modern {
            // Closing the answer's stream cancels the call.
            let call = session.call_tool("hang", json!({}));
            assert!(tokio::time::timeout(Duration::from_millis(100), call).await.is_err());
            soon(ended.notified()).await;
            let filter =
                SubscriptionFilter { tools_list_changed: Some(true), ..SubscriptionFilter::default() };
            let mut subscription = soon(session.listen(filter)).await.expect("agreed");
            server.tools_changed();
            assert_eq!(soon(subscription.next()).await, Some(ServerNotification::ToolsChanged));
        }
        soon(session.close()).await;
        assert!(matches!(session.state(), SessionState::Closed(_)));
    }
    soon(http.shutdown()).await;
}

#[tokio::test]
async fn a_call_with_unknown_headers_learns_them_and_repeats_once() {
    let server = server(&Arc::default());
    let http = server.serve_http("127.0.0.1:0", HttpOptions::default()).await.expect("binds");
    let session =
        soon(Client::builder("client", "1").build().connect(format!("http://{}/mcp", http.local_addr())))
            .await
            .expect("connects");
    let mirrored = soon(session.call_tool("mirror", json!({"region": "eu"}))).await.expect("mirrored");
    assert_eq!(text(&mirrored), "eu");
    soon(session.close()).await;
    soon(http.shutdown()).await;
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_clear_error() {
    let error = soon(Client::builder("client", "1").build().connect("http://127.0.0.1:1/mcp"))
        .await
        .expect_err("no one");
    assert_eq!(error.kind, ErrorKind::Transport);
}
