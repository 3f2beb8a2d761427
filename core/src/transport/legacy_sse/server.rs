//! The server half of HTTP+SSE.
//!
//! Owns: sessions that live as long as their event stream. Must not know: streamable
//! HTTP, beyond the parts for bodies and responses that both share.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use parking_lot::Mutex;

use mcpbolt_proto::http::headers::EVENT_STREAM;
use mcpbolt_proto::http::sse::SseEvent;
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::session::StreamId;
use mcpbolt_proto::session::server::ServerSession;

use crate::handler::{ConnectionInfo, Engine, Principal, RequestHead, Scope, TransportKind};
use crate::transport::connection::{ServerConnection, Sink, Wire};
use crate::transport::streamable_http::server::LegacyPaths;
use crate::transport::streamable_http::server::body::HttpBody;
use crate::transport::streamable_http::server::pipe::Pipe;
use crate::transport::streamable_http::server::reply::{self, Reply};
use crate::transport::streamable_http::server::{Peer, Shared, new_id};

/// Both endpoints, and the sessions between them.
pub(crate) struct LegacySse {
    pub(crate) paths: LegacyPaths,
    limits: Limits,
    sessions: Arc<Mutex<HashMap<String, Session>>>,
}

#[derive(Clone)]
struct Session {
    connection: Arc<ServerConnection>,
    principal: Principal,
}

/// The event stream as a sink.
struct Events(Arc<Pipe>);

/// Ends a session when its event stream is dropped.
struct Open {
    id: String,
    connection: Arc<ServerConnection>,
    sessions: Arc<Mutex<HashMap<String, Session>>>,
}

impl LegacySse {
    pub(crate) fn new(paths: LegacyPaths, engine: &Engine) -> Self {
        Self { paths, limits: engine.limits.clone(), sessions: Arc::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.sessions.lock().len()
    }

    pub(crate) fn close_all(&self) {
        let all: Vec<_> = self.sessions.lock().drain().map(|(_, session)| session).collect();
        for session in all {
            session.connection.close(true);
        }
    }

    /// GET: a new session and its event stream.
    pub(crate) fn open(&self, shared: &Shared, scope: &Scope, peer: &Peer) -> Reply {
        if shared.is_draining() || self.len() >= self.limits.max_sessions {
            return reply::overloaded(None, "no new sessions now");
        }
        let id = new_id();
        let pipe = Pipe::new(&self.limits);
        let endpoint = format!("{}?sessionId={id}", self.paths.messages);
        pipe.write(|out| {
            SseEvent { event: Some("endpoint"), data: &endpoint, ..SseEvent::default() }.write(out);
        });
        let info = ConnectionInfo {
            id: shared.engine.next_connection(),
            transport: TransportKind::LegacySse,
            peer: peer.address,
        };
        let session = ServerSession::new(Arc::clone(&shared.engine.settings));
        let sink = Arc::new(Events(pipe.clone()));
        let connection = ServerConnection::open(&shared.engine, &shared.handler, info, sink, session);
        let entry = Session { connection: connection.clone(), principal: scope.principal.clone() };
        self.sessions.lock().insert(id.clone(), entry);
        let guard = Open { id, connection, sessions: self.sessions.clone() };
        let body = HttpBody::stream(pipe, peer.watch.clone(), shared.options.keep_alive, guard);
        let mut answer = Reply::new(body);
        answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(EVENT_STREAM));
        answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        reply::insert(&mut answer, "x-accel-buffering", "no");
        answer
    }

    /// POST: a message of a session. Its answer travels on the event stream.
    pub(crate) fn message(&self, body: Bytes, head: &RequestHead, scope: &Scope) -> Reply {
        let mut pairs = url::form_urlencoded::parse(head.uri.query().unwrap_or_default().as_bytes());
        let Some((_, id)) = pairs.find(|(name, _)| name == "sessionId") else {
            return reply::refuse(400, "sessionId is missing");
        };
        let found =
            self.sessions.lock().get(&*id).filter(|session| session.principal == scope.principal).cloned();
        let Some(session) = found else {
            return reply::refuse(404, "no such session");
        };
        session.connection.receive([body], StreamId::CONNECTION, scope);
        reply::empty(202)
    }
}

impl Sink for Events {
    fn send(&self, steps: &mut Vec<Wire>) {
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

    fn on_writable(&self, wake: Box<dyn FnOnce() + Send>) {
        self.0.on_writable(wake);
    }

    fn close(&self) {
        self.0.end();
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.sessions.lock().remove(&self.id);
        self.connection.close(false);
    }
}
