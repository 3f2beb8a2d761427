//! One connection to the server.
//!
//! Owns: the handshake, the calls that are under way on it, who hears what the server says of
//! its own accord, the end. Must not know: which clients share it.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use mcpbolt::client::{ProtocolPolicy, Target};
use mcpbolt::handler::{Call, Link};
use mcpbolt::protocol::Revision;
use mcpbolt::protocol::capabilities::ClientCapabilities;
use mcpbolt::session::client::{Answered, ClientSettings, RequestOptions};
use mcpbolt::session::negotiate::Agreed;
use mcpbolt::session::{ExchangeId, OutgoingId};
use mcpbolt::transport::client_connection::{
    ClientConnection, ClientConnectionOptions, ClientHost, Hooks, NoteFn,
};
use mcpbolt::types::{Implementation, LoggingLevel, ProgressParams};
use mcpbolt::{Error, RawJson, methods};
use tokio::runtime::Handle;
use tokio::sync::{Mutex as AsyncMutex, watch};
use tokio::task::AbortHandle;

use super::outbox::{Hearer, Outbox};
use crate::args::Protocol;

/// In whose name the server is spoken to.
pub(super) struct Caller {
    pub(super) info: Implementation,
    pub(super) capabilities: ClientCapabilities,
    pub(super) policy: ProtocolPolicy,
    pub(super) revisions: Vec<Revision>,
    /// How long the handshake may take.
    pub(super) patience: Duration,
}

/// Where the connection stands.
#[derive(Clone)]
pub(super) enum Stage {
    Opening,
    Ready,
    Closed(End),
}

/// How the connection ended.
#[derive(Clone)]
pub(super) struct End {
    pub(super) why: Error,
    /// Whether we closed it, so that nobody has to be told.
    pub(super) by_us: bool,
}

/// Who hears of changes, beside the one client that a connection may belong to.
pub(super) type Listener = Box<dyn Fn(&str, Option<&RawJson>) + Send + Sync>;

/// Hears one sentence that a person should know.
pub(crate) type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// One connection to the server.
pub(super) struct Upstream {
    pub(super) me: Weak<Self>,
    connection: OnceLock<Arc<ClientConnection>>,
    pub(super) stage: watch::Sender<Stage>,
    /// Whether we close it.
    pub(super) closing: AtomicBool,
    /// Whether the client that it belongs to has finished its handshake.
    pub(super) greeted: watch::Sender<bool>,
    /// Hears what a person should know.
    pub(super) tell: Tell,
    pub(super) outbox: Arc<Outbox>,
    /// Transports call from threads of their own.
    pub(super) runtime: Handle,
    /// The client that it belongs to; `None` where clients share it.
    pub(super) client: Option<Arc<dyn Link>>,
    /// What is under way, in the order in which it began.
    calls: Mutex<BTreeMap<u64, Arc<Call>>>,
    /// Questions of the server that are being answered.
    pub(super) asked: Mutex<HashMap<ExchangeId, AbortHandle>>,
    pub(super) listeners: Mutex<BTreeMap<u64, Listener>>,
    /// How many listen for each resource. Held while the server is told, so that it hears of one
    /// change after the other.
    pub(super) wanted: AsyncMutex<BTreeMap<String, usize>>,
    /// The lowest level of log messages that a client wanted.
    level: AsyncMutex<Option<LoggingLevel>>,
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Upstream {
    /// Connects, and waits until it is known what is spoken.
    pub(super) async fn open(
        target: Target,
        caller: Caller,
        client: Option<Arc<dyn Link>>,
        tell: Tell,
    ) -> Result<Arc<Self>, Error> {
        let mut settings = ClientSettings::new(caller.info, caller.capabilities);
        settings.policy = caller.policy;
        settings.revisions = caller.revisions;
        settings.patience.timeout = caller.patience;
        settings.patience.max = settings.patience.max.max(caller.patience);
        settings.probe_timeout = Protocol(caller.policy).first_answer(caller.patience);
        // What the server lacks it says itself.
        settings.strict = false;
        let this = Arc::new_cyclic(|me: &Weak<Self>| Self {
            me: me.clone(),
            connection: OnceLock::new(),
            stage: watch::Sender::new(Stage::Opening),
            closing: AtomicBool::new(false),
            greeted: watch::Sender::new(false),
            tell,
            outbox: Arc::new(Outbox::new(Handle::current())),
            runtime: Handle::current(),
            client,
            calls: Mutex::default(),
            asked: Mutex::default(),
            listeners: Mutex::default(),
            wanted: AsyncMutex::default(),
            level: AsyncMutex::default(),
        });
        let host: Weak<dyn ClientHost> = this.me.clone();
        let connection = target.open(ClientConnectionOptions::new(settings), host)?;
        let _ = this.connection.set(connection);
        let mut stage = this.stage.subscribe();
        let settled = stage.wait_for(|stage| !matches!(stage, Stage::Opening)).await;
        let settled = settled.map_or_else(|_| Stage::Closed(End::unknown()), |stage| stage.clone());
        if let Stage::Closed(end) = settled {
            this.close().await;
            return Err(end.why);
        }
        Ok(this)
    }

    pub(super) fn connection(&self) -> Result<&Arc<ClientConnection>, Error> {
        self.connection.get().ok_or_else(Error::closed)
    }

    /// What was agreed on.
    pub(super) fn agreed(&self) -> Result<Arc<Agreed>, Error> {
        self.connection()?.agreed().ok_or_else(Error::closed)
    }

    pub(super) fn is_closed(&self) -> bool {
        matches!(*self.stage.borrow(), Stage::Closed(_))
    }

    /// Waits for the end.
    pub(super) fn closed(&self) -> impl Future<Output = End> + use<> {
        let mut stage = self.stage.subscribe();
        async move {
            match stage.wait_for(|stage| matches!(stage, Stage::Closed(_))).await.as_deref() {
                Ok(Stage::Closed(end)) => end.clone(),
                _ => End::unknown(),
            }
        }
    }

    pub(super) async fn close(&self) {
        let Ok(connection) = self.connection() else { return };
        // A client may leave because the server died, before that is told here.
        if !connection.is_closed() {
            self.closing.store(true, Ordering::Release);
        }
        connection.close().await;
    }

    /// Sends a request that is no client's.
    pub(super) async fn ask(&self, method: &str, params: Option<RawJson>) -> Result<RawJson, Error> {
        let answer =
            self.connection()?.request(method, params, RequestOptions::default(), Hooks::default())?;
        match answer.await? {
            Answered::Complete(result) => Ok(result),
            _ => Err(Error::protocol(format!("the server has questions about {method}"))),
        }
    }

    /// Has a server with sessions log what a request wants; what others want of it is more.
    pub(super) async fn log_from(&self, level: LoggingLevel) {
        let mut lowest = self.level.lock().await;
        if lowest.is_some_and(|lowest| lowest <= level) {
            return;
        }
        let params = serde_json::json!({ "level": level }).into();
        if let Err(error) = self.ask(methods::LOGGING_SET_LEVEL, Some(params)).await {
            (self.tell)(&format!("the server does not log as it is asked to: {}", error.message));
        }
        // One that refuses is not asked with each request.
        *lowest = Some(level);
    }

    /// Sends a client's request, and waits as long as the client does. Progress goes to the client,
    /// as do the notifications of a listen stream, by `notes`.
    pub(super) async fn forward(
        &self,
        call: &Arc<Call>,
        params: Option<RawJson>,
        mut options: RequestOptions,
        notes: Option<NoteFn>,
    ) -> Result<Answered, Error> {
        options.timeout = Some(Duration::MAX);
        options.max = Some(Duration::MAX);
        options.progress = call.meta().progress_token.is_some();
        let hearer = Arc::clone(call);
        let progress = options.progress.then(|| {
            Arc::new(move |params: &RawJson| {
                if let Ok(told) = params.decode::<ProgressParams>() {
                    let _ = hearer.progress(told.progress, told.total, told.message.as_deref());
                }
            }) as _
        });
        let (answer, _under_way) = {
            // What the server says because of it finds it in the table.
            let mut calls = lock(&self.calls);
            let answer =
                self.connection()?.request(call.method(), params, options, Hooks { progress, notes })?;
            calls.insert(answer.request().0, Arc::clone(call));
            let under_way = UnderWay { upstream: self, number: answer.request().0 };
            (answer, under_way)
        };
        let answered = answer.await;
        self.outbox.emptied(&Hearer::Call(Arc::clone(call))).await;
        answered
    }

    /// The calls under way of which this holds.
    pub(super) fn calls_that(&self, holds: impl Fn(&Call) -> bool) -> Vec<Arc<Call>> {
        lock(&self.calls).values().filter(|call| holds(call)).cloned().collect()
    }

    /// Whom a message of the server's concerns: the call it came with, else the client's newest,
    /// else the only one. Where clients share the connection, and several wait, nobody.
    pub(super) fn concerned(&self, related: Option<OutgoingId>) -> Option<Hearer> {
        let calls = lock(&self.calls);
        let with = related.and_then(|number| calls.get(&number.0));
        let newest = || match &self.client {
            None if calls.len() > 1 => None,
            _ => calls.values().next_back(),
        };
        let call = with.or_else(newest).map(|call| Hearer::Call(Arc::clone(call)));
        call.or_else(|| self.client.clone().map(Hearer::Client))
    }
}

impl End {
    /// Of a connection that is gone without a word.
    fn unknown() -> Self {
        Self { why: Error::closed(), by_us: false }
    }
}

/// A call that waits for its answer.
struct UnderWay<'a> {
    upstream: &'a Upstream,
    number: u64,
}

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        lock(&self.upstream.calls).remove(&self.number);
    }
}
