//! How a client is asked something: for how long, and who hears of progress.
//!
//! Owns: patience and progress of one question. Must not know: what is asked.

use std::sync::Arc;
use std::time::Duration;

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
    /// How long it may take without an answer or progress, `Duration::MAX` for no limit; what the
    /// session has when absent.
    pub timeout: Option<Duration>,
    /// How long it may take in all, whatever progress says; what the session has when absent.
    pub max: Option<Duration>,
    /// Whether the timeout, this one or the session's, is the longest time in all, whatever
    /// progress says.
    pub fixed: bool,
    /// Hears of progress, and has the client asked for it. On the modern era a question
    /// travels in a result and has no progress.
    pub progress: Option<ProgressFn>,
    /// The key that the question should have where it becomes one of a task's.
    pub key: Option<String>,
}

impl From<Option<Patience>> for AskPlan {
    fn from(patience: Option<Patience>) -> Self {
        let (timeout, max) = patience.map(|patience| (patience.timeout, patience.max)).unzip();
        Self { timeout, max, ..Self::default() }
    }
}

impl std::fmt::Debug for AskPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AskPlan")
            .field("timeout", &self.timeout)
            .field("max", &self.max)
            .field("fixed", &self.fixed)
            .field("progress", &self.progress.is_some())
            .finish_non_exhaustive()
    }
}
