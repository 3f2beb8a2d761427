//! Running a server on a transport.
//!
//! Owns: what entry points do beside: signals, exit codes, words for a terminal. Must not know:
//! how bytes travel.

use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use mcpbolt_proto::protocol::Error;

use crate::handler::TransportKind;
#[cfg(feature = "http-server")]
use crate::observe::events::{Deprecated, deprecated};
use crate::transport::custom::{self, Transport};
use crate::transport::signals::ShutdownSignals;
use crate::transport::stdio_server::{StdioEnd, StdioServer};
#[cfg(feature = "http-server")]
use crate::transport::streamable_http::server::{self as http, HttpOptions, HttpServer, HttpService};

use super::Server;

/// Why a server could not run.
///
/// ```
/// use mcpbolt::server::{RunError, Server};
///
/// async fn run(server: Server) {
///     match server.serve_stdio().await {
///         Ok(end) => eprintln!("ended: {end:?}"),
///         Err(RunError::Io(error)) => eprintln!("stdin or stdout cannot be used: {error}"),
///         Err(error) => eprintln!("{error}"),
///     }
/// }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// stdin or stdout is closed or taken, or an address is in use.
    #[error("the transport cannot be used: {0}")]
    Io(#[from] io::Error),
    /// The transport failed.
    #[error(transparent)]
    Failed(#[from] Error),
}

/// For people who start in a terminal what a client is to start.
const BY_HAND: &str = "An MCP server waits here for a client to write to its standard input. To try it, \
    give its command to the MCP Inspector (npx @modelcontextprotocol/inspector COMMAND); \
    to reach it over HTTP, serve with run_http. Ctrl-C ends it.";

impl Server {
    /// Starts serving stdin and stdout and returns at once. Signals are left alone.
    ///
    /// # Errors
    /// When stdin or stdout is closed or already in use.
    pub fn start_stdio(&self) -> io::Result<StdioServer> {
        StdioServer::start(&self.engine, &self.handler)
    }

    /// Serves stdin and stdout until the client closes them.
    pub async fn serve_stdio(&self) -> Result<StdioEnd, RunError> {
        let server = self.start_stdio()?;
        Ok(server.wait().await)
    }

    /// Serves stdin and stdout until the client closes them, Ctrl-C, SIGTERM or SIGHUP, and
    /// returns the exit code for the process: 0, 129, 130 or 143. For `main`: it takes over
    /// the process's signals, and needs no runtime unless handlers do. Started by hand in a
    /// terminal, it says on stderr what it waits for; [`Server::start_stdio`] does not.
    ///
    /// # Errors
    /// When stdin or stdout is closed or already in use, or signals cannot be watched.
    pub fn run_stdio(&self) -> io::Result<i32> {
        // Asked before stdin is taken.
        let by_hand = io::stdin().is_terminal();
        let server = self.start_stdio()?;
        if by_hand {
            eprintln!("{BY_HAND}");
        }
        let code = Arc::new(AtomicI32::new(0));
        let signals = {
            let (close, code) = (server.closer(), Arc::clone(&code));
            ShutdownSignals::install(move |signal| {
                code.store(signal.exit_code().into(), Ordering::SeqCst);
                close();
            })?
        };
        server.wait_blocking();
        server.close();
        drop(signals);
        Ok(code.load(Ordering::SeqCst))
    }

    /// Serves HTTP on an address, for example `127.0.0.1:3000`, in the background on the
    /// caller's runtime: every revision at `/mcp`, and HTTP+SSE if the options say so.
    ///
    /// # Errors
    /// When the address cannot be bound, or for paths that
    /// [`HttpOptions::check_paths`] refuses.
    #[cfg(feature = "http-server")]
    pub async fn serve_http(
        &self,
        address: impl tokio::net::ToSocketAddrs,
        options: HttpOptions,
    ) -> io::Result<HttpServer> {
        note(&options);
        http::bind(address, &self.engine, &self.handler, options).await
    }

    /// The server as a `tower::Service`, to be mounted in a web framework.
    #[cfg(feature = "http-server")]
    pub fn http_service(&self, options: HttpOptions) -> HttpService {
        note(&options);
        HttpService::new(&self.engine, &self.handler, options)
    }

    /// Serves HTTP until Ctrl-C, SIGTERM or SIGHUP, lets calls finish, and returns the exit code
    /// for the process: 129, 130 or 143. For `main`: it takes over the process's signals. Says on
    /// stderr what it waits for; a second signal ends it at once.
    ///
    /// # Errors
    /// When the address cannot be bound or signals cannot be watched.
    #[cfg(feature = "http-server")]
    pub async fn run_http(
        &self,
        address: impl tokio::net::ToSocketAddrs,
        options: HttpOptions,
    ) -> io::Result<i32> {
        let server = self.serve_http(address, options).await?;
        tracing::info!(target: "mcpbolt::transport", address = %server.local_addr(), "listening");
        let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
        let signals = ShutdownSignals::install(move |signal| {
            let _ = tell.send(signal.exit_code());
        })?;
        let code = told.recv().await.unwrap_or(0);
        let calls = self.engine.stats().snapshot().in_flight;
        let delay = server.service().options().shutdown_delay;
        if !delay.is_zero() {
            eprintln!(
                "Stopping: serving on for {delay:?}, until balancers notice. Ctrl-C again ends at once."
            );
        }
        if calls > 0 {
            let (drain, s) = (server.service().options().drain, if calls == 1 { "" } else { "s" });
            eprintln!("Stopping: up to {drain:?} for {calls} call{s} to end. Ctrl-C again ends at once.");
        }
        tokio::select! {
            () = server.shutdown() => {}
            // Dropped, it closes everything.
            _ = told.recv() => {}
        }
        drop(signals);
        Ok(code.into())
    }

    /// Serves one connection on a transport of the program's own, until it ends.
    pub async fn serve(&self, transport: Arc<dyn Transport>) {
        custom::serve(&self.engine, &self.handler, transport, TransportKind::Custom).await;
    }
}

#[cfg(feature = "http-server")]
fn note(options: &HttpOptions) {
    if options.legacy_sse.is_some() {
        deprecated(Deprecated::HttpSse);
    }
}
