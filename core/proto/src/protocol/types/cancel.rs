//! Cancellation of a request.
//!
//! Owns: the params. Must not know: which requests are running.

use serde::{Deserialize, Serialize};

use crate::jsonrpc::Id;
use crate::protocol::meta::Meta;

/// Params of `notifications/cancelled`.
///
/// ```
/// use mcpbolt_proto::protocol::types::CancelledParams;
///
/// let params = CancelledParams::new(12).reason("the person closed the window");
/// assert_eq!(params.request_id, Some(12.into()));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CancelledParams {
    /// The request to cancel. Only 2025-11-25 lets it be absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<Id>,
    /// The reason, for logs and people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl CancelledParams {
    /// Gives up that request.
    pub fn new(request_id: impl Into<Id>) -> Self {
        Self { request_id: Some(request_id.into()), ..Self::default() }
    }

    setters! {
        /// Sets why.
        reason: String,
    }
}
