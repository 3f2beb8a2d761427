//! How one call is made: its deadlines, its metadata, and who hears of its progress.
//!
//! Owns: the options of the public API. Must not know: how a request is sent.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;

use mcpbolt_proto::protocol::meta::{self, Meta};
use mcpbolt_proto::protocol::types::{LoggingLevel, ProgressParams};
use mcpbolt_proto::session::client::RequestOptions;

use crate::transport::client_connection::{Hooks, ProgressFn};

/// How one call is made.
///
/// ```
/// use std::time::Duration;
/// use mcpbolt::client::CallOptions;
///
/// let options = CallOptions::new()
///     .timeout(Duration::from_secs(5))
///     .on_progress(|progress| println!("{}", progress.progress));
/// # let _ = options;
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct CallOptions {
    pub(super) request: RequestOptions,
    pub(super) progress: Option<ProgressFn>,
    pub(super) fresh: bool,
    pub(super) meta: Meta,
    pub(super) unresolved: bool,
}

impl CallOptions {
    /// The client's defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the longest time without an answer or progress.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.request.timeout = Some(timeout);
        self
    }

    /// Sets the longest time in all.
    pub fn max(mut self, max: Duration) -> Self {
        self.request.max = Some(max);
        self
    }

    /// Hears of progress.
    pub fn on_progress(mut self, hook: impl Fn(ProgressParams) + Send + Sync + 'static) -> Self {
        self.request.progress = true;
        self.progress = Some(Arc::new(move |params| {
            if let Ok(progress) = params.decode() {
                hook(progress);
            }
        }));
        self
    }

    /// Asks for log messages of this level and above (modern era; the legacy one has
    /// [`ClientSession::set_log_level`](super::ClientSession::set_log_level)).
    pub fn log_level(mut self, level: LoggingLevel) -> Self {
        self.request.log_level = Some(level);
        self
    }

    /// Says whether repeating the call can do no harm. It is then sent again where a connection was
    /// lost before the answer, and over HTTP where a gateway had no node for it (502, 503, 504), four
    /// times at most. Default: lists, reads, `prompts/get`, completion and `ping` may be repeated, and
    /// calls of tools that were listed with `readOnlyHint` or `idempotentHint`; no other call may.
    pub fn repeatable(mut self, repeatable: bool) -> Self {
        self.request.repeatable = Some(repeatable);
        self
    }

    /// Adds a member to the call's `_meta`, for extensions. Keys of the protocol's own are
    /// set by the engine whatever is given here.
    pub fn meta(mut self, key: &str, value: &(impl Serialize + ?Sized)) -> Self {
        self.meta = self.meta.with(key, value);
        self
    }

    /// Sends W3C trace context along, as it is. `tracestate` may be empty.
    pub fn trace_context(self, traceparent: &str, tracestate: &str) -> Self {
        let this = self.meta(meta::TRACEPARENT, traceparent);
        if tracestate.is_empty() { this } else { this.meta(meta::TRACESTATE, tracestate) }
    }

    /// Asks the server even if a kept result is still good.
    pub fn fresh(mut self) -> Self {
        self.fresh = true;
        self
    }

    /// Has a result of an extension's returned as it came, for
    /// [`ClientSession::request_raw_with`](super::ClientSession::request_raw_with).
    pub fn unresolved(mut self) -> Self {
        self.unresolved = true;
        self
    }

    pub(super) fn hooks(&self) -> Hooks {
        Hooks { progress: self.progress.clone(), notes: None }
    }
}

impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOptions").field("request", &self.request).finish_non_exhaustive()
    }
}
