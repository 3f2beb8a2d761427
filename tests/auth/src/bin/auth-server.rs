//! A server that wants tokens of one issuer: `auth-server PORT ISSUER jwt|opaque|dpop`.
//!
//! Owns: two tools, one of which needs a scope of its own. Must not know: which issuer it is.
//! `opaque` asks the issuer about each token, with the id and secret in `RESOURCE_SERVER_ID`
//! and `RESOURCE_SERVER_SECRET`.

#![allow(clippy::print_stdout, reason = "its lines are what the test reads")]

use std::sync::Arc;
use std::time::Duration;

use mcpbolt::auth::{Dpop, Introspection, ResourceServer, ResourceServerBuilder};
use mcpbolt::seal::Sealer;
use mcpbolt::server::{Bounded, Context, Server};
use mcpbolt::transport::streamable_http::server::HttpOptions;
use schemars::JsonSchema;
use serde::Deserialize;

#[derive(Deserialize, JsonSchema)]
struct Nothing {}

type Failure = Box<dyn std::error::Error>;

fn how(tokens: ResourceServerBuilder, mode: &str) -> Result<ResourceServerBuilder, Failure> {
    Ok(match mode {
        "jwt" => tokens,
        "opaque" => {
            let (id, secret) =
                (std::env::var("RESOURCE_SERVER_ID")?, std::env::var("RESOURCE_SERVER_SECRET")?);
            tokens.introspection(Introspection::new(id, secret).remember(Duration::ZERO))
        }
        "dpop" => tokens.dpop(Dpop::new().required(true).nonces(Sealer::new_random())),
        other => return Err(format!("{other}: say jwt, opaque or dpop").into()),
    })
}

fn server() -> Result<Server, Failure> {
    let whoami = |_: Nothing, context: Context| async move {
        let principal = context.principal();
        let scopes = principal.token().map(|token| token.scopes.to_string()).unwrap_or_default();
        format!("{} may {scopes}", principal.id().unwrap_or("nobody"))
    };
    let server = Server::builder("files", "1.0.0")
        .tool("whoami", "Who asks, and what the token is good for", whoami)
        .tool("write", "Writes", |_: Nothing, _: Context| async { "written" })
        .scopes(Bounded::tool("write"), ["files:read", "files:write"])?
        .build();
    Ok(server)
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    mcpbolt_auth_peers::log();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [port, issuer, mode] = &arguments[..] else {
        return Err("say auth-server PORT ISSUER jwt|opaque|dpop".into());
    };
    let resource = format!("http://127.0.0.1:{port}/mcp");
    let tokens = ResourceServer::builder(resource, [issuer.as_str()]).scopes(["files:read"]);
    let tokens = how(tokens, mode)?.build()?;
    let options = HttpOptions { verify: Some(Arc::new(tokens)), ..HttpOptions::default() };
    let address = format!("127.0.0.1:{port}");
    let serving = server()?.serve_http(address.as_str(), options).await?;
    println!("serving http://{}/mcp", serving.local_addr());
    std::future::pending().await
}
