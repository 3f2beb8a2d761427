//! The server half of HTTP+SSE.
//!
//! Owns: the GET that opens a session, the POSTs on it, and the event stream that carries
//! all answers. Must not know: streamable HTTP, beyond the parts for bodies and responses
//! that both share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytes::Bytes;

use mcpbolt_proto::http::Head;
use mcpbolt_proto::http::sse::SseEvent;
use mcpbolt_proto::jsonrpc::{Incoming, Malformed, Message, encode};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::StreamId;
use mcpbolt_proto::session::server::ServerSession;

use crate::handler::{ConnectionInfo, Link as _, RequestHead, Scope, TransportKind, Wake};
use crate::transport::connection::{ServerConnection, Sink, Wire};
use crate::transport::streamable_http::server::admission::CROWDED;
use crate::transport::streamable_http::server::body::HttpBody;
use crate::transport::streamable_http::server::endpoint::Endpoint;
use crate::transport::streamable_http::server::pipe::Pipe;
use crate::transport::streamable_http::server::quota::{self, Counted};
use crate::transport::streamable_http::server::rate_limit::Charged;
use crate::transport::streamable_http::server::reply::{self, Reply};
use crate::transport::streamable_http::server::{Peer, expects_answer, new_id};

use super::sessions::{LegacySse, Session, Sessions, Traffic};

/// The event stream as a sink.
struct Events(Arc<Pipe>, Arc<Traffic>);

/// Ends a session when its event stream is dropped.
struct Open {
    id: String,
    connection: Arc<ServerConnection>,
    sessions: Arc<Sessions>,
}

impl LegacySse {
    /// GET: a new session and its event stream.
    pub(crate) fn open(&self, shared: &Endpoint, scope: &Scope, peer: &Peer) -> Reply {
        let half_open = || shared.quotas.half_open(quota::who(scope, peer));
        if shared.is_draining() || self.sessions.is_full(half_open) {
            return reply::overloaded(None, "no new sessions now");
        }
        let ticket = match quota::who(scope, peer).map(|who| shared.quotas.take(who, Counted::Session)) {
            Some(None) => return reply::overloaded(None, "too many sessions of one client"),
            ticket => ticket.flatten().map(Arc::new),
        };
        let id = new_id();
        let pipe = Pipe::new(self.sessions.limits());
        let endpoint = format!("{}?sessionId={id}", self.paths.messages);
        pipe.write(|out| {
            SseEvent { event: Some("endpoint"), data: &endpoint, ..SseEvent::default() }.write(out);
        });
        let info = ConnectionInfo {
            id: shared.engine.next_connection(),
            transport: TransportKind::LegacySse,
            peer: peer.address,
            per_request: false,
        };
        let session = ServerSession::new(Arc::clone(&shared.engine.settings));
        let traffic = Arc::new(Traffic {
            engine: shared.engine.clone(),
            last_ms: AtomicU64::new(0),
            established: AtomicBool::new(false),
        });
        let sink = Arc::new(Events(pipe.clone(), traffic.clone()));
        let connection = ServerConnection::open(&shared.engine, &shared.handler, info, sink, session);
        let principal = scope.principal.clone();
        self.sessions.insert(
            id.clone(),
            Session { connection: connection.clone(), principal, traffic, pipe: pipe.clone(), ticket },
        );
        if shared.is_draining() {
            // A shutdown that began meanwhile may have looked for sessions before this one was there.
            connection.close_when_idle();
        }
        let open = Open { id, connection, sessions: self.sessions.clone() };
        let guard = (shared.engine.stats().stream(), open);
        let body = HttpBody::stream(pipe, peer.watch.clone(), shared.options.keep_alive, guard);
        reply::from_head(&Head::of_events(), body)
    }

    /// POST: a message of a session. Its answer travels on the event stream: a request is
    /// taken when there is room for it there. Whatever else is said does not wait.
    pub(crate) async fn message(
        &self,
        shared: &Endpoint,
        body: Bytes,
        head: &RequestHead,
        scope: &Scope,
        peer: &Peer,
        charged: &Charged,
    ) -> Reply {
        let mut pairs = url::form_urlencoded::parse(head.uri.query().unwrap_or_default().as_bytes());
        let Some((_, id)) = pairs.find(|(name, _)| name == "sessionId") else {
            return reply::refuse(400, "sessionId is missing");
        };
        let theirs = |session: &&Session| session.principal == scope.principal;
        let Some(session) = self.sessions.open.lock().get(&*id).filter(theirs).cloned() else {
            return reply::refuse(404, "no such session");
        };
        session.traffic.established.store(true, Ordering::Relaxed);
        session.traffic.touch();
        if let Some(ticket) = &session.ticket {
            ticket.shook_hands();
        }
        let size = body.len();
        let incoming = session.connection.decode(body);
        if let Some(refused) = shared.charge_rest(charged, &incoming, size, scope, peer) {
            return refused;
        }
        if let Some(refused) = shared.lacks_scopes(&incoming, &scope.principal) {
            return refused;
        }
        if incoming.as_ref().map_or(true, expects_answer) {
            if shared.is_draining() {
                return reply::overloaded(None, "the server is shutting down");
            }
            session.pipe.writable().await;
            if session.pipe.is_dead() {
                return reply::refuse(404, "the event stream of this session is closed");
            }
            if shared.crowded(scope, peer, None).is_some() {
                return session.refuse_calls(incoming);
            }
        }
        session.connection.receive_decoded(vec![incoming], StreamId::CONNECTION, scope);
        reply::empty(202)
    }
}

impl Session {
    /// Answers on the event stream, where the client looks for answers.
    fn refuse_calls(&self, incoming: Result<Incoming, Malformed>) -> Reply {
        let messages = match incoming {
            Ok(Incoming::Single(message)) => vec![Ok(message)],
            Ok(Incoming::Batch(messages)) => messages,
            Err(_) => Vec::new(),
        };
        let error = Error::overloaded(CROWDED).into();
        for message in messages {
            if let Ok(Message::Request(asked)) = message {
                let text = encode::error(Some(&asked.id), &error);
                self.pipe.write(|out| {
                    SseEvent { event: Some("message"), data: &text, ..SseEvent::default() }.write(out);
                });
            }
        }
        reply::empty(202)
    }
}

impl Sink for Events {
    fn send(&self, steps: &mut Vec<Wire>) {
        self.1.touch();
        for step in steps.drain(..) {
            if let Wire::Message(outbound) = step {
                let event = SseEvent { event: Some("message"), data: &outbound.text, ..SseEvent::default() };
                self.0.write(|out| event.write(out));
            }
        }
    }

    fn is_full(&self, _: StreamId) -> bool {
        self.0.is_full()
    }

    fn on_writable(&self, _: StreamId, wake: Wake) {
        self.0.on_writable(wake);
    }

    fn close(&self) {
        self.0.end();
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.sessions.open.lock().remove(&self.id);
        self.connection.close(false);
    }
}
