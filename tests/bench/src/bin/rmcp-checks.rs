//! The official Rust SDK as a client of an everything-server, in either era: what the
//! official clients of the other languages check in `tests/interop/clients`.
//!
//! ```sh
//! rmcp-checks --era legacy -- everything-server
//! rmcp-checks --era auto http://127.0.0.1:3000/mcp
//! ```

#![allow(deprecated, reason = "sampling is deprecated and still spoken")]

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use clap::Parser;
use rmcp::ClientHandler;
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, CreateMessageRequestParams, CreateMessageResult,
    ElicitRequestParams, ElicitResult, ElicitationAction, ErrorData, GetPromptRequestParams, Implementation,
    JsonObject, ProgressNotificationParam, ProtocolVersion, ReadResourceRequestParams, SamplingMessage,
};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt as _, NotificationContext, RequestContext, RoleClient,
    RunningService,
};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use serde_json::{Value, json};

/// Checks an everything-server.
#[derive(Parser)]
struct Args {
    /// `legacy` opens with `initialize`, `auto` asks `server/discover` first.
    #[arg(long, default_value = "legacy")]
    era: String,
    /// URL of the server.
    url: Option<String>,
    /// Program and arguments of the server.
    #[arg(last = true)]
    command: Vec<String>,
}

/// Answers what a server may ask, and counts how often it was asked.
#[derive(Clone, Default)]
struct Scripted(Arc<Seen>);

#[derive(Default)]
struct Seen {
    elicited: AtomicUsize,
    sampled: AtomicUsize,
    progress: Mutex<Vec<f64>>,
}

impl ClientHandler for Scripted {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_elicitation().enable_sampling().build();
        ClientConfig::new(capabilities, Implementation::new("interop-rmcp", "1.0.0"))
    }

    async fn create_elicitation(
        &self,
        _: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        self.0.elicited.fetch_add(1, Ordering::SeqCst);
        let form = json!({"username": "ada", "email": "ada@example.com"});
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(form))
    }

    async fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        self.0.sampled.fetch_add(1, Ordering::SeqCst);
        Ok(CreateMessageResult::new(
            SamplingMessage::assistant_text("scripted answer"),
            "scripted".to_owned(),
        ))
    }

    async fn on_progress(&self, params: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        if let Ok(mut seen) = self.0.progress.lock() {
            seen.push(params.progress);
        }
    }
}

type Session = RunningService<RoleClient, Scripted>;

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    let _ = rustls::crypto::ring::default_provider().install_default();
    let scripted = Scripted::default();
    let session = match connect(&args, scripted.clone()).await {
        Ok(session) => session,
        Err(why) => {
            eprintln!("cannot connect: {why}");
            return ExitCode::FAILURE;
        }
    };
    let revision = session.peer_info().map(|info| info.protocol_version.to_string()).unwrap_or_default();
    let failed = check_all(&session, &scripted.0).await;
    let transport = if args.url.is_some() { "http" } else { "stdio" };
    println!(
        "{}",
        json!({"client": "rmcp-3.11.0", "transport": transport, "revision": revision, "failed": failed})
    );
    let _ = session.cancel().await;
    let right_era = (args.era == "auto") == (revision.as_str() >= "2026");
    if failed.is_empty() && right_era { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

async fn connect(args: &Args, scripted: Scripted) -> Result<Session, String> {
    let lifecycle = match args.era.as_str() {
        "auto" => ClientLifecycleMode::Auto {
            preferred_versions: vec![ProtocolVersion::V_2026_07_28],
            legacy_version: None,
        },
        _ => ClientLifecycleMode::Initialize,
    };
    let session = if let Some(url) = &args.url {
        let transport = StreamableHttpClientTransport::from_uri(url.as_str());
        scripted.serve_with_lifecycle(transport, lifecycle).await
    } else {
        let (program, rest) = args.command.split_first().ok_or("neither a URL nor a command")?;
        let mut command = tokio::process::Command::new(program);
        command.args(rest);
        let transport = TokioChildProcess::new(command).map_err(|error| error.to_string())?;
        scripted.serve_with_lifecycle(transport, lifecycle).await
    };
    session.map_err(|error| error.to_string())
}

/// Runs every check; what failed, with the reason.
async fn check_all(session: &Session, seen: &Seen) -> Vec<String> {
    let mut failed = Vec::new();
    let mut note = |check: &str, outcome: Result<(), String>| {
        if let Err(why) = outcome {
            failed.push(format!("{check}: {}", why.chars().take(300).collect::<String>()));
        }
    };
    note("lists", lists(session).await);
    note("call a tool", says(call(session, "test_simple_text", json!({})).await, "simple text"));
    note("tool error", says(call(session, "test_error_handling", json!({})).await, "\"isError\":true"));
    note("progress", progress(session, seen).await);
    let asked = call(session, "test_elicitation", json!({"message": "Who are you?"})).await;
    note("elicitation", says(asked, "content").and_then(|()| once(&seen.elicited)));
    let asked = call(session, "test_sampling", json!({"prompt": "Say something"})).await;
    note("sampling", says(asked, "scripted answer").and_then(|()| once(&seen.sampled)));
    note("read a resource", says(read(session, "test://static-text").await, "\"text\""));
    note("read a template", says(read(session, "test://template/123/data").await, "123"));
    let unknown = read(session, "test://not-there").await;
    note("unknown resource", if unknown.is_err() { Ok(()) } else { Err("it was answered".to_owned()) });
    note("get a prompt", prompt(session).await);
    let values = session.complete_prompt_simple("test_prompt_with_arguments", "arg1", "test").await;
    note("complete", values.map(|_| ()).map_err(|error| error.to_string()));
    failed
}

async fn lists(session: &Session) -> Result<(), String> {
    let has = |list: Result<Value, String>, wanted: &str| says(list, wanted);
    let text = |error: rmcp::ServiceError| error.to_string();
    let tools = session.list_all_tools().await.map_err(text).map(|list| json!(list));
    let resources = session.list_all_resources().await.map_err(text).map(|list| json!(list));
    let templates = session.list_all_resource_templates().await.map_err(text).map(|list| json!(list));
    let prompts = session.list_all_prompts().await.map_err(text).map(|list| json!(list));
    has(tools, "\"test_simple_text\"")?;
    has(resources, "\"test://static-text\"")?;
    has(templates, "\"test://template/{id}/data\"")?;
    has(prompts, "\"test_simple_prompt\"")
}

async fn progress(session: &Session, seen: &Seen) -> Result<(), String> {
    call(session, "test_tool_with_progress", json!({})).await?;
    let seen = seen.progress.lock().map_err(|error| error.to_string())?.clone();
    if seen.len() < 2 || seen.windows(2).any(|pair| pair[1] < pair[0]) {
        return Err(format!("{seen:?}"));
    }
    Ok(())
}

async fn prompt(session: &Session) -> Result<(), String> {
    let params = GetPromptRequestParams::new("test_prompt_with_arguments")
        .with_arguments(object(json!({"arg1": "one", "arg2": "two"})));
    let answer = session.get_prompt(params).await.map_err(|error| error.to_string());
    let answer = answer.map(|answer| json!(answer));
    says(answer.clone(), "one").and_then(|()| says(answer, "two"))
}

async fn call(session: &Session, tool: &'static str, arguments: Value) -> Result<Value, String> {
    let params = CallToolRequestParams::new(tool).with_arguments(object(arguments));
    session.call_tool(params).await.map(|answer| json!(answer)).map_err(|error| error.to_string())
}

async fn read(session: &Session, uri: &str) -> Result<Value, String> {
    let answer = session.read_resource(ReadResourceRequestParams::new(uri)).await;
    answer.map(|answer| json!(answer)).map_err(|error| error.to_string())
}

fn object(value: Value) -> JsonObject {
    value.as_object().cloned().unwrap_or_default()
}

fn once(count: &AtomicUsize) -> Result<(), String> {
    match count.load(Ordering::SeqCst) {
        1 => Ok(()),
        other => Err(format!("asked {other} times")),
    }
}

/// Whether an answer holds a text.
fn says(answer: Result<Value, String>, wanted: &str) -> Result<(), String> {
    let answer = answer?.to_string();
    if answer.contains(wanted) { Ok(()) } else { Err(answer) }
}
