//! How a client is asked something: for how long, and who hears of progress.
//!
//! Owns: patience and progress of one question. Must not know: what is asked.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::outgoing::Patience;

/// Hears the params of each progress notification on a request.
pub type ProgressFn = Arc<dyn Fn(&RawJson) + Send + Sync>;

/// Takes the client's answer to a request of ours.
pub type ReplyFn = Box<dyn FnOnce(Result<RawJson, Error>) + Send>;

/// How the client is asked something.
///
/// ```
/// use mcpbolt::handler::{AskPlan, Call};
/// use std::sync::Arc;
///
/// async fn roots(call: &Arc<Call>) -> Result<(), mcpbolt::Error> {
///     let progress = Arc::new(|params: &mcpbolt::RawJson| println!("{}", params.as_str()));
///     let plan = AskPlan { progress: Some(progress), ..AskPlan::default() };
///     call.ask_with("roots/list", None, plan).await.map(drop)
/// }
/// ```
#[derive(Clone, Default)]
pub struct AskPlan {
    /// How long it may take; the session's patience when absent.
    pub patience: Option<Patience>,
    /// Hears of progress, and has the client asked for it. On the modern era a question
    /// travels in a result and has no progress.
    pub progress: Option<ProgressFn>,
    /// The key that the question should have where it becomes one of a task's.
    pub key: Option<String>,
}

impl From<Option<Patience>> for AskPlan {
    fn from(patience: Option<Patience>) -> Self {
        Self { patience, ..Self::default() }
    }
}

impl std::fmt::Debug for AskPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { patience, progress, .. } = self;
        f.debug_struct("AskPlan").field("patience", patience).field("progress", &progress.is_some()).finish()
    }
}
