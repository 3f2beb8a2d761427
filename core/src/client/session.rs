//! [`ClientSession`]: one live connection.
//!
//! Owns: the handle that programs hold, and its end. Must not know: how requests are
//! answered on the way (`input_required` does), or what a typed call looks like (`api`).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::policy::trust::Untrusted;
use mcpbolt_proto::protocol::capabilities::ServerCapabilities;
use mcpbolt_proto::protocol::types::{Implementation, ToolAnnotations};
use mcpbolt_proto::protocol::{Error, Revision};
use mcpbolt_proto::session::negotiate::Agreed;

use crate::observe::{Snapshot, Stats};
use crate::transport::client_connection::telling::check_params;

use super::call_options::CallOptions;
use super::notification_stream::NotificationStream;
use super::sampling::SamplingTotals;
use super::session_core::SessionCore;
use super::session_state::SessionState;

/// Longest wait for a transport that should close.
const CLOSE_BOUND: Duration = Duration::from_secs(10);

/// One live connection to a server. Clones are handles on the same one; dropping the
/// last ends it without waiting, [`ClientSession::close`] waits until it has ended, as does
/// [`finish_closing`](crate::transport::child_client::finish_closing) for all that were dropped. What
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
    pub(super) shared: Arc<SessionCore>,
}

impl ClientSession {
    pub(super) fn new(shared: Arc<SessionCore>) -> Self {
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
    /// core protocol has to do.
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

    /// What the server says of a tool, as of the last list.
    pub fn annotations(&self, tool: &str) -> Option<Untrusted<ToolAnnotations>> {
        let claimed = self.shared.tools.get(tool)?.annotations?;
        Some(self.shared.settings.claim(claimed))
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

    /// Stops trusting the sockets that are open, for programs that learn before them that they
    /// are dead: the network is another one, or the system was asleep. Over HTTP, requests from
    /// now on use new connections, lost streams are opened again without waiting for their next
    /// attempt, and open ones begin anew after their last event. In the modern era, where no
    /// stream can be resumed, subscriptions are asked for again: what changed meanwhile is not
    /// told, except that resources of [`subscribe`](ClientSession::subscribe) count as changed. Calls without a resumable stream go on waiting, to their deadline. The session
    /// stays; a server that has forgotten it gives another, as always.
    ///
    /// Returns at once, and does nothing on stdio, in memory and over HTTP+SSE.
    pub fn reconnect(&self) {
        if let Ok(connection) = self.shared.connection() {
            connection.reconnect();
        }
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
