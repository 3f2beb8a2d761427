//! Legacy clients with sessions: `initialize` opens one, POSTs and a GET use it,
//! DELETE ends it.

use std::sync::Arc;

use http::HeaderMap;

use mcpbolt_proto::http::headers::{self, EVENT_STREAM};
use mcpbolt_proto::http::{ExchangeConfig, Head, Legacy, LegacyOperation};
use mcpbolt_proto::jsonrpc::Incoming;
use mcpbolt_proto::protocol::Revision;
use mcpbolt_proto::session::StreamId;
use mcpbolt_proto::session::server::ServerSession;

use crate::handler::{ConnectionInfo, TransportKind};
use crate::observe::events::{self, Refused};
use crate::transport::connection::ServerConnection;

use super::body::HttpBody;
use super::modern::{expects_answer, finish};
use super::replay::EventId;
use super::reply::{self, Reply};
use super::service::{Admitted, Shared, lookup};
use super::session::Streams;
use super::sessions::HttpSession;
use super::slot::{Slot, Start};

impl Shared {
    pub(super) async fn stateful(
        self: Arc<Self>,
        legacy: Legacy<'_>,
        incoming: Incoming,
        request: &Admitted,
    ) -> Reply {
        if legacy.operation == LegacyOperation::Initialize {
            return self.initialize(legacy, incoming, request).await;
        }
        let session = match self.find(&legacy, request) {
            Ok(session) => session,
            Err(refused) => return refused,
        };
        if session.streams.revision().is_none()
            && let Some(agreed) = session.connection.agreed()
        {
            session.streams.agreed(agreed.revision);
        }
        let revision = legacy.revision(session.streams.revision());
        self.exchange(&session, incoming, revision, request).await
    }

    async fn initialize(
        self: Arc<Self>,
        legacy: Legacy<'_>,
        incoming: Incoming,
        request: &Admitted,
    ) -> Reply {
        if self.sessions.is_full() {
            return reply::overloaded(None, "too many sessions");
        }
        let info = ConnectionInfo {
            id: self.engine.next_connection(),
            transport: TransportKind::Http,
            peer: request.peer.address,
        };
        let streams = Streams::new(&self.engine.limits, self.options.retry);
        let session = ServerSession::new(Arc::clone(&self.engine.settings));
        let connection = ServerConnection::open(&self.engine, &self.handler, info, streams.clone(), session);
        let session = HttpSession::new(connection, streams, request.scope.principal.clone());
        let id = self.sessions.insert(session.clone());
        let mut answer = self.exchange(&session, incoming, legacy.revision(None), request).await;
        let streaming = http_body::Body::size_hint(answer.body()).exact().is_none();
        match session.connection.agreed() {
            Some(agreed) => session.streams.agreed(agreed.revision),
            None if streaming => {}
            None => {
                self.sessions.remove(&id);
                return answer;
            }
        }
        reply::session(&mut answer, &id);
        answer
    }

    /// Runs what one POST carries on a stream of its own.
    async fn exchange(
        &self,
        session: &Arc<HttpSession>,
        incoming: Incoming,
        revision: Revision,
        request: &Admitted,
    ) -> Reply {
        let expects = expects_answer(&incoming);
        let mut config = ExchangeConfig {
            mode: self.options.response,
            accepts: request.accepts,
            ..ExchangeConfig::single(revision)
        };
        config.accepts.sse &= expects;
        let Ok((stream, slot)) = session.streams.open(config) else {
            events::refused(Refused::Rate, 0);
            return reply::refuse(429, "too many open streams in this session");
        };
        session.connection.receive_decoded(vec![Ok(incoming)], stream, &request.scope);
        match slot.start() {
            Some(Start::Whole(head, body)) => reply::from_head(&head, HttpBody::whole(body)),
            None if !expects => {
                session.streams.forget(stream);
                reply::empty(202)
            }
            started => {
                let waiting = Waiting { session: session.clone(), stream, slot: slot.clone() };
                finish(started, slot, request.peer.watch.clone(), self.options.keep_alive, waiting).await
            }
        }
    }

    fn find(&self, legacy: &Legacy<'_>, request: &Admitted) -> Result<Arc<HttpSession>, Reply> {
        let Some(id) = legacy.session_id else {
            return Err(reply::refuse(400, "Mcp-Session-Id is missing"));
        };
        let found = self.sessions.find(id, &request.scope.principal);
        let alive = found.filter(|session| {
            let closed = session.connection.is_closed();
            if closed {
                self.sessions.remove(id);
            }
            !closed
        });
        alive.ok_or_else(|| {
            events::refused(Refused::Session, 0);
            reply::refuse(404, "no such session")
        })
    }

    pub(super) fn delete(&self, legacy: Legacy<'_>, request: &Admitted) -> Reply {
        match (self.find(&legacy, request), legacy.session_id) {
            (Ok(_), Some(id)) => {
                self.sessions.remove(id);
                reply::empty(200)
            }
            (Ok(_), None) => reply::empty(404),
            (Err(refused), _) => refused,
        }
    }

    /// GET: the session's own stream, or a stream that is resumed.
    pub(super) fn stream(&self, legacy: Legacy<'_>, request: &Admitted) -> Reply {
        let session = match self.find(&legacy, request) {
            Ok(session) => session,
            Err(refused) => return refused,
        };
        if !request.accepts.sse {
            return reply::refuse(406, "Accept must allow text/event-stream");
        }
        if self.is_draining() {
            return reply::overloaded(None, "the server is shutting down");
        }
        let last = match request.headers().map(last_event) {
            Some(Err(refused)) => return refused,
            Some(Ok(last)) => last,
            None => None,
        };
        let pipe = session.streams.attach(last);
        let head = Head {
            status: 200,
            content_type: Some(EVENT_STREAM),
            headers: vec![("cache-control", "no-cache".to_owned()), ("x-accel-buffering", "no".to_owned())],
        };
        let watch = request.peer.watch.clone();
        reply::from_head(&head, HttpBody::stream(pipe, watch, self.options.keep_alive, session))
    }
}

fn last_event(found: &HeaderMap) -> Result<Option<EventId>, Reply> {
    match lookup(found, headers::LAST_EVENT_ID).one().filter(|id| !id.is_empty()) {
        None => Ok(None),
        Some(id) => match EventId::parse(id) {
            Some(id) => Ok(Some(id)),
            None => Err(reply::refuse(400, "Last-Event-ID is not one of ours")),
        },
    }
}

/// A client that waits for the answer to its POST. Dropped when it has it, or leaves:
/// which cancels nothing in this era, since it may come back.
struct Waiting {
    session: Arc<HttpSession>,
    stream: StreamId,
    slot: Arc<Slot>,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if !self.slot.pipe().is_finished() {
            self.slot.pipe().kill();
        }
        self.session.connection.stream_closed(self.stream);
    }
}
