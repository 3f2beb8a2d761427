//! What a client with a session is told of changes by a server of the modern era, which tells only
//! those who listen.
//!
//! Owns: the one listen request of such a client, made anew when it subscribes to something.
//! Must not know: servers that have sessions.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use mcpbolt::protocol::capabilities::ServerCapabilities;
use mcpbolt::session::client::RequestOptions;
use mcpbolt::transport::client_connection::{Hooks, NoteFn};
use mcpbolt::types::{ListenParams, SubscriptionFilter};
use mcpbolt::{Error, RawJson, methods};
use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::listening::{honoured, untagged};
use super::outbox::Hearer;
use super::upstream::{Upstream, lock};

/// Longest wait for a server to say that it has heard.
const PATIENCE: Duration = Duration::from_secs(10);

/// The listen request of one client.
#[derive(Default)]
pub(super) struct Standing {
    uris: Mutex<BTreeSet<String>>,
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
        self.renew(upstream).await
    }

    /// Listens for a resource too.
    pub(super) async fn add(&self, upstream: &Arc<Upstream>, uri: String) -> Result<(), Error> {
        lock(&self.uris).insert(uri);
        self.renew(upstream).await
    }

    /// No longer listens for it.
    pub(super) async fn remove(&self, upstream: &Arc<Upstream>, uri: &str) -> Result<(), Error> {
        lock(&self.uris).remove(uri);
        self.renew(upstream).await
    }

    /// The new request is acknowledged before the old one ends, so that nothing is missed.
    async fn renew(&self, upstream: &Arc<Upstream>) -> Result<(), Error> {
        let filter = self.filter(&upstream.agreed()?.capabilities);
        if filter == SubscriptionFilter::default() {
            return Ok(());
        }
        let acknowledged = Arc::new(Notify::new());
        let hooks = Hooks { progress: None, notes: Some(notes(upstream, &acknowledged)) };
        let params = RawJson::encode(&ListenParams { notifications: filter, meta: None })?;
        let connection = upstream.connection()?;
        let method = methods::SUBSCRIPTIONS_LISTEN;
        let ended = connection.request(method, Some(params), RequestOptions::default(), hooks)?;
        let task = tokio::spawn(ended);
        let before = lock(&self.listening).replace(task.abort_handle());
        let heard = tokio::time::timeout(PATIENCE, acknowledged.notified()).await;
        if let Some(before) = before {
            before.abort();
        }
        heard.map_err(|_| Error::timeout())
    }

    fn filter(&self, server: &ServerCapabilities) -> SubscriptionFilter {
        let uris: Vec<String> = lock(&self.uris).iter().cloned().collect();
        let lists = SubscriptionFilter {
            tools_list_changed: Some(true),
            prompts_list_changed: Some(true),
            resources_list_changed: Some(true),
            resource_subscriptions: None,
        };
        SubscriptionFilter {
            resource_subscriptions: (!uris.is_empty()).then_some(uris),
            ..honoured(lists, server)
        }
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
