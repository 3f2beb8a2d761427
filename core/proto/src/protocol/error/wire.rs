//! Kinds from codes and codes from kinds, as the revision has them.
//!
//! Owns: the codes of each kind, per revision. Must not know: what led to an error.

use super::{Error, ErrorKind};
use crate::jsonrpc::{ErrorCode, ErrorObject, RawObject};
use crate::protocol::Revision;

impl ErrorKind {
    /// What a peer's code means. -32002 is understood in every revision, and so
    /// are the three codes of the modern gate: they answer probes and `initialize`.
    pub fn from_code(code: ErrorCode, revision: Revision) -> Self {
        let features = revision.features();
        match code.0 {
            -32700 => Self::Parse,
            -32600 => Self::InvalidRequest,
            -32601 => Self::MethodNotFound,
            -32602 => Self::InvalidParams,
            -32603 => Self::Internal,
            -32002 => Self::ResourceNotFound,
            -32020 => Self::HeaderMismatch,
            -32021 => Self::MissingClientCapability,
            -32022 => Self::UnsupportedProtocolVersion,
            -32042 if features.url_elicitation_error => Self::UrlElicitationRequired,
            429 => Self::RateLimited,
            -1 if features.server_requests => Self::Rejected,
            _ => Self::Peer,
        }
    }

    /// The code a failure of this kind gets on the wire; `None` for [`ErrorKind::Peer`],
    /// whose code is its own.
    pub fn code_in(self, revision: Revision) -> Option<ErrorCode> {
        let features = revision.features();
        let modern = features.strict_error_codes;
        Some(match self {
            Self::Peer => return None,
            Self::ResourceNotFound => features.resource_not_found,
            Self::UrlElicitationRequired if !features.url_elicitation_error => ErrorCode::INTERNAL_ERROR,
            Self::HeaderMismatch | Self::MissingClientCapability if !modern => ErrorCode::INVALID_REQUEST,
            Self::UnsupportedProtocolVersion if !modern => ErrorCode::INVALID_PARAMS,
            kind => kind.code(),
        })
    }
}

impl Error {
    /// A peer's answer as an error, its code, message and data kept.
    pub fn from_peer(object: ErrorObject, revision: Revision) -> Self {
        let kind = match ErrorKind::from_code(object.code, revision) {
            ErrorKind::InvalidParams => refine(&object, revision),
            kind => kind,
        };
        Self { kind, message: object.message, code: object.code, data: object.data }
    }

    /// The error object to send. A code of the program's own that the revision forbids
    /// to send becomes -32603; other reserved codes pass, and the caller may warn
    /// when [`Error::has_reserved_code`].
    pub fn to_wire(&self, revision: Revision) -> ErrorObject {
        let forbidden =
            |code: i64| revision.features().strict_error_codes && (-32099..=-32000).contains(&code);
        self.on_wire(revision, forbidden)
    }

    /// As [`Error::to_wire`], with every reserved code replaced (strict mode).
    pub fn to_wire_strict(&self, revision: Revision) -> ErrorObject {
        self.on_wire(revision, is_reserved)
    }

    /// The error object with the code that the error has, whatever the revision says of it.
    pub fn as_it_is(&self) -> ErrorObject {
        ErrorObject { code: self.code, message: self.message.clone(), data: self.data.clone() }
    }

    /// Whether the program chose a code from the reserved range -32768..=-32000
    /// without it being one the protocol defines.
    pub fn has_reserved_code(&self) -> bool {
        self.kind == ErrorKind::Peer && is_reserved(self.code.0)
    }

    fn on_wire(&self, revision: Revision, forbidden: impl Fn(i64) -> bool) -> ErrorObject {
        let code = self
            .kind
            .code_in(revision)
            .unwrap_or_else(|| if forbidden(self.code.0) { ErrorCode::INTERNAL_ERROR } else { self.code });
        ErrorObject { code, message: self.message.clone(), data: self.data.clone() }
    }
}

fn is_reserved(code: i64) -> bool {
    (-32768..=-32000).contains(&code)
}

/// -32602 covers more than parameters: its data tells an unknown resource (modern)
/// and an unsupported revision (legacy `initialize`) apart.
fn refine(object: &ErrorObject, revision: Revision) -> ErrorKind {
    let Some(data) = object.data.as_ref().and_then(RawObject::parse) else {
        return ErrorKind::InvalidParams;
    };
    let features = revision.features();
    let is_string = |name| data.get(name).is_some_and(|v| v.as_str().starts_with('"'));
    if features.resource_not_found == ErrorCode::INVALID_PARAMS && is_string("uri") {
        ErrorKind::ResourceNotFound
    } else if features.handshake && is_string("requested") && data.contains("supported") {
        ErrorKind::UnsupportedProtocolVersion
    } else {
        ErrorKind::InvalidParams
    }
}
