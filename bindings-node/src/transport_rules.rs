//! The HTTP rules for the official server transports, which read requests in JavaScript.
//!
//! Owns: nothing of its own. Must not know: the rules.

use mcpbolt::bridge;
use mcpbolt_proto::http::OneSession;
use napi_derive::napi;

use crate::error::{Result, throw};

/// The rules of one kind of transport. Refusals are JSON text: `[status, code, message]`.
#[napi]
pub struct TransportRules(bridge::TransportRules);

#[napi]
impl TransportRules {
    /// From JSON text: `{norm, sessions, max_body, max_batch, hosts, origins}`.
    #[napi(constructor)]
    pub fn new(options: String) -> Result<Self> {
        bridge::TransportRules::new(&options).map(Self).map_err(throw)
    }

    /// The refusal of a request by its `Host` and `Origin`; `null` if it may pass.
    #[napi]
    pub fn guard(&self, host: Option<String>, origin: Option<String>) -> Option<String> {
        self.0.guard(host, origin)
    }

    /// The refusal of a request by its head, JSON text, in a session that is open or not; `null` if
    /// it may pass.
    #[napi]
    pub fn head(&self, head: String, is_open: bool, id: Option<String>) -> Result<Option<String>> {
        self.0.head(&head, OneSession { is_open, id: id.as_deref() }).map_err(throw)
    }

    /// The refusal of a POST once its messages are known; `null` if they may pass.
    #[napi]
    pub fn message(
        &self,
        head: String,
        is_open: bool,
        id: Option<String>,
        opens: bool,
        count: u32,
    ) -> Result<Option<String>> {
        let session = OneSession { is_open, id: id.as_deref() };
        self.0.message(&head, session, opens, usize::try_from(count).unwrap_or(usize::MAX)).map_err(throw)
    }

    /// The refusal for a rule that the transport looks at itself.
    #[napi]
    pub fn refusal(&self, rule: String) -> Result<String> {
        self.0.refusal(&rule).map_err(throw)
    }
}
