//! What one request wants to hear.
//!
//! Owns: the functions, and nothing else. Must not know: when they are called.

use std::fmt;
use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::client::Answered;

pub use crate::handler::ProgressFn;

/// Called with method and params of each notification on one listen stream.
pub type NoteFn = Arc<dyn Fn(&str, Option<&RawJson>) + Send + Sync>;

/// What one request wants to hear while it waits.
///
/// ```
/// use std::sync::Arc;
///
/// use mcpbolt::transport::client_connection::Hooks;
///
/// let hooks = Hooks { progress: Some(Arc::new(|params| eprintln!("{}", params.as_str()))), ..Hooks::default() };
/// assert!(hooks.notes.is_none());
/// ```
#[derive(Clone, Default)]
pub struct Hooks {
    /// Progress.
    pub progress: Option<ProgressFn>,
    /// Notifications of its listen stream.
    pub notes: Option<NoteFn>,
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hooks(progress: {}, notes: {})", self.progress.is_some(), self.notes.is_some())
    }
}

/// Takes the answer of one request. Called without any lock; must not block.
pub type ReplyFn = Box<dyn FnOnce(Result<Answered, Error>) + Send>;
