//! Constructors: one per failure that has a fixed sentence or fixed data.
//!
//! Owns: their words. Must not know: when a failure happens.

use serde_json::json;

use super::{Error, ErrorKind};
use crate::jsonrpc::{ErrorCode, Malformed, RawError, RawJson, RawObject};
use crate::protocol::Revision;
use crate::protocol::methods::Capability;
use crate::protocol::types::{ElicitUrlParams, UrlElicitationRequiredData};

impl Error {
    /// An error with a code of the program's own choice. Codes the protocol knows
    /// get their kind, the others [`ErrorKind::Peer`].
    pub fn with_code(code: ErrorCode, message: impl Into<String>) -> Self {
        let kind = ErrorKind::from_code(code, Revision::LATEST_LEGACY);
        Self { kind, message: message.into(), code, data: None }
    }

    /// -32602, unknown tool.
    pub fn unknown_tool(name: &str) -> Self {
        Self::new(ErrorKind::InvalidParams, format!("Unknown tool: {name}"))
    }

    /// -32602, unknown prompt.
    pub fn unknown_prompt(name: &str) -> Self {
        Self::new(ErrorKind::InvalidParams, format!("Unknown prompt: {name}"))
    }

    /// Unknown resource, with `data.uri`; its code follows the revision.
    pub fn resource_not_found(uri: &str) -> Self {
        Self::new(ErrorKind::ResourceNotFound, format!("Resource not found: {uri}"))
            .with_data(json!({ "uri": uri }))
    }

    /// -32021: the request did not declare what `required`, a client capabilities
    /// object, asks for.
    pub fn missing_capability(required: impl Into<RawJson>) -> Self {
        let required: RawJson = required.into();
        let data = format!("{{\"requiredCapabilities\":{}}}", required.as_str());
        let message = format!("The client did not declare the capability {}", paths(&required).join(", "));
        Self::new(ErrorKind::MissingClientCapability, message).with_data(RawJson::trusted(data.into()))
    }

    /// -32021 for one capability of the table.
    pub fn missing(capability: Capability) -> Self {
        Self::missing_capability(capability.to_required())
    }

    /// -32022 (legacy: -32602) with `data.supported` and `data.requested`.
    pub fn unsupported_version(supported: &[impl AsRef<str>], requested: &str) -> Self {
        let supported: Vec<_> = supported.iter().map(AsRef::as_ref).collect();
        Self::new(ErrorKind::UnsupportedProtocolVersion, "Unsupported protocol version")
            .with_data(json!({ "supported": supported, "requested": requested }))
    }

    /// -32020: a header is missing, malformed or says something else than the body.
    pub fn header_mismatch(header: &str) -> Self {
        Self::new(ErrorKind::HeaderMismatch, format!("Header mismatch: {header}"))
    }

    /// -32600.
    pub fn invalid_request(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidRequest, message)
    }

    /// -32602.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidParams, message)
    }

    /// -32601.
    pub fn method_not_found(name: &str) -> Self {
        Self::new(ErrorKind::MethodNotFound, format!("Method not found: {name}"))
    }

    /// -32603.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, message)
    }

    /// -32042 (2025-11-25): `elicitations` is an array of URL elicitations.
    pub fn url_elicitation_required(elicitations: &RawJson) -> Self {
        let data = format!("{{\"elicitations\":{}}}", elicitations.as_str());
        Self::new(ErrorKind::UrlElicitationRequired, "URL elicitation required")
            .with_data(RawJson::trusted(data.into()))
    }

    /// The pages of a -32042, for the client that received it; empty for other errors.
    pub fn url_elicitations(&self) -> Vec<ElicitUrlParams> {
        let data = self.data.as_ref().filter(|_| self.kind == ErrorKind::UrlElicitationRequired);
        let data = data.and_then(|data| data.decode::<UrlElicitationRequiredData>().ok());
        data.map(|data| data.elicitations).unwrap_or_default()
    }

    /// Local: a cap was reached; `reason` names the limit and becomes `data.reason`.
    pub fn overloaded(reason: &str) -> Self {
        Self::new(ErrorKind::Overloaded, format!("Overloaded: {reason}"))
            .with_data(json!({ "reason": reason }))
    }

    /// Local: no answer in time.
    pub fn timeout() -> Self {
        Self::new(ErrorKind::Timeout, "Request timed out")
    }

    /// Local: the connection is closed.
    pub fn closed() -> Self {
        Self::new(ErrorKind::Closed, "Connection closed")
    }

    /// Local: the caller gave up.
    pub fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled, "Request cancelled")
    }

    /// Local: the peer broke the protocol.
    pub fn protocol(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Protocol, message)
    }

    /// Local: the transport failed.
    pub fn transport(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Transport, message)
    }

    /// Local: the program asked for something impossible.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }

    /// -1 (legacy): the user said no to what is named, such as "sampling request".
    pub fn rejected(what: &str) -> Self {
        Self::new(ErrorKind::Rejected, format!("User rejected {what}"))
    }
}

impl From<RawError> for Error {
    fn from(error: RawError) -> Self {
        let kind = match error {
            RawError::TooDeep { .. } => ErrorKind::InvalidRequest,
            RawError::Unencodable(_) => ErrorKind::Internal,
            _ => ErrorKind::Parse,
        };
        Self::new(kind, error.to_string())
    }
}

impl From<Malformed> for Error {
    fn from(malformed: Malformed) -> Self {
        Self::from_peer(malformed.error, Revision::LATEST_LEGACY)
    }
}

/// What a capabilities object asks for, as paths: `sampling.tools`.
fn paths(required: &RawJson) -> Vec<String> {
    let members = RawObject::parse(required);
    let of = |(name, value): (&str, &RawJson)| match paths(value) {
        inner if inner.is_empty() => vec![name.to_owned()],
        inner => inner.into_iter().map(|path| format!("{name}.{path}")).collect(),
    };
    members.iter().flat_map(RawObject::iter).flat_map(of).collect()
}
