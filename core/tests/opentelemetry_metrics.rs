//! How long calls and sessions last, as metrics of OpenTelemetry.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::client::{self, Client, ClientSession, ProtocolPolicy};
use mcpbolt::protocol::Method;
use mcpbolt::server::{self, Context, Failure, Server};
use mcpbolt::transport::memory::MemoryTransport;
use mcpbolt_proto::jsonrpc::RawJson;
use opentelemetry::global;
use opentelemetry_sdk::metrics::data::{AggregatedMetrics, MetricData, ResourceMetrics};
use opentelemetry_sdk::metrics::{InMemoryMetricExporter, SdkMeterProvider};
use serde_json::{Value, json};

const BOUNDS: [f64; 14] = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];
const CALLS: [&str; 2] = ["mcp.client.operation.duration", "mcp.server.operation.duration"];
const SESSIONS: [&str; 2] = ["mcp.client.session.duration", "mcp.server.session.duration"];

/// An extension of both sides.
const PAINTS: &str = "com.example/paints";
const MIX: Method = Method::extension_request(PAINTS, "com.example/mix");

async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(5), future).await.expect("no answer within 5 s")
}

fn server() -> Server {
    let tool = |name| mcpbolt::types::Tool::new(name, RawJson::from(json!({"type": "object"})));
    Server::builder("measured", "1")
        .raw_tool(tool("works"), |_: Value, _: Context| async { "done" })
        .raw_tool(tool("fails"), |_: Value, _: Context| async {
            Err::<String, Failure>(Failure::tool("no luck"))
        })
        .on_request("vendor/fails", |_, _| async {
            Err::<RawJson, Failure>(mcpbolt::Error::internal("broken").into())
        })
        .extension(server::Extension::new(PAINTS).method(&MIX, |_, _: Context| async {
            Ok::<_, Failure>(RawJson::from(json!({"name": "green"})))
        }))
        .build()
}

/// One line for each point: its attributes in order, and how many were counted.
fn points(provider: &SdkMeterProvider, exporter: &InMemoryMetricExporter, name: &str) -> Vec<String> {
    provider.force_flush().expect("flushed");
    let all = exporter.get_finished_metrics().expect("metrics");
    let Some(newest) = all.last() else { return Vec::new() };
    let mut lines: Vec<_> = of(newest, name).collect();
    lines.sort();
    lines
}

fn of(all: &ResourceMetrics, name: &str) -> impl Iterator<Item = String> {
    let metrics = all.scope_metrics().flat_map(opentelemetry_sdk::metrics::data::ScopeMetrics::metrics);
    metrics.filter(move |metric| metric.name() == name).flat_map(|metric| {
        assert_eq!(metric.unit(), "s");
        let AggregatedMetrics::F64(MetricData::Histogram(histogram)) = metric.data() else {
            panic!("{metric:?}")
        };
        histogram
            .data_points()
            .map(|point| {
                assert_eq!(point.bounds().collect::<Vec<_>>(), BOUNDS);
                assert!(point.sum() >= 0.0);
                let mut said: Vec<_> =
                    point.attributes().map(|pair| format!("{}={}", pair.key, pair.value)).collect();
                said.sort();
                format!("{} ×{}", said.join(" "), point.count())
            })
            .collect::<Vec<_>>()
    })
}

async fn visit(session: &ClientSession) {
    for _ in 0..2 {
        soon(session.call_tool("works", json!({}))).await.expect("works");
    }
    let failed = soon(session.call_tool("fails", json!({}))).await.expect("a result");
    assert_eq!(failed.is_error, Some(true));
    soon(session.call_tool("invented by a peer", json!({}))).await.expect_err("there is none");
    soon(session.request_raw("vendor/fails", None)).await.expect_err("fails");
    soon(session.request_raw(MIX.name, None)).await.expect("mixed");
}

/// One test: the provider is the process's.
#[tokio::test]
async fn calls_and_sessions_are_measured_on_both_sides() {
    let exporter = InMemoryMetricExporter::default();
    let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter.clone()).build();
    global::set_meter_provider(provider.clone());
    let (ours, theirs) = MemoryTransport::pair();
    let server = server();
    let serving = tokio::spawn(async move { server.serve(Arc::new(theirs)).await });
    let client = Client::builder("c", "1").protocol(ProtocolPolicy::LegacyFirst);
    let client = client.extension(client::Extension::new(PAINTS).method(&MIX)).build();
    let session = soon(client.connect(ours)).await.expect("connects");
    let revision = format!("mcp.protocol.version={}", session.revision().as_str());
    visit(&session).await;
    for name in SESSIONS {
        assert_eq!(points(&provider, &exporter, name), [""; 0], "{name} before its end");
    }
    soon(session.close()).await;
    soon(serving).await.expect("no panic");

    let call = "gen_ai.operation.name=execute_tool";
    let tool = "mcp.method.name=tools/call";
    for name in CALLS {
        let seen = points(&provider, &exporter, name);
        for wanted in [
            format!("{call} gen_ai.tool.name=works {tool} {revision} ×2"),
            format!("error.type=tool_error {call} gen_ai.tool.name=fails {tool} {revision} ×1"),
            // Whatever a peer makes up becomes no series of its own.
            format!("error.type=-32602 {call} {tool} {revision} rpc.response.status_code=-32602 ×1"),
            format!("error.type=-32603 mcp.method.name=_OTHER {revision} rpc.response.status_code=-32603 ×1"),
            // What an extension has a row for is no invention.
            format!("mcp.method.name=com.example/mix {revision} ×1"),
        ] {
            assert!(seen.contains(&wanted), "{name} lacks {wanted:?}: {seen:#?}");
        }
    }
    for name in SESSIONS {
        assert_eq!(points(&provider, &exporter, name), [format!("{revision} ×1")], "{name}");
    }
}
