//! The server that trusts the issuer, and requests to it.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::auth::{ResourceServer, ResourceServerBuilder};
use mcpbolt::server::{Bounded, Context, Server};
use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpServer, LegacyPaths};
use reqwest::header::AUTHORIZATION;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::issuer::Issuer;

/// The server's name at its clients, wherever it listens.
pub(crate) const RESOURCE: &str = "https://mcp.example.com/mcp";
pub(crate) const METADATA: &str = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

pub(crate) struct World {
    pub(crate) http: HttpServer,
    pub(crate) client: reqwest::Client,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Seen {
    pub(crate) status: u16,
    pub(crate) challenge: String,
    pub(crate) session: Option<String>,
    pub(crate) nonce: Option<String>,
    pub(crate) body: String,
}

impl World {
    /// A server with the tools `whoami`, `write` and `purge`, of which the last two need scopes.
    pub(crate) async fn start(
        issuer: &Issuer,
        change: impl FnOnce(ResourceServerBuilder) -> ResourceServerBuilder,
    ) -> Self {
        let tokens = change(ResourceServer::builder(RESOURCE, [issuer.url.as_str()]));
        Self::with(tokens.build().unwrap()).await
    }

    pub(crate) async fn with(tokens: ResourceServer) -> Self {
        let whoami = |_: Nothing, context: Context| async move {
            let principal = context.principal();
            let scopes = principal.token().map(|token| token.scopes.to_string()).unwrap_or_default();
            format!("{}: {scopes}", principal.id().unwrap_or("nobody"))
        };
        let server = Server::builder("files", "1")
            .tool("whoami", "Who asks", whoami)
            .tool("write", "Writes", |_: Nothing, _: Context| async { "written" })
            .tool("purge", "Deletes", |_: Nothing, _: Context| async { "purged" })
            .scopes(Bounded::tool("write"), ["files:read", "files:write"])
            .and_then(|server| server.scopes(Bounded::tool("purge"), ["admin", "offline_access"]))
            .unwrap()
            .build();
        let options = HttpOptions {
            verify: Some(Arc::new(tokens)),
            legacy_sse: Some(LegacyPaths::default()),
            cors: true,
            ..HttpOptions::default()
        };
        let http = server.serve_http("127.0.0.1:0", options).await.unwrap();
        // reqwest as this package has it brings no cryptography of its own.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder().no_proxy().timeout(Duration::from_secs(40)).build().unwrap();
        Self { http, client }
    }

    pub(crate) fn at(&self, path: &str) -> String {
        format!("http://{}{path}", self.http.local_addr())
    }

    /// POSTs a message of 2026-07-28 with this `Authorization`.
    pub(crate) async fn post(&self, authorization: Option<&str>, message: &Value) -> Seen {
        self.post_to("/mcp", authorization, message, &[]).await
    }

    pub(crate) async fn post_to(
        &self,
        path: &str,
        authorization: Option<&str>,
        message: &Value,
        headers: &[(&str, &str)],
    ) -> Seen {
        let method = message["method"].as_str().unwrap_or_default();
        let mut request = self
            .client
            .post(self.at(path))
            .header("accept", "application/json, text/event-stream")
            .header("content-type", "application/json")
            .body(message.to_string());
        if message["params"]["_meta"].is_object() {
            request = request.header("mcp-protocol-version", "2026-07-28").header("mcp-method", method);
            if let Some(name) = message["params"]["name"].as_str() {
                request = request.header("mcp-name", name);
            }
        }
        if let Some(value) = authorization {
            request = request.header(AUTHORIZATION, value);
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = request.send().await.unwrap();
        let header =
            |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let (status, session) = (answer.status().as_u16(), header("mcp-session-id"));
        let nonce = header("dpop-nonce");
        let challenge = header("www-authenticate").unwrap_or_default();
        Seen { status, challenge, session, nonce, body: answer.text().await.unwrap() }
    }

    /// Calls a tool with a token.
    pub(crate) async fn call(&self, token: &str, tool: &str) -> Seen {
        self.post(Some(&format!("Bearer {token}")), &call(tool)).await
    }
}

/// A call of 2026-07-28.
pub(crate) fn call(tool: &str) -> Value {
    modern("tools/call", &json!({"name": tool, "arguments": {}}))
}

pub(crate) fn modern(method: &str, params: &Value) -> Value {
    let mut params = params.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
}

pub(crate) fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"},
    }})
}
