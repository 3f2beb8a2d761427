//! May this program be started?
//!
//! Owns: what is shown of a program before it is started. Must not know: how a program is
//! started.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use crate::handler::BoxFuture;

/// A server program that is about to be started, for a person to agree to. It is started
/// directly, never through a shell.
///
/// ```
/// use mcpbolt::client::Client;
///
/// let client = Client::builder("example", "1.0")
///     .review_start(|start| async move {
///         println!("{:?} with {} arguments", start.program, start.args.len());
///         start.program == "trusted-server"
///     })
///     .build();
/// # let _ = client;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartRequest {
    /// The program, as configured.
    pub program: OsString,
    /// Its arguments: show all of them.
    pub args: Vec<OsString>,
    /// Names of the environment variables set for it.
    pub env: Vec<OsString>,
    /// Where it runs; our own directory when absent.
    pub cwd: Option<PathBuf>,
}

pub(super) type StartReviewer = Arc<dyn Fn(StartRequest) -> BoxFuture<'static, bool> + Send + Sync>;
