//! Running a server on a transport.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use mcpbolt_proto::protocol::Error;

use crate::handler::TransportKind;
use crate::transport::custom::{self, Transport};
use crate::transport::signals::ShutdownSignals;
use crate::transport::stdio_server::{StdioEnd, StdioServer};

use super::Server;

/// Why a server could not run.
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

    /// Serves stdin and stdout until the client closes them, Ctrl-C or SIGTERM, and
    /// returns the exit code for the process: 0, 130 or 143. For `main`: it takes over
    /// the process's signals, and needs no runtime unless handlers do.
    ///
    /// # Errors
    /// When stdin or stdout is closed or already in use, or signals cannot be watched.
    pub fn run_stdio(&self) -> io::Result<i32> {
        let server = self.start_stdio()?;
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

    /// Serves one connection on a transport of the program's own, until it ends.
    pub async fn serve(&self, transport: Arc<dyn Transport>) {
        custom::serve(&self.engine, &self.handler, transport, TransportKind::Custom).await;
    }
}
