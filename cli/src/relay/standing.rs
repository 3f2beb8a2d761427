//! What a client with a session is told of changes by a server of the modern era, which tells only
//! those who listen.
//!
//! Owns: the one listen request of such a client, made anew when it subscribes to something.
//! Must not know: servers that have sessions.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

use mcpbolt::protocol::capabilities::ServerCapabilities;
use mcpbolt::session::client::RequestOptions;
use mcpbolt::transport::client_connection::{Hooks, NoteFn, RequestFuture};
use mcpbolt::types::{ListenParams, SubscriptionFilter};
use mcpbolt::{Error, RawJson, methods};
use tokio::sync::{Mutex as AsyncMutex, Notify};
use tokio::task::AbortHandle;
use tokio::time::Instant;

use super::listening::{honoured, untagged};
use super::outbox::Hearer;
use super::upstream::{Upstream, lock};

/// Longest wait for a server to say that it has heard.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long is waited before a stream that broke is asked for again: first, and at most.
const FIRST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_mins(1);

/// The listen request of one client.
#[derive(Default)]
pub(super) struct Standing {
    /// Held while the request is made anew: one change comes after the other.
    uris: AsyncMutex<BTreeSet<String>>,
    listening: Mutex<Option<AbortHandle>>,
}

impl Drop for Standing {
    fn drop(&mut self) {
        if let Some(task) = lock(&self.listening).take() {
            task.abort();
        }
    }
}

impl Standing {
    /// Begins to listen for changes of lists.
    pub(super) async fn begin(&self, upstream: &Arc<Upstream>) -> Result<(), Error> {
        let uris = self.uris.lock().await;
        self.renew(upstream, &uris).await
    }

    /// Listens for a resource too.
    pub(super) async fn add(&self, upstream: &Arc<Upstream>, uri: String) -> Result<(), Error> {
        self.change(upstream, |uris| uris.insert(uri)).await
    }

    /// No longer listens for it.
    pub(super) async fn remove(&self, upstream: &Arc<Upstream>, uri: &str) -> Result<(), Error> {
        self.change(upstream, |uris| uris.remove(uri)).await
    }

    /// What the server refuses changes nothing.
    async fn change(
        &self,
        upstream: &Arc<Upstream>,
        change: impl FnOnce(&mut BTreeSet<String>) -> bool,
    ) -> Result<(), Error> {
        let mut uris = self.uris.lock().await;
        let mut changed = uris.clone();
        change(&mut changed);
        self.renew(upstream, &changed).await?;
        *uris = changed;
        Ok(())
    }

    /// The new request is acknowledged before the old one ends, so that nothing is missed. Where nothing
    /// is left to listen for there is no new one.
    async fn renew(&self, upstream: &Arc<Upstream>, uris: &BTreeSet<String>) -> Result<(), Error> {
        let filter = filter(uris, &upstream.agreed()?.capabilities);
        let task = if filter == SubscriptionFilter::default() {
            None
        } else {
            let stream = Stream::open(upstream, &filter)?.acknowledged().await?;
            Some(tokio::spawn(keep(stream, Arc::downgrade(upstream), filter)).abort_handle())
        };
        let before = std::mem::replace(&mut *lock(&self.listening), task);
        if let Some(before) = before {
            before.abort();
        }
        Ok(())
    }
}

fn filter(uris: &BTreeSet<String>, server: &ServerCapabilities) -> SubscriptionFilter {
    let lists = SubscriptionFilter {
        tools_list_changed: Some(true),
        prompts_list_changed: Some(true),
        resources_list_changed: Some(true),
        resource_subscriptions: (!uris.is_empty()).then(|| uris.iter().cloned().collect()),
    };
    honoured(lists, server)
}

/// One listen request.
struct Stream {
    ended: RequestFuture,
    acknowledged: Arc<Notify>,
}

impl Stream {
    fn open(upstream: &Arc<Upstream>, filter: &SubscriptionFilter) -> Result<Self, Error> {
        let acknowledged = Arc::new(Notify::new());
        let hooks = Hooks { progress: None, notes: Some(notes(upstream, &acknowledged)) };
        let params = RawJson::encode(&ListenParams { notifications: filter.clone(), meta: None })?;
        let method = methods::SUBSCRIPTIONS_LISTEN;
        let ended = upstream.connection()?.request(method, Some(params), RequestOptions::default(), hooks)?;
        Ok(Self { ended, acknowledged })
    }

    /// The stream once the server says that it has heard; what it refuses with.
    async fn acknowledged(mut self) -> Result<Self, Error> {
        tokio::select! {
            biased;
            () = self.acknowledged.notified() => Ok(self),
            ended = &mut self.ended => Err(match ended {
                Err(why) => why,
                Ok(_) => Error::protocol("the server ended the subscription before it began"),
            }),
            () = tokio::time::sleep(PATIENCE) => Err(Error::timeout()),
        }
    }
}

/// Listens as long as the connection is there. A stream that breaks, as behind a proxy that ends idle
/// ones, is asked for again.
async fn keep(mut stream: Stream, upstream: Weak<Upstream>, filter: SubscriptionFilter) {
    let mut wait = FIRST_WAIT;
    loop {
        let begun = Instant::now();
        let _ = (&mut stream.ended).await;
        if begun.elapsed() > LONGEST_WAIT {
            wait = FIRST_WAIT;
        }
        stream = loop {
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(LONGEST_WAIT);
            let Some(upstream) = upstream.upgrade().filter(|upstream| !upstream.is_closed()) else { return };
            let again = Stream::open(&upstream, &filter);
            drop(upstream);
            let Ok(again) = again else { continue };
            if let Ok(again) = again.acknowledged().await {
                break again;
            }
        };
    }
}

/// Tells the client what the server tells those who listen.
fn notes(upstream: &Arc<Upstream>, acknowledged: &Arc<Notify>) -> NoteFn {
    let (upstream, acknowledged) = (Arc::downgrade(upstream), Arc::clone(acknowledged));
    Arc::new(move |method, params| {
        if method == methods::SUBSCRIPTIONS_ACKNOWLEDGED {
            return acknowledged.notify_one();
        }
        let Some(upstream) = upstream.upgrade() else { return };
        if let Some(client) = upstream.client.clone() {
            upstream.outbox.tell(Hearer::Client(client), method, params.map(untagged));
        }
    })
}
