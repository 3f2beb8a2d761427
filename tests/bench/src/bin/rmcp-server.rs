//! The peer: the same echo server on the official Rust SDK.
//!
//! Its HTTP service does not set `TCP_NODELAY` and leaves sockets to the web framework;
//! here they get it, as ours do. On stdio it uses the faster of its two transports.

use std::sync::Arc;

use axum::serve::ListenerExt as _;
use clap::Parser;
use mcpbolt_bench::ask::WAIT;
use mcpbolt_bench::long::LINE;
use mcpbolt_bench::server::{MAX_BODY, ServerArgs, TOOL_SCHEMA, tool_description, tool_name};
use rmcp::handler::server::router::tool::{ToolRoute, ToolRouter};
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    CallToolResponse, CallToolResult, ContentBlock, CreateTaskResult, GetTaskParams, GetTaskResult,
    JsonObject, ServerCapabilities, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::task_manager::{TaskManager, TaskOptions};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ServerHandler, ServiceExt as _, schemars, tool, tool_handler, tool_router};

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Echo {
    /// What to say.
    text: String,
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Repeat {
    /// How often.
    lines: usize,
}

#[derive(Clone)]
struct EchoServer {
    tool_router: ToolRouter<Self>,
    tasks: Option<TaskManager>,
    /// Whether clients may listen.
    heard: bool,
}

#[tool_router]
impl EchoServer {
    #[tool(description = "Says what it was told.")]
    async fn echo(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text
    }

    #[tool(description = "How many characters a text has.")]
    async fn count(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text.chars().count().to_string()
    }

    #[tool(description = "Says a line so many times.")]
    async fn repeat(&self, Parameters(Repeat { lines }): Parameters<Repeat>) -> String {
        LINE.repeat(lines)
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for EchoServer {
    fn get_info(&self) -> ServerConfig {
        let with_tools = ServerCapabilities::builder().enable_tools();
        if self.heard {
            return ServerConfig::new(with_tools.enable_tool_list_changed().build());
        }
        ServerConfig::new(match self.tasks {
            Some(_) => with_tools.enable_tasks().build(),
            None => with_tools.build(),
        })
    }

    fn accepted_subscription_filter(&self, asked: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        self.heard.then(|| asked.clone())
    }

    async fn get_task(
        &self,
        request: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, rmcp::ErrorData> {
        let none = || rmcp::ErrorData::invalid_params("no tasks", None);
        Ok(GetTaskResult::new(self.tasks.as_ref().ok_or_else(none)?.get_task(&request.task_id)?))
    }
}

/// A tool that becomes a task and never ends.
fn wait(tasks: TaskManager) -> ToolRoute<EchoServer> {
    ToolRoute::new_dyn(Tool::new(WAIT, "Waits", Arc::new(JsonObject::new())), move |_| {
        let task = tasks.spawn(TaskOptions::new(), |_| Box::pin(std::future::pending()));
        Box::pin(async move { Ok(CallToolResponse::Task(CreateTaskResult::new(task))) })
    })
}

impl EchoServer {
    fn new(args: &ServerArgs) -> Self {
        let mut router = Self::tool_router();
        if !args.large {
            router.remove_route("count");
            router.remove_route("repeat");
        }
        let tasks = args.tasks.then(TaskManager::new);
        if let Some(tasks) = &tasks {
            router.add_route(wait(tasks.clone()));
        }
        for n in 0..args.tools {
            let schema: JsonObject = serde_json::from_str(TOOL_SCHEMA).expect("the schema is JSON");
            let tool = Tool::new(tool_name(n), tool_description(n), Arc::new(schema));
            router.add_route(ToolRoute::new_dyn(tool, |context| {
                let given = serde_json::to_string(&context.arguments).unwrap_or_default();
                Box::pin(async move { Ok(CallToolResult::success(vec![ContentBlock::text(given)]).into()) })
            }));
        }
        Self { tool_router: router, tasks, heard: args.crowd.is_some() }
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = ServerArgs::parse();
    let server = EchoServer::new(&args);
    let Some(address) = args.http else {
        server.serve(rmcp::transport::stdio_pipes()).await?.waiting().await?;
        return Ok(());
    };
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(!args.stateless)
        .with_json_response(args.stateless)
        .with_max_request_body_bytes(MAX_BODY);
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    let listener = tokio::net::TcpListener::bind(address).await?.tap_io(|socket| {
        let _ = socket.set_nodelay(true);
    });
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
