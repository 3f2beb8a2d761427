//! What the examples share: the command line, logging, running.
//!
//! Every server takes `--http HOST:PORT` and otherwise serves stdio; every client takes
//! a URL, or `-- COMMAND ARGS`, last:
//!
//! ```sh
//! cargo run --release -p mcpbolt-examples --bin everything-server -- --http 127.0.0.1:3000
//! cargo run --release -p mcpbolt-examples --bin everything-client -- http://127.0.0.1:3000/mcp
//! ```

mod answers;
mod reach;

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

use mcpbolt::server::Server;
use mcpbolt::transport::streamable_http::server::{HttpOptions, LegacyPaths};
use tracing_subscriber::EnvFilter;

pub use answers::{fill_in, text_of};
pub use reach::{Reach, command, sse};

/// Where a server is reached.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Listen {
    /// Serve HTTP on this address: the MCP endpoint at /mcp, HTTP+SSE of 2024-11-05 at
    /// /sse. Without it the server speaks over stdin and stdout.
    #[arg(long, value_name = "HOST:PORT")]
    pub http: Option<String>,
}

/// Serves until the client leaves (stdio), Ctrl-C or SIGTERM. `server` is called once,
/// inside the runtime that will run the handlers.
pub fn serve(listen: &Listen, server: impl FnOnce() -> Server) -> ExitCode {
    log_to_stderr();
    match run(listen, server) {
        Ok(code) => u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from),
        Err(error) => {
            let place = listen.http.as_deref().unwrap_or("stdio");
            eprintln!("cannot serve {place}: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(listen: &Listen, server: impl FnOnce() -> Server) -> io::Result<i32> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let _inside = runtime.enter();
    let server = server();
    match &listen.http {
        Some(address) => {
            let options = HttpOptions { legacy_sse: Some(LegacyPaths::default()), ..HttpOptions::default() };
            runtime.block_on(server.run_http(address.as_str(), options))
        }
        None => server.run_stdio(),
    }
}

/// Logs to stderr, because stdout belongs to the protocol. `RUST_LOG` chooses what;
/// without it warnings, and where a server listens.
pub fn log_to_stderr() {
    let default = EnvFilter::new("warn,mcpbolt::transport=info");
    let filter = EnvFilter::try_from_default_env().unwrap_or(default);
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    // Fails only if the program has set up logging before; then that stays.
    let _ = subscriber.try_init();
}
