//! What all connections of a server share: identity, clock, caps, sealed state.
//!
//! Owns: the options, and what follows from them for all connections. Must not know: any single
//! connection or call.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::session::Time;
use mcpbolt_proto::session::server::ServerSettings;

use crate::observe::{Audit, FrameTrace, Stats};
use crate::seal::Sealer;
use crate::store::Stores;

use super::clock::{Clock, SystemClock};
use super::contract::{Engine, Outlet, Parking};
use super::guard_rails::{GuardRailOptions, GuardRails};
use super::questions::InputMode;
use super::scope::{KeptHeads, next_connection};
use super::{Bus, ConnectionId, Spawner};

/// Settings of an [`Engine`].
#[derive(Clone, Default)]
pub struct EngineOptions {
    /// Revisions, in-flight caps, patience with clients.
    pub session: ServerSettings,
    /// All other caps.
    pub limits: Limits,
    /// How questions are asked on the modern era.
    pub input: InputMode,
    /// Seals `requestState`; random when absent.
    pub sealer: Option<Sealer>,
    /// States that handlers return leave as they are, and come back to them unopened: they
    /// seal them by themselves, and count their rounds. Those of the engine's are sealed
    /// whatever this says.
    pub host_seals_state: bool,
    /// Questions that a handler returns are sent although the client did not declare that it
    /// answers them; those it awaits never are.
    pub asks_undeclared: bool,
    /// States are taken as often as they come until they expire, instead of once: for
    /// servers whose handlers may run twice with the same answers.
    pub reusable_state: bool,
    /// Where frames are written, beside what the environment names.
    pub trace: Option<FrameTrace>,
    /// Calls slower than this are told under `mcpbolt::performance`; 10 s when absent.
    pub slow_call: Option<Duration>,
    /// What is done to answers on their way out.
    pub outlet: Outlet,
    /// Is told of every request.
    pub audit: Option<Audit>,
    /// Rate limits, deadlines, concurrency, access.
    pub rails: GuardRailOptions,
    /// What all nodes of a fleet keep together; nothing when absent.
    pub stores: Option<Stores>,
}

/// Calls slower than this are told, unless the program says otherwise.
const SLOW_CALL: Duration = Duration::from_secs(10);

impl Engine {
    /// An engine on the machine's clock and the caller's runtime.
    pub fn new(options: EngineOptions) -> Arc<Self> {
        Self::with_clock(options, Arc::new(SystemClock::default()))
    }

    /// An engine on a clock of the caller's.
    pub fn with_clock(options: EngineOptions, clock: Arc<dyn Clock>) -> Arc<Self> {
        let parking = Parking::new(&options.limits);
        let rails = GuardRails::new(options.rails, &options.limits);
        let mut session = options.session;
        session.ask_before_listen |= rails.is_on();
        session.tell_settled |= options.audit.is_some();
        Arc::new(Self {
            settings: Arc::new(session),
            limits: options.limits,
            spawner: Spawner::current(),
            trace: options.trace,
            slow_call: options.slow_call.unwrap_or(SLOW_CALL),
            outlet: options.outlet,
            audit: options.audit,
            input: options.input,
            sealer: options.sealer.unwrap_or_else(Sealer::new_random),
            host_seals_state: options.host_seals_state,
            reusable_state: options.reusable_state,
            asks_undeclared: options.asks_undeclared,
            parking,
            heads: KeptHeads::default(),
            rails,
            stores: options.stores,
            lasting: Arc::default(),
            bus: Bus::default(),
            stats: Stats::default(),
            clock,
        })
    }

    /// The engine's time.
    pub fn now(&self) -> Time {
        self.clock.now()
    }

    /// The source of its time.
    pub(super) fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// Where changes are published.
    pub fn bus(&self) -> &Bus {
        &self.bus
    }

    /// Counters.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }

    /// The calls that wait for a retry.
    pub fn parking(&self) -> &Parking {
        &self.parking
    }

    /// Whether MIME types and base64 are checked, going and coming.
    pub(crate) fn checks_media(&self) -> bool {
        self.outlet.check_media
    }

    /// A number for a new connection.
    pub fn next_connection(&self) -> ConnectionId {
        next_connection()
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parked = self.parking.len();
        f.debug_struct("Engine")
            .field("parked", &parked)
            .field("stores", &self.stores)
            .finish_non_exhaustive()
    }
}
