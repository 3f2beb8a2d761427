//! An open subscription of the modern era.
//!
//! Owns: what the program holds of it, and how it ends. Must not know: how it is asked for
//! (`listen` does).

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::SubscriptionFilter;

use super::notification::ServerNotification;
use super::notification_stream::{Feeds, NotificationStream};

/// A subscription that is there for as long as this is kept and the session is open.
pub(super) struct KeptSubscription {
    _stop: oneshot::Sender<()>,
}

impl KeptSubscription {
    /// One that ends when the other side of this hears that it was dropped.
    pub(super) fn new(stop: oneshot::Sender<()>) -> Self {
        Self { _stop: stop }
    }
}

/// An open subscription. Dropping it ends it.
///
/// ```
/// use mcpbolt::client::{ClientSession, Subscription};
/// use mcpbolt::types::SubscriptionFilter;
///
/// async fn watch(session: &ClientSession) -> Result<(), mcpbolt::Error> {
///     let filter = SubscriptionFilter { tools_list_changed: Some(true), ..Default::default() };
///     let mut changes: Subscription = session.listen(filter).await?;
///     while let Some(change) = changes.next().await {
///         println!("{change:?}");
///     }
///     changes.end().unwrap_or(Ok(()))
/// }
/// ```
#[derive(Debug)]
pub struct Subscription {
    pub(super) notes: NotificationStream,
    pub(super) granted: Granted,
    pub(super) end: Arc<Mutex<Option<Result<(), Error>>>>,
    pub(super) _stop: oneshot::Sender<()>,
}

impl Subscription {
    /// What the server agreed to tell: at most what was asked.
    pub fn granted(&self) -> &SubscriptionFilter {
        self.granted.protocols()
    }

    /// What it agreed to tell of an extension: of the keys that were asked for in this member of
    /// the filter those it tells of, none if it has none.
    pub fn granted_keys(&self, member: &str) -> Vec<String> {
        self.granted.all.get(member).and_then(|keys| keys.decode().ok()).unwrap_or_default()
    }

    /// The next change; `None` when the subscription is over.
    pub async fn next(&mut self) -> Option<ServerNotification> {
        self.notes.next().await
    }

    /// How many changes were lost because they were not read in time.
    pub fn dropped(&self) -> u64 {
        self.notes.dropped()
    }

    /// Why it is over: `Ok` if the server ended it in good order. `None` while open.
    pub fn end(&self) -> Option<Result<(), Error>> {
        self.end.lock().clone()
    }
}

/// What the server agreed to tell.
#[derive(Debug, Default)]
pub(super) struct Granted {
    protocols: SubscriptionFilter,
    all: RawObject,
}

impl Granted {
    /// The part of it that is not an extension's.
    pub(super) fn protocols(&self) -> &SubscriptionFilter {
        &self.protocols
    }

    /// What an acknowledgement says; what cannot be read counts as nothing.
    pub(super) fn read(params: Option<&RawJson>) -> Self {
        let filter =
            params.and_then(RawObject::parse).and_then(|params| params.get("notifications").cloned());
        let Some(filter) = filter else { return Self::default() };
        let protocols = filter.decode().unwrap_or_default();
        Self { protocols, all: RawObject::parse(&filter).unwrap_or_default() }
    }
}

/// Ends the subscription when the task that waits for its end goes, in whatever way.
pub(super) struct Ending {
    pub(super) end: Arc<Mutex<Option<Result<(), Error>>>>,
    pub(super) feeds: Arc<Feeds>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.end.lock().get_or_insert_with(|| Err(Error::closed()));
        self.feeds.end();
    }
}
