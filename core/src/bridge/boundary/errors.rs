//! What each kind of error is called in each language.
//!
//! Owns: one row of names per kind; a binding looks its row up and raises that. Must not know:
//! when an error of a kind occurs.

use mcpbolt_proto::protocol::ErrorKind;

/// The names of one kind of error in each language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorNames {
    /// The kind of error that is named.
    pub kind: ErrorKind,
    /// Its name on the boundary, and `error.kind` in every language.
    pub name: &'static str,
    /// Class of the 1.x face; its parent is always `McpError`.
    pub python: &'static str,
    /// Class of the 2.x face; its parent is always `MCPError`.
    pub python2: &'static str,
    /// Code that the 1.x faces show for it, where it is not the wire's.
    pub shown_code: Option<i64>,
    /// Member of the 1.x `ErrorCode`; empty: a plain `McpError` with the code.
    pub node: &'static str,
    /// Code of the 2.x face: a `ProtocolErrorCode` member, or an `SdkErrorCode` string for
    /// failures on this side.
    pub node2: &'static str,
    /// Kotlin class, below `McpPeerException` or `McpLocalException`.
    pub kotlin: &'static str,
    /// Case of Swift's `MCPError`.
    pub swift: &'static str,
}

macro_rules! names {
    ($($kind:ident: $python:literal, $python2:literal, $code:expr, $node:literal, $node2:literal, $kotlin:literal, $swift:literal;)*) => {
        /// One row of names per kind of error.
        pub const ERROR_NAMES: &[ErrorNames] = &[$(ErrorNames {
            kind: ErrorKind::$kind,
            name: ErrorKind::$kind.name(),
            python: $python,
            python2: $python2,
            shown_code: $code,
            node: $node,
            node2: $node2,
            kotlin: $kotlin,
            swift: $swift,
        }),*];
    };
}

names! {
    Parse: "McpError", "MCPError", None, "ParseError", "ParseError", "McpParseException", "parseError";
    InvalidRequest: "McpError", "MCPError", None, "InvalidRequest", "InvalidRequest", "McpInvalidRequestException", "invalidRequest";
    MethodNotFound: "McpError", "MCPError", None, "MethodNotFound", "MethodNotFound", "McpMethodNotFoundException", "methodNotFound";
    InvalidParams: "McpError", "MCPError", None, "InvalidParams", "InvalidParams", "McpInvalidParamsException", "invalidParams";
    Internal: "McpError", "MCPError", None, "InternalError", "InternalError", "McpInternalException", "internalError";
    ResourceNotFound: "McpError", "ResourceNotFoundError", None, "", "ResourceNotFound", "ResourceNotFoundException", "resourceNotFound";
    UrlElicitationRequired: "UrlElicitationRequiredError", "UrlElicitationRequiredError", None, "UrlElicitationRequired", "UrlElicitationRequired", "UrlElicitationRequiredException", "urlElicitationRequired";
    HeaderMismatch: "McpError", "HeaderMismatchError", None, "", "HeaderMismatch", "HeaderMismatchException", "headerMismatch";
    MissingClientCapability: "McpError", "MissingRequiredClientCapabilityError", None, "", "MissingRequiredClientCapability", "MissingClientCapabilityException", "missingClientCapability";
    UnsupportedProtocolVersion: "McpError", "UnsupportedProtocolVersionError", None, "", "UnsupportedProtocolVersion", "UnsupportedProtocolVersionException", "unsupportedProtocolVersion";
    RateLimited: "McpError", "MCPError", None, "", "", "RateLimitedException", "rateLimited";
    Rejected: "McpError", "MCPError", None, "", "", "McpRejectedException", "rejected";
    Peer: "McpError", "MCPError", None, "", "", "McpPeerException", "serverError";
    Timeout: "TimeoutError", "RequestTimeoutError", Some(408), "RequestTimeout", "REQUEST_TIMEOUT", "McpTimeoutException", "requestTimeout";
    Closed: "SessionClosed", "SessionClosed", Some(-32000), "ConnectionClosed", "CONNECTION_CLOSED", "McpClosedException", "connectionClosed";
    Cancelled: "CancelledError", "CancelledError", None, "", "REQUEST_CANCELLED", "McpCancelledException", "requestCancelled";
    Overloaded: "OverloadedError", "OverloadedError", None, "", "OVERLOADED", "McpOverloadedException", "overloaded";
    Transport: "ConnectError", "ConnectError", None, "", "SEND_FAILED", "McpTransportException", "transportError";
    Protocol: "ProtocolViolation", "ProtocolViolation", None, "", "INVALID_RESPONSE", "McpProtocolException", "protocolViolation";
    Unauthorized: "UnauthorizedError", "UnauthorizedError", None, "", "UNAUTHORIZED", "UnauthorizedException", "unauthorized";
    Forbidden: "ForbiddenError", "ForbiddenError", None, "", "FORBIDDEN", "ForbiddenException", "forbidden";
    Store: "StoreError", "StoreError", None, "", "STORE_FAILED", "McpStoreException", "storeError";
    Usage: "UsageError", "UsageError", None, "", "USAGE", "McpUsageException", "usage";
}

/// The names of a kind of error.
pub fn names_of(kind: ErrorKind) -> &'static ErrorNames {
    ERROR_NAMES.iter().find(|row| row.kind == kind).unwrap_or(&ERROR_NAMES[4])
}

/// The kind of a name on the boundary.
pub(crate) fn kind_named(name: &str) -> Option<ErrorKind> {
    ERROR_NAMES.iter().find(|row| row.name == name).map(|row| row.kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_one_row() {
        assert_eq!(ERROR_NAMES.len(), ErrorKind::ALL.len());
        for kind in ErrorKind::ALL {
            assert_eq!(names_of(kind).kind, kind);
            assert_eq!(kind_named(names_of(kind).name), Some(kind));
        }
    }

    #[test]
    fn local_failures_have_classes_of_their_own() {
        for row in ERROR_NAMES.iter().filter(|row| row.kind.is_local()) {
            assert_ne!(row.python, "McpError", "{}", row.name);
            assert_ne!(row.kotlin, "McpPeerException", "{}", row.name);
        }
    }
}
