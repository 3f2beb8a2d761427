//! Our echo server where it has a store that nodes share, or checks tokens.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use mcpbolt::auth::ResourceServer;
use mcpbolt::server::ServerBuilder;
use mcpbolt::transport::streamable_http::server::Verifier;
use mcpbolt_bench::ours::{self, Equipment};

/// Stores and tokens.
struct Equipped;

impl Equipment for Equipped {
    fn stores(&self, builder: ServerBuilder, stores: &str) -> io::Result<ServerBuilder> {
        Ok(builder.stores(stores))
    }

    fn tokens(&self, issuer: &str, resource: String) -> io::Result<Arc<dyn Verifier>> {
        let tokens = ResourceServer::builder(resource, [issuer]).scopes(["notes"]);
        Ok(Arc::new(tokens.build().map_err(io::Error::other)?))
    }
}

fn main() -> ExitCode {
    ours::main(&Equipped)
}
