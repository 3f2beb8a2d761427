//! Progress of a request.
//!
//! Owns: the params. Must not know: which request a token belongs to.

use serde::{Deserialize, Serialize};

use super::number;
use crate::jsonrpc::Id;
use crate::protocol::meta::Meta;

/// Params of `notifications/progress`.
///
/// ```
/// use mcpbolt_proto::protocol::types::ProgressParams;
///
/// let half = ProgressParams::new("import-7", 50.0).total(100.0).message("reading files");
/// assert_eq!(half.progress / half.total.unwrap(), 0.5);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProgressParams {
    /// The token the request came with.
    pub progress_token: Id,
    /// How much is done; increases with each report.
    #[serde(serialize_with = "number::plain")]
    pub progress: f64,
    /// The value of `progress` when the work is complete, if known.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number::plain_opt")]
    pub total: Option<f64>,
    /// What is being done, for the person. Since 2025-03-26.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl ProgressParams {
    /// So far.
    pub fn new(progress_token: impl Into<Id>, progress: f64) -> Self {
        Self { progress_token: progress_token.into(), progress, total: None, message: None, meta: None }
    }

    setters! {
        /// Sets how far it will go.
        total: f64,
        /// Sets what is being done.
        message: String,
    }
}
