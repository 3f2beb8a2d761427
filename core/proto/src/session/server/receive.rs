//! What arrives: the handshake, the modern envelope, gates, cancellation, replies.
//!
//! Owns: batches, cancellation, replies, what is told of a text that is not a message.
//! Must not know: which requests are let in (`admit` does).

use bytestring::ByteString;

use crate::jsonrpc::{
    ErrorObject, Id, Malformed, Message, Notification, RawJson, RawObject, Request, Response, encode,
};
use crate::policy::norm::Gate;
use crate::protocol::capabilities::ClientCapabilities;
use crate::protocol::meta::RequestMeta;
use crate::protocol::{Error, ErrorKind, Revision, methods};

use super::super::cancellation;
use super::super::{
    Answer, CancelReason, ExchangeId, Facts, InboundNotification, OutboundKind, Output, ProblemKind,
    StreamId, Time,
};
use super::admit::{NO_HANDSHAKE, Opened};
use super::state::{Agreed, Batch, Effect, Phase, ServerSession};

impl ServerSession {
    /// Takes one message of the client.
    pub fn receive(&mut self, now: Time, stream: StreamId, message: Message, facts: &dyn Facts) {
        match message {
            Message::Request(request) => self.request(stream, request, None, None, facts),
            Message::Notification(notification) => self.notification(now, stream, notification),
            Message::Response(response) => self.response(response),
        }
    }

    /// Takes a request whose params were taken apart already.
    pub fn receive_opened(&mut self, stream: StreamId, request: Request, opened: Opened, facts: &dyn Facts) {
        self.request(stream, request, Some(opened), None, facts);
    }

    /// Takes a text that is not a message: the sender learns why, unless its revision
    /// has no error without id.
    pub fn receive_malformed(&mut self, stream: StreamId, malformed: &Malformed) {
        self.problem(ProblemKind::Malformed, malformed.error.message.clone());
        if self.is_answer(malformed) {
            return;
        }
        if self.may_answer(malformed) {
            self.send_error(stream, malformed.id.as_ref(), &malformed.error, true);
        }
    }

    /// Whether it was meant to be an answer, which nobody answers: a request of ours that waits for it
    /// fails.
    fn is_answer(&mut self, malformed: &Malformed) -> bool {
        let Some(answer) = malformed.seen.as_ref().filter(|seen| seen.is_answer) else { return false };
        let request = answer.id.as_ref().and_then(|id| self.outgoing.find(id)).map(|p| p.request);
        if let Some(request) = request {
            self.outgoing.close(request);
            let message = format!("the answer is malformed: {}", malformed.error.message);
            let outcome = Err(Error::new(ErrorKind::Protocol, message));
            self.out.push(Output::Answered { request, outcome });
        }
        true
    }

    /// An error needs an id, or a revision whose errors may lack one.
    fn may_answer(&self, malformed: &Malformed) -> bool {
        malformed.id.is_some() || self.legacy_revision().is_none_or(|r| r.features().error_without_id)
    }

    /// Takes a batch. Only revisions that have batches may send one.
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
                    let answer = !self.is_answer(&malformed) && self.may_answer(&malformed);
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
        opened: Option<Opened>,
        batch: Option<u64>,
        facts: &dyn Facts,
    ) {
        let (id, method) = (request.id.clone(), request.method.clone());
        // Only in a session that agreed on a revision can a request name another.
        let params = self.agreed.as_ref().and_then(|_| request.params.clone());
        let told = self.settings.tell_settled.then(|| (request.method.clone(), request.params.clone()));
        if let Err(error) = self.admit(stream, request, opened, batch, facts) {
            if let Some((method, params)) = told {
                self.settled(method, params, Some(error.clone()));
            }
            let error = self
                .in_words_of_norm(&method, &error)
                .unwrap_or_else(|| error.to_wire(self.revision_of(params.as_ref())));
            match batch {
                Some(batch) => self.finish_batch(batch, Some(encode::error(Some(&id), &error))),
                None => self.send_error(stream, Some(&id), &error, true),
            }
        }
    }

    /// The revision in whose codes a request is refused: its own, where it names one, also in a
    /// session that agreed on another.
    fn revision_of(&self, params: Option<&RawJson>) -> Revision {
        let members = params.and_then(RawObject::parse);
        let meta = members.and_then(|members| RequestMeta::from_meta(members.get("_meta")).ok());
        let modern = meta.filter(RequestMeta::is_modern);
        match (modern, self.legacy_revision()) {
            (None, Some(legacy)) => legacy,
            _ => Revision::LATEST_MODERN,
        }
    }

    /// The error for a request that is not let in, where the settings' norm has words for it.
    /// It has none for the modern era, whose sessions agree on nothing.
    fn in_words_of_norm(&self, method: &str, error: &Error) -> Option<ErrorObject> {
        let agreed = self.agreed.is_some() || method == methods::INITIALIZE;
        let gate = match error.kind {
            ErrorKind::MethodNotFound if agreed && methods::lookup(method).is_none() => Gate::UnknownMethod,
            ErrorKind::InvalidParams if agreed => Gate::Params,
            ErrorKind::InvalidRequest if !agreed && error.message == NO_HANDSHAKE => Gate::Handshake,
            _ => return None,
        };
        self.settings.norm.gate_refusal(gate)
    }

    fn notification(&mut self, now: Time, stream: StreamId, notification: Notification) {
        if self.phase == Phase::Closed {
            return;
        }
        match &*notification.method {
            methods::CANCELLED => {
                self.cancelled(&notification);
                if !self.settings.norm.tells_cancels {
                    return;
                }
            }
            methods::PROGRESS if self.progress_received(now, &notification) => return,
            methods::INITIALIZED if self.phase == Phase::Initializing => self.ready(),
            methods::INITIALIZED if self.opens_by_notice() => self.open_by_notice(),
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

    /// Unknown, finished and malformed targets are ignored without a word.
    fn cancelled(&mut self, notification: &Notification) {
        let Some((id, reason)) = cancellation::read(notification.params.as_ref()) else { return };
        let Some(&exchange) = self.by_id.get(&id) else { return };
        // The handshake cannot be cancelled.
        if self.exchanges.get(&exchange).is_some_and(|e| matches!(e.effect, Effect::Initialize(_))) {
            return;
        }
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

    fn opens_by_notice(&self) -> bool {
        self.settings.norm.opens_by_notice && self.phase == Phase::New && self.agreed.is_none()
    }

    /// The client says that it is ready, whatever became of its handshake.
    fn open_by_notice(&mut self) {
        let Some(revision) = self.settings.newest_legacy() else { return };
        let client_capabilities = ClientCapabilities::default();
        self.agreed = Some(Agreed { revision, client_capabilities, client_info: None });
        self.ready();
    }

    pub(super) fn ready(&mut self) {
        self.phase = Phase::Ready;
        if let Some(agreed) = &self.agreed {
            let (revision, client_info) = (agreed.revision, agreed.client_info.clone());
            self.out.push(Output::Ready { revision, client_info });
        }
    }
}
