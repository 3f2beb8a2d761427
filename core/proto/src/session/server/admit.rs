//! Which requests are let in: the handshake, the modern envelope, gates, caps.
//!
//! Owns: the order of the checks, and the exchange that a request opens. Must not know: how a
//! message arrived, or who answers it.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use bytestring::ByteString;

use crate::jsonrpc::{RawJson, RawObject, Request, encode};
use crate::policy::places::is_uri;
use crate::protocol::capabilities::ClientCapabilities;
use crate::protocol::meta::{self, RequestMeta};
use crate::protocol::methods::Side;
use crate::protocol::types::{InitializeParams, LoggingLevel};
use crate::protocol::{Era, Error, ErrorKind, Method, Revision, methods};

use super::super::{ExchangeId, Facts, InboundRequest, OutboundKind, Output, Settled, StreamId};
use super::state::{Agreed, Effect, Exchange, Handshake, Phase, Progress, ServerSession};

/// The params of a request, taken apart by whoever had to look inside.
///
/// ```
/// use mcpbolt_proto::http::{Route, classify_frame};
/// use mcpbolt_proto::jsonrpc::{DecodeLimits, decode};
/// use mcpbolt_proto::protocol::Revision;
/// use mcpbolt_proto::session::server::Opened;
///
/// let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{
///     "io.modelcontextprotocol/protocolVersion":"2026-07-28",
///     "io.modelcontextprotocol/clientCapabilities":{}}}}"#;
/// let frame = decode(line, DecodeLimits::default()).unwrap();
/// let Route::Modern(modern) = classify_frame(&frame, &Revision::ALL) else { panic!() };
/// let opened = Opened { params: modern.params, meta: Some(modern.meta) };
/// assert!(opened.params.contains("_meta") && opened.meta.is_some_and(|meta| meta.len() == 2));
/// ```
#[derive(Debug)]
pub struct Opened {
    /// The members of `params`.
    pub params: RawObject,
    /// Those of `params._meta`; `None` where nobody looked inside that.
    pub meta: Option<RawObject>,
}

impl ServerSession {
    /// Checks a request and opens its exchange.
    pub(super) fn admit(
        &mut self,
        stream: StreamId,
        request: Request,
        opened: Option<Opened>,
        batch: Option<u64>,
        facts: &dyn Facts,
    ) -> Result<(), Error> {
        let (members, meta) = match opened {
            Some(Opened { params, meta: Some(meta) }) => (params, RequestMeta::from_members(meta)?),
            Some(Opened { params, meta: None }) => self.open_meta(params)?,
            None => self.open(request.params.as_ref())?,
        };
        if self.phase == Phase::Closed {
            return Err(Error::new(ErrorKind::Closed, "the session is closed"));
        }
        // Neither a handshake nor a modern request can be part of a batch.
        if batch.is_some() && (request.method == methods::INITIALIZE || meta.is_modern()) {
            return Err(Error::new(ErrorKind::InvalidRequest, "this request cannot be part of a batch"));
        }
        let (revision, effect) = if meta.is_modern() {
            (self.check_modern(&request, &members, &meta, facts)?, Effect::None)
        } else {
            self.check_legacy(&request, &members, facts)?
        };
        if request.method == "ping" && revision.era() == Era::Legacy && !facts.host_ping() {
            self.pong(stream, request, batch);
            return Ok(());
        }
        let offered = if let Effect::Initialize(agreed) = &effect { Some((**agreed).clone()) } else { None };
        let exchange = self.open_exchange(stream, &request, &meta, revision, effect, batch)?;
        if let Some(agreed) = offered {
            self.begin(agreed);
        }
        let listens = request.method == methods::SUBSCRIPTIONS_LISTEN && revision.era() == Era::Modern;
        if listens && !facts.host_listens() {
            if !self.settings.ask_before_listen {
                let refused = self.listen(exchange, &members, facts);
                self.settled(request.method, request.params, refused);
                return Ok(());
            }
            self.await_leave(exchange);
        }
        self.out.push(Output::Request(Box::new(InboundRequest {
            exchange,
            stream,
            id: request.id,
            spec: facts.row(&request.method),
            method: request.method,
            params: request.params,
            members,
            revision,
            meta: Arc::new(meta),
        })));
        Ok(())
    }

    /// The members of params, and what their `_meta` says.
    fn open(&self, params: Option<&RawJson>) -> Result<(RawObject, RequestMeta), Error> {
        let members = match params {
            None => RawObject::new(),
            Some(params) => RawObject::parse(params).ok_or_else(|| duplicate_names("params"))?,
        };
        self.open_meta(members)
    }

    fn open_meta(&self, members: RawObject) -> Result<(RawObject, RequestMeta), Error> {
        let absent = |meta: &&RawJson| self.settings.norm.null_meta && meta.is_null();
        let meta = RequestMeta::from_meta(members.get("_meta").filter(|meta| !absent(meta)))?;
        Ok((members, meta))
    }

    fn pong(&mut self, stream: StreamId, request: Request, batch: Option<u64>) {
        let text = encode::result(&request.id, &RawJson::empty_object());
        self.settled(request.method, request.params, None);
        match batch {
            Some(batch) => self.finish_batch(batch, Some(text)),
            None => self.send(stream, OutboundKind::Response { error: None, gate: false }, text),
        }
    }

    /// Tells of a request that needs no call.
    pub(super) fn settled(&mut self, method: ByteString, params: Option<RawJson>, error: Option<Error>) {
        if self.settings.tell_settled {
            self.out.push(Output::Settled(Box::new(Settled { method, params, error })));
        }
    }

    /// The modern envelope, in the order of the ladder: required keys, version, method
    /// and capability.
    fn check_modern(
        &self,
        request: &Request,
        members: &RawObject,
        meta: &RequestMeta,
        facts: &dyn Facts,
    ) -> Result<Revision, Error> {
        let Some(version) = meta.protocol_version.as_deref() else {
            return Err(missing_key(meta::PROTOCOL_VERSION));
        };
        if meta.client_capabilities.is_none() {
            return Err(missing_key(meta::CLIENT_CAPABILITIES));
        }
        let revision = Revision::parse(version)
            .filter(|r| r.era() == Era::Modern && self.settings.revisions.contains(r))
            .ok_or_else(|| Error::unsupported_version(&self.settings.offered(Era::Modern), version))?;
        self.check_method(&request.method, revision, facts, || meta.capabilities())?;
        self.check_uri(&request.method, members)?;
        Ok(revision)
    }

    fn check_legacy(
        &self,
        request: &Request,
        members: &RawObject,
        facts: &dyn Facts,
    ) -> Result<(Revision, Effect), Error> {
        if request.method == methods::INITIALIZE {
            return self.check_initialize(request);
        }
        if request.method == methods::PING {
            return Ok((self.legacy_revision().unwrap_or(Revision::LATEST_LEGACY), Effect::None));
        }
        let Some(revision) = self.legacy_revision() else {
            return Err(match self.settings.newest_legacy() {
                Some(_) => Error::new(ErrorKind::InvalidRequest, NO_HANDSHAKE),
                None => missing_key(meta::PROTOCOL_VERSION),
            });
        };
        let declared = || Ok(self.agreed.as_ref().map(|agreed| agreed.client_capabilities.clone()));
        self.check_method(&request.method, revision, facts, declared)?;
        self.check_uri(&request.method, members)?;
        let text = |name: &str| members.get(name).and_then(RawJson::as_string);
        let effect = match &*request.method {
            methods::LOGGING_SET_LEVEL => {
                let level = text("level").and_then(|name| LoggingLevel::parse(&name));
                Effect::SetLevel(
                    level
                        .ok_or_else(|| Error::invalid_params("level must be one of the eight log levels"))?,
                )
            }
            methods::RESOURCES_SUBSCRIBE => {
                let uri = text("uri").unwrap_or_default();
                if self.subscription_count() >= self.settings.max_subscriptions
                    && !self.subscriptions.contains(&uri)
                {
                    return Err(Error::invalid_params("too many subscriptions; unsubscribe from some first"));
                }
                Effect::Subscribe(uri)
            }
            methods::RESOURCES_UNSUBSCRIBE => Effect::Unsubscribe(text("uri").unwrap_or_default()),
            _ => Effect::None,
        };
        Ok((revision, effect))
    }

    /// The client's revision if it is on offer, else our newest legacy one.
    fn check_initialize(&self, request: &Request) -> Result<(Revision, Effect), Error> {
        let params: InitializeParams = match &request.params {
            Some(params) => params.decode().map_err(|_| {
                Error::invalid_params("initialize needs protocolVersion, capabilities and clientInfo")
            })?,
            None => return Err(Error::invalid_params("initialize needs params")),
        };
        let Some(newest) = self.settings.newest_legacy() else {
            return Err(Error::unsupported_version(
                &self.settings.offered(Era::Legacy),
                &params.protocol_version,
            ));
        };
        let revision = Revision::parse(&params.protocol_version)
            .filter(|r| r.era() == Era::Legacy && self.settings.revisions.contains(r))
            .unwrap_or(newest);
        let agreed = Agreed {
            revision,
            client_capabilities: params.capabilities,
            client_info: Some(params.client_info),
        };
        Ok((revision, Effect::Initialize(Box::new(agreed))))
    }

    /// Clients that write their first messages in one go are understood before the
    /// handshake is answered: what it will agree on is known.
    fn begin(&mut self, agreed: Agreed) {
        let phase = std::mem::replace(&mut self.phase, Phase::New);
        let agreed = self.agreed.replace(agreed);
        self.handshake = Some(Handshake { phase, agreed, initialized: false });
    }

    fn open_exchange(
        &mut self,
        stream: StreamId,
        request: &Request,
        meta: &RequestMeta,
        revision: Revision,
        effect: Effect,
        batch: Option<u64>,
    ) -> Result<ExchangeId, Error> {
        let size = request.params.as_ref().map_or(0, |p| p.as_str().len());
        if self.exchanges.len() >= self.settings.max_in_flight
            || self.bytes_in_flight + size > self.settings.max_in_flight_bytes
        {
            return Err(Error::overloaded("too many requests in flight"));
        }
        let Entry::Vacant(by_id) = self.by_id.entry(request.id.clone()) else {
            return Err(Error::new(ErrorKind::InvalidRequest, "a request with this id is still in flight"));
        };
        let modern = revision.era() == Era::Modern;
        let client_capabilities = if modern { meta.capabilities()? } else { None };
        let exchange = ExchangeId(self.next_exchange);
        self.next_exchange += 1;
        self.bytes_in_flight += size;
        by_id.insert(exchange);
        self.exchanges.insert(
            exchange,
            Exchange {
                id: request.id.clone(),
                stream,
                revision,
                method: request.method.clone(),
                effect,
                progress: Progress::new(meta.progress_token.clone()),
                log_level: meta.log_level,
                client_capabilities,
                cancelled: false,
                size,
                batch,
            },
        );
        Ok(exchange)
    }
}

/// What a client is told that asks for something before it has said who it is.
pub(super) const NO_HANDSHAKE: &str = "the first request must be initialize";

/// Whether a client may send this request in this revision.
fn client_may_request(spec: &Method, revision: Revision) -> bool {
    spec.is_request() && spec.may_be_sent_by(Side::Client, revision)
}

impl ServerSession {
    /// Whether the method exists, is the client's to send, and its capability was declared; a
    /// method of an extension also by the client.
    fn check_method(
        &self,
        method: &str,
        revision: Revision,
        facts: &dyn Facts,
        client: impl FnOnce() -> Result<Option<ClientCapabilities>, Error>,
    ) -> Result<(), Error> {
        let allowed = |spec: &Method| facts.allows(spec, revision);
        let spec = facts.row(method).filter(|spec| client_may_request(spec, revision));
        let gated = spec.filter(|spec| !spec.for_undeclared && allowed(spec));
        if let Some(extension) = gated.and_then(|spec| spec.extension_in(revision)) {
            return client()?.unwrap_or_default().require_extension(extension).map(drop);
        }
        let known = spec.is_some_and(|spec| self.settings.norm.undeclared || allowed(spec));
        if known || facts.handles(method) {
            return Ok(());
        }
        let error = Error::method_not_found(method);
        if !self.settings.norm.method_as_data {
            return Err(error);
        }
        let data = RawJson::encode(method).map_err(|_| Error::method_not_found(method))?;
        Err(Error { message: "Method not found".to_owned(), ..error }.with_data(data))
    }

    /// A handler never sees a URI that is not one, unless the norm lets it.
    fn check_uri(&self, method: &str, members: &RawObject) -> Result<(), Error> {
        if !matches!(
            method,
            methods::RESOURCES_READ | methods::RESOURCES_SUBSCRIBE | methods::RESOURCES_UNSUBSCRIBE
        ) {
            return Ok(());
        }
        let uri = members.get("uri").and_then(RawJson::as_string);
        let uri = uri.ok_or_else(|| Error::invalid_params("uri must be a string"))?;
        if self.settings.norm.any_uri || is_uri(&uri) { Ok(()) } else { Err(no_uri("uri")) }
    }
}

/// The refusal of something that should be a URI.
pub(super) fn no_uri(name: &str) -> Error {
    let remedy = "must be an absolute URI, with what RFC 3986 does not allow percent-encoded";
    Error::invalid_params(format!("{name} {remedy}"))
}

fn duplicate_names(place: &str) -> Error {
    Error::new(ErrorKind::InvalidRequest, format!("a member name occurs twice in {place}"))
}

fn missing_key(key: &str) -> Error {
    Error::invalid_params(format!("params._meta lacks {key}"))
}
