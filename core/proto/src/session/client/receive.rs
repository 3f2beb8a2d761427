//! What the server sends.
//!
//! Owns: what is answered here, what is handed on, what is a problem. Must not know: how
//! messages travel.

use crate::jsonrpc::{Id, Malformed, Message, Notification, RawJson, RawObject, Request, Response, encode};
use crate::protocol::{Error, ErrorKind, Revision, meta, methods};
use crate::session::cancellation;
use crate::session::negotiate::Reply;
use crate::session::{CancelReason, ExchangeId, OutgoingId, ProblemKind, Time};

use super::{
    Answered, Asked, ClientOutput, ClientRequest, ClientSession, FrameFacts, Role, SendFault, Sent, shape,
};

impl ClientSession {
    /// Takes one message. `answers` names the request of ours on whose response it
    /// came, over HTTP.
    pub fn receive(&mut self, now: Time, message: Message, answers: Option<OutgoingId>) {
        match message {
            _ if self.is_closed() => {}
            Message::Response(response) => self.response(now, response, answers),
            Message::Notification(notification) => self.notification(now, notification),
            Message::Request(request) => self.server_request(request, answers),
        }
    }

    /// Takes a batch. Accepted from every server: only 2025-03-26 sends them.
    pub fn receive_batch(
        &mut self,
        now: Time,
        messages: Vec<Result<Message, Malformed>>,
        answers: Option<OutgoingId>,
    ) {
        for message in messages {
            match message {
                Ok(message) => self.receive(now, message, answers),
                Err(malformed) => self.receive_malformed(now, &malformed, answers),
            }
        }
    }

    /// Takes a text that is not a message. If it was the response of a request, or names
    /// one, that request fails.
    pub fn receive_malformed(&mut self, now: Time, malformed: &Malformed, answers: Option<OutgoingId>) {
        let seen = malformed.seen.as_deref();
        let seen_id = seen.and_then(|seen| seen.id.as_ref());
        let is_answer = seen.is_some_and(|seen| seen.is_answer);
        let has_method = seen.is_some_and(|seen| seen.has_method);
        if has_method || (!is_answer && seen_id.is_some()) {
            // Its id is the server's, even where one of ours looks alike.
            if let Some(asked) = malformed.id.as_ref().filter(|_| self.server_may_ask()) {
                let text = encode::error(Some(asked), &malformed.error);
                self.send(FrameFacts::Response, self.revision(), text);
            }
            return self.problem(ProblemKind::Malformed, malformed.error.message.clone());
        }
        let id = malformed.id.as_ref().or(seen_id);
        let named = id.and_then(|id| self.outgoing.find_alike(id)).map(|p| p.request);
        let only = || self.only_call().filter(|_| is_answer && id.is_none());
        match named
            .or(answers)
            .or_else(only)
            .filter(|request| self.outgoing.get(*request).is_some_and(|p| !p.value.listen))
        {
            None => self.problem(ProblemKind::Malformed, malformed.error.message.clone()),
            Some(request) => {
                let message = format!("the answer is malformed: {}", malformed.error.message);
                let error =
                    Error { data: malformed.error.data.clone(), ..Error::new(ErrorKind::Protocol, message) };
                let fault = SendFault { error, status: None };
                self.failed(now, request, fault);
            }
        }
    }

    /// A request could not be carried to its answer.
    pub fn failed(&mut self, now: Time, request: OutgoingId, fault: SendFault) {
        let Some(sent) = self.outgoing.close(request) else { return };
        self.waiting.retain(|waiting| *waiting != request);
        match sent.role {
            Role::Probe | Role::Handshake => {
                let reply = match (fault.status, fault.error.kind) {
                    (Some(status), _) => Reply::Status(status, fault.error),
                    (None, ErrorKind::Closed) if !self.settings.http => Reply::Exited(fault.error),
                    (None, ErrorKind::Protocol) if !self.settings.http => Reply::Error(fault.error.into()),
                    (None, ErrorKind::Timeout) => Reply::Timeout,
                    (None, _) => Reply::Failed(fault.error),
                };
                self.negotiation_reply(now, reply);
            }
            Role::User => self.out.push(ClientOutput::Answered { request, outcome: Err(fault.error) }),
            Role::Ping | Role::Restore => self.problem(ProblemKind::Unexpected, fault.error.message),
        }
    }

    /// The channel broke. While the probe or the handshake waits that may mean an old
    /// server that exits on what it does not know; else the session is over.
    pub fn channel_lost(&mut self, now: Time, error: &Error) {
        let probe = self.outgoing.iter().find(|p| p.value.role == Role::Probe).map(|p| p.request);
        match probe.filter(|_| !self.settings.http) {
            Some(request) => {
                self.outgoing.close(request);
                self.negotiation_reply(now, Reply::Exited(error.clone()));
            }
            None => self.close(error),
        }
    }

    fn response(&mut self, now: Time, response: Response, answers: Option<OutgoingId>) {
        let request = match &response.id {
            Some(id) => {
                let alike = self.outgoing.find_alike(id).filter(|p| p.value.on_wire).map(|p| p.request);
                alike.inspect(|request| self.note_other_type(id, *request))
            }
            // An error without id answers the request on whose response it came.
            None => answers.filter(|request| self.outgoing.get(*request).is_some()),
        };
        let Some((request, sent)) =
            request.and_then(|request| Some((request, self.outgoing.close(request)?)))
        else {
            let number = response.id.as_ref().and_then(|id| self.outgoing.number(id));
            if self.late_probe.take_if(|late| Some(*late) == number).is_some() {
                return;
            }
            return self.problem(ProblemKind::UnknownReply, "a reply to no pending request");
        };
        // What each new session is told by itself says nothing of its use: a server may take that, and
        // forget the session with the first request of the program's.
        if sent.role == Role::User {
            self.useless = 0;
        }
        match (sent.role, response.outcome) {
            (Role::Probe | Role::Handshake, Ok(raw)) => self.negotiation_reply(now, Reply::Result(raw)),
            (Role::Probe | Role::Handshake, Err(error)) => self.negotiation_error(now, error),
            (Role::User, Ok(raw)) => {
                self.note_effect(&sent);
                let outcome = self.read_result(&sent, raw);
                self.out.push(ClientOutput::Answered { request, outcome });
            }
            (Role::User, Err(error)) => {
                let revision = self.revision().unwrap_or(Revision::LATEST_LEGACY);
                let outcome = Err(Error::from_peer(error, revision));
                self.out.push(ClientOutput::Answered { request, outcome });
            }
            // A server without ping answers with an error, but it answers.
            (Role::Ping | Role::Restore, _) => {}
        }
    }

    /// The only request that waits for an answer.
    fn only_call(&self) -> Option<OutgoingId> {
        let mut waiting = self.outgoing.iter().filter(|p| p.value.on_wire && !p.value.listen);
        let only = waiting.next().map(|p| p.request);
        only.filter(|_| waiting.next().is_none())
    }

    /// An id must come back as it was sent; one that comes back as a string is clear enough.
    fn note_other_type(&mut self, id: &Id, request: OutgoingId) {
        if *id != self.outgoing.wire_id(request) && !self.settings.norm.text_ids {
            let message = format!("the server answered request {request:?} with its id as a string");
            self.problem(ProblemKind::Unexpected, message);
        }
    }

    fn read_result(&self, sent: &Sent, raw: RawJson) -> Result<Answered, Error> {
        if sent.options.as_it_is && raw.is_object() {
            return Ok(Answered::Complete(raw));
        }
        let revision = self.revision().unwrap_or(Revision::LATEST_LEGACY);
        let as_it_came = sent.options.raw_input.then(|| raw.clone());
        let answered = shape::result(revision, &sent.method, raw, &self.settings.result_types)?;
        Ok(match (answered, as_it_came) {
            (Answered::InputRequired { .. }, Some(raw)) => Answered::Complete(raw),
            (answered, _) => answered,
        })
    }

    /// Remembers what a fresh session would have to be told again.
    fn note_effect(&mut self, sent: &Sent) {
        let uri = || RawObject::parse(sent.params.as_ref()?)?.get("uri")?.as_string();
        match &*sent.method {
            methods::LOGGING_SET_LEVEL => self.log_level.clone_from(&sent.params),
            methods::RESOURCES_SUBSCRIBE => self.subscriptions.extend(uri()),
            methods::RESOURCES_UNSUBSCRIBE => {
                if let Some(uri) = uri() {
                    self.subscriptions.remove(&uri);
                }
            }
            _ => {}
        }
    }

    fn notification(&mut self, now: Time, notification: Notification) {
        match &*notification.method {
            methods::PROGRESS => return self.progress(now, notification),
            methods::CANCELLED => return self.cancelled(notification),
            _ => {}
        }
        let tag = subscription_id(notification.params.as_ref());
        let subscription = tag.as_ref().and_then(|id| self.outgoing.find(id)).filter(|p| p.value.listen);
        let subscription = subscription.map(|p| p.request);
        if tag.is_some() && subscription.is_none() && !self.server_may_ask() {
            return self.problem(ProblemKind::Unexpected, "a notification for no open subscription");
        }
        let Notification { method, params } = notification;
        self.out.push(ClientOutput::Notification { method, params, subscription });
    }

    fn progress(&mut self, now: Time, notification: Notification) {
        let token = notification
            .params
            .as_ref()
            .and_then(RawObject::parse)
            .and_then(|members| members.get("progressToken").and_then(Id::from_raw));
        let request = token
            .and_then(|token| self.outgoing.find_alike(&token))
            .filter(|p| p.value.on_wire && p.value.options.progress)
            .map(|p| p.request);
        match (request, notification.params) {
            (Some(request), Some(params)) => {
                self.outgoing.extend(now, request);
                self.out.push(ClientOutput::Progress { request, params });
            }
            (None, params) if self.settings.norm.stray_progress => {
                let method = notification.method;
                self.out.push(ClientOutput::Notification { method, params, subscription: None });
            }
            _ => self.problem(ProblemKind::Unexpected, "progress for no pending request"),
        }
    }

    /// Legacy: the server gives up on a request of its own. Modern: it ends a listen
    /// stream.
    fn cancelled(&mut self, notification: Notification) {
        self.cancel_named(&notification);
        if self.settings.norm.tells_cancels {
            let Notification { method, params } = notification;
            self.out.push(ClientOutput::Notification { method, params, subscription: None });
        }
    }

    fn cancel_named(&mut self, notification: &Notification) {
        let Some((id, reason)) = cancellation::read(notification.params.as_ref()) else { return };
        if !self.server_may_ask() {
            let listen = self.outgoing.find(&id).filter(|p| p.value.listen).map(|p| p.request);
            if let Some(request) = listen {
                self.end(request, Ok(Answered::Complete(RawJson::empty_object())));
            }
            return;
        }
        let Some(exchange) = self.by_id.remove(&id) else { return };
        self.asked.remove(&exchange);
        self.out.push(ClientOutput::CancelRequest { exchange, reason: CancelReason::Peer(reason) });
    }

    fn server_request(&mut self, request: Request, answers: Option<OutgoingId>) {
        if !self.server_may_ask() {
            // A client of this era sends no responses.
            return self
                .problem(ProblemKind::Unexpected, "a request of the server, which this revision forbids");
        }
        let revision = self.revision().unwrap_or(Revision::LATEST_LEGACY);
        if let Err(error) = self.admit(&request, revision) {
            let text = encode::error(Some(&request.id), &error.to_wire(revision));
            return self.send(FrameFacts::Response, Some(revision), text);
        }
        if request.method == methods::PING && !self.settings.methods.contains(methods::PING) {
            let text = encode::result(&request.id, &RawJson::empty_object());
            return self.send(FrameFacts::Response, self.revision(), text);
        }
        let exchange = ExchangeId(self.next_exchange);
        self.next_exchange += 1;
        self.by_id.insert(request.id.clone(), exchange);
        self.asked
            .insert(exchange, Asked { id: request.id.clone(), method: request.method.clone(), revision });
        self.out.push(ClientOutput::Request(ClientRequest {
            exchange,
            id: request.id,
            method: request.method,
            params: request.params,
            related: answers,
        }));
    }

    /// Only what we declared or the program handles by itself, nothing twice, and not too much.
    fn admit(&self, request: &Request, revision: Revision) -> Result<(), Error> {
        let is_own = self.settings.handles(&request.method);
        if !is_own && request.method == methods::PING {
            // Answered at once.
            return Ok(());
        }
        if !is_own {
            self.check_declared(request, revision)?;
        }
        if self.by_id.contains_key(&request.id) {
            return Err(Error::new(ErrorKind::InvalidRequest, "a request with this id is still in flight"));
        }
        if self.asked.len() >= self.settings.max_server_requests {
            return Err(Error::overloaded("too many requests in flight"));
        }
        Ok(())
    }

    fn check_declared(&self, request: &Request, revision: Revision) -> Result<(), Error> {
        let method = &*request.method;
        let known = methods::lookup(method)
            .is_some_and(|spec| spec.is_request() && spec.may_be_sent_by(methods::Side::Server, revision));
        let declared = match method {
            methods::SAMPLING_CREATE_MESSAGE => self.settings.capabilities.sampling.is_some(),
            methods::ELICITATION_CREATE => self.settings.capabilities.elicitation.is_some(),
            methods::ROOTS_LIST => self.settings.capabilities.roots.is_some(),
            _ => false,
        };
        if !known || !declared {
            return Err(Error::method_not_found(method));
        }
        if self.settings.capabilities.missing_for(method, request.params.as_ref()).is_some() {
            return Err(Error::invalid_params("this mode was not declared by the client"));
        }
        Ok(())
    }
}

/// The id of the listen request a notification is tagged with.
fn subscription_id(params: Option<&RawJson>) -> Option<Id> {
    let params = params.filter(|p| p.as_str().contains(meta::SUBSCRIPTION_ID))?;
    let meta = RawObject::parse(RawObject::parse(params)?.get("_meta")?)?;
    Id::from_raw(meta.get(meta::SUBSCRIPTION_ID)?)
}
