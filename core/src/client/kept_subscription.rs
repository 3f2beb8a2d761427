//! Subscriptions of the modern era that are kept: asked for again whenever they end.
//!
//! Owns: that what may have changed while there was none is told. Must not know: how a
//! subscription is asked for (`listen` does), or when that is worth it (`policy::renewal`).

use std::sync::{Arc, Weak};

use tokio::sync::oneshot;

use mcpbolt_proto::policy::renewal::{Renewal, missed};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::SubscriptionFilter;
use mcpbolt_proto::session::{Problem, ProblemKind, Time};

use crate::transport::client_connection::ClientHost;
use crate::transport::spread::spread;

use super::session::ClientSession;
use super::session_core::SessionCore;
use super::session_state::SessionState;
use super::subscription::{KeptSubscription, Subscription};

impl ClientSession {
    /// Subscribes, and again whenever that ends. Its notifications are those of the session.
    pub(super) async fn keep_listening(&self, filter: SubscriptionFilter) -> Result<KeptSubscription, Error> {
        let first = self.listen_again(&filter).await?;
        let since = self.shared.connection()?.now();
        let (stop, stopped) = oneshot::channel::<()>();
        let kept = keep(Arc::downgrade(&self.shared), filter, first, since);
        self.shared.connection()?.spawner().spawn(async move {
            tokio::select! {
                _ = stopped => {}
                () = kept => {}
            }
        });
        Ok(KeptSubscription::new(stop))
    }

    /// A transport that does not trust its sockets any more subscribes again by itself.
    async fn listen_again(&self, filter: &SubscriptionFilter) -> Result<Subscription, Error> {
        let shared = Arc::downgrade(&self.shared);
        let renewed = move |granted: &SubscriptionFilter| {
            if let Some(shared) = shared.upgrade() {
                tell_missed(&shared, granted);
            }
        };
        self.listen_noting(filter, Some(Box::new(renewed))).await
    }
}

/// Holds the session only while it talks to it.
async fn keep(
    shared: Weak<SessionCore>,
    filter: SubscriptionFilter,
    mut open: Subscription,
    mut since: Time,
) {
    let mut renewal = Renewal::default();
    loop {
        while open.next().await.is_some() {}
        let mut ended = open.end().unwrap_or(Ok(()));
        let mut agreed = Some(since);
        let mut is_told = false;
        open = loop {
            let Some((now, is_over)) = shared.upgrade().and_then(|shared| standing(&shared)) else { return };
            if is_over {
                return;
            }
            let lasted = agreed.take().map(|since| now.saturating_sub(since));
            let is_refused = lasted.is_none();
            let wait = renewal.after(ended.as_ref().err(), lasted);
            if let Err(error) = &ended
                && (wait.is_none() || is_refused && !is_told)
            {
                is_told = true;
                let Some(shared) = shared.upgrade() else { return };
                report(&shared, error);
            }
            let Some(wait) = wait else { return };
            tokio::time::sleep(spread(wait)).await;
            let Some(session) = shared.upgrade().map(ClientSession::new) else { return };
            match session.listen_again(&filter).await {
                Ok(again) => {
                    since = session.shared.connection().map_or(now, |connection| connection.now());
                    tell_missed(&session.shared, again.granted());
                    break again;
                }
                Err(error) => ended = Err(error),
            }
        };
    }
}

/// The connection's time, and whether the session is over.
fn standing(shared: &SessionCore) -> Option<(Time, bool)> {
    let now = shared.connection().ok()?.now();
    Some((now, matches!(*shared.state.borrow(), SessionState::Closed(_))))
}

/// Nobody told of what changed while there was no subscription.
fn tell_missed(shared: &SessionCore, granted: &SubscriptionFilter) {
    for (method, params) in missed(granted) {
        shared.notification(method, params.as_ref(), None);
    }
}

/// Tells the program that changes of the server are not heard.
pub(super) fn report(shared: &SessionCore, error: &Error) {
    let message = format!("changes of the server are not heard: {error}");
    shared.problem(&Problem { kind: ProblemKind::Stream, message });
}
