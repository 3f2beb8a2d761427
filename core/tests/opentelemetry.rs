//! Spans of both ends of a call, collected in memory.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::client::{CallOptions, Client, ClientSession, ProtocolPolicy};
use mcpbolt::server::{Context, Failure, Server};
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt_proto::jsonrpc::RawJson;
use opentelemetry::global;
use opentelemetry::trace::{SpanKind, Status, Tracer};
use opentelemetry_sdk::trace::{InMemorySpanExporter, SdkTracerProvider, SpanData};
use serde_json::{Value, json};

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(5), future).await.expect("no answer within 5 s")
}

fn server() -> Server {
    let schema = || RawJson::from(json!({"type": "object"}));
    Server::builder("traced", "1")
        .raw_tool(mcpbolt::types::Tool::new("show", schema()), |_: Value, ctx: Context| async move {
            // Not at the first poll, so that the span must come along.
            tokio::task::yield_now().await;
            drop(global::tracer("program").start("own work"));
            ctx.meta().get::<String>("traceparent").unwrap_or_default()
        })
        .on_request("vendor/fails", |_, _| async {
            Err::<RawJson, Failure>(mcpbolt::Error::invalid_params("no").into())
        })
        .build()
}

fn attribute(span: &SpanData, key: &str) -> Option<String> {
    span.attributes.iter().find(|pair| pair.key.as_str() == key).map(|pair| pair.value.to_string())
}

/// A failed call is a failed span on both ends.
async fn failures_say_their_kind(session: &ClientSession, exporter: &InMemorySpanExporter) {
    exporter.reset();
    soon(session.request_raw("vendor/fails", None)).await.expect_err("fails");
    let spans = exporter.get_finished_spans().expect("spans");
    assert_eq!(spans.len(), 2, "{spans:?}");
    for span in &spans {
        assert_eq!(span.status, Status::error(""), "{span:?}");
        assert_eq!(attribute(span, "error.type").as_deref(), Some("-32602"));
        assert_eq!(attribute(span, "rpc.response.status_code").as_deref(), Some("-32602"));
    }
}

/// One test: the provider is the process's.
#[tokio::test]
async fn spans_of_both_ends_are_one_trace() {
    let exporter = InMemorySpanExporter::default();
    let provider = SdkTracerProvider::builder().with_simple_exporter(exporter.clone()).build();
    global::set_tracer_provider(provider.clone());
    for policy in [ProtocolPolicy::Auto, ProtocolPolicy::LegacyFirst] {
        let (ours, theirs) = MemoryTransport::pair();
        let server = server();
        tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
        let session =
            soon(Client::builder("c", "1").protocol(policy).build().connect(ours)).await.expect("connects");
        exporter.reset();

        let shown = soon(session.call_tool("show", json!({}))).await.expect("shown");
        let sent = format!("{:?}", shown.content[0]);
        let spans = exporter.get_finished_spans().expect("spans");
        let find = |kind: SpanKind| {
            spans
                .iter()
                .find(|s| s.span_kind == kind && s.name == "tools/call show")
                .unwrap_or_else(|| panic!("{kind:?}: {spans:?}"))
        };
        let (client, server) = (find(SpanKind::Client), find(SpanKind::Server));
        assert_eq!(server.parent_span_id, client.span_context.span_id());
        assert_eq!(server.span_context.trace_id(), client.span_context.trace_id());
        let own = spans.iter().find(|s| s.name == "own work").expect("the program's span");
        assert_eq!(
            own.parent_span_id,
            server.span_context.span_id(),
            "the program's spans are below the call's"
        );
        let context = &client.span_context;
        let expected = format!("00-{}-{}-01", context.trace_id(), context.span_id());
        assert!(sent.contains(&expected), "{sent} lacks {expected}");
        for span in [client, server] {
            assert_eq!(attribute(span, "mcp.method.name").as_deref(), Some("tools/call"));
            assert_eq!(attribute(span, "gen_ai.tool.name").as_deref(), Some("show"));
            assert_eq!(attribute(span, "gen_ai.operation.name").as_deref(), Some("execute_tool"));
            assert_eq!(attribute(span, "mcp.protocol.version").as_deref(), Some(session.revision().as_str()));
        }
        let id = attribute(client, "jsonrpc.request.id");
        assert!(id.as_deref().is_some_and(|id| id.parse::<u64>().is_ok()), "{id:?}");
        assert_eq!(id, attribute(server, "jsonrpc.request.id"));

        // What the caller gives goes through untouched, and is the parent of both.
        exporter.reset();
        let given = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let options = CallOptions::new().trace_context(given, "");
        let shown = soon(session.call_tool_with("show", None, options)).await.expect("shown");
        assert!(format!("{:?}", shown.content[0]).contains(given));
        for span in exporter.get_finished_spans().expect("spans") {
            assert_eq!(span.span_context.trace_id().to_string(), "0af7651916cd43dd8448eb211c80319c");
        }

        failures_say_their_kind(&session, &exporter).await;
        soon(session.close()).await;
    }
}
