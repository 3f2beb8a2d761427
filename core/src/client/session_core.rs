//! What one session's handles share: the connection, what is known of the server, who
//! listens.
//!
//! Owns: what happens when the connection tells something. Must not know: how programs call.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};

use futures_util::FutureExt as _;
use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::trust::Untrusted;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::client::ClientRequest;
use mcpbolt_proto::session::negotiate::Agreed;
use mcpbolt_proto::session::{CancelReason, ExchangeId, OutgoingId, Problem};

use crate::transport::client_connection::{ClientConnection, ClientHost};

use super::cache::Cache;
use super::extension_result::ExtensionHooks;
use super::handlers::Handlers;
use super::notification::ServerNotification;
use super::notification_stream::Feeds;
use super::result_checks::Checks;
use super::sampling::Asking;
use super::session_state::SessionState;
use super::subscription::KeptSubscription;
use super::tool_review::ToolReviewer;
use super::tools::ToolBook;

pub(super) type OnError = Arc<dyn Fn(&Problem) + Send + Sync>;

/// Settings of the layer above the connection.
#[derive(Clone)]
pub(super) struct Settings {
    pub(super) reviewer: Arc<dyn ToolReviewer>,
    pub(super) trusted: bool,
    pub(super) cache: bool,
    pub(super) max_rounds: usize,
    pub(super) on_error: Option<OnError>,
    pub(super) checks: Checks,
    pub(super) extensions: ExtensionHooks,
}

impl Settings {
    /// What the server says, with what it is worth.
    pub(super) fn claim<T>(&self, value: T) -> Untrusted<T> {
        if self.trusted { Untrusted::trusted(value) } else { Untrusted::new(value) }
    }
}

pub(super) struct SessionCore {
    pub(super) handlers: Arc<Handlers>,
    pub(super) settings: Settings,
    pub(super) http: bool,
    pub(super) asking: Arc<Asking>,
    pub(super) feeds: Feeds,
    pub(super) tools: ToolBook,
    pub(super) cache: Cache,
    pub(super) state: watch::Sender<SessionState>,
    /// Modern era: what `subscribe` opened.
    pub(super) subscribed: Mutex<HashMap<String, KeptSubscription>>,
    connection: OnceLock<Arc<ClientConnection>>,
    answering: Arc<Mutex<HashMap<ExchangeId, oneshot::Sender<()>>>>,
}

impl SessionCore {
    pub(super) fn new(handlers: Arc<Handlers>, settings: Settings, http: bool) -> Arc<Self> {
        let tools = ToolBook::new(settings.checks.caps.max_list_items);
        Arc::new(Self {
            handlers,
            settings,
            http,
            asking: Arc::default(),
            feeds: Feeds::default(),
            tools,
            cache: Cache::default(),
            state: watch::Sender::new(SessionState::Connecting),
            subscribed: Mutex::default(),
            connection: OnceLock::new(),
            answering: Arc::default(),
        })
    }

    pub(super) fn attach(&self, connection: Arc<ClientConnection>) {
        let _ = self.connection.set(connection);
    }

    pub(super) fn connection(&self) -> Result<&Arc<ClientConnection>, Error> {
        self.connection.get().ok_or_else(Error::closed)
    }

    pub(super) fn agreed(&self) -> Option<Arc<Agreed>> {
        self.connection.get()?.agreed()
    }

    /// Waits until the session is over.
    pub(super) async fn closed(&self) -> Error {
        let mut state = self.state.subscribe();
        match state.wait_for(|state| matches!(state, SessionState::Closed(_))).await.as_deref() {
            Ok(SessionState::Closed(error)) => error.clone(),
            _ => Error::closed(),
        }
    }

    /// Once closed, a session stays so.
    fn enter(&self, state: SessionState) {
        self.state.send_if_modified(|now| {
            let open = !matches!(now, SessionState::Closed(_));
            if open {
                *now = state;
            }
            open
        });
    }
}

/// What a panic says stays in the program's log.
fn panicked(method: &str) -> Error {
    tracing::error!(target: "mcpbolt::protocol", method, "a handler of the client's panicked");
    Error::internal("internal error")
}

impl ClientHost for SessionCore {
    fn ready(&self, agreed: &Arc<Agreed>) {
        self.asking.context.learn(agreed);
        self.cache.clear();
        self.enter(SessionState::Ready);
    }

    fn request(&self, connection: &Arc<ClientConnection>, request: ClientRequest) {
        let (cancel, cancelled) = oneshot::channel::<()>();
        let exchange = request.exchange;
        self.answering.lock().insert(exchange, cancel);
        let (handlers, asking) = (Arc::clone(&self.handlers), Arc::clone(&self.asking));
        let (answering, now, caps) =
            (Arc::clone(&self.answering), connection.now(), self.settings.checks.caps);
        let weak = Arc::downgrade(connection);
        connection.spawner().spawn(async move {
            let ClientRequest { method, params, .. } = request;
            let answer = async { handlers.answer(&asking, &caps, now, &method, params).await };
            let outcome = tokio::select! {
                _ = cancelled => None,
                outcome = AssertUnwindSafe(answer).catch_unwind() => Some(outcome),
            };
            // The server gets an answer, whatever a handler of the program's does.
            let outcome = outcome.map(|outcome| outcome.unwrap_or_else(|_| Err(panicked(&method))));
            answering.lock().remove(&exchange);
            if let (Some(outcome), Some(connection)) = (outcome, weak.upgrade()) {
                connection.answer(exchange, outcome);
            }
        });
    }

    fn cancelled(&self, exchange: ExchangeId, _: &CancelReason) {
        if let Some(cancel) = self.answering.lock().remove(&exchange) {
            let _ = cancel.send(());
        }
    }

    fn notification(&self, method: &str, params: Option<&RawJson>, _: Option<OutgoingId>) {
        let notification = ServerNotification::read(method, params);
        if let ServerNotification::PageCompleted { elicitation_id } = &notification
            && !self.asking.pages.close(elicitation_id)
        {
            return;
        }
        self.cache.invalidate(&notification);
        self.feeds.publish(&notification);
    }

    fn problem(&self, problem: &Problem) {
        if let Some(hook) = &self.settings.on_error {
            hook(problem);
        }
    }

    fn reconnecting(&self) {
        self.enter(SessionState::Reconnecting);
    }

    fn closed(&self, error: &Error) {
        self.enter(SessionState::Closed(error.clone()));
        self.feeds.end();
        self.answering.lock().clear();
    }
}
