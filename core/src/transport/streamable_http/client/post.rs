//! One message to the server, and what becomes of it.
//!
//! Owns: the headers of a POST, reading its answer. Must not know: how lost streams
//! are opened again.

use std::sync::Arc;

use bytes::Bytes;
use bytestring::ByteString;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use reqwest::Response;

use mcpbolt_proto::http::headers;
use mcpbolt_proto::http::standard_headers::{is_reserved, standard_headers};
use mcpbolt_proto::protocol::{Error, Revision, methods};

use crate::transport::client::{RequestFrame, SendFailure};

use super::answers::{answers, error_in, names};
use super::connection::HttpConnection;
use super::copies::Asked;
use super::events::Cursor;
use super::exchange::Outgoing;
use super::failures::{is_no_verdict, refusal, unusable};
use super::headers::{post_headers, session_headers, version};
use super::repeats::Repeats;
use super::response::{self, Media, Unread, forgotten};
use super::sender::Unanswered;
use super::state::{Mode, Passage, Ticket};

/// Why the server did not take a notification or an answer.
pub(super) struct Missed {
    pub(super) error: Error,
    /// Who waits for nothing learns of it in another way: the session or the transport is over.
    pub(super) is_known: bool,
}

/// Bodies beyond this size are not read here: whoever they are for knows what they answer.
const LARGE: usize = 64 * 1024;

impl HttpConnection {
    /// Carries a request to its answer, or to its failure.
    pub(super) async fn request(
        self: Arc<Self>,
        text: ByteString,
        facts: RequestFrame,
        revision: Option<Revision>,
    ) {
        let modern = revision.is_some_and(|r| r.features().standard_headers);
        let opening = is_opening(&facts.method);
        if opening && !modern && matches!(self.state.mode(), Mode::Streamable) {
            self.state.set_session(None);
        } else if !modern && !self.state.pass().await {
            return;
        }
        let mut ticket = if modern { Ticket::default() } else { self.state.ticket() };
        // A lost connection cancels a request of the modern era, answers of HTTP+SSE do not come here,
        // and probes are not part of a session.
        let renames = !modern && matches!(self.state.mode(), Mode::Streamable) && !is_probe(&facts.method);
        let mut repeats = self.repeats(&facts);
        let mut asked = Asked::new(facts, text, ticket.epoch);
        if let Some(after) = &asked.facts.resumption.after {
            return self.take_up(after, &asked, modern, ticket).await;
        }
        loop {
            let headers = match request_headers(&asked.facts, revision, modern, &ticket) {
                Ok(headers) => headers,
                Err(error) => return self.fail(asked.facts.request, SendFailure::local(error)),
            };
            let as_it_is = opening || (asked.facts.repeatable && !renames);
            let mut outgoing = self.post(asked.text().clone(), headers, as_it_is);
            if self.http.options.authorizer.is_some() {
                outgoing.operation = operation(&asked.facts).into();
            }
            let again = match self.http.attempt(outgoing).await {
                Ok(response) => self.heard(response, &asked, modern, ticket, &mut repeats).await,
                Err(Unanswered { is_lost: true, .. }) if renames && repeats.once_more() => true,
                Err(Unanswered { failure, .. }) => return self.fail(asked.facts.request, failure),
            };
            // The next session may have to be asked again.
            if !again || !self.state.pass().await {
                return;
            }
            ticket = self.state.ticket();
            if renames && asked.again(ticket.epoch) {
                self.state.sent_again(&asked.facts, ticket.epoch, asked.id());
            }
        }
    }

    /// What comes of a response. `true` as for [`answer`](Self::answer).
    async fn heard(
        self: &Arc<Self>,
        response: Response,
        asked: &Asked,
        modern: bool,
        mut ticket: Ticket,
        repeats: &mut Repeats,
    ) -> bool {
        if let Some(wait) = repeats.after(&response) {
            drop(response);
            self.pause(wait, &mut self.state.renewal()).await;
            return true;
        }
        if response.status() == StatusCode::NOT_FOUND && ticket.session.is_some() {
            return self.session_refused(response, asked, &ticket).await;
        }
        if !modern && is_opening(&asked.facts.method) {
            self.begin_session(&response);
            ticket = self.state.ticket();
        }
        self.answer(response, asked, modern, ticket, repeats).await
    }

    /// How often a request may go again. Probes do not: each status that they get says which kind of
    /// server this is. A carrier repeats what it likes.
    fn repeats(&self, facts: &RequestFrame) -> Repeats {
        let carried = self.http.options.carrier.is_some();
        Repeats::new(facts.repeatable && !is_probe(&facts.method) && !carried)
    }

    /// Carries a notification or an answer of ours; fails if the server did not take it.
    /// `answer_epoch` is the session an answer belongs to.
    pub(super) async fn notice(
        self: &Arc<Self>,
        text: ByteString,
        revision: Option<Revision>,
        passage: Passage,
        answer_epoch: Option<u64>,
    ) -> Result<(), Missed> {
        let modern = revision.is_some_and(|r| r.features().standard_headers);
        if !modern && passage == Passage::Ordinary && !self.state.pass().await {
            return Err(Missed { error: Error::closed(), is_known: true });
        }
        let ticket = if modern { Ticket::default() } else { self.state.ticket() };
        if answer_epoch.is_some_and(|epoch| epoch != ticket.epoch && !modern) {
            return Ok(());
        }
        let mut headers = post_headers();
        match revision {
            Some(revision) if modern => version(&mut headers, revision),
            _ => session_headers(&mut headers, &ticket),
        }
        // A repeated answer changes nothing; a notification might.
        let outgoing = self.post(text, headers, answer_epoch.is_some());
        let bound = self.http.options.acknowledge_timeout;
        let outcome = tokio::time::timeout(bound, async {
            let response = self.http.exchange(outgoing).await?;
            if !response.status().is_success() {
                return Err(response::refused(response).await);
            }
            // Read, so that the connection can be used again.
            let _ = response::error_body(response, 64 * 1024).await;
            Ok(())
        })
        .await
        .unwrap_or_else(|_| Err(SendFailure::local(Error::timeout())));
        let lost =
            matches!(&outcome, Err(failure) if failure.status == Some(404)) && ticket.session.is_some();
        let is_first = lost && self.state.lose(ticket.epoch);
        if is_first {
            self.tell(|events| events.session_lost(Vec::new()));
        } else if passage == Passage::Opens {
            self.open_stream(&ticket);
        }
        outcome.map_err(|failure| Missed { error: failure.error, is_known: is_first })
    }

    fn post(&self, text: ByteString, headers: HeaderMap, repeatable: bool) -> Outgoing {
        let url = match self.state.mode() {
            Mode::Streamable | Mode::Opening => self.http.url.clone(),
            Mode::LegacySse(endpoint) => endpoint,
        };
        let (method, body, operation) = (Method::POST, text.into_bytes(), "POST".into());
        Outgoing { method, url, headers, body, repeatable, operation }
    }

    /// The session id stands on the response to `initialize`.
    fn begin_session(&self, response: &Response) {
        let value = response.headers().get(headers::SESSION_ID).filter(|_| response.status().is_success());
        let usable = |value: &HeaderValue| value.to_str().is_ok_and(headers::is_session_id);
        let session = value.cloned().filter(usable).map(|mut value| {
            value.set_sensitive(true);
            value
        });
        if session.is_none() && value.is_some() {
            self.tell(|events| events.problem(Error::protocol("the server's session id is not usable")));
        }
        self.state.set_session(session);
    }

    /// A 404 in a session: the session is gone, unless the body answers the request.
    /// `true` if the request is to be repeated in the next session.
    async fn session_refused(&self, response: Response, asked: &Asked, ticket: &Ticket) -> bool {
        let body = response::error_body(response, self.http.options.max_message_bytes).await;
        if let Some(body) = body.filter(|body| names(body, asked.id())) {
            self.deliver(body, asked);
        } else if self.state.lose(ticket.epoch) {
            self.state.finish(asked.facts.request);
            self.tell(|events| events.session_lost(vec![asked.facts.request]));
        } else if asked.facts.repeatable {
            return true;
        } else {
            self.fail(asked.facts.request, forgotten());
        }
        false
    }

    /// Reads what a response brings. `true` if the request is to be repeated: the session went
    /// before the answer came, or the connection did and it does no harm.
    async fn answer(
        self: &Arc<Self>,
        response: Response,
        asked: &Asked,
        modern: bool,
        ticket: Ticket,
        repeats: &mut Repeats,
    ) -> bool {
        let status = response.status();
        if matches!(self.state.mode(), Mode::LegacySse(_)) {
            // The answer comes on the event stream.
            if status.is_success() {
                let _ = response::error_body(response, 64 * 1024).await;
                self.state.finish(asked.facts.request);
            } else {
                self.fail(asked.facts.request, response::refused(response).await);
            }
            return false;
        }
        if !status.is_success() {
            self.refused(response, asked, modern, ticket.revision).await;
            return false;
        }
        match response::media(&response) {
            Ok(Media::EventStream) => {
                return self.follow(response, Cursor::default(), asked, modern, ticket, repeats).await;
            }
            Ok(Media::Json) => return self.document(response, asked, repeats).await,
            Ok(Media::Other) => {
                let failure = unusable(&response, "neither JSON nor an event stream");
                self.fail(asked.facts.request, failure);
            }
            Err(error) => self.fail(asked.facts.request, SendFailure::local(error)),
        }
        false
    }

    /// An answer that is one JSON document. `true` as for [`answer`](Self::answer).
    async fn document(&self, response: Response, asked: &Asked, repeats: &mut Repeats) -> bool {
        match response::body(response, self.http.options.max_message_bytes).await {
            Ok(body) => {
                let answered = body.len() <= LARGE && answers(&body, asked.id());
                self.deliver(body, asked);
                // A request that a large one has answered does not fail any more.
                if !answered {
                    let error = Error::protocol("the body does not answer the request");
                    self.fail(asked.facts.request, SendFailure::local(error));
                }
            }
            Err(Unread::Cut(_)) if repeats.once_more() => return true,
            Err(why) => self.fail(asked.facts.request, SendFailure::local(why.into())),
        }
        false
    }

    /// A status that is not a success. A JSON-RPC error in the body is the answer, unless
    /// the status says that the request was not looked at.
    async fn refused(&self, response: Response, asked: &Asked, modern: bool, revision: Option<Revision>) {
        let status = response.status();
        let unread = matches!(
            status,
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::PROXY_AUTHENTICATION_REQUIRED
        );
        if unread || (is_no_verdict(status) && is_probe(&asked.facts.method)) {
            return self.fail(asked.facts.request, response::refused(response).await);
        }
        if !matches!(response::media(&response), Ok(Media::Json)) {
            return self.fail(asked.facts.request, response::refused(response).await);
        }
        let refusal = refusal(&response);
        let body =
            response::error_body(response, self.http.options.max_message_bytes).await.unwrap_or_default();
        // For a handshake it is still the status that tells which server this is.
        match error_in(&body) {
            Some(_) if names(&body, asked.id()) || (modern && answers(&body, asked.id())) => {
                self.deliver(body, asked);
            }
            // About this exchange, not about the request: it has both the error's words and the status.
            Some(error) => {
                let error = Error::from_peer(error, revision.unwrap_or(Revision::LATEST_LEGACY));
                let failure = SendFailure { error, status: Some(status.as_u16()) };
                self.fail(asked.facts.request, failure.said(&body));
            }
            None => self.fail(asked.facts.request, refusal.said(&body)),
        }
    }

    fn deliver(&self, body: Bytes, asked: &Asked) {
        let request = asked.facts.request;
        self.state.finish(request);
        self.tell(|events| events.received(asked.own(body), Some(request)));
    }
}

/// What a request does, as an authorizer is told.
fn operation(facts: &RequestFrame) -> String {
    facts.name.as_ref().map_or_else(|| facts.method.clone(), |name| format!("{} {name}", facts.method))
}

fn is_opening(method: &str) -> bool {
    method == methods::INITIALIZE
}

fn is_probe(method: &str) -> bool {
    is_opening(method) || method == methods::SERVER_DISCOVER
}

fn request_headers(
    facts: &RequestFrame,
    revision: Option<Revision>,
    modern: bool,
    ticket: &Ticket,
) -> Result<HeaderMap, Error> {
    let mut headers = post_headers();
    let unusable = |_| Error::usage("a header of the request has a value that HTTP does not allow");
    if let Some(revision) = revision.filter(|_| modern) {
        for (name, value) in standard_headers(revision.as_str(), &facts.method, facts.name.as_deref()) {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_str(&value).map_err(unusable)?);
        }
    } else if !is_opening(&facts.method) {
        session_headers(&mut headers, ticket);
    }
    for (name, value) in &facts.headers {
        let name: HeaderName = name
            .parse()
            .map_err(|_| Error::usage("a header of the request has a name that HTTP does not allow"))?;
        // What it names is known of a method of the protocol's; of its own the program says it.
        let names_own = modern && facts.name.is_none() && name.as_str() == headers::NAME;
        if names_own || !is_reserved(name.as_str()) {
            headers.insert(name, HeaderValue::from_str(value).map_err(unusable)?);
        }
    }
    Ok(headers)
}
