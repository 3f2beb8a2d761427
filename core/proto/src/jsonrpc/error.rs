//! JSON-RPC error objects.
//!
//! Owns: their codes and members. Must not know: which failure has which code.

use serde::{Deserialize, Serialize};

use super::RawJson;

/// An integer error code. The constants are JSON-RPC's own five.
///
/// ```
/// use mcpbolt_proto::jsonrpc::ErrorCode;
///
/// assert_eq!(ErrorCode::METHOD_NOT_FOUND.0, -32601);
/// let own = ErrorCode(1001); // outside -32768..=-32000
/// assert_ne!(own, ErrorCode::INTERNAL_ERROR);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct ErrorCode(pub i64);

impl ErrorCode {
    /// The text was not JSON.
    pub const PARSE_ERROR: Self = Self(-32700);
    /// JSON, but no valid message.
    pub const INVALID_REQUEST: Self = Self(-32600);
    /// No such method, or its capability was not advertised.
    pub const METHOD_NOT_FOUND: Self = Self(-32601);
    /// The parameters do not fit the method.
    pub const INVALID_PARAMS: Self = Self(-32602);
    /// The receiver failed.
    pub const INTERNAL_ERROR: Self = Self(-32603);
}

/// The `error` member of a response.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{ErrorCode, ErrorObject};
///
/// let error = ErrorObject::new(ErrorCode::INVALID_PARAMS, "city is missing")
///     .with_data(serde_json::json!({"field": "city"}));
/// assert_eq!(error.data.unwrap().as_str(), r#"{"field":"city"}"#);
/// ```
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorObject {
    /// What kind of failure.
    pub code: ErrorCode,
    /// One short sentence.
    pub message: String,
    /// More, in a form that depends on the code.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub data: Option<RawJson>,
}

/// Tells data that is `null` from data that is absent.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<RawJson>, D::Error> {
    RawJson::deserialize(deserializer).map(Some)
}

impl ErrorObject {
    /// An error without data.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// The same error with data.
    #[must_use]
    pub fn with_data(mut self, data: impl Into<RawJson>) -> Self {
        self.data = Some(data.into());
        self
    }
}

/// Shows code and message; data may hold what a log must not.
impl std::fmt::Debug for ErrorObject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ErrorObject({}, {:?})", self.code.0, self.message)
    }
}
