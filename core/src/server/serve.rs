//! Running a server on a transport.

use std::io;
use std::sync::Arc;

use mcpbolt_proto::protocol::Error;

use crate::handler::TransportKind;
use crate::transport::custom::{self, Transport};
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

    /// Serves one connection on a transport of the program's own, until it ends.
    pub async fn serve(&self, transport: Arc<dyn Transport>) {
        custom::serve(&self.engine, &self.handler, transport, TransportKind::Custom).await;
    }
}
