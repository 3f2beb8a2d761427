//! Options about what leaves a server: its answers, the words of its failures, and the
//! audit of both.
//!
//! Owns: their names on the builder. Must not know: how they are done, which is the
//! engine's (`handler`).

use std::sync::Arc;

use mcpbolt_proto::policy::detail::ErrorDetail;

use crate::handler::{InternalError, Sanitizer};
use crate::observe::Audit;

use super::builder::ServerBuilder;

impl ServerBuilder {
    /// Tells an audit of every request: those that handlers answer, and those that are
    /// refused before. What HTTP turns away before there is a request (401, 404, 429 and so
    /// on) is an event of `mcpbolt::security` instead. Calls never wait for the audit.
    pub fn audit(mut self, audit: Audit) -> Self {
        self.engine.audit = Some(audit);
        self
    }

    /// Sets what clients learn of failures whose words were not meant for them: errors of other
    /// libraries that a handler returned by `?`, `-32603` and the like. By default they
    /// read "internal error (id …)", and the log has the same id. Paths and stack traces
    /// never leave. [`Failure::tool`](super::Failure::tool) and errors about the request
    /// are written for clients and always leave as they are.
    pub fn error_detail(mut self, detail: ErrorDetail) -> Self {
        self.engine.outlet.error_detail = detail;
        self
    }

    /// Hears the words of failures that were masked, under the id that the client was
    /// told. They may quote what a request held, so that no log of the engine has them.
    pub fn on_internal_error(mut self, hook: impl Fn(&InternalError<'_>) + Send + Sync + 'static) -> Self {
        self.engine.outlet.on_internal_error = Some(Arc::new(hook));
        self
    }

    /// Sees every content block of tools, prompts and resources before it is sent.
    pub fn sanitize_result(mut self, sanitizer: impl Sanitizer) -> Self {
        self.engine.outlet.sanitizer = Some(Arc::new(sanitizer));
        self
    }

    /// Whether MIME types (RFC 6838) and base64 of results are checked before they are
    /// sent. On.
    pub fn check_media(mut self, on: bool) -> Self {
        self.engine.outlet.check_media = on;
        self
    }

    /// Largest result in bytes. What is larger is not sent: a tool's caller reads why,
    /// other requests fail. No limit by default.
    pub fn max_result_bytes(mut self, bytes: u64) -> Self {
        self.engine.outlet.max_result_bytes = Some(bytes);
        self
    }
}
