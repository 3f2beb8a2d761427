//! The table of legacy sessions.
//!
//! Owns: ids, who may use a session, expiry, the caps. A full table refuses; it never
//! takes a session from one client to give it to another. Must not know: streams.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use parking_lot::Mutex;
use tokio::sync::watch;

use mcpbolt_proto::policy::share::Shares;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::NumberMap;

use crate::handler::{Engine, Principal};
use crate::seal::random_bytes;
use crate::transport::connection::ServerConnection;
use crate::transport::timer::{self, Due};

use super::options::HttpOptions;
use super::parts::Parts;
use super::quota::Ticket;
use super::resident::Written;
use super::session::Streams;

/// At most this part of the table may be sessions that only said `initialize`.
pub(crate) const HALF_OPEN_SHARE: usize = 8;
/// How often expiry is looked for.
pub(crate) const SWEEP: (Duration, Duration) = (Duration::from_millis(20), Duration::from_secs(5));

/// Sessions are found by a hash of their id, keyed with a secret of this table: nobody can
/// choose an id for where it falls. What outlives the process is kept under a digest, since
/// a secret cannot be kept with it.
type Key = (u64, u64);

/// A new session id: 256 random bits, visible ASCII.
pub(crate) fn new_id() -> String {
    URL_SAFE_NO_PAD.encode(random_bytes::<32>())
}

/// One legacy session.
pub(super) struct HttpSession {
    pub(super) connection: Arc<ServerConnection>,
    pub(super) streams: Arc<Streams>,
    pub(super) principal: Principal,
    /// Milliseconds on the engine's clock.
    last_used: AtomicU64,
    /// The client came back after `initialize`.
    established: AtomicBool,
    /// Set when other nodes serve it too.
    pub(super) shared: Option<SharedSession>,
    /// Its place in the quota of its principal.
    ticket: Option<Ticket>,
}

/// What other nodes know a session by.
pub(super) struct SharedSession {
    /// Hash of its id.
    pub(super) key: String,
    /// Of this node's share.
    pub(super) name: Arc<str>,
    /// When its record was last given a longer life; milliseconds on the engine's clock.
    pub(super) touched: AtomicU64,
    /// What its record says.
    pub(super) written: watch::Receiver<Written>,
}

impl HttpSession {
    pub(super) fn new(
        connection: Arc<ServerConnection>,
        streams: Arc<Streams>,
        principal: Principal,
        shared: Option<SharedSession>,
        ticket: Option<Ticket>,
    ) -> Arc<Self> {
        let (last_used, established) = (AtomicU64::new(0), AtomicBool::new(false));
        Arc::new(Self { connection, streams, principal, last_used, established, shared, ticket })
    }

    /// Until its record has what was changed of it until now.
    ///
    /// # Errors
    /// The store did not take that now; it will be written later.
    pub(super) async fn recorded(&self) -> Result<(), Error> {
        let Some(shared) = &self.shared else { return Ok(()) };
        let mut written = shared.written.clone();
        let failures = written.borrow().failures;
        loop {
            let mine = self.connection.record();
            {
                let now = written.borrow_and_update();
                if mine.is_none() || now.record == mine {
                    return Ok(());
                }
                if now.failures != failures {
                    return Err(Error::new(
                        ErrorKind::Store,
                        "the record of a session cannot be written now",
                    ));
                }
            }
            let ended = |_| Error::new(ErrorKind::Closed, "the session ended");
            written.changed().await.map_err(ended)?;
        }
    }

    /// Until no call runs and the log has all events.
    async fn settle(&self) {
        if self.connection.is_closed() {
            return;
        }
        let (idle, wait) = tokio::sync::oneshot::channel();
        self.connection.when_idle(Box::new(move || {
            let _ = idle.send(());
        }));
        let _ = wait.await;
        self.streams.written().await;
    }
}

/// All sessions of one server.
pub(super) struct SessionTable {
    me: Weak<Self>,
    parts: Parts<Sessions>,
    /// Sessions of all parts. Changed under the lock of a session's part.
    open: AtomicUsize,
    /// Those of them that only said `initialize`.
    half_open: AtomicUsize,
    /// Expiry will be looked for.
    sweeping: Mutex<bool>,
    engine: Arc<Engine>,
    /// How long a session may be half-open.
    patience: Duration,
    /// The secret of the keys.
    secret: RandomState,
}

/// Those of a part.
type Sessions = NumberMap<Key, Arc<HttpSession>>;

impl SessionTable {
    pub(super) fn new(engine: &Arc<Engine>, options: &HttpOptions) -> Arc<Self> {
        Arc::new_cyclic(|me| Self {
            me: me.clone(),
            parts: Parts::default(),
            open: AtomicUsize::new(0),
            half_open: AtomicUsize::new(0),
            sweeping: Mutex::new(false),
            engine: engine.clone(),
            patience: options.half_open,
            secret: RandomState::new(),
        })
    }

    pub(super) fn len(&self) -> usize {
        self.open.load(Ordering::Relaxed)
    }

    /// Whether a session is open here. Asking is no use of it.
    pub(super) fn has(&self, id: &str) -> bool {
        let key = self.key(id);
        self.part(&key).lock().contains_key(&key)
    }

    /// Whether a session of another node would be refused.
    pub(super) fn is_crowded(&self) -> bool {
        self.len() >= self.engine.limits.max_sessions
    }

    /// Whether another session would be refused to one who holds so many half-open ones.
    pub(super) fn is_full(&self, mine: impl FnOnce() -> usize) -> bool {
        let (open, half_open) = (self.len(), self.half_open.load(Ordering::Relaxed));
        let max = self.engine.limits.max_sessions;
        let shares = Shares::of(max.div_ceil(HALF_OPEN_SHARE));
        open >= max || !shares.admits(half_open, usize::MAX) && !shares.admits(half_open, mine())
    }

    /// Enters a session that begins.
    pub(super) fn insert(&self, id: &str, session: Arc<HttpSession>) {
        session.last_used.store(self.now(), Ordering::Relaxed);
        let key = self.key(id);
        {
            let mut part = self.part(&key).lock();
            self.open.fetch_add(1, Ordering::Relaxed);
            if !session.established.load(Ordering::Relaxed) {
                self.half_open.fetch_add(1, Ordering::Relaxed);
            }
            if let Some(before) = part.insert(key, session) {
                self.uncount(&before);
            }
        }
        let mut sweeping = self.sweeping.lock();
        if !std::mem::replace(&mut *sweeping, true) {
            timer::schedule(self.pause(), self.me.clone());
        }
    }

    /// Enters a session that began on another node.
    pub(super) fn enter(&self, id: &str, session: Arc<HttpSession>) {
        session.established.store(true, Ordering::Relaxed);
        if let Some(ticket) = &session.ticket {
            ticket.shook_hands();
        }
        self.insert(id, session);
    }

    /// A live session of this principal.
    pub(super) fn find(&self, id: &str, principal: &Principal) -> Option<Arc<HttpSession>> {
        let (key, now) = (self.key(id), self.now());
        let part = self.part(&key).lock();
        let session = part.get(&key).filter(|session| session.principal == *principal)?.clone();
        session.last_used.store(now, Ordering::Relaxed);
        // Most requests only read it, which leaves it in the caches of all processors.
        if !session.established.load(Ordering::Relaxed) {
            session.established.store(true, Ordering::Relaxed);
            self.half_open.fetch_sub(1, Ordering::Relaxed);
            if let Some(ticket) = &session.ticket {
                ticket.shook_hands();
            }
        }
        Some(session)
    }

    /// Ends a session. One that has come in its place under the same id stays.
    pub(super) fn remove(&self, id: &str, session: &Arc<HttpSession>) {
        let key = self.key(id);
        {
            let mut part = self.part(&key).lock();
            if part.get(&key).is_some_and(|found| Arc::ptr_eq(found, session)) {
                part.remove(&key);
                self.uncount(session);
            }
        }
        session.connection.close(true);
    }

    /// A session has left its part, whose lock is held.
    fn uncount(&self, session: &HttpSession) {
        self.open.fetch_sub(1, Ordering::Relaxed);
        if !session.established.load(Ordering::Relaxed) {
            self.half_open.fetch_sub(1, Ordering::Relaxed);
        }
    }

    pub(super) fn close_all(&self) {
        for session in self.take_out(|_| true) {
            session.connection.close(true);
        }
    }

    /// Takes out the sessions that are to go; they are not closed yet.
    fn take_out(&self, goes: impl Fn(&HttpSession) -> bool) -> Vec<Arc<HttpSession>> {
        let mut out = Vec::new();
        for part in self.parts.iter() {
            let mut part = part.lock();
            let gone = part.extract_if(|_, session| goes(session)).map(|(_, session)| session);
            out.extend(gone.inspect(|session| self.uncount(session)));
        }
        out
    }

    fn all(&self) -> Vec<Arc<HttpSession>> {
        self.parts.iter().flat_map(|part| part.lock().values().cloned().collect::<Vec<_>>()).collect()
    }

    /// Until the calls of sessions that other nodes serve, too, have ended and the log has all of their
    /// events: their clients may read those elsewhere, and hold no connection here.
    pub(super) async fn settle(&self) {
        for session in self.all().iter().filter(|session| session.shared.is_some()) {
            session.settle().await;
        }
    }

    pub(super) fn end_get_streams(&self) {
        for session in self.all() {
            session.streams.end_own();
        }
    }

    fn key(&self, id: &str) -> Key {
        let half = |half: u8| self.secret.hash_one((half, id));
        (half(0), half(1))
    }

    fn part(&self, key: &Key) -> &Mutex<Sessions> {
        self.parts.of(key.1)
    }

    pub(super) fn now(&self) -> u64 {
        u64::try_from(self.engine.now().as_millis()).unwrap_or(u64::MAX)
    }

    fn pause(&self) -> Duration {
        (self.patience.min(self.engine.limits.session_idle) / 4).clamp(SWEEP.0, SWEEP.1)
    }

    fn is_expired(&self, session: &HttpSession, now: u64) -> bool {
        let established = session.established.load(Ordering::Relaxed);
        let limit = if established { self.engine.limits.session_idle } else { self.patience };
        if established && session.streams.in_use() {
            // An open stream is traffic: idle time begins when it ends.
            session.last_used.store(now, Ordering::Relaxed);
        }
        let unused = now.saturating_sub(session.last_used.load(Ordering::Relaxed));
        u128::from(unused) >= limit.as_millis() || session.connection.is_closed()
    }
}

impl Due for SessionTable {
    fn due(self: Arc<Self>) {
        let now = self.now();
        let expired = self.take_out(|session| self.is_expired(session, now));
        {
            // Who enters a session counts it before it looks whether it is swept.
            let mut sweeping = self.sweeping.lock();
            *sweeping = self.len() > 0;
            if *sweeping {
                timer::schedule(self.pause(), self.me.clone());
            }
        }
        for session in expired {
            session.connection.close(true);
        }
    }
}
