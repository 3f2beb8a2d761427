//! What a program may ask of the guard rails.
//!
//! Owns: the options and their documentation. Must not know: how any of them is held.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::policy::rate::RateRule;

use super::authorize::Authorize;

/// Guard rails of a server. All off by default.
///
/// ```
/// use mcpbolt::handler::{EngineOptions, GuardRailOptions};
/// use mcpbolt::policy::rate::{Per, RateRule};
/// use std::time::Duration;
///
/// let rails = GuardRailOptions {
///     rate_limit: vec![RateRule::new(["tools/call"], Per::Session, 5.0, 20)?],
///     timeout: Some(Duration::from_secs(30)),
///     max_concurrency: Some(100),
///     authorize: None,
/// };
/// let options = EngineOptions { rails, ..EngineOptions::default() };
/// # let _ = options;
/// # Ok::<(), mcpbolt::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct GuardRailOptions {
    /// Token buckets; a request must pass all that concern it.
    pub rate_limit: Vec<RateRule>,
    /// Longest run of a call; instead of the limit `handler_timeout`.
    pub timeout: Option<Duration>,
    /// Most calls of tools, resources, prompts, completions and methods of the program's
    /// own at once. Beyond it they fail with `Overloaded`.
    pub max_concurrency: Option<usize>,
    /// Who decides what a client may do and see.
    pub authorize: Option<Arc<dyn Authorize>>,
}

impl fmt::Debug for GuardRailOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GuardRailOptions")
            .field("rate_limit", &self.rate_limit)
            .field("timeout", &self.timeout)
            .field("max_concurrency", &self.max_concurrency)
            .field("authorize", &self.authorize.is_some())
            .finish()
    }
}
