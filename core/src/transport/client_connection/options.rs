//! How a client connection is opened.
//!
//! Owns: the defaults. Must not know: what holds them.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::jsonrpc::DecodeLimits;
use mcpbolt_proto::session::client::ClientSettings;

use crate::handler::{Clock, Spawner, SystemClock};
use crate::observe::FrameTrace;

/// Whether a lost channel is replaced (child processes).
///
/// ```
/// use mcpbolt::client::{Command, RestartPolicy};
/// use std::time::Duration;
///
/// let policy = RestartPolicy::Limited { max: 3, backoff: Duration::from_millis(200) };
/// let command = Command::new("my-server").restart(policy);
/// # let _ = command;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RestartPolicy {
    /// Never: the session closes.
    #[default]
    Never,
    /// Up to `max` times in a row, after `backoff`, which doubles each time.
    Limited {
        /// Most restarts without a successful handshake between them.
        max: u32,
        /// Wait before the first.
        backoff: Duration,
    },
}

/// Calls slower than this are told, unless the program says otherwise.
const SLOW_CALL: Duration = Duration::from_secs(10);

/// How a connection is opened.
///
/// ```
/// use mcpbolt::protocol::capabilities::ClientCapabilities;
/// use mcpbolt::protocol::types::Implementation;
/// use mcpbolt::transport::client_connection::{ClientConnectionOptions, RestartPolicy};
/// use mcpbolt_proto::session::client::ClientSettings;
///
/// let info = Implementation::new("example", "1.0");
/// let settings = ClientSettings::new(info, ClientCapabilities::default());
/// let options = ClientConnectionOptions::new(settings);
/// assert_eq!(options.restart, RestartPolicy::Never);
/// ```
pub struct ClientConnectionOptions {
    /// Settings of the session. `http` is set by the transport.
    pub settings: ClientSettings,
    /// Decoder caps.
    pub decode: DecodeLimits,
    /// Source of time.
    pub clock: Arc<dyn Clock>,
    /// Where background work runs.
    pub spawner: Spawner,
    /// What to do when the channel is lost.
    pub restart: RestartPolicy,
    /// How the transport is called in events.
    pub kind: &'static str,
    /// Where frames are written, beside what the environment names.
    pub trace: Option<FrameTrace>,
    /// Calls slower than this are told under `mcpbolt::performance`.
    pub slow_call: Duration,
}

impl ClientConnectionOptions {
    /// Defaults on the machine's clock and the caller's runtime.
    pub fn new(settings: ClientSettings) -> Self {
        Self {
            settings,
            decode: DecodeLimits::default(),
            clock: Arc::new(SystemClock::default()),
            spawner: Spawner::current(),
            restart: RestartPolicy::Never,
            kind: "custom",
            trace: None,
            slow_call: SLOW_CALL,
        }
    }
}

impl fmt::Debug for ClientConnectionOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientConnectionOptions").field("restart", &self.restart).finish_non_exhaustive()
    }
}
