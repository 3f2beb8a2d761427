//! What the guard rails remember: of the server, and of each call.
//!
//! Owns: the buckets, the places among what runs, the deadline of a call. Must not know:
//! in which order they are asked, or calls themselves.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::policy::access::ResourceKind;
use mcpbolt_proto::policy::bounds::{ConcurrencyPlace, Running};
use mcpbolt_proto::policy::rate::RateLimiter;
use mcpbolt_proto::session::Time;

use crate::handler::timer::Appointment;

use super::authorize::Authorize;
use super::options::GuardRailOptions;

/// Most buckets of a server: one for each principal, session or tool that was heard of.
const MAX_BUCKETS: usize = 10_000;

/// The guard rails of one engine.
pub(crate) struct GuardRails {
    on: AtomicBool,
    pub(super) rate: Option<Mutex<RateLimiter>>,
    pub(super) timeout: Option<Duration>,
    pub(super) running: Mutex<Running>,
    pub(super) authorize: Option<Arc<dyn Authorize>>,
}

/// What the guard rails keep of a call.
#[derive(Default)]
pub(in crate::handler) struct Guarded {
    /// Where it is counted among what runs.
    pub(super) place: Option<ConcurrencyPlace>,
    pub(super) timeout: Option<Duration>,
    /// Since when its time runs: a retry, and each answer of the client, starts it anew.
    pub(super) since: Time,
    /// Questions the client is asked at this moment.
    pub(super) waiting: u32,
    pub(super) deadline: Option<Appointment>,
    /// The list whose entries are still to be looked through.
    pub(super) filter: Option<ResourceKind>,
}

impl GuardRails {
    pub(in crate::handler) fn new(options: GuardRailOptions, limits: &Limits) -> Self {
        let timeout = options.timeout.or(limits.handler_timeout);
        let on = !options.rate_limit.is_empty()
            || timeout.is_some()
            || options.max_concurrency.is_some()
            || options.authorize.is_some();
        let limiter = |rules| Mutex::new(RateLimiter::new(rules, MAX_BUCKETS));
        Self {
            on: AtomicBool::new(on),
            rate: (!options.rate_limit.is_empty()).then(|| limiter(options.rate_limit)),
            timeout,
            running: Mutex::new(Running::new(options.max_concurrency)),
            authorize: options.authorize,
        }
    }

    /// Whether anything is on.
    pub(crate) fn is_on(&self) -> bool {
        self.on.load(Ordering::Relaxed)
    }

    /// From now on handlers are asked for bounds of their own.
    pub(crate) fn switch_on(&self) {
        self.on.store(true, Ordering::Relaxed);
    }
}
