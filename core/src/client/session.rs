//! [`ClientSession`]: one live connection.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use tokio::sync::watch;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::capabilities::ServerCapabilities;
use mcpbolt_proto::protocol::meta::{self, Meta};
use mcpbolt_proto::protocol::types::{Implementation, LoggingLevel, LoggingMessageParams, ProgressParams};
use mcpbolt_proto::protocol::{Error, Revision};
use mcpbolt_proto::session::client::RequestOptions;
use mcpbolt_proto::session::negotiate::Agreed;

use crate::observe::{Snapshot, Stats};
use crate::transport::client_connection::telling::check_params;
use crate::transport::client_connection::{Hooks, ProgressFn};

use super::notification_stream::NotificationStream;
use super::sampling::SamplingTotals;
use super::shared::Shared;

/// Longest wait for a transport that should close.
const CLOSE_BOUND: Duration = Duration::from_secs(10);

/// Where a session stands.
///
/// ```
/// use mcpbolt::client::{ClientSession, SessionState};
///
/// async fn until_closed(session: &ClientSession) {
///     let mut state = session.watch_state();
///     let closed = |state: &SessionState| matches!(state, SessionState::Closed(_));
///     if let Ok(end) = state.wait_for(closed).await
///         && let SessionState::Closed(reason) = &*end
///     {
///         eprintln!("{reason}");
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum SessionState {
    /// Probe or handshake are under way.
    Connecting,
    /// Calls go out.
    Ready,
    /// The channel was lost; calls wait for the next one.
    Reconnecting,
    /// Over, for this reason.
    Closed(Error),
}

/// What a server tells without being asked.
///
/// ```
/// use mcpbolt::client::ServerNotification;
///
/// fn tell(notification: ServerNotification) {
///     match notification {
///         ServerNotification::Log(message) => eprintln!("[{}] {:?}", message.level.as_str(), message.data),
///         ServerNotification::ResourceUpdated { uri } => println!("{uri} changed"),
///         ServerNotification::Other { method, .. } => println!("heard {method}"),
///         list => println!("{list:?}"),
///     }
/// }
/// # tell(ServerNotification::ToolsChanged);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ServerNotification {
    /// The tool list changed.
    ToolsChanged,
    /// The prompt list changed.
    PromptsChanged,
    /// The resource or template list changed.
    ResourcesChanged,
    /// A resource changed.
    ResourceUpdated {
        /// Which, or a part of which.
        uri: String,
    },
    /// A log message. Deprecated since 2026-07-28 (SEP-2577); earliest removal 2027-07-28.
    Log(LoggingMessageParams),
    /// A page this client was sent to is done with: what was refused for its sake may be
    /// tried again (2025-11-25). Ends of elicitations that are none of ours, or over, are
    /// not told.
    PageCompleted {
        /// Which.
        elicitation_id: String,
    },
    /// Anything else.
    Other {
        /// Method name.
        method: String,
        /// `params`, undecoded.
        params: Option<RawJson>,
    },
}

/// How one call is made.
///
/// ```
/// use std::time::Duration;
/// use mcpbolt::client::CallOptions;
///
/// let options = CallOptions::new()
///     .timeout(Duration::from_secs(5))
///     .on_progress(|progress| println!("{}", progress.progress));
/// # let _ = options;
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct CallOptions {
    pub(super) request: RequestOptions,
    pub(super) progress: Option<ProgressFn>,
    pub(super) fresh: bool,
    pub(super) meta: Meta,
}

impl CallOptions {
    /// The client's defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the longest time without an answer or progress.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.request.timeout = Some(timeout);
        self
    }

    /// Sets the longest time in all.
    pub fn max(mut self, max: Duration) -> Self {
        self.request.max = Some(max);
        self
    }

    /// Hears of progress.
    pub fn on_progress(mut self, hook: impl Fn(ProgressParams) + Send + Sync + 'static) -> Self {
        self.request.progress = true;
        self.progress = Some(Arc::new(move |params| {
            if let Ok(progress) = params.decode() {
                hook(progress);
            }
        }));
        self
    }

    /// Asks for log messages of this level and above (modern era; the legacy one has
    /// [`ClientSession::set_log_level`]).
    pub fn log_level(mut self, level: LoggingLevel) -> Self {
        self.request.log_level = Some(level);
        self
    }

    /// Says whether repeating the call after a lost connection can do no harm.
    pub fn repeatable(mut self, repeatable: bool) -> Self {
        self.request.repeatable = Some(repeatable);
        self
    }

    /// Adds a member to the call's `_meta`, for extensions. Keys of the protocol's own are
    /// set by the engine whatever is given here.
    pub fn meta(mut self, key: &str, value: &(impl Serialize + ?Sized)) -> Self {
        self.meta = self.meta.with(key, value);
        self
    }

    /// Sends W3C trace context along, as it is (R11). `tracestate` may be empty.
    pub fn trace_context(self, traceparent: &str, tracestate: &str) -> Self {
        let this = self.meta(meta::TRACEPARENT, traceparent);
        if tracestate.is_empty() { this } else { this.meta(meta::TRACESTATE, tracestate) }
    }

    /// Asks the server even if a kept result is still good.
    pub fn fresh(mut self) -> Self {
        self.fresh = true;
        self
    }

    pub(super) fn hooks(&self) -> Hooks {
        Hooks { progress: self.progress.clone(), notes: None }
    }
}

impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOptions").field("request", &self.request).finish_non_exhaustive()
    }
}

/// One live connection to a server. Clones are handles on the same one; dropping the
/// last ends it without waiting, [`ClientSession::close`] waits until it has ended. What
/// was sent before is still delivered. Dropping the future of a call cancels the call.
///
/// ```
/// # use mcpbolt::client::ClientSession;
/// # use mcpbolt::protocol::Error;
/// async fn read(session: &ClientSession) -> Result<(), Error> {
///     for tool in session.list_all_tools().await? {
///         println!("{}", tool.display_name());
///     }
///     let notes = session.read_resource("file:///notes.txt").await?;
///     println!("{} parts", notes.contents.len());
///     Ok(())
/// }
/// ```
#[derive(Clone)]
pub struct ClientSession {
    pub(super) shared: Arc<Shared>,
}

impl ClientSession {
    pub(super) fn new(shared: Arc<Shared>) -> Self {
        Self { shared }
    }

    /// Waits for the end of the handshake.
    pub(super) async fn settled(&self) -> Result<(), Error> {
        let mut state = self.shared.state.subscribe();
        let settled = |state: &SessionState| matches!(state, SessionState::Ready | SessionState::Closed(_));
        let state = state.wait_for(settled).await.map_err(|_| Error::closed())?.clone();
        match state {
            SessionState::Closed(error) => Err(error),
            _ => Ok(()),
        }
    }

    fn agreed(&self) -> Option<Arc<Agreed>> {
        self.shared.agreed()
    }

    /// The revision spoken.
    pub fn revision(&self) -> Revision {
        self.agreed().map_or(Revision::LATEST_LEGACY, |agreed| agreed.revision)
    }

    /// Who the server says it is. For display only.
    pub fn server_info(&self) -> Option<Implementation> {
        self.agreed()?.server_info.clone()
    }

    /// What the server can do.
    pub fn capabilities(&self) -> ServerCapabilities {
        self.agreed().map(|agreed| agreed.capabilities.clone()).unwrap_or_default()
    }

    /// The settings the server declared an extension with; `None` if it did not, and the
    /// core protocol has to do (L11).
    pub fn server_extension(&self, id: &str) -> Option<RawObject> {
        self.capabilities().extension(id)
    }

    /// How to use the server, for the model.
    pub fn instructions(&self) -> Option<String> {
        self.agreed()?.instructions.clone()
    }

    /// The result of `initialize` or `server/discover`, as it came.
    pub fn handshake(&self) -> Option<RawJson> {
        Some(self.agreed()?.raw.clone())
    }

    /// Where the session stands.
    pub fn state(&self) -> SessionState {
        self.shared.state.borrow().clone()
    }

    /// Watches where the session stands.
    pub fn watch_state(&self) -> watch::Receiver<SessionState> {
        self.shared.state.subscribe()
    }

    /// What the server tells from now on, on whatever stream.
    pub fn notifications(&self) -> NotificationStream {
        self.shared.feeds.subscribe()
    }

    /// Requests without an answer yet.
    pub fn in_flight(&self) -> usize {
        self.shared.connection().map_or(0, |connection| connection.in_flight())
    }

    /// Counters of this connection: calls and errors by method and kind, bytes, latencies,
    /// what is open and what waits.
    pub fn stats(&self) -> Snapshot {
        self.shared.connection().map_or_else(|_| Stats::default().snapshot(), |c| c.stats())
    }

    /// What this server has caused so far by sampling.
    pub fn sampling_spent(&self) -> SamplingTotals {
        self.shared.asking.spent.totals()
    }

    /// Sends any request, for extensions. `params` is an object; metadata is added. The
    /// server's questions are answered on the way. Nothing is cached.
    pub async fn request_raw(&self, method: &str, params: Option<RawJson>) -> Result<RawJson, Error> {
        self.exchange(method, params, CallOptions::new()).await
    }

    /// As [`ClientSession::request_raw`], with options.
    pub async fn request_raw_with(
        &self,
        method: &str,
        params: Option<RawJson>,
        options: CallOptions,
    ) -> Result<RawJson, Error> {
        self.exchange(method, params, options).await
    }

    /// Sends any notification, for extensions.
    pub fn notify_raw(&self, method: &str, params: Option<&RawJson>) -> Result<(), Error> {
        check_params(params)?;
        self.shared.connection()?.notify(method, params)
    }

    /// Ends the session: pending calls fail with `Closed`, the server gets the chance to
    /// end by itself. Bounded in time; calling it again does nothing.
    pub async fn close(&self) {
        self.shared.subscribed.lock().clear();
        if let Ok(connection) = self.shared.connection() {
            let connection = Arc::clone(connection);
            let (done, closed) = tokio::sync::oneshot::channel::<()>();
            let spawner = connection.spawner().clone();
            spawner.spawn(async move {
                let _ = tokio::time::timeout(CLOSE_BOUND, connection.close()).await;
                let _ = done.send(());
            });
            let _ = closed.await;
        }
    }
}

impl fmt::Debug for ClientSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientSession").field("state", &*self.shared.state.borrow()).finish_non_exhaustive()
    }
}
