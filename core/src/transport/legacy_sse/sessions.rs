//! The sessions of HTTP+SSE: each lives as long as its event stream.
//!
//! Owns: the table, how many there may be, and the end of those on which nothing is said.
//! Must not know: requests, or what is answered to them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::policy::share::Shares;

use crate::handler::{Engine, Link as _, Principal};
use crate::transport::connection::ServerConnection;
use crate::transport::streamable_http::server::LegacyPaths;
use crate::transport::streamable_http::server::pipe::Pipe;
use crate::transport::streamable_http::server::quota::Ticket;
use crate::transport::streamable_http::server::{HALF_OPEN_SHARE, SWEEP};
use crate::transport::timer::{self, Due};

/// Both endpoints, and the sessions between them.
pub(crate) struct LegacySse {
    pub(crate) paths: LegacyPaths,
    pub(super) sessions: Arc<Sessions>,
}

/// The sessions, swept as long as there are any.
pub(super) struct Sessions {
    me: Weak<Self>,
    pub(super) open: Mutex<HashMap<String, Session>>,
    engine: Arc<Engine>,
    half_open: Duration,
    sweeping: AtomicBool,
}

#[derive(Clone)]
pub(super) struct Session {
    pub(super) connection: Arc<ServerConnection>,
    pub(super) principal: Principal,
    pub(super) traffic: Arc<Traffic>,
    /// The event stream, where all answers go.
    pub(super) pipe: Arc<Pipe>,
    /// Its place in the quota of its principal.
    pub(super) ticket: Option<Arc<Ticket>>,
}

/// When a session last said or heard something.
pub(super) struct Traffic {
    pub(super) engine: Arc<Engine>,
    /// On the engine's clock.
    pub(super) last_ms: AtomicU64,
    /// The client has posted a message.
    pub(super) established: AtomicBool,
}

impl Traffic {
    pub(super) fn touch(&self) {
        self.last_ms.store(millis(self.engine.now()), Ordering::Relaxed);
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Sessions {
    pub(super) fn limits(&self) -> &Limits {
        &self.engine.limits
    }

    /// Whether another session would be refused: as elsewhere, only a part of them may
    /// be ones that were never used, and a sender that has many of those finds less room.
    pub(super) fn is_full(&self, mine: impl FnOnce() -> usize) -> bool {
        let (all, unused) = {
            let open = self.open.lock();
            let unused = |session: &&Session| !session.traffic.established.load(Ordering::Relaxed);
            (open.len(), open.values().filter(unused).count())
        };
        let max = self.limits().max_sessions;
        let shares = Shares::of(max.div_ceil(HALF_OPEN_SHARE));
        all >= max || !shares.admits(unused, usize::MAX) && !shares.admits(unused, mine())
    }

    pub(super) fn insert(&self, id: String, session: Session) {
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
            // A client waits for an answer: idle time begins after it.
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

    /// Ends each session once its calls are answered: its stream would go on until the client leaves.
    pub(crate) fn drain(&self) {
        let all: Vec<_> = self.sessions.open.lock().values().map(|s| s.connection.clone()).collect();
        for connection in all {
            connection.close_when_idle();
        }
    }

    pub(crate) fn close_all(&self) {
        let all: Vec<_> = self.sessions.open.lock().drain().map(|(_, session)| session).collect();
        for session in all {
            session.connection.close(true);
        }
    }
}
