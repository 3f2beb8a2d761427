//! One error kind for every failure, and the error value every API returns.
//!
//! Owns: which kind a code means and which code a kind gets, per revision.
//! Must not know: HTTP statuses, what a message of ours is about.
//!
//! | kind | legacy code | modern code | from where |
//! |---|--:|--:|---|
//! | `Parse` | -32700 | -32700 | either side |
//! | `InvalidRequest` | -32600 | -32600 | either side |
//! | `MethodNotFound` | -32601 | -32601 | either side |
//! | `InvalidParams` | -32602 | -32602 | either side |
//! | `Internal` | -32603 | -32603 | either side |
//! | `ResourceNotFound` | -32002 + `data.uri` | -32602 + `data.uri` | server |
//! | `UrlElicitationRequired` | -32042 in 2025-11-25, else -32603 | -32603 | server |
//! | `HeaderMismatch` | -32600 | -32020 | server |
//! | `MissingClientCapability` | -32600 | -32021 + `data.requiredCapabilities` | server |
//! | `UnsupportedProtocolVersion` | -32602 + `data.supported` | -32022 + `data.supported` | server |
//! | `RateLimited` | 429 | 429 | server |
//! | `Rejected` | -1 | -1 | client's user |
//! | `Peer` | its own | its own, unless reserved: -32603 | handler |
//! | `Overloaded` | -32603 + `data.reason` | -32603 + `data.reason` | local |
//! | `Timeout` … `Usage` | -32603 | -32603 | local |

use crate::jsonrpc::{ErrorCode, ErrorObject, RawJson};

mod new;
mod wire;

/// What went wrong, in one word that every language maps once.
///
/// ```
/// use mcpbolt_proto::protocol::ErrorKind;
/// assert!(ErrorKind::Timeout.is_local());
/// assert_eq!(ErrorKind::InvalidParams.code().0, -32602);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// -32700
    Parse,
    /// -32600
    InvalidRequest,
    /// -32601
    MethodNotFound,
    /// -32602
    InvalidParams,
    /// -32603
    Internal,
    /// Unknown resource: -32002 in the legacy era, -32602 with `data.uri` in the modern one.
    ResourceNotFound,
    /// -32042, 2025-11-25 only.
    UrlElicitationRequired,
    /// -32020, modern.
    HeaderMismatch,
    /// -32021, modern.
    MissingClientCapability,
    /// -32022, modern.
    UnsupportedProtocolVersion,
    /// 429: a rate limit was hit.
    RateLimited,
    /// -1: the user said no.
    Rejected,
    /// Any other code the peer sent.
    Peer,
    /// Local: no answer in time.
    Timeout,
    /// Local: the connection is closed.
    Closed,
    /// Local: the caller gave up.
    Cancelled,
    /// Local: a cap was reached.
    Overloaded,
    /// Local: the transport failed.
    Transport,
    /// Local: the peer broke the protocol.
    Protocol,
    /// Local: credentials are missing or refused (401).
    Unauthorized,
    /// Local: credentials do not suffice (403).
    Forbidden,
    /// Local: a store failed.
    Store,
    /// Local: the program asked for something impossible.
    Usage,
}

/// A failure: kind, sentence, and what the wire says or said.
///
/// ```
/// use mcpbolt_proto::protocol::{Error, Revision};
/// let error = Error::resource_not_found("file:///gone");
/// assert_eq!(error.to_wire(Revision::LATEST_LEGACY).code.0, -32002);
/// assert_eq!(error.to_wire(Revision::LATEST_MODERN).code.0, -32602);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// What went wrong.
    pub kind: ErrorKind,
    /// One sentence for people, without payloads.
    pub message: String,
    /// The code on the wire; for local failures what [`ErrorKind::code`] says.
    pub code: ErrorCode,
    /// The `data` member, if any.
    pub data: Option<RawJson>,
}

impl Error {
    /// An error with the kind's own code.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), code: kind.code(), data: None }
    }

    /// The same error with data.
    #[must_use]
    pub fn with_data(mut self, data: impl Into<RawJson>) -> Self {
        self.data = Some(data.into());
        self
    }
}

impl ErrorKind {
    /// Every kind, in the order of the table above.
    pub const ALL: [Self; 23] = [
        Self::Parse,
        Self::InvalidRequest,
        Self::MethodNotFound,
        Self::InvalidParams,
        Self::Internal,
        Self::ResourceNotFound,
        Self::UrlElicitationRequired,
        Self::HeaderMismatch,
        Self::MissingClientCapability,
        Self::UnsupportedProtocolVersion,
        Self::RateLimited,
        Self::Rejected,
        Self::Peer,
        Self::Timeout,
        Self::Closed,
        Self::Cancelled,
        Self::Overloaded,
        Self::Transport,
        Self::Protocol,
        Self::Unauthorized,
        Self::Forbidden,
        Self::Store,
        Self::Usage,
    ];

    /// What bindings call it, and telemetry: `method_not_found`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::InvalidRequest => "invalid_request",
            Self::MethodNotFound => "method_not_found",
            Self::InvalidParams => "invalid_params",
            Self::Internal => "internal",
            Self::ResourceNotFound => "resource_not_found",
            Self::UrlElicitationRequired => "url_elicitation_required",
            Self::HeaderMismatch => "header_mismatch",
            Self::MissingClientCapability => "missing_client_capability",
            Self::UnsupportedProtocolVersion => "unsupported_protocol_version",
            Self::RateLimited => "rate_limited",
            Self::Rejected => "rejected",
            Self::Peer => "peer",
            Self::Timeout => "timeout",
            Self::Closed => "closed",
            Self::Cancelled => "cancelled",
            Self::Overloaded => "overloaded",
            Self::Transport => "transport",
            Self::Protocol => "protocol",
            Self::Unauthorized => "unauthorized",
            Self::Forbidden => "forbidden",
            Self::Store => "store",
            Self::Usage => "usage",
        }
    }

    /// Whether the failure happened on this side, so that no peer ever said it.
    pub const fn is_local(self) -> bool {
        matches!(
            self,
            Self::Timeout
                | Self::Closed
                | Self::Cancelled
                | Self::Overloaded
                | Self::Transport
                | Self::Protocol
                | Self::Unauthorized
                | Self::Forbidden
                | Self::Store
                | Self::Usage
        )
    }

    /// Code to send when a failure of this kind must be answered.
    pub const fn code(self) -> ErrorCode {
        match self {
            Self::Parse => ErrorCode::PARSE_ERROR,
            Self::InvalidRequest => ErrorCode::INVALID_REQUEST,
            Self::MethodNotFound => ErrorCode::METHOD_NOT_FOUND,
            Self::InvalidParams => ErrorCode::INVALID_PARAMS,
            Self::ResourceNotFound => ErrorCode(-32002),
            Self::UrlElicitationRequired => ErrorCode(-32042),
            Self::HeaderMismatch => ErrorCode(-32020),
            Self::MissingClientCapability => ErrorCode(-32021),
            Self::UnsupportedProtocolVersion => ErrorCode(-32022),
            Self::RateLimited => ErrorCode(429),
            Self::Rejected => ErrorCode(-1),
            _ => ErrorCode::INTERNAL_ERROR,
        }
    }
}

impl From<Error> for ErrorObject {
    fn from(error: Error) -> Self {
        Self { code: error.code, message: error.message, data: error.data }
    }
}

#[cfg(test)]
mod tests;
