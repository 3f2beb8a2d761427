//! Our requests, notifications and answers.
//!
//! Owns: which requests wait for the handshake, and which are refused unsent. Must not know:
//! who asks.

use crate::jsonrpc::{RawJson, encode};
use crate::protocol::methods::{self, Side, name_in};
use crate::protocol::wire::{self, ResultExtras};
use crate::protocol::{Era, Error, ErrorKind, Revision};
use crate::session::cancellation;
use crate::session::outgoing::Patience;
use crate::session::{ExchangeId, OutgoingId, Time};

use super::{
    ClientFrame, ClientOutput, ClientSession, FrameFacts, Phase, RequestFacts, RequestOptions, Role, Sent,
    closed, shape,
};

impl ClientSession {
    /// Sends a request, or keeps it until the session is ready. It ends with exactly one
    /// [`ClientOutput::Answered`].
    ///
    /// Fails with `Closed`, `Overloaded`, `Usage` (the revision has no such request), or
    /// `MethodNotFound` when the server did not declare what it needs; nothing is sent.
    pub fn request(
        &mut self,
        now: Time,
        method: &str,
        params: Option<RawJson>,
        options: RequestOptions,
    ) -> Result<OutgoingId, Error> {
        if self.is_closed() {
            return Err(closed());
        }
        if self.outgoing.len() >= self.settings.max_in_flight {
            return Err(Error::overloaded("too many requests in flight"));
        }
        if let Some(revision) = self.revision() {
            self.check(method, revision)?;
        }
        let listen = method == methods::SUBSCRIPTIONS_LISTEN;
        let patience = (!listen || options.timeout.is_some())
            .then(|| self.patience(&options))
            .and_then(Patience::bounded);
        let sent = Sent {
            role: Role::User,
            method: method.to_owned(),
            params,
            options,
            on_wire: false,
            tried: false,
            listen,
        };
        let (request, _) = self.outgoing.open(now, patience, sent);
        match self.phase {
            Phase::Ready => self.transmit(request),
            _ => self.waiting.push(request),
        }
        Ok(request)
    }

    pub(super) fn patience(&self, options: &RequestOptions) -> Patience {
        self.settings.patience.but(options.timeout, options.max).fixed(options.fixed)
    }

    fn check(&self, method: &str, revision: Revision) -> Result<(), Error> {
        let Some(spec) = self.settings.row(method) else { return Ok(()) };
        let exists = spec.is_request() && spec.may_be_sent_by(Side::Client, revision);
        if !exists && !self.settings.norm.sends_any_request {
            let message = format!("{method} is no request of a client in revision {revision}");
            let data = serde_json::json!({"method": method, "revision": revision.as_str()});
            return Err(Error { data: Some(data.into()), ..Error::new(ErrorKind::Usage, message) });
        }
        let declared = self.agreed.as_ref().is_none_or(|a| a.capabilities.allows(spec, revision));
        let strict = self.settings.strict || self.settings.rows.contains_key(method);
        if strict && !declared {
            let message = format!("the server did not declare the capability that {method} needs");
            return Err(Error { message, ..Error::method_not_found(method) });
        }
        Ok(())
    }

    /// Puts a request on the wire.
    pub(super) fn transmit(&mut self, request: OutgoingId) {
        let Some(revision) = self.revision() else { return };
        let Some(pending) = self.outgoing.get(request) else { return };
        let sent = &pending.value;
        let id = self.outgoing.wire_id(request);
        let token = sent.options.progress.then_some(&id);
        let written = self.check(&sent.method, revision).and_then(|()| {
            if sent.options.as_it_is {
                return Ok(wire::with_progress_token(sent.params.clone(), token));
            }
            self.encoded.params(revision, &sent.method, sent.params.as_ref(), token, sent.options.log_level)
        });
        let params = match written {
            Ok(params) => params,
            Err(error) => return self.end(request, Err(error)),
        };
        let facts = RequestFacts {
            request,
            method: sent.method.clone(),
            name: self
                .settings
                .http
                .then(|| name_in(self.settings.row(&sent.method)?, sent.params.as_ref()))
                .flatten(),
            headers: sent.options.headers.clone(),
            repeatable: may_repeat(sent),
            resumption: sent.options.resumption.clone(),
            id,
        };
        let text = encode::request(&facts.id, &sent.method, params.as_ref());
        if let Some(sent) = self.outgoing.get_mut(request) {
            (sent.on_wire, sent.tried) = (true, true);
        }
        self.send(FrameFacts::Request(facts), Some(revision), text);
    }

    /// Ends a request with what its owner gets.
    pub(super) fn end(&mut self, request: OutgoingId, outcome: Result<super::Answered, Error>) {
        if self.outgoing.close(request).is_some() {
            self.out.push(ClientOutput::Answered { request, outcome });
        }
    }

    /// Gives up on a request of ours and tells the server. Nothing happens if it has
    /// ended already.
    pub fn cancel(&mut self, request: OutgoingId, reason: Option<&str>) {
        if self.outgoing.get(request).is_none_or(|p| p.value.role != Role::User) {
            return;
        }
        let Some(sent) = self.outgoing.close(request) else { return };
        self.abandon(request, &sent, reason.or(self.settings.norm.cancel_reason));
        let error = Error::new(ErrorKind::Cancelled, "the request was cancelled");
        let outcome = Err(match self.settings.norm.given_up {
            Some((code, message)) => Error { code, message: message.into(), ..error },
            None => error,
        });
        self.out.push(ClientOutput::Answered { request, outcome });
    }

    /// Tells transport and server that the answer is not awaited any more.
    pub(super) fn abandon(&mut self, request: OutgoingId, sent: &Sent, reason: Option<&str>) {
        if !sent.on_wire {
            self.waiting.retain(|waiting| *waiting != request);
            return;
        }
        // The handshake cannot be cancelled, whoever sent it; the probe's id means nothing to a
        // server that did not understand it.
        let is_handshake = sent.role == Role::Handshake || sent.method == methods::INITIALIZE;
        let may_tell = !is_handshake && sent.role != Role::Probe;
        let notice = self.revision().filter(|_| may_tell).map(|revision| {
            let text = cancellation::write(&self.outgoing.wire_id(request), reason);
            ClientFrame { text, facts: FrameFacts::Notification, revision: Some(revision) }
        });
        self.out.push(ClientOutput::Abandon { request, notice });
    }

    /// Sends a notification.
    ///
    /// Fails with `Closed`, with `Usage` before the session is ready and for names that are not a
    /// notification of a client in the revision spoken, and with `Transport` while a lost channel or
    /// session is replaced.
    pub fn notify(&mut self, method: &str, params: Option<&RawJson>) -> Result<(), Error> {
        if self.is_closed() {
            return Err(closed());
        }
        let Some(revision) = self.revision().filter(|_| self.is_ready()) else {
            return Err(match self.agreed {
                Some(_) => Error::transport("the connection was lost, and is not ready again yet"),
                None => Error::usage("the session is not ready yet"),
            });
        };
        let allowed = self
            .settings
            .row(method)
            .is_none_or(|spec| !spec.is_request() && spec.may_be_sent_by(Side::Client, revision));
        if !allowed {
            let message = format!("{method} is no notification of a client in revision {revision}");
            return Err(Error::new(ErrorKind::Usage, message));
        }
        if let Some((request, reason)) = self.given_up(method, params) {
            self.cancel(request, reason.as_deref());
            return Ok(());
        }
        let text = encode::notification(method, params);
        self.send(FrameFacts::Notification, Some(revision), text);
        Ok(())
    }

    /// The request of ours that a notification of the program's cancels, and why. Nobody answers it.
    fn given_up(&self, method: &str, params: Option<&RawJson>) -> Option<(OutgoingId, Option<String>)> {
        if method != methods::CANCELLED || self.settings.norm.awaits_cancelled {
            return None;
        }
        let (id, reason) = cancellation::read(params)?;
        let request = self.outgoing.find_alike(&id).filter(|p| p.value.role == Role::User)?.request;
        Some((request, reason))
    }

    /// Answers a request of the server. `false` if it is no longer wanted.
    pub fn answer(&mut self, exchange: ExchangeId, outcome: Result<RawJson, Error>) -> bool {
        let Some(asked) = self.asked.remove(&exchange) else { return false };
        self.by_id.remove(&asked.id);
        let text = match outcome {
            Ok(value) => {
                let value =
                    wire::encode_result(asked.revision, &asked.method, value, &ResultExtras::default());
                encode::result(&asked.id, &value)
            }
            Err(error) => encode::error(Some(&asked.id), &error.to_wire(asked.revision)),
        };
        self.send(FrameFacts::Response, Some(asked.revision), text);
        true
    }

    /// Whether our revision lets the server send requests.
    pub(super) fn server_may_ask(&self) -> bool {
        self.revision().is_none_or(|r| r.era() == Era::Legacy)
    }
}

/// Whether repeating a request can do no harm.
pub(super) fn may_repeat(sent: &Sent) -> bool {
    sent.options.repeatable.unwrap_or_else(|| shape::repeatable(&sent.method))
}
