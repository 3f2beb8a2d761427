//! The contestant of ours: an echo server as its users would write it.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use mcpbolt::server::ServerBuilder;
use mcpbolt::transport::streamable_http::server::Verifier;
use mcpbolt_bench::ours::{self, Equipment};

/// Nothing.
struct Bare;

impl Equipment for Bare {
    fn stores(&self, _: ServerBuilder, _: &str) -> io::Result<ServerBuilder> {
        Err(elsewhere())
    }

    fn tokens(&self, _: &str, _: String) -> io::Result<Arc<dyn Verifier>> {
        Err(elsewhere())
    }
}

fn elsewhere() -> io::Error {
    io::Error::other("mcpbolt-equipped-server has stores and tokens")
}

fn main() -> ExitCode {
    ours::main(&Bare)
}
