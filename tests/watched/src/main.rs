//! A server that is watched: `watched PORT UPSTREAM`.
//!
//! Owns: a tool that asks the server of that URL in its turn, and the exporters, which the
//! variables of OpenTelemetry configure. Must not know: who asks, and who receives what is exported.

use std::sync::Arc;

use mcpbolt::client::{Client, ProtocolPolicy};
use mcpbolt::protocol::Revision;
use mcpbolt::server::{Context, Failure, Server};
use mcpbolt::transport::streamable_http::server::HttpOptions;
use opentelemetry::global;
use opentelemetry_otlp::{MetricExporter, SpanExporter};
use opentelemetry_sdk::metrics::SdkMeterProvider;
use opentelemetry_sdk::trace::SdkTracerProvider;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, Serialize, JsonSchema)]
struct Relay {
    modern: bool,
    fails: bool,
}

type Fault = Box<dyn std::error::Error>;

fn watch() -> Result<(), Fault> {
    // The exporters' client is reqwest, which the engine has built with TLS and without a provider.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let spans = SpanExporter::builder().with_http().build()?;
    global::set_tracer_provider(SdkTracerProvider::builder().with_batch_exporter(spans).build());
    let durations = MetricExporter::builder().with_http().build()?;
    global::set_meter_provider(SdkMeterProvider::builder().with_periodic_exporter(durations).build());
    Ok(())
}

/// Asks in the era of its own caller.
async fn relay(upstream: &str, relay: Relay) -> Result<String, Failure> {
    let revision = if relay.modern { Revision::V2026_07_28 } else { Revision::V2025_11_25 };
    let client = Client::builder("relay", "1.0.0").protocol(ProtocolPolicy::Pinned(revision)).build();
    let session = client.connect(upstream).await?;
    let arguments = serde_json::to_value(&relay)?;
    let answer = session.call_tool("relay", arguments).await;
    session.close().await;
    if answer?.is_error == Some(true) {
        Err(Failure::tool("failed upstream"))
    } else {
        Ok("relayed".to_owned())
    }
}

#[tokio::main]
async fn main() -> Result<(), Fault> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [port, upstream] = &arguments[..] else { return Err("say watched PORT UPSTREAM".into()) };
    watch()?;
    let upstream: Arc<str> = upstream.as_str().into();
    let server = Server::builder("watched", "1.0.0")
        .tool("relay", "Asks the next server", move |given: Relay, _: Context| {
            let upstream = Arc::clone(&upstream);
            async move { relay(&upstream, given).await }
        })
        .build();
    let engine = Arc::clone(server.engine());
    let options = HttpOptions {
        metrics: Some(("/metrics".to_owned(), Arc::new(move || engine.stats().prometheus()))),
        ..HttpOptions::default()
    };
    server.run_http(&format!("127.0.0.1:{port}"), options).await?;
    Ok(())
}
