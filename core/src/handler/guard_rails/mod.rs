//! The guard rails around every call, whoever answers it: rate limits, deadlines,
//! concurrency, access.
//!
//! Owns: in which order they are asked, and what they keep of a call. Must not know: how a
//! decision is made (`policy` does), sockets, registries. Off, they cost one branch.

mod access;
mod bounds;
mod listing;
mod rate_limit;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parking_lot::Mutex;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::policy::access::{Action, Thing};
use mcpbolt_proto::policy::bounds::{Place, Running};
use mcpbolt_proto::policy::rate::{RateLimiter, RateRule};
use mcpbolt_proto::protocol::{Era, Error, methods};
use mcpbolt_proto::session::{Answer, Time};

use super::result_limits::tool_failure;
use super::timer::Appointment;
use super::{Call, Reply};

pub use access::{Asker, Authorize, Verdicts};
pub use listing::Listing;

/// Most buckets of a server: one for each principal, session or tool that was heard of.
const MAX_BUCKETS: usize = 10_000;

/// Guard rails of a server. All off by default.
///
/// ```
/// use mcpbolt::handler::{EngineOptions, RailOptions};
/// use mcpbolt::policy::rate::{Per, RateRule};
/// use std::time::Duration;
///
/// let rails = RailOptions {
///     rate_limit: vec![RateRule::new(["tools/call"], Per::Session, 5.0, 20)?],
///     timeout: Some(Duration::from_secs(30)),
///     max_concurrency: Some(100),
///     authorize: None,
/// };
/// let options = EngineOptions { rails, ..EngineOptions::default() };
/// # let _ = options;
/// # Ok::<(), mcpbolt::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct RailOptions {
    /// Token buckets; a request must pass all that concern it.
    pub rate_limit: Vec<RateRule>,
    /// Longest run of a call; instead of the limit `handler_timeout`.
    pub timeout: Option<Duration>,
    /// Most calls of tools, resources, prompts, completions and methods of the program's
    /// own at once. Beyond it they fail with `Overloaded`.
    pub max_concurrency: Option<usize>,
    /// Who decides what a client may do and see.
    pub authorize: Option<Arc<dyn Authorize>>,
}

impl fmt::Debug for RailOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RailOptions")
            .field("rate_limit", &self.rate_limit)
            .field("timeout", &self.timeout)
            .field("max_concurrency", &self.max_concurrency)
            .field("authorize", &self.authorize.is_some())
            .finish()
    }
}

/// The guard rails of one engine.
pub(crate) struct Rails {
    on: AtomicBool,
    rate: Option<Mutex<RateLimiter>>,
    timeout: Option<Duration>,
    running: Mutex<Running>,
    authorize: Option<Arc<dyn Authorize>>,
}

/// What the guard rails keep of a call.
#[derive(Default)]
pub(super) struct Guarded {
    /// Where it is counted among what runs.
    place: Option<Place>,
    timeout: Option<Duration>,
    /// Since when its time runs: a retry, and each answer of the client, starts it anew.
    since: Time,
    /// Questions the client is asked at this moment.
    waiting: u32,
    deadline: Option<Appointment>,
    /// The list whose entries are still to be looked through.
    sift: Option<Thing>,
}

impl Rails {
    pub(super) fn new(options: RailOptions, limits: &Limits) -> Self {
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

    /// Lets a call through to its handler, or answers it.
    pub(super) fn call(&self, call: &Arc<Call>) -> Reply {
        if call.is_rerun() {
            // The client asked once, and was let in.
            self.time(call);
            return call.reach_handler();
        }
        if let Err(error) = self.pace_of_request(call) {
            return Reply::Done(call.turned_away(error));
        }
        if let Err(error) = self.enter(call) {
            call.fail(error.clone());
            return Reply::Done(Answer::Error { error, gate: true });
        }
        if self.authorize.is_some() { self.access(call) } else { proceed(call) }
    }
}

/// On to the handler.
fn proceed(call: &Arc<Call>) -> Reply {
    if call.method() == methods::SUBSCRIPTIONS_LISTEN && call.revision().era() == Era::Modern {
        // The session does it.
        return Reply::Done(Answer::result(call.members().to_raw()));
    }
    call.reach_handler()
}

impl Call {
    /// Whether the engine runs it again, with answers that it asked for itself.
    fn is_rerun(&self) -> bool {
        self.given.round > 0 && self.revision().era() == Era::Legacy
    }

    fn action(&self) -> Option<Action> {
        Action::of(self.method(), self.members())
    }

    fn guard<T>(&self, body: impl FnOnce(&mut Guarded) -> T) -> T {
        body(self.guarded.lock().get_or_insert_default())
    }

    /// What the client learns of a refusal: a model must read what became of its tool call.
    fn turned_away(&self, error: Error) -> Answer {
        if self.method() != methods::TOOLS_CALL {
            return Answer::error(error);
        }
        let answer = tool_failure(&error.message);
        self.fail(error);
        answer
    }
}
