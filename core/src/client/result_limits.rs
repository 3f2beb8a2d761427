//! What of a server's results may reach the program: the options of the builder.
//!
//! Owns: their documentation. Must not know: how a result is checked (`result_checks` does).

use std::sync::Arc;

use mcpbolt_proto::policy::trust::ResultCaps;

use super::builder::ClientBuilder;
use super::result_checks::Received;

impl ClientBuilder {
    /// Checks each result before it is returned or kept. `Err` says why it must not be:
    /// the call fails with `Rejected`.
    pub fn validate_result(
        mut self,
        validate: impl Fn(&Received<'_>) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.session.checks.validate = Some(Arc::new(validate));
        self
    }

    /// Whether MIME types (RFC 6838) and base64 in results are checked; calls whose
    /// result has a wrong one fail with `Protocol`. On.
    pub fn check_media(mut self, on: bool) -> Self {
        self.session.checks.media = on;
        self
    }

    /// Bounds what a server may hand to the program.
    pub fn result_caps(mut self, caps: ResultCaps) -> Self {
        self.session.checks.caps = caps;
        self
    }
}
