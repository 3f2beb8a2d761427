//! Subscriptions: `subscriptions/listen` of the modern era.
//!
//! Owns: when a subscription counts as agreed on. Must not know: what a change means.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::types::SubscriptionFilter;
use mcpbolt_proto::protocol::{Error, methods};
use mcpbolt_proto::session::client::RequestOptions;

use crate::transport::client_connection::Hooks;

use super::notification::ServerNotification;
use super::notification_stream::Feeds;
use super::session::ClientSession;
use super::subscription::{Ending, Granted, Subscription};

/// Longest wait for the server to agree.
const ACK_BOUND: Duration = Duration::from_mins(1);

/// Hears what a server agrees to once more.
pub(super) type AgainFn = Box<dyn Fn(&SubscriptionFilter) + Send + Sync>;

impl ClientSession {
    /// Asks to be told of changes, and waits until the server agrees. Modern era only;
    /// legacy servers tell without being asked, or after
    /// [`subscribe`](ClientSession::subscribe).
    pub async fn listen(&self, filter: SubscriptionFilter) -> Result<Subscription, Error> {
        self.listen_noting(&filter, None).await
    }

    /// As [`ClientSession::listen`]; `again` hears what the server agrees to whenever the transport
    /// has asked anew by itself.
    pub(super) async fn listen_noting(
        &self,
        filter: &SubscriptionFilter,
        again: Option<AgainFn>,
    ) -> Result<Subscription, Error> {
        let filter = RawJson::encode(filter).map_err(|error| Error::usage(error.to_string()))?;
        self.begin_listening(filter, again).await
    }

    /// As [`ClientSession::listen`], with a filter that may name what extensions tell: an object.
    /// Their notifications come as [`ServerNotification::Other`].
    pub async fn listen_raw(&self, filter: RawJson) -> Result<Subscription, Error> {
        self.begin_listening(filter, None).await
    }

    async fn begin_listening(&self, filter: RawJson, again: Option<AgainFn>) -> Result<Subscription, Error> {
        let params = std::iter::once(("notifications", filter)).collect::<RawObject>().to_raw();
        let feeds = Arc::new(Feeds::default());
        let notes = feeds.subscribe();
        let (agree, agreed) = oneshot::channel::<Granted>();
        let agree = Mutex::new(Some(agree));
        let publish = Arc::clone(&feeds);
        let hooks = Hooks {
            progress: None,
            notes: Some(Arc::new(move |method, params| {
                if method == methods::SUBSCRIPTIONS_ACKNOWLEDGED {
                    let first = agree.lock().take();
                    if let Some(agree) = first {
                        let _ = agree.send(Granted::read(params));
                    } else if let Some(again) = &again {
                        again(Granted::read(params).protocols());
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
