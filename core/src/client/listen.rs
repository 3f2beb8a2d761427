//! Subscriptions: `subscriptions/listen` of the modern era.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::types::{ListenParams, SubscriptionFilter};
use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::session::client::RequestOptions;

use crate::transport::client_connection::Hooks;

use super::notification_stream::{Feeds, NotificationStream};
use super::session::{ClientSession, ServerNotification};

/// Longest wait for the server to agree.
const ACK_BOUND: Duration = Duration::from_mins(1);

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
    notes: NotificationStream,
    granted: SubscriptionFilter,
    end: Arc<Mutex<Option<Result<(), Error>>>>,
    _stop: oneshot::Sender<()>,
}

impl Subscription {
    /// What the server agreed to tell: at most what was asked.
    pub fn granted(&self) -> &SubscriptionFilter {
        &self.granted
    }

    /// The next change; `None` when the subscription is over.
    pub async fn next(&mut self) -> Option<ServerNotification> {
        self.notes.next().await
    }

    /// Why it is over: `Ok` if the server ended it in good order. `None` while open.
    pub fn end(&self) -> Option<Result<(), Error>> {
        self.end.lock().clone()
    }
}

/// Ends the subscription when the task that waits for its end goes, in whatever way.
struct Ending {
    end: Arc<Mutex<Option<Result<(), Error>>>>,
    feeds: Arc<Feeds>,
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.end.lock().get_or_insert_with(|| Err(Error::closed()));
        self.feeds.end();
    }
}

impl ClientSession {
    /// Asks to be told of changes, and waits until the server agrees. Modern era only;
    /// legacy servers tell without being asked, or after
    /// [`subscribe`](ClientSession::subscribe).
    pub async fn listen(&self, filter: SubscriptionFilter) -> Result<Subscription, Error> {
        let params = ListenParams { notifications: filter, meta: None };
        let params = RawJson::encode(&params).map_err(|error| Error::usage(error.to_string()))?;
        let feeds = Arc::new(Feeds::default());
        let notes = feeds.subscribe();
        let (agree, agreed) = oneshot::channel::<SubscriptionFilter>();
        let agree = Mutex::new(Some(agree));
        let publish = Arc::clone(&feeds);
        let hooks = Hooks {
            progress: None,
            notes: Some(Arc::new(move |method, params| {
                if method == methods::SUBSCRIPTIONS_ACKNOWLEDGED {
                    let granted = params.and_then(|p| p.decode::<ListenParams>().ok()).unwrap_or_default();
                    if let Some(agree) = agree.lock().take() {
                        let _ = agree.send(granted.notifications);
                    }
                } else {
                    publish.publish(&ServerNotification::read(method, params));
                }
            })),
        };
        let connection = self.shared.connection()?;
        let request = connection.request(
            methods::SUBSCRIPTIONS_LISTEN,
            Some(params),
            RequestOptions::default(),
            hooks,
        )?;
        let end: Arc<Mutex<Option<Result<(), Error>>>> = Arc::default();
        let (stop, stopped) = oneshot::channel::<()>();
        let (early, refused) = oneshot::channel::<Error>();
        let ending = Ending { end: Arc::clone(&end), feeds };
        connection.spawner().spawn(async move {
            let outcome = tokio::select! {
                outcome = request => outcome.map(drop),
                _ = stopped => return,
            };
            let _ = early.send(outcome.clone().err().unwrap_or_else(Error::closed));
            *ending.end.lock() = Some(outcome);
        });
        tokio::select! {
            biased;
            Ok(granted) = agreed => Ok(Subscription { notes, granted, end, _stop: stop }),
            Ok(error) = refused => Err(error),
            error = self.shared.closed() => Err(error),
            () = self.pause(ACK_BOUND) => Err(Error::timeout()),
            else => Err(Error::closed()),
        }
    }
}
