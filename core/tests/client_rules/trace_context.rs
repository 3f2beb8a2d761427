//! W3C trace context goes through `_meta` as it is.

use mcpbolt::client::CallOptions;
use mcpbolt::server::{Context, Failure, Server};
use mcpbolt_proto::jsonrpc::RawJson;
use serde_json::{Value, json};

use super::support::{ERAS, client, connect, soon, text};

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const STATE: &str = "congo=t61rcWkgMzE,rojo=00f067aa0ba902b7";

/// A server that shows the trace context of its caller.
fn server() -> Server {
    Server::builder("traced", "1")
        .raw_tool(
            mcpbolt::types::Tool::new("show", RawJson::from(json!({"type": "object"}))),
            |_: Value, ctx: Context| async move {
                let meta = ctx.meta();
                let context: Vec<String> = ["traceparent", "tracestate", "baggage"]
                    .into_iter()
                    .filter_map(|key| Some(format!("{key}={}", meta.get::<String>(key)?)))
                    .collect();
                Ok::<_, Failure>(context.join(";"))
            },
        )
        .build()
}

#[tokio::test]
async fn trace_context_arrives_untouched_in_both_eras() {
    for policy in ERAS {
        let session = connect(&server(), client(), policy).await;
        let options =
            CallOptions::new().trace_context(PARENT, STATE).meta("baggage", "userId=alice,region=%20x");
        let shown = soon(session.call_tool_with("show", None, options)).await.expect("shown");
        assert_eq!(
            text(&shown),
            format!("traceparent={PARENT};tracestate={STATE};baggage=userId=alice,region=%20x")
        );
        // What is no trace context is not ours to judge either.
        let odd =
            RawJson::from(json!({"name": "show", "_meta": {"traceparent": "odd", "x/y": [1, {"z": null}]}}));
        let raw = soon(session.request_raw("tools/call", Some(odd))).await.expect("answered");
        assert!(raw.as_str().contains("traceparent=odd"), "{raw:?}");
        // Nothing is made up.
        let plain = soon(session.call_tool("show", json!({}))).await.expect("shown");
        assert_eq!(text(&plain), "");
    }
}
