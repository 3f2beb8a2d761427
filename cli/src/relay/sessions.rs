//! Which client has which connection to the server.
//!
//! A client with a session has one of its own, opened with its name and capabilities. Clients of
//! the modern era, who say both in each request, share one where the server is modern as well;
//! where it is not, those share one who say the same.
//!
//! Owns: opening, finding and closing them. Must not know: what is said on them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcpbolt::Error;
use mcpbolt::client::{ProtocolPolicy, Target};
use mcpbolt::handler::{Call, Link};
use mcpbolt::protocol::capabilities::ClientCapabilities;
use mcpbolt::protocol::{Era, Revision};
use mcpbolt::session::negotiate::Agreed;
use mcpbolt::types::{Implementation, InitializeParams};
use tokio::runtime::Handle;
use tokio::sync::watch;

use super::standing::Standing;
use super::upstream::{Caller, End, Tell, Upstream, lock};

/// Most connections for clients of the modern era to a server that is not.
const MOST_SHARED: usize = 16;

/// Longest wait at the end for those who open or close a connection.
const LAST_STEPS: Duration = Duration::from_secs(10);

/// How the server is reached.
pub(crate) struct Reaching {
    /// The server, once for all connections, so that who signs in there does so once. Behind a
    /// lock, for a target may hold what only one thread may use at a time.
    pub(crate) target: Mutex<Target>,
    /// What is spoken to it: as clients do, unless this says otherwise.
    pub(crate) policy: ProtocolPolicy,
    /// How long a handshake may take.
    pub(crate) patience: Duration,
    /// Hears what a person should know.
    pub(crate) tell: Tell,
}

/// The connection of a client with a session.
pub(super) struct Session {
    pub(super) upstream: Arc<Upstream>,
    /// What it is told of by a server that tells only those who listen.
    pub(super) standing: Standing,
}

/// What came of opening something; `None` until that is known.
type Opened<T> = Option<Result<Arc<T>, Error>>;

/// A connection that clients share, or that is being opened for them.
struct Shared {
    /// What they have in common.
    who: String,
    opened: watch::Receiver<Opened<Upstream>>,
    /// Held by every request that uses it.
    used: Used,
}

/// Keeps a connection that clients share from being closed for want of room.
pub(super) type Used = Arc<()>;

/// All connections to the server.
pub(super) struct Sessions {
    reaching: Reaching,
    /// By the number of the client's connection.
    own: Mutex<HashMap<u64, watch::Sender<Opened<Session>>>>,
    shared: Mutex<Vec<Shared>>,
    is_modern: bool,
    /// Why a connection ended by itself.
    died: watch::Sender<Option<Error>>,
    /// Whether all is over. Whoever opens or closes a connection holds a receiver meanwhile.
    over: watch::Sender<bool>,
    /// Transports call from threads of their own.
    pub(super) runtime: Handle,
}

impl Sessions {
    /// Reaches the server for the first time, to learn what it is.
    pub(super) async fn start(reaching: Reaching) -> Result<(Self, Arc<Upstream>), Error> {
        let mut sessions = Self {
            reaching,
            own: Mutex::default(),
            shared: Mutex::default(),
            is_modern: false,
            died: watch::Sender::new(None),
            over: watch::Sender::new(false),
            runtime: Handle::current(),
        };
        let first = sessions.open(ours(&sessions.reaching), None).await?;
        sessions.is_modern = first.agreed()?.revision.era() == Era::Modern;
        if sessions.is_modern {
            let (_, opened) = watch::channel(Some(Ok(Arc::clone(&first))));
            lock(&sessions.shared).push(Shared { who: String::new(), opened, used: Used::default() });
        }
        Ok((sessions, first))
    }

    /// Opens a connection, unless all is over before it is there.
    fn open(
        &self,
        caller: Caller,
        client: Option<Arc<dyn Link>>,
    ) -> impl Future<Output = Result<Arc<Upstream>, Error>> + Send + use<> {
        let target = lock(&self.reaching.target).again();
        let tell = Arc::clone(&self.reaching.tell);
        let (died, mut over) = (self.died.clone(), self.over.subscribe());
        async move {
            let target = target.ok_or_else(|| Error::usage("the server can be reached only once"))?;
            let upstream = tokio::select! {
                biased;
                _ = over.wait_for(|over| *over) => return Err(Error::closed()),
                opened = Upstream::open(target, caller, client.clone(), Arc::clone(&tell)) => opened?,
            };
            tokio::spawn(told_of_the_end(upstream.closed(), client, tell, died));
            Ok(upstream)
        }
    }

    /// Waits until a connection to the server ends that was still wanted; why.
    pub(super) async fn died(&self) -> Error {
        let mut died = self.died.subscribe();
        let why = died.wait_for(Option::is_some).await;
        why.ok().and_then(|why| why.clone()).unwrap_or_else(Error::closed)
    }

    /// Opens the connection of a client that says hello.
    pub(super) async fn open_for(&self, call: &Call, hello: InitializeParams) -> Result<Arc<Agreed>, Error> {
        let link = call.link();
        let number = link.info().id.0;
        let caller = Caller {
            info: hello.client_info,
            capabilities: hello.capabilities,
            policy: match self.reaching.policy {
                ProtocolPolicy::Auto => ProtocolPolicy::LegacyFirst,
                policy => policy,
            },
            revisions: up_to(call.revision()),
            patience: self.reaching.patience,
        };
        let slot = lock(&self.own).entry(number).or_insert_with(|| watch::Sender::new(None)).clone();
        let before = slot.send_replace(None);
        if let Some(Ok(before)) = before {
            before.upstream.close().await;
        }
        // What is opened is in the table before all is closed that is in it.
        let _busy = self.over.subscribe();
        let opened = self.open(caller, Some(Arc::clone(&link))).await;
        let agreed = opened.as_ref().map_err(Error::clone).and_then(|upstream| upstream.agreed());
        let session = opened.map(|upstream| Arc::new(Session { upstream, standing: Standing::default() }));
        if lock(&self.own).contains_key(&number) {
            slot.send_replace(Some(session));
        } else if let Ok(session) = session {
            // The client has left meanwhile.
            session.upstream.close().await;
        }
        agreed
    }

    /// The connection of a client with a session, once its hello is answered.
    pub(super) fn of(&self, link: &dyn Link) -> impl Future<Output = Result<Arc<Session>, Error>> + use<> {
        let slot = lock(&self.own).get(&link.info().id.0).map(watch::Sender::subscribe);
        async move {
            let mut slot = slot.ok_or_else(Error::closed)?;
            let opened = slot.wait_for(Option::is_some).await.map_err(|_| Error::closed())?;
            opened.clone().unwrap_or_else(|| Err(Error::closed()))
        }
    }

    /// The connection for a request of the modern era. Who waits for one that is being opened keeps
    /// nobody else waiting, and hears what comes of it with all others.
    pub(super) async fn shared(&self, call: &Call) -> Result<(Arc<Upstream>, Used), Error> {
        let (mut opened, used) = self.slot(call)?;
        let opened = opened.wait_for(Option::is_some).await.map_err(|_| Error::closed())?;
        Ok((opened.clone().unwrap_or_else(|| Err(Error::closed()))?, used))
    }

    /// Finds what clients like this one share; opens it if it is not there.
    fn slot(&self, call: &Call) -> Result<(watch::Receiver<Opened<Upstream>>, Used), Error> {
        let who = if self.is_modern { String::new() } else { who(call) };
        let mut all = lock(&self.shared);
        all.retain(|shared| !shared.is_over());
        if let Some(shared) = all.iter().find(|shared| shared.who == who) {
            return Ok((shared.opened.clone(), Arc::clone(&shared.used)));
        }
        if all.len() == MOST_SHARED {
            let idle = all.iter().enumerate().find_map(|(at, shared)| Some((at, shared.idle()?)));
            let (at, idle) = idle.ok_or_else(|| Error::overloaded("too many different clients at once"))?;
            all.remove(at);
            self.close_beside(idle);
        }
        let mut caller = ours(&self.reaching);
        if !self.is_modern {
            caller.capabilities = call.client_capabilities();
            if let Some(info) = call.client_info() {
                caller.info = info;
            }
        }
        let (tell, opened) = watch::channel(None);
        let (opening, busy) = (self.open(caller, None), self.over.subscribe());
        // The call that wanted it first may be given up.
        self.runtime.spawn(async move {
            tell.send_replace(Some(opening.await));
            drop(busy);
        });
        let used = Used::default();
        all.push(Shared { who, opened: opened.clone(), used: Arc::clone(&used) });
        Ok((opened, used))
    }

    /// Closes a connection that nobody waits for.
    pub(super) fn close_beside(&self, upstream: Arc<Upstream>) {
        let busy = self.over.subscribe();
        self.runtime.spawn(async move {
            upstream.close().await;
            drop(busy);
        });
    }

    /// A client has left.
    pub(super) fn left(&self, number: u64) -> Option<Arc<Session>> {
        let slot = lock(&self.own).remove(&number)?;
        slot.send_replace(Some(Err(Error::closed())))?.ok()
    }

    /// Ends all of them; those that are still being opened are given up.
    pub(super) async fn close(&self) {
        self.over.send_replace(true);
        let _ = tokio::time::timeout(LAST_STEPS, self.over.closed()).await;
        let own: Vec<_> = lock(&self.own).drain().collect();
        let own = own.into_iter().filter_map(|(_, slot)| slot.send_replace(None)?.ok());
        let mut all: Vec<Arc<Upstream>> = own.map(|session| Arc::clone(&session.upstream)).collect();
        all.extend(lock(&self.shared).drain(..).filter_map(|shared| shared.there()));
        let closing: Vec<_> =
            all.into_iter().map(|upstream| tokio::spawn(async move { upstream.close().await })).collect();
        for closing in closing {
            let _ = closing.await;
        }
    }
}

impl Shared {
    /// The connection, if it is open.
    fn there(&self) -> Option<Arc<Upstream>> {
        self.opened.borrow().clone()?.ok()
    }

    /// Whether it is of no use any more: it has ended, or could not be opened.
    fn is_over(&self) -> bool {
        match &*self.opened.borrow() {
            Some(Ok(upstream)) => upstream.is_closed(),
            Some(Err(_)) => true,
            None => self.opened.has_changed().is_err(),
        }
    }

    /// The connection, if no request uses it now. Asked while nobody can find it.
    fn idle(&self) -> Option<Arc<Upstream>> {
        self.there().filter(|_| Arc::strong_count(&self.used) == 1)
    }
}

/// A session is over when the server's is: what that knew is gone.
async fn told_of_the_end(
    ended: impl Future<Output = End>,
    client: Option<Arc<dyn Link>>,
    tell: Tell,
    died: watch::Sender<Option<Error>>,
) {
    let End { why, by_us } = ended.await;
    if by_us {
        return;
    }
    tell(&format!("a connection to the server ends: {}", why.message));
    if let Some(client) = client {
        client.close_when_idle();
    }
    died.send_replace(Some(why));
}

/// What a connection says that belongs to no client.
fn ours(reaching: &Reaching) -> Caller {
    Caller {
        info: Implementation::new("mcpbolt bridge", env!("CARGO_PKG_VERSION")),
        capabilities: ClientCapabilities::default(),
        policy: reaching.policy,
        revisions: Revision::ALL.to_vec(),
        patience: reaching.patience,
    }
}

/// What a client of a revision may be offered: nothing newer of its own era, and, where the server
/// knows nothing of that, the other one.
fn up_to(revision: Revision) -> Vec<Revision> {
    let fits = |other: &Revision| other.era() != revision.era() || *other <= revision;
    Revision::ALL.into_iter().filter(fits).collect()
}

/// What clients have to have in common to share a connection.
fn who(call: &Call) -> String {
    let meta = call.meta();
    let text = |raw: Option<&mcpbolt::RawJson>| raw.map_or_else(String::new, |raw| raw.as_str().to_owned());
    let principal = call.scope().principal.id().map(ToOwned::to_owned);
    let info = meta.raw.get(mcpbolt::meta::CLIENT_INFO);
    format!("{principal:?} {} {}", text(meta.client_capabilities.as_ref()), text(info))
}
