//! Legacy clients with sessions: `initialize` opens one, POSTs and a GET use it,
//! DELETE ends it.
//!
//! Owns: which of these a session may be found for, and the refusals. Must not know: how
//! sessions are kept, or what a message means.

use std::sync::Arc;

use mcpbolt_proto::http::headers;
use mcpbolt_proto::http::{ExchangeConfig, Head, Legacy, LegacyOperation};
use mcpbolt_proto::jsonrpc::{Incoming, Message, RawObject};
use mcpbolt_proto::policy::norm::HttpRule;
use mcpbolt_proto::protocol::{Revision, methods};
use mcpbolt_proto::session::StreamId;

use crate::observe::events::{self, Refused};

use super::asked_id::AskedId;
use super::body::HttpBody;
use super::endpoint::{Admitted, Endpoint};
use super::head::lookup;
use super::journal::LogPosition;
use super::modern::{Arrived, Places, expects_answer, finish};
use super::pipe::Pipe;
use super::post_answer::{PostAnswer, Start};
use super::quota::Counted;
use super::replay::EventId;
use super::reply::{self, Reply};
use super::sessions::{HttpSession, new_id};
use super::takeover::failed;

impl Endpoint {
    pub(super) async fn stateful(
        self: Arc<Self>,
        legacy: Legacy<'_>,
        incoming: Incoming,
        request: &Admitted,
    ) -> Reply {
        let again = self.norm().repeats_handshake && legacy.session_id.is_some();
        if legacy.operation == LegacyOperation::Initialize && !again {
            // In a box: no other request carries its room.
            return Box::pin(self.initialize(legacy, incoming, request)).await;
        }
        let session = match self.find(&legacy, request).await {
            Ok(session) => session,
            Err(refused) => return refused,
        };
        if session.streams.revision().is_none()
            && let Some(agreed) = session.connection.agreed()
        {
            session.streams.agreed(agreed.revision);
        }
        let revision = legacy.revision(session.streams.revision());
        let records = self.nodes.is_some() && changes_record(&incoming);
        let answer = self.exchange(&session, incoming, legacy.params, revision, request).await;
        // The next request may reach another node, which knows what the record says.
        if records && let Err(error) = session.recorded().await {
            return failed(&error);
        }
        answer
    }

    async fn initialize(
        self: Arc<Self>,
        legacy: Legacy<'_>,
        incoming: Incoming,
        request: &Admitted,
    ) -> Reply {
        if self.sessions.is_full(|| self.quotas.half_open(request.who())) {
            return match self.norm().refusal(HttpRule::SessionRoom) {
                Some(_) => self.refuse(HttpRule::SessionRoom, None),
                None => reply::overloaded(None, "too many sessions"),
            };
        }
        let Ok(ticket) = self.take(request, Counted::Session) else {
            events::refused(Refused::Rate, 0);
            return reply::overloaded(None, "too many sessions of one client");
        };
        let id = new_id();
        let opening = match self.open_session(&id, None, request, ticket).await {
            Ok(opening) => opening,
            Err(error) => return failed(&error),
        };
        let session = opening.session.clone();
        self.sessions.insert(&id, session.clone());
        if self.norm().primes_handshake
            && session.streams.is_recorded()
            && let Some(asked) = asked_revision(&incoming)
        {
            session.streams.agreed(asked);
        }
        let mut answer = self.exchange(&session, incoming, None, legacy.revision(None), request).await;
        let streaming = http_body::Body::size_hint(answer.body()).exact().is_none();
        if streaming && self.nodes.is_some() {
            // The head names the session, so the record must be there before it.
            let (idle, wait) = tokio::sync::oneshot::channel();
            session.connection.when_idle(Box::new(move || {
                let _ = idle.send(());
            }));
            let _ = wait.await;
        }
        match session.connection.agreed() {
            Some(agreed) => session.streams.agreed(agreed.revision),
            None if streaming && self.nodes.is_none() => {}
            None => {
                self.sessions.remove(&id, &session);
                return answer;
            }
        }
        if let Err(error) = self.publish_session(opening).await {
            self.sessions.remove(&id, &session);
            return failed(&error);
        }
        reply::session(&mut answer, &id);
        answer
    }

    /// Runs what one POST carries on a stream of its own.
    async fn exchange(
        &self,
        session: &Arc<HttpSession>,
        incoming: Incoming,
        params: Option<RawObject>,
        revision: Revision,
        request: &Admitted,
    ) -> Reply {
        session.connection.count_received(&request.body);
        let incoming = match self.route(session, incoming).await {
            Ok(Some(incoming)) => incoming,
            Ok(None) => return reply::empty(202),
            Err(error) => return failed(&error),
        };
        let expects = expects_answer(&incoming);
        if expects && let Some(refused) = self.crowded(&request.scope, &request.peer, None) {
            return refused;
        }
        let mut config = ExchangeConfig {
            mode: self.options.response,
            accepts: request.accepts,
            ..ExchangeConfig::single(revision)
        };
        if !self.grant(&mut config, expects, request) {
            events::refused(Refused::Rate, 0);
            return reply::refuse(429, "too many open streams");
        }
        let sse = config.accepts.sse;
        let reserved = if expects { session.streams.reserve(&config).await } else { None };
        let asked = self.nodes.as_ref().and_then(|_| AskedId::of(&incoming));
        let Ok((stream, slot)) = session.streams.open(config, asked, reserved) else {
            events::refused(Refused::Rate, 0);
            return reply::refuse(429, "too many open streams in this session");
        };
        Arrived::of(incoming, params).reach(&session.connection, stream, &request.scope);
        match slot.start() {
            Some(Start::Whole(head, body)) => reply::from_head(&head, HttpBody::whole(body)),
            None if !expects => {
                session.streams.forget(stream);
                session.streams.touched();
                reply::empty(202)
            }
            started => {
                let waiting = Waiting {
                    session: session.clone(),
                    stream,
                    slot: slot.clone(),
                    _places: self.places(sse, request),
                };
                let watch = request.peer.watch.clone();
                finish(started, slot, watch, self, self.options.patience(self.options.response), waiting)
                    .await
            }
        }
    }

    pub(super) async fn find(
        &self,
        legacy: &Legacy<'_>,
        request: &Admitted,
    ) -> Result<Arc<HttpSession>, Reply> {
        match legacy.session_id {
            Some(id) => self.session(id, request).await,
            None => Err(self.refuse(HttpRule::SessionNamed, request.headers())),
        }
    }

    /// GET: the session's own stream, or a stream that is resumed.
    pub(super) async fn stream(&self, legacy: Legacy<'_>, request: &Admitted) -> Reply {
        let session = match self.find(&legacy, request).await {
            Ok(session) => session,
            Err(refused) => return refused,
        };
        if !request.accepts.sse {
            return self.refuse(HttpRule::AcceptStream, request.headers());
        }
        if self.is_draining() {
            return reply::overloaded(None, "the server is shutting down");
        }
        let body = match self.events(&session, request).await {
            Ok(body) => body,
            Err(refused) => return refused,
        };
        if self.is_draining() {
            // A shutdown that began meanwhile may have looked for streams before this one was there.
            session.streams.end_own();
        }
        reply::from_head(&Head::of_events(), body)
    }

    async fn events(&self, session: &Arc<HttpSession>, request: &Admitted) -> Result<HttpBody, Reply> {
        let id = request.headers().and_then(|found| lookup(found, headers::LAST_EVENT_ID).one());
        let id = id.filter(|id| !id.is_empty());
        if let (Some(nodes), Some(shared)) = (&self.nodes, &session.shared) {
            let place = id.map(|id| LogPosition::parse(id).ok_or_else(foreign)).transpose()?;
            return self.follow(nodes, session, shared, place, request).await;
        }
        let Ok(ticket) = self.take(request, Counted::Stream) else {
            events::refused(Refused::Rate, 0);
            return Err(reply::refuse(429, "too many open streams"));
        };
        if id.is_none() && self.options.one_reader && session.streams.is_read() {
            return Err(self.refuse(HttpRule::OneStream, request.headers()));
        }
        let pipe = match id {
            Some(id) if session.streams.is_recorded() => {
                session.streams.resume_recorded(id).map_or_else(|| self.unknown_event(), Ok)?
            }
            None if session.streams.is_recorded() => session.streams.attach_recorded(),
            id => session.streams.attach(id.map(|id| EventId::parse(id).ok_or_else(foreign)).transpose()?),
        };
        let watch = request.peer.watch.clone();
        let guard = (self.engine.stats().stream(), session.clone(), ticket);
        Ok(HttpBody::stream(pipe, watch, self.options.keep_alive, guard))
    }
}

impl Endpoint {
    /// A client comes back with the id of an event that is not kept any more.
    fn unknown_event(&self) -> Result<Arc<Pipe>, Reply> {
        if !self.options.ends_unknown {
            return Err(foreign());
        }
        let pipe = Pipe::new(&self.engine.limits);
        pipe.end();
        Ok(pipe)
    }
}

/// The revision that an `initialize` asks for, if it is one.
fn asked_revision(incoming: &Incoming) -> Option<Revision> {
    let Incoming::Single(Message::Request(asked)) = incoming else { return None };
    let members = RawObject::parse(asked.params.as_ref()?)?;
    Revision::parse(&members.get("protocolVersion")?.as_string()?)
}

/// Whether a client asks for something that the record of its session holds.
fn changes_record(incoming: &Incoming) -> bool {
    let changes = |message: &Message| match message {
        Message::Request(asked) => matches!(
            &*asked.method,
            methods::LOGGING_SET_LEVEL | methods::RESOURCES_SUBSCRIBE | methods::RESOURCES_UNSUBSCRIBE
        ),
        _ => false,
    };
    match incoming {
        Incoming::Single(message) => changes(message),
        Incoming::Batch(parts) => parts.iter().any(|part| part.as_ref().is_ok_and(changes)),
    }
}

fn foreign() -> Reply {
    reply::refuse(400, "Last-Event-ID is not one of ours")
}

/// A client that waits for the answer to its POST. Dropped when it has it, or leaves:
/// which cancels nothing in this era, since it may come back.
struct Waiting {
    session: Arc<HttpSession>,
    stream: StreamId,
    slot: Arc<PostAnswer>,
    _places: Places,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if !self.slot.pipe().is_finished() {
            self.slot.pipe().kill();
        }
        self.session.connection.stream_closed(self.stream);
    }
}
