//! Requests of the server to the client: legacy era only.
//!
//! Owns: what may be asked when, and how a request of ours ends. Must not know: why the client
//! is asked.

use crate::jsonrpc::{Id, Notification, RawJson, RawObject, encode};
use crate::protocol::methods::Side;
use crate::protocol::{Era, Error, ErrorKind, Revision, methods};

use super::super::cancellation;
use super::super::outgoing::Patience;
use super::super::{ExchangeId, OutboundKind, OutgoingId, Output, StreamId, Time};
use super::state::{Asked, Effect, Exchange, Phase, ServerSession};

/// Whether servers can ask for `method` in a revision: as a request, or as a question
/// of an `input_required` result. Methods outside the protocol are the program's own.
///
/// # Errors
/// `Usage`, naming both, if the protocol has the method and this revision does not.
pub fn check_exists(method: &str, revision: Revision) -> Result<(), Error> {
    let exists = methods::lookup(method).is_none_or(|spec| {
        spec.is_embedded_in(revision) || spec.is_request() && spec.may_be_sent_by(Side::Server, revision)
    });
    if exists {
        return Ok(());
    }
    let message = format!("servers cannot ask for {method} in revision {revision}");
    Err(Error::new(ErrorKind::Usage, message))
}

/// How a request of the server's is sent.
///
/// ```
/// use mcpbolt_proto::session::server::Asks;
///
/// let asks = Asks { progress: true, ..Asks::default() };
/// assert!(asks.timeout.is_none()); // the session's
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Asks {
    /// How long it may take without an answer or progress; the session's when absent.
    pub timeout: Option<Time>,
    /// How long in all, whatever progress says; the session's when absent.
    pub max: Option<Time>,
    /// Whether the timeout, this one or the session's, is the longest time in all, whatever
    /// progress says.
    pub fixed: bool,
    /// Whether the client shall report progress: the request then carries a token.
    pub progress: bool,
}

/// The params with the request's own id as the token under which progress is reported.
fn with_token(params: Option<&RawJson>, id: &Id) -> RawJson {
    let mut members = params.and_then(RawObject::parse).unwrap_or_default();
    let mut meta = members.get("_meta").and_then(RawObject::parse).unwrap_or_default();
    meta.set("progressToken", id.to_raw());
    members.set("_meta", meta.to_raw());
    members.to_raw()
}

impl ServerSession {
    /// Sends a request to the client, on the stream of the exchange it serves.
    ///
    /// Fails with `Usage` on the modern era and for methods that the revision does not
    /// have, `MissingClientCapability` if the client did not declare what the method
    /// needs, `Closed` when the session is over.
    pub fn ask(
        &mut self,
        now: Time,
        exchange: Option<ExchangeId>,
        method: &str,
        params: Option<&RawJson>,
        patience: Option<Patience>,
    ) -> Result<OutgoingId, Error> {
        let (timeout, max) = patience.map(|patience| (patience.timeout, patience.max)).unzip();
        self.ask_with(now, exchange, method, params, Asks { timeout, max, ..Asks::default() })
    }

    /// As [`ServerSession::ask`], with all options.
    pub fn ask_with(
        &mut self,
        now: Time,
        exchange: Option<ExchangeId>,
        method: &str,
        params: Option<&RawJson>,
        asks: Asks,
    ) -> Result<OutgoingId, Error> {
        if self.phase == Phase::Closed {
            return Err(Error::new(ErrorKind::Closed, "the session is closed"));
        }
        let stream = match exchange {
            None => StreamId::CONNECTION,
            Some(exchange) => match self.exchanges.get(&exchange) {
                Some(entry) if entry.cancelled => {
                    return Err(Error::new(ErrorKind::Cancelled, "the request was cancelled"));
                }
                Some(entry) if entry.revision.era() == Era::Modern => {
                    return Err(Error::new(ErrorKind::Usage, "servers send no requests in this revision"));
                }
                Some(entry) => entry.stream,
                None => return Err(Error::new(ErrorKind::Closed, "the request is already answered")),
            },
        };
        self.check_may_ask(exchange, method, params)?;
        let patience = self.settings.patience.but(asks.timeout, asks.max).fixed(asks.fixed);
        let timeout = patience.timeout.min(patience.max);
        let asked = Asked { exchange, stream, method: method.to_owned(), timeout };
        let (request, id) = self.outgoing.open(now, patience.bounded(), asked);
        let marked = asks.progress.then(|| with_token(params, &id));
        self.send(stream, OutboundKind::Request, encode::request(&id, method, marked.as_ref().or(params)));
        Ok(request)
    }

    /// Only after the handshake, only what the client declared.
    fn check_may_ask(
        &self,
        exchange: Option<ExchangeId>,
        method: &str,
        params: Option<&RawJson>,
    ) -> Result<(), Error> {
        let handshake = |e: &Exchange| matches!(e.effect, Effect::Initialize(_));
        let serves = exchange.and_then(|e| self.exchanges.get(&e)).is_some_and(|e| !handshake(e));
        let ready = self.phase == Phase::Ready || serves;
        // Before a handshake nothing says that the peer takes requests at all.
        if self.agreed.is_none() || self.handshake.is_some() || !ready && method != methods::PING {
            return Err(Error::new(ErrorKind::Usage, "the client has not finished the handshake"));
        }
        let agreed = self.agreed.as_ref().map(|agreed| agreed.revision);
        let own = exchange.and_then(|e| self.exchanges.get(&e)).map(|e| e.revision);
        if let Some(revision) = own.or(agreed) {
            check_exists(method, revision)?;
        }
        match self.capabilities_of(exchange).and_then(|c| c.missing_for(method, params)) {
            Some(required) => Err(Error::missing_capability(required)),
            None => Ok(()),
        }
    }

    /// Gives up on a request of ours and tells the client.
    pub fn cancel_request(&mut self, request: OutgoingId, reason: Option<&str>) {
        let Some(asked) = self.outgoing.close(request) else { return };
        self.send_cancelled(request, asked.stream, reason);
        let outcome = Err(Error::new(ErrorKind::Cancelled, "the request was cancelled"));
        self.out.push(Output::Answered { request, outcome });
    }

    /// What was asked for an exchange is of no use once it ends.
    pub(super) fn cancel_children(&mut self, exchange: ExchangeId, reason: &str) {
        let mut children: Vec<OutgoingId> =
            self.outgoing.iter().filter(|p| p.value.exchange == Some(exchange)).map(|p| p.request).collect();
        children.sort_unstable();
        for request in children {
            self.cancel_request(request, Some(reason));
        }
    }

    pub(super) fn send_cancelled(&mut self, request: OutgoingId, stream: StreamId, reason: Option<&str>) {
        let text = cancellation::write(&self.outgoing.wire_id(request), reason);
        self.send(stream, OutboundKind::Cancellation, text);
    }

    /// Progress on a request of ours extends its time. Whether it is one of ours.
    pub(super) fn progress_received(&mut self, now: Time, notification: &Notification) -> bool {
        let Some(params) = &notification.params else { return false };
        let token = RawObject::parse(params).and_then(|p| p.get("progressToken").and_then(Id::from_raw));
        let request = token.and_then(|token| self.outgoing.find(&token)).map(|p| p.request);
        let Some(request) = request else { return false };
        self.extend(now, request);
        self.out.push(Output::Progress { request, params: params.clone() });
        true
    }

    /// Gives a request of ours its whole timeout again from `now` on.
    pub fn extend(&mut self, now: Time, request: OutgoingId) {
        self.outgoing.extend(now, request);
    }
}
