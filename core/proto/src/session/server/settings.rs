//! What does not change while a server's session lives.
//!
//! Owns: the settings and their defaults. Must not know: how a session holds them.

use crate::limits::Limits;
use crate::policy::norm::Norm;
use crate::protocol::{Era, Revision};

use super::super::Time;
use super::super::outgoing::Patience;

/// What does not change while a session lives.
#[derive(Debug, Clone)]
pub struct ServerSettings {
    /// Revisions on offer, oldest first.
    pub revisions: Vec<Revision>,
    /// Most requests in flight; beyond it new ones get `Overloaded`.
    pub max_in_flight: usize,
    /// Most bytes of params in flight.
    pub max_in_flight_bytes: usize,
    /// Most subscriptions, legacy and modern together.
    pub max_subscriptions: usize,
    /// Most progress notifications of one request in a second; 0 means no limit.
    pub progress_rate: usize,
    /// Most log messages in a second; 0 means no limit.
    pub log_rate: usize,
    /// Most log messages that wait for their turn.
    pub log_backlog: usize,
    /// How long the client may take to answer us.
    pub patience: Patience,
    /// Name of this node, part of the ids of our requests.
    pub node: Option<String>,
    /// Whether `subscriptions/listen` comes out as a request too. Answered with a result,
    /// it begins: with the members `notifications`, the filter that is honoured, and
    /// `muted`, URIs that the client is promised and never hears of.
    pub ask_before_listen: bool,
    /// Whether requests that need no call come out as [`Output::Settled`](super::super::Output::Settled).
    pub tell_settled: bool,
    /// Whose order and words clients meet.
    pub norm: &'static Norm,
    /// Whether clients are not told that the server sends log messages.
    pub hides_logging: bool,
}

impl Default for ServerSettings {
    fn default() -> Self {
        let limits = Limits::default();
        Self {
            revisions: Revision::ALL.to_vec(),
            max_in_flight: limits.max_in_flight,
            max_in_flight_bytes: Limits::size(limits.max_in_flight_bytes),
            max_subscriptions: limits.max_subscriptions,
            progress_rate: limits.progress_rate,
            log_rate: limits.log_rate,
            log_backlog: limits.log_backlog,
            patience: Patience { timeout: Time::from_mins(10), max: Time::from_hours(1) },
            node: None,
            ask_before_listen: false,
            tell_settled: false,
            norm: Norm::OWN,
            hides_logging: false,
        }
    }
}

impl ServerSettings {
    /// Takes over the caps that a session keeps.
    pub fn limit(&mut self, limits: &Limits) {
        self.max_in_flight = limits.max_in_flight;
        self.max_in_flight_bytes = Limits::size(limits.max_in_flight_bytes);
        self.max_subscriptions = limits.max_subscriptions;
        self.progress_rate = limits.progress_rate;
        self.log_rate = limits.log_rate;
        self.log_backlog = limits.log_backlog;
    }

    /// The wire names of the revisions on offer, newest first.
    pub fn supported(&self) -> Vec<&'static str> {
        self.revisions.iter().rev().map(|r| r.as_str()).collect()
    }

    /// Those that a client of an era is told.
    pub(super) fn offered(&self, era: Era) -> Vec<&'static str> {
        let told = |r: &&Revision| !self.norm.offers_by_era || r.era() == era;
        self.revisions.iter().rev().filter(told).map(|r| r.as_str()).collect()
    }

    pub(super) fn newest_legacy(&self) -> Option<Revision> {
        self.revisions.iter().rev().copied().find(|r| r.era() == Era::Legacy)
    }
}
