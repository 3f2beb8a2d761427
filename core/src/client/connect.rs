//! [`Client`]: how a program presents itself to servers, and how it reaches one.
//!
//! Owns: connecting, and what is tried first where a server is known already. Must not know:
//! how a client is put together (`builder` does).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use mcpbolt_proto::session::client::ClientSettings;
use mcpbolt_proto::session::negotiate::ProtocolPolicy;

use crate::handler::{Clock, Spawner};
use crate::observe::FrameTrace;
use crate::observe::events::{Deprecated, deprecated};
use crate::transport::client_connection::{ClientConnectionOptions, ClientHost};

use super::era_cache::{EraCache, KnownEra, ServerKey};
use super::handlers::Handlers;
use super::notification_stream::NotificationStream;
use super::session::ClientSession;
use super::session_core::{SessionCore, Settings};
use super::start_review::StartReviewer;
use super::target::Target;

/// How a program presents itself to servers and what it offers them. Connects to any
/// number of them.
///
/// ```
/// use mcpbolt::client::Client;
/// use mcpbolt::protocol::types::{ElicitResult, Root};
///
/// let client = Client::builder("example", "1.0")
///     .roots([Root::new("file:///srv/project")])
///     .on_elicitation(|form| async move {
///         println!("{}", form.message);
///         Ok(ElicitResult::decline())
///     })
///     .build();
/// assert!(client.capabilities().roots.is_some());
/// assert!(client.capabilities().sampling.is_none());
/// ```
#[derive(Clone)]
pub struct Client {
    pub(super) settings: ClientSettings,
    pub(super) handlers: Arc<Handlers>,
    pub(super) session: Settings,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) trace: Option<FrameTrace>,
    pub(super) slow_call: Option<Duration>,
    pub(super) start: Option<StartReviewer>,
    pub(super) believed: Duration,
    pub(super) eras: Arc<EraCache>,
}

impl Client {
    /// The same client for servers that the program trusts: it believes what they say
    /// about their tools.
    #[must_use]
    pub fn trusting(&self) -> Self {
        let mut client = self.clone();
        client.session.trusted = true;
        client
    }

    /// What servers are told this client can do.
    pub fn capabilities(&self) -> &ClientCapabilities {
        &self.settings.capabilities
    }

    /// Connects and waits until era and revision are settled. Fails as the transport,
    /// the probe or the handshake fails, or with `Rejected` if the program may not be
    /// started; whatever was started is closed again.
    ///
    /// Which era the server speaks is remembered for a while, and asked for first when
    /// the client connects there again.
    pub async fn connect(&self, target: impl Into<Target>) -> Result<ClientSession, Error> {
        self.connect_hearing(target).await.map(|(session, _)| session)
    }

    /// As [`Client::connect`], with what the server tells from the first message on.
    /// [`ClientSession::notifications`] has only what comes after it was asked for: a server may
    /// tell something before the program is told that it is connected.
    pub async fn connect_hearing(
        &self,
        target: impl Into<Target>,
    ) -> Result<(ClientSession, NotificationStream), Error> {
        let target = target.into();
        if let (Some(reviewer), Some(request)) = (&self.start, target.start_request())
            && !reviewer(request).await
        {
            return Err(Error::new(ErrorKind::Rejected, "starting the server was denied"));
        }
        let auto = self.settings.policy == ProtocolPolicy::Auto && !self.believed.is_zero();
        let Some(server) = target.key().filter(|_| auto) else { return self.open(target, None).await };
        let known = self.eras.get(&server, self.clock.now()).and_then(|v| Some((v, target.again()?)));
        if let Some((verdict, again)) = known {
            match self.open(again, Some(verdict)).await {
                Ok(opened) => return Ok(self.remember(server, opened)),
                // Says nothing about the era, and a person would be asked twice.
                Err(error) if is_no_verdict(error.kind) => return Err(error),
                Err(_) => self.eras.forget(&server),
            }
        }
        let opened = self.open(target, None).await?;
        Ok(self.remember(server, opened))
    }

    fn remember(&self, server: ServerKey, opened: Opened) -> Opened {
        let session = &opened.0;
        let now = self.clock.now();
        let sse = session.shared.connection().is_ok_and(|connection| connection.fell_back());
        if sse {
            deprecated(Deprecated::HttpSse);
        }
        let verdict = KnownEra::of(session.revision(), sse);
        self.eras.put(server, verdict, now.saturating_add(self.believed), now);
        opened
    }

    async fn open(&self, target: Target, verdict: Option<KnownEra>) -> Result<Opened, Error> {
        let mut options = ClientConnectionOptions::new(self.settings.clone());
        options.clock = Arc::clone(&self.clock);
        options.spawner = Spawner::current();
        options.trace.clone_from(&self.trace);
        options.slow_call = self.slow_call.unwrap_or(options.slow_call);
        #[cfg(feature = "http-client")]
        let target = if verdict == Some(KnownEra::LegacySse) { target.over_sse()? } else { target };
        let legacy = target.is_legacy_only() || verdict.is_some_and(|v| v != KnownEra::Modern);
        if legacy && options.settings.policy == ProtocolPolicy::Auto {
            options.settings.policy = ProtocolPolicy::LegacyFirst;
        }
        let shared = SessionCore::new(Arc::clone(&self.handlers), self.session.clone(), target.is_http());
        let heard = shared.feeds.subscribe();
        let host: Arc<dyn ClientHost> = Arc::clone(&shared) as _;
        let connection = target.open(options, Arc::downgrade(&host))?;
        shared.attach(connection);
        let session = ClientSession::new(shared);
        match session.settled().await {
            Ok(()) => Ok((session, heard)),
            Err(error) => {
                session.close().await;
                Err(error)
            }
        }
    }
}

/// A session, and what its server told since the beginning.
type Opened = (ClientSession, NotificationStream);

/// Failures that another way of asking would only repeat.
fn is_no_verdict(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::Unauthorized | ErrorKind::Forbidden | ErrorKind::RateLimited | ErrorKind::Timeout
    )
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("info", &self.settings.info.name).finish_non_exhaustive()
    }
}
