//! The peer's client contestant. It may have as many POSTs under way as ours.

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use mcpbolt_bench::client::{ClientArgs, run};
use rmcp::model::{CallToolRequestParams, ClientConfig, ContentBlock, ProtocolVersion};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, RoleClient, RunningService};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};

#[tokio::main]
async fn main() -> ExitCode {
    // Its HTTP client is built without TLS of its own, as ours is.
    let _ = rustls::crypto::ring::default_provider().install_default();
    match load(&ClientArgs::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn connect(args: &ClientArgs) -> Result<RunningService<RoleClient, ClientConfig>, String> {
    let lifecycle = if args.modern {
        ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
    } else {
        ClientLifecycleMode::Initialize
    };
    let config = ClientConfig::default();
    if let Some(url) = &args.url {
        let mut http = StreamableHttpClientTransportConfig::with_uri(url.as_str());
        http.max_concurrent_requests = args.in_flight;
        let transport = StreamableHttpClientTransport::from_config(http);
        return config.serve_with_lifecycle(transport, lifecycle).await.map_err(|error| error.to_string());
    }
    let (program, rest) = args.command.split_first().ok_or("neither --url nor a command")?;
    let mut command = tokio::process::Command::new(program);
    command.args(rest);
    let transport = TokioChildProcess::new(command).map_err(|error| error.to_string())?;
    config.serve_with_lifecycle(transport, lifecycle).await.map_err(|error| error.to_string())
}

async fn load(args: &ClientArgs) -> Result<(), String> {
    let service = Arc::new(connect(args).await?);
    let calls = Arc::clone(&service);
    run(args, move |text| {
        let service = Arc::clone(&calls);
        async move {
            let mut arguments = rmcp::model::JsonObject::new();
            arguments.insert("text".to_owned(), text.into());
            let answer =
                service.call_tool(CallToolRequestParams::new("echo").with_arguments(arguments)).await;
            match answer.map_err(|error| error.to_string())?.content.into_iter().next() {
                Some(ContentBlock::Text(block)) => Ok(block.text),
                _ => Err("not a block of text".to_owned()),
            }
        }
    })
    .await?;
    if let Some(service) = Arc::into_inner(service) {
        service.cancel().await.map_err(|error| error.to_string())?;
    }
    Ok(())
}
