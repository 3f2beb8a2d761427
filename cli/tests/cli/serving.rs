//! Servers in this process, over HTTP on loopback, so that tests see what arrives.

use std::sync::mpsc;
use std::time::Duration;

use mcpbolt::RawJson;
use mcpbolt::server::{Context, Server, ServerBuilder};
use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpServer};
use mcpbolt::types::CallToolResult;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::program::BOUND;

/// A server and what its tools told.
pub(crate) struct Serving {
    pub(crate) url: String,
    pub(crate) server: Server,
    told: mpsc::Receiver<String>,
    _http: HttpServer,
    _runtime: Runtime,
}

/// Tells of the end of a call, which is when its future is dropped.
struct Tell(mpsc::Sender<String>);

impl Drop for Tell {
    fn drop(&mut self) {
        let _ = self.0.send("slow was cancelled".to_owned());
    }
}

impl Serving {
    /// A server with tools that tell when they run: `slow` waits until it is cancelled,
    /// `shape` gives back its arguments.
    pub(crate) fn start(more: impl FnOnce(ServerBuilder) -> ServerBuilder) -> Self {
        let (tell, told) = mpsc::channel();
        let builder = Server::builder("tests", "1.0").instructions("For tests.");
        let server = more(builder.raw_tool(slow_tool(), move |_: Value, ctx: Context| {
            let told = Tell(tell.clone());
            async move {
                let _ = told.0.send("slow began".to_owned());
                ctx.progress(1.0, Some(4.0), Some("working")).await;
                ctx.cancelled().await;
                drop(told);
                "cancelled"
            }
        }))
        .build();
        Self::of(server, told)
    }

    /// A server, and where its tools tell something.
    pub(crate) fn of(server: Server, told: mpsc::Receiver<String>) -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let options = HttpOptions::default();
        let http = runtime.block_on(server.serve_http("127.0.0.1:0", options)).expect("a free port");
        let url = format!("http://{}/mcp", http.local_addr());
        Self { url, server, told, _http: http, _runtime: runtime }
    }

    /// Waits for what a tool tells next.
    pub(crate) fn told(&self) -> String {
        self.told.recv_timeout(BOUND).expect("a tool tells something")
    }

    /// What a tool told, if it comes in this time.
    pub(crate) fn told_within(&self, time: Duration) -> Option<String> {
        self.told.recv_timeout(time).ok()
    }
}

fn slow_tool() -> mcpbolt::types::Tool {
    mcpbolt::types::Tool::new("slow", json!({"type": "object"})).description("Waits until it is cancelled")
}

/// A tool that gives back its arguments.
pub(crate) fn shape(builder: ServerBuilder) -> ServerBuilder {
    let schema = json!({"type": "object", "required": ["n"], "additionalProperties": false, "properties": {
        "n": {"type": "integer", "minimum": 1, "description": "A number"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "user": {"type": "object", "properties": {"age": {"type": "integer"}}},
        "on": {"type": "boolean", "default": false},
    }});
    let tool = mcpbolt::types::Tool::new("shape", schema).description("Gives back its arguments");
    builder.raw_tool(tool, |given: Value, _: Context| async move { given.to_string() })
}

/// A tool that gives back the very text of its arguments, which may be anything.
pub(crate) fn raw(builder: ServerBuilder) -> ServerBuilder {
    let tool = mcpbolt::types::Tool::new("raw", json!({"type": "object"}));
    builder.raw_tool(tool, |given: RawJson, _: Context| async move { CallToolResult::structured(given) })
}
