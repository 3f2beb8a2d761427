//! Log messages to the client. Deprecated since 2026-07-28
//! (SEP-2577); earliest removal 2027-07-28.
//!
//! Owns: the levels and the params. Must not know: who wants which level.

use serde::{Deserialize, Serialize};

use crate::jsonrpc::RawJson;
use crate::protocol::meta::Meta;

/// The eight syslog levels, in ascending order.
///
/// ```
/// use mcpbolt_proto::protocol::types::LoggingLevel;
///
/// assert!(LoggingLevel::Warning > LoggingLevel::Info);
/// assert_eq!(LoggingLevel::parse("notice"), Some(LoggingLevel::Notice));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LoggingLevel {
    /// For developers.
    Debug,
    /// Ordinary events.
    Info,
    /// Ordinary but significant.
    Notice,
    /// Might go wrong.
    Warning,
    /// Went wrong.
    Error,
    /// A part failed.
    Critical,
    /// Act at once.
    Alert,
    /// Unusable.
    Emergency,
}

impl LoggingLevel {
    /// All levels, ascending.
    pub const ALL: [Self; 8] = [
        Self::Debug,
        Self::Info,
        Self::Notice,
        Self::Warning,
        Self::Error,
        Self::Critical,
        Self::Alert,
        Self::Emergency,
    ];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Notice => "notice",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Critical => "critical",
            Self::Alert => "alert",
            Self::Emergency => "emergency",
        }
    }

    /// The level of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == name)
    }
}

/// Params of `logging/setLevel` (legacy era).
///
/// ```
/// use mcpbolt_proto::protocol::types::{LoggingLevel, SetLevelParams};
///
/// let params = SetLevelParams { level: LoggingLevel::Error, meta: None };
/// assert_eq!(serde_json::to_string(&params)?, r#"{"level":"error"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SetLevelParams {
    /// Lowest level to send.
    pub level: LoggingLevel,
    /// Metadata.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Params of `notifications/message`.
///
/// ```
/// use mcpbolt_proto::protocol::types::{LoggingLevel, LoggingMessageParams};
///
/// let said = r#"{"level":"warning","logger":"disk","data":{"free":12}}"#;
/// let message: LoggingMessageParams = serde_json::from_str(said)?;
/// assert!(message.level >= LoggingLevel::Warning);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoggingMessageParams {
    /// The severity.
    pub level: LoggingLevel,
    /// The part of the server that logs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub logger: Option<String>,
    /// Any JSON value.
    pub data: RawJson,
    /// Metadata.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}
