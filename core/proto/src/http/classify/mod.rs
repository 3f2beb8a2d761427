//! The inbound ladder: which era a message belongs to, decided per message.
//!
//! Owns: requirements §2.3, rows 1 to 9 and the order (a) to (d) inside row 5. The
//! body decides, headers cross-check it and speak only where the body is silent.
//! Must not know: sessions (who looks ids up), methods beyond their `Mcp-Name`
//! source, handlers. Row 0 is the guard's and authentication's, (e) to (g) come later.
//!
//! ```
//! use mcpbolt_proto::http::classify::{Headers, classify_http};
//! use mcpbolt_proto::http::{HeaderLookup, HttpInput, Legacy, LegacyOperation, Modern, Rejection, Route};
//! use mcpbolt_proto::jsonrpc::{DecodeLimits, decode};
//! use mcpbolt_proto::protocol::Revision;
//!
//! let text = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
//!     "io.modelcontextprotocol/protocolVersion":"2026-07-28",
//!     "io.modelcontextprotocol/clientCapabilities":{}}}}"#;
//! let body = decode(text, DecodeLimits::default()).unwrap();
//! let headers = Headers {
//!     protocol_version: HeaderLookup::One("2026-07-28"),
//!     method: HeaderLookup::One("tools/call"), // says something else than the body
//!     ..Headers::default()
//! };
//! let say = |route| match route {
//!     Route::Modern(Modern { revision, .. }) => format!("served on its own, in {revision}"),
//!     Route::Legacy(Legacy { operation: LegacyOperation::Stream, session_id, .. }) => {
//!         format!("the stream of {session_id:?}")
//!     }
//!     Route::Legacy(_) => "to its session".to_owned(),
//!     Route::Reject(Rejection { status, error, .. }) => format!("{status}, {}", error.code.0),
//! };
//! let post = classify_http(HttpInput::Post(Ok(&body)), &headers, &Revision::ALL);
//! assert_eq!(say(post), "400, -32020");
//! ```

use serde_json::json;

use super::headers::HeaderLookup;
use crate::jsonrpc::{
    ErrorCode, ErrorObject, Id, Incoming, Malformed, Message, Notification, RawJson, RawObject, Request,
};
use crate::protocol::{Error, ErrorKind, Revision, meta, methods};

#[cfg(test)]
mod tests;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Legacy<'a> {
    /// What it wants.
    pub operation: LegacyOperation,
    /// The session id, if there is one. Whether it is known is not decided here.
    pub session_id: Option<&'a str>,
    /// The revision in the header.
    pub declared: Option<Revision>,
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
    fn new(id: Option<&Id>, error: impl Into<ErrorObject>) -> Self {
        Self { status: 400, error: error.into(), id: id.cloned() }
    }

    fn invalid(id: Option<&Id>, message: &str) -> Self {
        Self::new(id, Error::new(ErrorKind::InvalidRequest, message))
    }

    fn meta(id: Option<&Id>, message: &str) -> Self {
        Self::new(id, Error::new(ErrorKind::InvalidParams, message))
    }

    fn mismatch(id: Option<&Id>, what: &str) -> Self {
        Self::new(id, Error::new(ErrorKind::HeaderMismatch, format!("Header mismatch: {what}")))
    }

    fn method_not_allowed() -> Self {
        let error = ErrorObject::new(ErrorCode::INVALID_REQUEST, "Method not allowed");
        Self { status: 405, error, id: None }
    }
}

/// Classifies one HTTP message. `enabled`: the revisions the server speaks.
pub fn classify_http<'a>(input: HttpInput<'_>, headers: &Headers<'a>, enabled: &[Revision]) -> Route<'a> {
    let ladder = Ladder { headers: Some(headers), enabled };
    let route = match input {
        HttpInput::Get => ladder.session_operation(LegacyOperation::Stream),
        HttpInput::Delete => ladder.session_operation(LegacyOperation::Delete),
        HttpInput::Other => Err(Rejection::method_not_allowed()),
        HttpInput::Post(Err(fault)) => Err(Rejection::new(fault.id.as_ref(), fault.error.clone())),
        HttpInput::Post(Ok(body)) => ladder.frame(body),
    };
    route.unwrap_or_else(Route::Reject)
}

/// Classifies one message of a byte channel, which has no headers. A rejected
/// response or notification gets no answer there.
pub fn classify_frame(frame: &Incoming, enabled: &[Revision]) -> Route<'static> {
    Ladder { headers: None, enabled }.frame(frame).unwrap_or_else(Route::Reject)
}

/// What the version header says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Nothing,
    Legacy(Revision),
    Modern(Revision),
    Unknown,
}

struct Ladder<'h, 'a> {
    headers: Option<&'h Headers<'a>>,
    enabled: &'h [Revision],
}

type Verdict<'a> = Result<Route<'a>, Rejection>;

impl<'a> Ladder<'_, 'a> {
    fn frame(&self, frame: &Incoming) -> Verdict<'a> {
        match frame {
            Incoming::Batch(parts) => self.batch(parts),
            Incoming::Single(Message::Request(request)) => self.request(request),
            Incoming::Single(Message::Notification(notification)) => self.notification(notification),
            Incoming::Single(Message::Response(_)) => self.response(),
        }
    }

    /// Row 1.
    fn session_operation(&self, operation: LegacyOperation) -> Verdict<'a> {
        match self.named(None)? {
            Named::Modern(_) => Err(Rejection::method_not_allowed()),
            _ if !self.legacy_enabled() => Err(Rejection::method_not_allowed()),
            Named::Unknown => Err(Rejection::invalid(None, "Unsupported protocol version")),
            named => self.legacy(operation, named, None),
        }
    }

    /// Row 3.
    fn batch(&self, parts: &[Result<Message, Malformed>]) -> Verdict<'a> {
        let named = self.named(None)?;
        let possible = self.enabled.iter().any(|revision| revision.features().batches);
        if !possible || matches!(named, Named::Modern(_) | Named::Unknown) {
            return Err(Rejection::invalid(None, "Batches are not supported"));
        }
        for message in parts.iter().flatten() {
            let params = match message {
                Message::Request(request) if request.method == methods::INITIALIZE => {
                    return Err(Rejection::invalid(None, "initialize must not be part of a batch"));
                }
                Message::Request(request) => request.params.as_ref(),
                Message::Notification(notification) => notification.params.as_ref(),
                Message::Response(_) => None,
            };
            let meta =
                params.and_then(RawObject::parse).and_then(|params| RawObject::parse(params.get("_meta")?));
            if meta.is_some_and(|meta| claims(&meta)) {
                return Err(Rejection::invalid(None, "Batches are not supported in this protocol version"));
            }
        }
        self.legacy(LegacyOperation::Batch, named, None)
    }

    /// Row 4.
    fn response(&self) -> Verdict<'a> {
        let named = self.named(None)?;
        if !self.legacy_enabled() || matches!(named, Named::Modern(_) | Named::Unknown) {
            return Err(Rejection::invalid(None, "Clients send no responses in this protocol version"));
        }
        self.legacy(LegacyOperation::Message, named, None)
    }

    /// Rows 5 to 8.
    fn request(&self, request: &Request) -> Verdict<'a> {
        let id = Some(&request.id);
        let (params, meta) = open(request.params.as_ref(), id)?;
        if meta.as_ref().is_some_and(claims) {
            return self.modern(request, params, meta.unwrap_or_default());
        }
        let named = self.named(id)?;
        if request.method == methods::INITIALIZE {
            return self.initialize(request, &params, named);
        }
        if matches!(named, Named::Unknown | Named::Modern(_)) || !self.legacy_enabled() {
            return Err(match (self.headers, named) {
                (Some(_), Named::Nothing) => Rejection::mismatch(id, "MCP-Protocol-Version is missing"),
                _ => Rejection::meta(id, &format!("Missing _meta {}", meta::PROTOCOL_VERSION)),
            });
        }
        self.legacy(LegacyOperation::Message, named, id)
    }

    /// Row 6.
    fn initialize(&self, request: &Request, params: &RawObject, named: Named) -> Verdict<'a> {
        let id = Some(&request.id);
        if matches!(named, Named::Modern(_) | Named::Unknown) {
            return Err(Rejection::mismatch(id, "MCP-Protocol-Version names no revision with initialize"));
        }
        if !self.legacy_enabled() {
            let requested = params.get("protocolVersion").and_then(RawJson::as_string).unwrap_or_default();
            return Err(self.unsupported(id, &requested));
        }
        self.legacy(LegacyOperation::Initialize, named, id)
    }

    /// Row 5, in the order (a) to (d).
    fn modern(&self, request: &Request, params: RawObject, meta: RawObject) -> Verdict<'a> {
        let id = Some(&request.id);
        let header = self.version_header(id)?;
        if self.headers.is_some() && header.is_none() {
            return Err(Rejection::mismatch(id, "MCP-Protocol-Version is missing"));
        }
        let version = text_of(&meta, meta::PROTOCOL_VERSION).ok_or_else(|| {
            Rejection::meta(id, &format!("_meta {} must be a string", meta::PROTOCOL_VERSION))
        })?;
        if !meta.get(meta::CLIENT_CAPABILITIES).is_some_and(RawJson::is_object) {
            let message = format!("Missing _meta {}", meta::CLIENT_CAPABILITIES);
            return Err(Rejection::meta(id, &message));
        }
        let revision = self.agreed(id, header, &version)?;
        if let Some(headers) = self.headers.filter(|_| revision.features().standard_headers) {
            standard_headers(headers, request, &params)?;
        }
        Ok(Route::Modern(Modern { revision, params, meta }))
    }

    /// Row 9.
    fn notification(&self, notification: &Notification) -> Verdict<'a> {
        let (params, meta) = open(notification.params.as_ref(), None)?;
        let meta = meta.unwrap_or_default();
        let modern = |revision, meta| Ok(Route::Modern(Modern { revision, params, meta }));
        if meta.contains(meta::PROTOCOL_VERSION) {
            let message = format!("_meta {} must be a string", meta::PROTOCOL_VERSION);
            let version =
                text_of(&meta, meta::PROTOCOL_VERSION).ok_or_else(|| Rejection::meta(None, &message))?;
            let revision = self.agreed(None, self.version_header(None)?, &version)?;
            return modern(revision, meta);
        }
        let header = self.version_header(None)?.unwrap_or_default();
        match self.named(None)? {
            Named::Modern(revision) if self.enabled.contains(&revision) => modern(revision, meta),
            Named::Modern(_) | Named::Unknown => Err(self.unsupported(None, header)),
            named if self.legacy_enabled() => self.legacy(LegacyOperation::Message, named, None),
            Named::Legacy(_) => Err(self.unsupported(None, header)),
            Named::Nothing => match self.enabled.iter().rev().find(|revision| revision.is_modern()) {
                Some(&revision) if self.headers.is_none() => modern(revision, meta),
                _ => Err(Rejection::mismatch(None, "MCP-Protocol-Version is missing")),
            },
        }
    }

    fn legacy(&self, operation: LegacyOperation, named: Named, id: Option<&Id>) -> Verdict<'a> {
        let session_id = match self.headers.map(|headers| headers.session_id).unwrap_or_default() {
            HeaderLookup::Many | HeaderLookup::Unreadable => {
                return Err(Rejection::invalid(id, "Mcp-Session-Id must occur once and be visible ASCII"));
            }
            found => found.one(),
        };
        let declared = match named {
            Named::Legacy(revision) => Some(revision),
            _ => None,
        };
        // Inside a session its own revision counts, and any legacy name is tolerated.
        let usable = |revision| session_id.is_some() || self.enabled.contains(&revision);
        if declared.is_some_and(|revision| !usable(revision)) {
            return Err(Rejection::invalid(id, "Unsupported protocol version"));
        }
        Ok(Route::Legacy(Legacy { operation, session_id, declared }))
    }

    /// Steps (b) and (c): header and body agree, and we speak the revision.
    fn agreed(&self, id: Option<&Id>, header: Option<&str>, version: &str) -> Result<Revision, Rejection> {
        if header.is_some_and(|header| header != version) {
            return Err(Rejection::mismatch(id, "MCP-Protocol-Version differs from _meta"));
        }
        Revision::parse(version)
            .filter(|revision| revision.is_modern() && self.enabled.contains(revision))
            .ok_or_else(|| self.unsupported(id, version))
    }

    fn version_header(&self, id: Option<&Id>) -> Result<Option<&'a str>, Rejection> {
        match self.headers.map(|headers| headers.protocol_version).unwrap_or_default() {
            HeaderLookup::Many => Err(Rejection::mismatch(id, "MCP-Protocol-Version occurs more than once")),
            HeaderLookup::Unreadable => Err(Rejection::mismatch(id, "MCP-Protocol-Version is not readable")),
            found => Ok(found.one()),
        }
    }

    fn named(&self, id: Option<&Id>) -> Result<Named, Rejection> {
        Ok(match self.version_header(id)?.map(Revision::parse) {
            None => Named::Nothing,
            Some(None) => Named::Unknown,
            Some(Some(revision)) if revision.is_modern() => Named::Modern(revision),
            Some(Some(revision)) => Named::Legacy(revision),
        })
    }

    fn legacy_enabled(&self) -> bool {
        self.enabled.iter().any(|revision| !revision.is_modern())
    }

    fn unsupported(&self, id: Option<&Id>, requested: &str) -> Rejection {
        let mut supported = self.enabled.to_vec();
        supported.sort_unstable();
        let supported: Vec<_> = supported.iter().rev().map(|revision| revision.as_str()).collect();
        let error = Error::new(ErrorKind::UnsupportedProtocolVersion, "Unsupported protocol version")
            .with_data(json!({"supported": supported, "requested": requested}));
        Rejection::new(id, error)
    }
}

/// Step (d). A body that lacks what `Mcp-Name` repeats is for the parameter check.
fn standard_headers(headers: &Headers<'_>, request: &Request, params: &RawObject) -> Result<(), Rejection> {
    let id = Some(&request.id);
    let refuse = |name: &str, what: &str| Err(Rejection::mismatch(id, &format!("{name} {what}")));
    match headers.method {
        HeaderLookup::Absent => return refuse("Mcp-Method", "is missing"),
        found if found.one() != Some(&*request.method) => {
            return refuse("Mcp-Method", "differs from the method");
        }
        _ => {}
    }
    let Some(param) = methods::lookup(&request.method).and_then(|method| method.name_source.param()) else {
        return Ok(());
    };
    match (text_of(params, param), headers.name) {
        (None, HeaderLookup::Absent) => Ok(()),
        (_, HeaderLookup::Absent) => refuse("Mcp-Name", "is missing"),
        (body, found) => {
            let sent = found.one().and_then(|value| super::headers::decode_text(value).ok());
            match (sent, body) {
                (Some(sent), Some(body)) if sent == *body => Ok(()),
                _ => refuse("Mcp-Name", &format!("differs from params.{param}")),
            }
        }
    }
}

/// Whether metadata claims the modern era. Capabilities without a version are a
/// malformed claim, never legacy.
fn claims(meta: &RawObject) -> bool {
    meta.contains(meta::PROTOCOL_VERSION) || meta.contains(meta::CLIENT_CAPABILITIES)
}

fn text_of(object: &RawObject, name: &str) -> Option<String> {
    object.get(name)?.as_string()
}

/// Opens `params` and `_meta`, where a name may stand only once.
fn open(params: Option<&RawJson>, id: Option<&Id>) -> Result<(RawObject, Option<RawObject>), Rejection> {
    let duplicate = || Rejection::invalid(id, "params and _meta must not repeat a member name");
    let Some(params) = params else { return Ok((RawObject::new(), None)) };
    let params = RawObject::parse(params).ok_or_else(duplicate)?;
    let meta = match params.get("_meta") {
        Some(meta) if meta.is_object() => Some(RawObject::parse(meta).ok_or_else(duplicate)?),
        _ => None,
    };
    Ok((params, meta))
}
