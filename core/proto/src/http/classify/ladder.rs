//! The rungs of the ladder, one function each.
//!
//! Owns: the decisions of the table in the [module's description](super), and the words of
//! each refusal. Must not know: how the headers were read, what comes after.

use std::borrow::Cow;

use serde_json::json;

use crate::jsonrpc::{Id, Incoming, Malformed, Message, Notification, RawJson, RawObject, Request};
use crate::policy::norm::{Gate, Norm};
use crate::protocol::methods::{self, Rows};
use crate::protocol::{Error, ErrorKind, Revision, meta};

use super::super::headers::{self, HeaderLookup};
use super::route::{Headers, Legacy, LegacyOperation, Modern, Rejection, Route};

/// What the version header says.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Nothing,
    Legacy(Revision),
    Modern(Revision),
    Unknown,
}

pub(super) struct Ladder<'h, 'a> {
    pub(super) headers: Option<&'h Headers<'a>>,
    pub(super) enabled: &'h [Revision],
    pub(super) norm: &'static Norm,
    pub(super) rows: Rows<'h>,
}

pub(super) type Verdict<'a> = Result<Route<'a>, Rejection>;

impl<'a> Ladder<'_, 'a> {
    pub(super) fn frame(&self, frame: &Incoming) -> Verdict<'a> {
        match frame {
            Incoming::Batch(parts) => self.batch(parts),
            Incoming::Single(Message::Request(request)) => self.request(request),
            Incoming::Single(Message::Notification(notification)) => self.notification(notification),
            Incoming::Single(Message::Response(_)) => self.response(),
        }
    }

    /// GET and DELETE concern a legacy session.
    pub(super) fn session_operation(&self, operation: LegacyOperation) -> Verdict<'a> {
        match self.named(None)? {
            Named::Modern(_) => Err(Rejection::method_not_allowed()),
            _ if !self.legacy_enabled() => Err(Rejection::method_not_allowed()),
            Named::Unknown => Err(Rejection::invalid(None, "Unsupported protocol version")),
            named => self.legacy(operation, named, None),
        }
    }

    /// A JSON array.
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

    /// A response to a request of ours, which only legacy servers send.
    fn response(&self) -> Verdict<'a> {
        let named = self.named(None)?;
        if !self.legacy_enabled() || matches!(named, Named::Modern(_) | Named::Unknown) {
            return Err(match self.norm.gate_refusal(Gate::Response) {
                Some(error) => Rejection::new(None, error),
                None => Rejection::invalid(None, "Clients send no responses in this protocol version"),
            });
        }
        self.legacy(LegacyOperation::Message, named, None)
    }

    /// A request: what its metadata claims, else the handshake, else the legacy session.
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
        let legacy = self.session(LegacyOperation::Message, named, id)?;
        Ok(Route::Legacy(Legacy { params: Some(params), ..legacy }))
    }

    /// `initialize` without the modern metadata.
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

    /// A request with modern metadata: metadata complete, header and body agree, revision on
    /// offer, standard headers. In this order, so that each client learns the first thing that
    /// is wrong with it.
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
            standard_headers(headers, request, &params, self.rows)?;
        }
        Ok(Route::Modern(Modern { revision, params, meta }))
    }

    /// A notification: metadata first, then the version header, then what is on offer.
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
        self.session(operation, named, id).map(Route::Legacy)
    }

    /// The session that something legacy is for, or that it opens.
    fn session(
        &self,
        operation: LegacyOperation,
        named: Named,
        id: Option<&Id>,
    ) -> Result<Legacy<'a>, Rejection> {
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
        Ok(Legacy { operation, session_id, declared, params: None })
    }

    /// Header and body agree, and the revision is on offer.
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
        let told = |revision: &Revision| !self.norm.offers_by_era || revision.is_modern();
        let mut supported: Vec<_> = self.enabled.iter().copied().filter(told).collect();
        supported.sort_unstable();
        let supported: Vec<_> = supported.iter().rev().map(|revision| revision.as_str()).collect();
        let error = Error::new(ErrorKind::UnsupportedProtocolVersion, "Unsupported protocol version")
            .with_data(json!({"supported": supported, "requested": requested}));
        Rejection::new(id, error)
    }
}

/// `Mcp-Method` and `Mcp-Name` repeat the body. A body that lacks what `Mcp-Name` repeats is for the parameter check.
fn standard_headers(
    headers: &Headers<'_>,
    request: &Request,
    params: &RawObject,
    rows: Rows<'_>,
) -> Result<(), Rejection> {
    let id = Some(&request.id);
    let refuse = |name: &str, what: &str| Err(Rejection::mismatch(id, &format!("{name} {what}")));
    match headers.method {
        HeaderLookup::Absent => return refuse("Mcp-Method", "is missing"),
        found if found.one() != Some(&*request.method) => {
            return refuse("Mcp-Method", "differs from the method");
        }
        _ => {}
    }
    let Some(param) = rows(&request.method).and_then(|method| method.name_source.param()) else {
        return Ok(());
    };
    match (text_of(params, param), headers.name) {
        (None, HeaderLookup::Absent) => Ok(()),
        (_, HeaderLookup::Absent) => refuse("Mcp-Name", "is missing"),
        (body, found) => {
            let sent = found.one().and_then(|value| headers::decode_text(value).ok());
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

fn text_of<'a>(object: &'a RawObject, name: &str) -> Option<Cow<'a, str>> {
    object.get(name)?.as_text()
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
