//! The server half of HTTP+SSE.
//!
//! Owns: sessions that live as long as their event stream, and end when nothing is
//! said on them. Must not know: streamable HTTP, beyond the parts for bodies and
//! responses that both share.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use parking_lot::Mutex;

use mcpbolt_proto::http::headers::EVENT_STREAM;
use mcpbolt_proto::http::sse::SseEvent;
use mcpbolt_proto::jsonrpc::{Incoming, Malformed, Message, encode};
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::policy::share::Shares;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::StreamId;
use mcpbolt_proto::session::server::ServerSession;

use crate::handler::{ConnectionInfo, Engine, Principal, RequestHead, Scope, TransportKind, Wake};
use crate::transport::connection::{ServerConnection, Sink, Wire};
use crate::transport::streamable_http::server::LegacyPaths;
use crate::transport::streamable_http::server::admission::CROWDED;
use crate::transport::streamable_http::server::body::HttpBody;
use crate::transport::streamable_http::server::pipe::Pipe;
use crate::transport::streamable_http::server::quota::{self, Thing, Ticket};
use crate::transport::streamable_http::server::reply::{self, Reply};
use crate::transport::streamable_http::server::{
    HALF_OPEN_SHARE, Peer, SWEEP, Shared, expects_answer, new_id,
};
use crate::transport::timer::{self, Due};

/// Both endpoints, and the sessions between them.
pub(crate) struct LegacySse {
    pub(crate) paths: LegacyPaths,
    sessions: Arc<Sessions>,
}

/// The sessions, swept as long as there are any.
struct Sessions {
    me: Weak<Self>,
    open: Mutex<HashMap<String, Session>>,
    engine: Arc<Engine>,
    half_open: Duration,
    sweeping: AtomicBool,
}

#[derive(Clone)]
struct Session {
    connection: Arc<ServerConnection>,
    principal: Principal,
    traffic: Arc<Traffic>,
    /// The event stream, where all answers go.
    pipe: Arc<Pipe>,
    /// Its place in the quota of its principal.
    ticket: Option<Arc<Ticket>>,
}

/// When a session last said or heard something.
struct Traffic {
    engine: Arc<Engine>,
    /// On the engine's clock.
    last_ms: AtomicU64,
    /// The client has posted a message.
    established: AtomicBool,
}

impl Traffic {
    fn touch(&self) {
        self.last_ms.store(millis(self.engine.now()), Ordering::Relaxed);
    }
}

/// The event stream as a sink.
struct Events(Arc<Pipe>, Arc<Traffic>);

/// Ends a session when its event stream is dropped.
struct Open {
    id: String,
    connection: Arc<ServerConnection>,
    sessions: Arc<Sessions>,
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Sessions {
    fn limits(&self) -> &Limits {
        &self.engine.limits
    }

    /// Whether another session would be refused: as elsewhere, only a part of them may
    /// be ones that nobody has used, and who has many of those finds less room.
    fn is_full(&self, mine: impl FnOnce() -> usize) -> bool {
        let (all, unused) = {
            let open = self.open.lock();
            let unused = |session: &&Session| !session.traffic.established.load(Ordering::Relaxed);
            (open.len(), open.values().filter(unused).count())
        };
        let max = self.limits().max_sessions;
        let shares = Shares::of(max.div_ceil(HALF_OPEN_SHARE));
        all >= max || !shares.admits(unused, usize::MAX) && !shares.admits(unused, mine())
    }

    fn insert(&self, id: String, session: Session) {
        session.traffic.touch();
        self.open.lock().insert(id, session);
        if !self.sweeping.swap(true, Ordering::AcqRel) {
            timer::schedule(self.pause(), self.me.clone());
        }
    }

    fn pause(&self) -> Duration {
        (self.half_open.min(self.limits().session_idle) / 4).clamp(SWEEP.0, SWEEP.1)
    }

    fn is_expired(&self, session: &Session, now: u64) -> bool {
        if session.pipe.is_dead() {
            return true;
        }
        if session.connection.in_flight() > 0 {
            // Somebody waits for an answer: idle time begins after it.
            session.traffic.touch();
        }
        let used = session.traffic.established.load(Ordering::Relaxed);
        let limit = if used { self.limits().session_idle } else { self.half_open };
        now.saturating_sub(session.traffic.last_ms.load(Ordering::Relaxed)) >= millis(limit)
    }
}

impl Due for Sessions {
    fn due(self: Arc<Self>) {
        let now = millis(self.engine.now());
        let expired: Vec<Session> = {
            let mut open = self.open.lock();
            let expired = open.extract_if(|_, session| self.is_expired(session, now));
            let expired = expired.map(|(_, session)| session).collect();
            if open.is_empty() {
                self.sweeping.store(false, Ordering::Release);
            } else {
                timer::schedule(self.pause(), self.me.clone());
            }
            expired
        };
        for session in expired {
            session.connection.close(true);
        }
    }
}

impl LegacySse {
    pub(crate) fn new(paths: LegacyPaths, engine: &Arc<Engine>, half_open: Duration) -> Self {
        let engine = engine.clone();
        let sessions = Arc::new_cyclic(|me| Sessions {
            me: me.clone(),
            open: Mutex::default(),
            engine,
            half_open,
            sweeping: AtomicBool::new(false),
        });
        Self { paths, sessions }
    }

    pub(crate) fn len(&self) -> usize {
        self.sessions.open.lock().len()
    }

    pub(crate) fn close_all(&self) {
        let all: Vec<_> = self.sessions.open.lock().drain().map(|(_, session)| session).collect();
        for session in all {
            session.connection.close(true);
        }
    }

    /// GET: a new session and its event stream.
    pub(crate) fn open(&self, shared: &Shared, scope: &Scope, peer: &Peer) -> Reply {
        let half_open = || shared.quotas.half_open(quota::who(scope, peer));
        if shared.is_draining() || self.sessions.is_full(half_open) {
            return reply::overloaded(None, "no new sessions now");
        }
        let ticket = match quota::who(scope, peer).map(|who| shared.quotas.take(who, Thing::Session)) {
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
        let open = Open { id, connection, sessions: self.sessions.clone() };
        let guard = (shared.engine.stats().stream(), open);
        let body = HttpBody::stream(pipe, peer.watch.clone(), shared.options.keep_alive, guard);
        let mut answer = Reply::new(body);
        answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(EVENT_STREAM));
        answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        reply::insert(&mut answer, "x-accel-buffering", "no");
        answer
    }

    /// POST: a message of a session. Its answer travels on the event stream: a request is
    /// taken when there is room for it there. Whatever else is said does not wait.
    pub(crate) async fn message(
        &self,
        shared: &Shared,
        body: Bytes,
        head: &RequestHead,
        scope: &Scope,
        peer: &Peer,
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
        let incoming = session.connection.decode(body);
        if incoming.as_ref().map_or(true, expects_answer) {
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

    fn on_writable(&self, wake: Wake) {
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
