//! What arrives: the handshake, the modern envelope, gates, cancellation, replies.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use bytestring::ByteString;

use crate::jsonrpc::{
    ErrorObject, Id, Malformed, Message, Notification, RawJson, RawObject, Request, Response, encode,
};
use crate::policy::places::is_uri;
use crate::protocol::meta::{self, RequestMeta};
use crate::protocol::types::{InitializeParams, LoggingLevel};
use crate::protocol::{Era, Error, ErrorKind, Revision, methods};

use super::super::{
    Answer, CancelReason, ExchangeId, Facts, InboundNotification, InboundRequest, OutboundKind, Output,
    ProblemKind, Settled, StreamId, Time,
};
use super::progress::Progress;
use super::{Agreed, Batch, Effect, Exchange, Handshake, Phase, ServerSession, client_may_request};

impl ServerSession {
    /// Takes one message of the client.
    pub fn receive(&mut self, now: Time, stream: StreamId, message: Message, facts: &dyn Facts) {
        match message {
            Message::Request(request) => self.request(stream, request, None, None, facts),
            Message::Notification(notification) => self.notification(now, stream, notification),
            Message::Response(response) => self.response(response),
        }
    }

    /// Takes a request whose params somebody has taken apart already: `members` are
    /// theirs.
    pub fn receive_opened(
        &mut self,
        stream: StreamId,
        request: Request,
        members: RawObject,
        facts: &dyn Facts,
    ) {
        self.request(stream, request, Some(members), None, facts);
    }

    /// Takes a text that is no message: the sender learns why, unless its revision
    /// has no error without id (R4).
    pub fn receive_malformed(&mut self, stream: StreamId, malformed: &Malformed) {
        self.problem(ProblemKind::Malformed, malformed.error.message.clone());
        if malformed.skimmed.as_ref().is_some_and(|skimmed| skimmed.is_answer) {
            return self.answer_skipped(malformed);
        }
        if self.may_answer(malformed) {
            self.send_error(stream, malformed.id.as_ref(), &malformed.error, true);
        }
    }

    /// Whoever waits for an answer that cannot be read is told.
    fn answer_skipped(&mut self, malformed: &Malformed) {
        let id = malformed.skimmed.as_ref().and_then(|skimmed| skimmed.id.as_ref());
        let Some(request) = id.and_then(|id| self.outgoing.find(id)).map(|p| p.request) else { return };
        self.outgoing.close(request);
        let message = format!("the answer is malformed: {}", malformed.error.message);
        self.out.push(Output::Answered { request, outcome: Err(Error::new(ErrorKind::Protocol, message)) });
    }

    /// R4: an error needs an id, or a revision whose errors may lack one.
    fn may_answer(&self, malformed: &Malformed) -> bool {
        malformed.id.is_some() || self.legacy_revision().is_none_or(|r| r.features().error_without_id)
    }

    /// Takes a batch. Only revisions that have batches may send one (R5).
    pub fn receive_batch(
        &mut self,
        now: Time,
        stream: StreamId,
        messages: Vec<Result<Message, Malformed>>,
        facts: &dyn Facts,
    ) {
        if !self.legacy_revision().is_some_and(|r| r.features().batches) {
            let error = Error::new(ErrorKind::InvalidRequest, "this revision does not allow batches");
            self.problem(ProblemKind::Malformed, error.message.clone());
            return self.send_error(stream, None, &error.into(), true);
        }
        let batch = self.next_exchange;
        self.next_exchange += 1;
        self.batches.insert(batch, Batch { stream, awaited: 1, answers: Vec::new() });
        for message in messages {
            match message {
                Ok(Message::Request(request)) => {
                    self.await_in_batch(batch);
                    self.request(stream, request, None, Some(batch), facts);
                }
                Ok(Message::Notification(notification)) => self.notification(now, stream, notification),
                Ok(Message::Response(response)) => self.response(response),
                Err(malformed) => {
                    self.await_in_batch(batch);
                    self.problem(ProblemKind::Malformed, malformed.error.message.clone());
                    let answer = self.may_answer(&malformed);
                    let answer = answer.then(|| encode::error(malformed.id.as_ref(), &malformed.error));
                    self.finish_batch(batch, answer);
                }
            }
        }
        self.finish_batch(batch, None);
    }

    fn await_in_batch(&mut self, batch: u64) {
        if let Some(batch) = self.batches.get_mut(&batch) {
            batch.awaited += 1;
        }
    }

    /// One member of a batch is done; the last one sends the array.
    pub(super) fn finish_batch(&mut self, key: u64, answer: Option<ByteString>) {
        let Some(batch) = self.batches.get_mut(&key) else { return };
        batch.answers.extend(answer);
        batch.awaited -= 1;
        if batch.awaited > 0 {
            return;
        }
        let Some(batch) = self.batches.remove(&key) else { return };
        if batch.answers.is_empty() {
            self.out.push(Output::Ended { stream: batch.stream });
        } else {
            let text = encode::batch(&batch.answers);
            self.send(batch.stream, OutboundKind::Response { error: None, gate: false }, text);
        }
    }

    fn request(
        &mut self,
        stream: StreamId,
        request: Request,
        members: Option<RawObject>,
        batch: Option<u64>,
        facts: &dyn Facts,
    ) {
        let id = request.id.clone();
        let told = self.settings.tell_settled.then(|| (request.method.clone(), request.params.clone()));
        if let Err(error) = self.admit(stream, request, members, batch, facts) {
            if let Some((method, params)) = told {
                self.settled(method, params, Some(error.clone()));
            }
            let error = error.to_wire(self.legacy_revision().unwrap_or(Revision::LATEST_MODERN));
            match batch {
                Some(batch) => self.finish_batch(batch, Some(encode::error(Some(&id), &error))),
                None => self.send_error(stream, Some(&id), &error, true),
            }
        }
    }

    /// Checks a request and opens its exchange.
    fn admit(
        &mut self,
        stream: StreamId,
        request: Request,
        members: Option<RawObject>,
        batch: Option<u64>,
        facts: &dyn Facts,
    ) -> Result<(), Error> {
        let members = match (members, &request.params) {
            (Some(members), _) => members,
            (None, None) => RawObject::new(),
            (None, Some(params)) => RawObject::parse(params).ok_or_else(|| duplicate_names("params"))?,
        };
        let meta = RequestMeta::from_meta(members.get("_meta"))?;
        if self.phase == Phase::Closed {
            return Err(Error::new(ErrorKind::Closed, "the session is closed"));
        }
        // R5: neither a handshake nor a modern request can be part of a batch.
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
        if request.method == methods::SUBSCRIPTIONS_LISTEN && revision.era() == Era::Modern {
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
            spec: methods::lookup(&request.method),
            method: request.method,
            params: request.params,
            members,
            revision,
            meta: Arc::new(meta),
        })));
        Ok(())
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
    fn settled(&mut self, method: ByteString, params: Option<RawJson>, error: Option<Error>) {
        if self.settings.tell_settled {
            self.out.push(Output::Settled(Box::new(Settled { method, params, error })));
        }
    }

    /// The modern envelope, in the order of the ladder: required keys, version, method
    /// and capability (L6).
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
            .ok_or_else(|| Error::unsupported_version(&self.settings.supported(), version))?;
        check_method(&request.method, revision, facts)?;
        check_uri(&request.method, members)?;
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
                Some(_) => Error::new(ErrorKind::InvalidRequest, "the first request must be initialize"),
                None => missing_key(meta::PROTOCOL_VERSION),
            });
        };
        check_method(&request.method, revision, facts)?;
        check_uri(&request.method, members)?;
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

    /// L3: the client's revision if it is on offer, else our newest legacy one.
    fn check_initialize(&self, request: &Request) -> Result<(Revision, Effect), Error> {
        let params: InitializeParams = match &request.params {
            Some(params) => params.decode().map_err(|_| {
                Error::invalid_params("initialize needs protocolVersion, capabilities and clientInfo")
            })?,
            None => return Err(Error::invalid_params("initialize needs params")),
        };
        let Some(newest) = self.settings.newest_legacy() else {
            return Err(Error::unsupported_version(&self.settings.supported(), &params.protocol_version));
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

    pub(super) fn ready(&mut self) {
        self.phase = Phase::Ready;
        if let Some(agreed) = &self.agreed {
            let (revision, client_info) = (agreed.revision, agreed.client_info.clone());
            self.out.push(Output::Ready { revision, client_info });
        }
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

    fn notification(&mut self, now: Time, stream: StreamId, notification: Notification) {
        if self.phase == Phase::Closed {
            return;
        }
        match &*notification.method {
            methods::CANCELLED => return self.cancelled(&notification),
            methods::PROGRESS if self.progress_received(now, &notification) => return,
            methods::INITIALIZED if self.phase == Phase::Initializing => self.ready(),
            methods::INITIALIZED => {
                if let Some(handshake) = &mut self.handshake {
                    handshake.initialized = true;
                }
            }
            _ => {}
        }
        let revision = self.legacy_revision().unwrap_or(Revision::LATEST_MODERN);
        self.out.push(Output::Notification(InboundNotification {
            stream,
            method: notification.method,
            params: notification.params,
            revision,
        }));
    }

    /// C2: unknown, finished and malformed targets are ignored without a word.
    fn cancelled(&mut self, notification: &Notification) {
        let Some(members) = notification.params.as_ref().and_then(RawObject::parse) else { return };
        let Some(id) = members.get("requestId").and_then(Id::from_raw) else { return };
        let Some(&exchange) = self.by_id.get(&id) else { return };
        // C1: the handshake cannot be cancelled.
        if self.exchanges.get(&exchange).is_some_and(|e| matches!(e.effect, Effect::Initialize(_))) {
            return;
        }
        let reason = members.get("reason").and_then(RawJson::as_string);
        self.cancel_exchange(exchange, CancelReason::Peer(reason));
    }

    fn response(&mut self, response: Response) {
        let request = response.id.as_ref().and_then(|id| self.outgoing.find(id)).map(|p| p.request);
        let Some(request) = request else {
            self.problem(ProblemKind::UnknownReply, "a reply to no pending request");
            return;
        };
        self.outgoing.close(request);
        let revision = self.legacy_revision().unwrap_or(Revision::LATEST_LEGACY);
        let outcome = response.outcome.map_err(|error| Error::from_peer(error, revision));
        self.out.push(Output::Answered { request, outcome });
    }

    pub(super) fn send_error(&mut self, stream: StreamId, id: Option<&Id>, error: &ErrorObject, gate: bool) {
        let text = encode::error(id, error);
        self.send(stream, OutboundKind::Response { error: Some(error.code), gate }, text);
    }

    /// Refuses an exchange that was opened but cannot be served.
    pub(super) fn refuse(&mut self, exchange: ExchangeId, error: Error, facts: &dyn Facts) {
        self.answer(exchange, Answer::Error { error, gate: true }, facts);
    }
}

/// Whether the method exists, is the client's to send, and its capability was declared.
fn check_method(method: &str, revision: Revision, facts: &dyn Facts) -> Result<(), Error> {
    let known = methods::lookup(method)
        .is_some_and(|spec| client_may_request(spec, revision) && facts.allows(spec, revision));
    if known || facts.handles(method) { Ok(()) } else { Err(Error::method_not_found(method)) }
}

/// S3: a handler never sees a URI that is none.
fn check_uri(method: &str, members: &RawObject) -> Result<(), Error> {
    if !matches!(
        method,
        methods::RESOURCES_READ | methods::RESOURCES_SUBSCRIBE | methods::RESOURCES_UNSUBSCRIBE
    ) {
        return Ok(());
    }
    let uri = members.get("uri").and_then(RawJson::as_string);
    let uri = uri.ok_or_else(|| Error::invalid_params("uri must be a string"))?;
    if is_uri(&uri) { Ok(()) } else { Err(no_uri("uri")) }
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
