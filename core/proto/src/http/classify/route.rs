//! What the ladder is given, and where it sends a message.
//!
//! Owns: the types of the decision. Must not know: how it is made.

use crate::jsonrpc::{ErrorCode, ErrorObject, Id, Incoming, Malformed, RawObject};
use crate::protocol::{Error, ErrorKind, Revision};

use super::super::headers::HeaderLookup;

/// The headers that take part in the decision.
#[derive(Debug, Clone, Copy, Default)]
pub struct Headers<'a> {
    /// `MCP-Protocol-Version`
    pub protocol_version: HeaderLookup<'a>,
    /// `Mcp-Session-Id`
    pub session_id: HeaderLookup<'a>,
    /// `Mcp-Method`
    pub method: HeaderLookup<'a>,
    /// `Mcp-Name`
    pub name: HeaderLookup<'a>,
}

/// HTTP method and decoded body.
#[derive(Debug, Clone, Copy)]
pub enum HttpInput<'a> {
    /// GET
    Get,
    /// DELETE
    Delete,
    /// POST with what its body decoded to.
    Post(Result<&'a Incoming, &'a Malformed>),
    /// Any other method.
    Other,
}

/// Where a message goes.
///
/// ```
/// use mcpbolt_proto::http::{LegacyOperation, Route, classify_frame};
/// use mcpbolt_proto::jsonrpc::{DecodeLimits, decode};
/// use mcpbolt_proto::protocol::Revision;
///
/// let line = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#;
/// let frame = decode(line, DecodeLimits::default()).unwrap();
/// let Route::Legacy(legacy) = classify_frame(&frame, &Revision::ALL) else { panic!() };
/// assert_eq!(legacy.operation, LegacyOperation::Initialize);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route<'a> {
    /// To a legacy session, or to the handshake that opens one.
    Legacy(Legacy<'a>),
    /// To be served on its own.
    Modern(Modern),
    /// Nowhere.
    Reject(Rejection),
}

/// Legacy traffic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Legacy<'a> {
    /// What it wants.
    pub operation: LegacyOperation,
    /// The session id, if there is one. Whether it is known is not decided here.
    pub session_id: Option<&'a str>,
    /// The revision in the header.
    pub declared: Option<Revision>,
    /// The parameters of a request, taken apart to tell its era; none of anything else.
    pub params: Option<RawObject>,
}

impl Legacy<'_> {
    /// The revision to speak: the session's, else the header's, else 2025-03-26,
    /// which had no header. A known legacy revision that differs from the session's
    /// is tolerated.
    pub fn revision(&self, session: Option<Revision>) -> Revision {
        session.or(self.declared).unwrap_or(Revision::ASSUMED)
    }
}

/// Kinds of legacy traffic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LegacyOperation {
    /// `initialize`: opens a session.
    Initialize,
    /// One request, notification or response.
    Message,
    /// A JSON array. Whether the session's revision allows it is for the session.
    Batch,
    /// GET: a stream for server messages, new or resumed.
    Stream,
    /// DELETE: ends the session.
    Delete,
}

/// A modern request or notification whose metadata and headers are in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modern {
    /// The revision it speaks.
    pub revision: Revision,
    /// Its parameters; empty if it has none.
    pub params: RawObject,
    /// `params._meta`; empty for notifications without.
    pub meta: RawObject,
}

/// A refusal: what HTTP and JSON-RPC answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// HTTP status.
    pub status: u16,
    /// The error.
    pub error: ErrorObject,
    /// The id to echo, where it is known.
    pub id: Option<Id>,
}

impl Rejection {
    pub(super) fn new(id: Option<&Id>, error: impl Into<ErrorObject>) -> Self {
        Self { status: 400, error: error.into(), id: id.cloned() }
    }

    pub(super) fn invalid(id: Option<&Id>, message: &str) -> Self {
        Self::new(id, Error::new(ErrorKind::InvalidRequest, message))
    }

    pub(super) fn meta(id: Option<&Id>, message: &str) -> Self {
        Self::new(id, Error::new(ErrorKind::InvalidParams, message))
    }

    pub(super) fn mismatch(id: Option<&Id>, what: &str) -> Self {
        Self::new(id, Error::new(ErrorKind::HeaderMismatch, format!("Header mismatch: {what}")))
    }

    pub(super) fn method_not_allowed() -> Self {
        let error = ErrorObject::new(ErrorCode::INVALID_REQUEST, "Method not allowed");
        Self { status: 405, error, id: None }
    }
}
