//! Rate limits: token buckets by server, session, principal or tool.
//!
//! Owns: the rules, the buckets, how long a sender over the limit has to wait. A bucket is
//! one number, the time at which it will be full: what never comes costs nothing.
//! Must not know: clocks (time is a parameter), who is asking beyond the names it is given, what an
//! answer looks like.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use serde_json::json;

use crate::protocol::{Error, ErrorKind, methods};

/// Stands for every request of a client.
pub const EVERY: &str = "*";

/// Names longer than this share one bucket: nothing real is called like that.
const LONGEST: usize = 256;

/// The bucket that newcomers share. Not a name that can come from outside: those have no line breaks.
const SHARED: &str = "\n";

/// Who shares a bucket.
///
/// ```
/// use mcpbolt_proto::policy::rate::Per;
/// assert_eq!(Per::named("principal"), Some(Per::Principal));
/// assert_eq!(Per::named("planet"), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Per {
    /// All clients of the server.
    Server,
    /// One session or connection. Where a request stands alone, as over HTTP in the modern
    /// era, its principal or address.
    Session,
    /// One principal; without one the peer's address, without that the connection.
    Principal,
    /// One tool, resource or prompt, for all who ask.
    Tool,
}

impl Per {
    /// The four words that options use.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "server" => Self::Server,
            "session" => Self::Session,
            "principal" => Self::Principal,
            "tool" => Self::Tool,
            _ => return None,
        })
    }
}

/// One rule: these methods, together, so often.
///
/// ```
/// use mcpbolt_proto::policy::rate::{Per, RateRule};
///
/// // Ten at once, then two in a second, for each client.
/// let rule = RateRule::new(["tools/call", "resources/read"], Per::Principal, 2.0, 10)?;
/// assert!(RateRule::new(["tools/call"], Per::Server, 0.0, 10).is_err());
/// # let _ = rule;
/// # Ok::<(), mcpbolt_proto::protocol::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateRule {
    methods: Vec<String>,
    per: Per,
    /// Time that one request costs.
    interval: Duration,
    burst: u32,
}

impl RateRule {
    /// A bucket that takes `burst` of these methods at once and refills by `rate` a second.
    /// Methods are names on the wire; `*` is every request of a client, and neither its answers
    /// nor its notifications. Requests of the
    /// server (`sampling/createMessage`, `elicitation/create`) and its log messages
    /// (`notifications/message`) can be named too.
    ///
    /// # Errors
    /// `Usage`, naming what cannot be: no method, another notification, a rate that is not
    /// above 0, a burst of 0.
    pub fn new(
        methods: impl IntoIterator<Item = impl Into<String>>,
        per: Per,
        rate: f64,
        burst: u32,
    ) -> Result<Self, Error> {
        let methods: Vec<String> = methods.into_iter().map(Into::into).collect();
        let wrong = |what: &str| Err(Error::usage(format!("rate_limit: {what}")));
        if methods.is_empty() || methods.iter().any(String::is_empty) {
            return wrong("methods must name at least one method, or * for all");
        }
        let mute = |name: &&String| name.starts_with("notifications/") && *name != methods::MESSAGE;
        if let Some(name) = methods.iter().find(mute) {
            return wrong(&format!(
                "{name} cannot be limited; of notifications, only {} can",
                methods::MESSAGE
            ));
        }
        let interval = (rate > 0.0).then(|| Duration::try_from_secs_f64(1.0 / rate).ok()).flatten();
        let Some(interval) = interval.filter(|interval| !interval.is_zero()) else {
            return wrong("rate must be a number above 0 and at most 1e9, per second");
        };
        if burst == 0 {
            return wrong("burst must be at least 1");
        }
        Ok(Self { methods, per, interval, burst })
    }

    /// Whether it limits every request, so that nothing has to be read to apply it.
    fn is_blind(&self) -> bool {
        self.methods.iter().any(|name| name == EVERY) && matches!(self.per, Per::Server | Per::Principal)
    }

    fn concerns(&self, asked: &Asked<'_>) -> bool {
        let every = || asked.inbound && self.methods.iter().any(|name| name == EVERY);
        self.methods.iter().any(|name| name == asked.method) || every()
    }
}

/// What wants to pass.
///
/// ```
/// use mcpbolt_proto::policy::rate::Asked;
///
/// let asked = Asked { method: "tools/call", name: "search", session: "7", principal: "ann", inbound: true };
/// assert_eq!(asked.name, "search");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// Its method.
    pub method: &'a str,
    /// The tool, prompt or URI it is about; empty where there is none.
    pub name: &'a str,
    /// Whose session.
    pub session: &'a str,
    /// Whose principal, or what stands for one.
    pub principal: &'a str,
    /// Whether a client asks; the server's own requests and log messages do not.
    pub inbound: bool,
}

/// The error for a sender over the limit: how long to wait.
pub fn over_limit(wait: Duration) -> Error {
    let ms = u64::try_from(wait.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX);
    Error::new(ErrorKind::RateLimited, format!("Rate limit exceeded: try again in {ms} ms"))
        .with_data(json!({ "retryAfterMs": ms }))
}

/// Something of which only the sender is known.
fn anonymous(principal: &str) -> Asked<'_> {
    Asked { method: EVERY, name: "", session: "", principal, inbound: true }
}

/// Which bucket: its rule, and whose it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Key(usize, Box<str>);

/// The buckets of one server. Bounded in number: a new one takes the place of the one that
/// has been full for longest, which loses nothing; while none is full, newcomers share one.
///
/// ```
/// use mcpbolt_proto::policy::rate::{Asked, Per, RateLimiter, RateRule};
/// use std::time::Duration;
///
/// let mut limiter = RateLimiter::new(vec![RateRule::new(["*"], Per::Server, 10.0, 2)?], 1_000);
/// let asked = Asked { method: "tools/call", name: "add", session: "7", principal: "ann", inbound: true };
/// let at = Duration::from_secs(5);
/// assert!(limiter.take(at, &asked).is_ok() && limiter.take(at, &asked).is_ok());
/// assert_eq!(limiter.take(at, &asked), Err(Duration::from_millis(100)));
/// assert!(limiter.take(at + Duration::from_millis(100), &asked).is_ok());
/// # Ok::<(), mcpbolt_proto::protocol::Error>(())
/// ```
#[derive(Debug)]
pub struct RateLimiter {
    rules: Vec<RateRule>,
    max_buckets: usize,
    /// When each bucket is full again, and its place in `order`.
    buckets: HashMap<Key, (Duration, u64)>,
    /// By when they are full, oldest first.
    order: BTreeMap<(Duration, u64), Key>,
    next: u64,
    /// The latest time that anyone brought.
    latest: Duration,
}

impl RateLimiter {
    /// Buckets for these rules, at most so many (and one for each rule that newcomers share).
    pub fn new(rules: Vec<RateRule>, max_buckets: usize) -> Self {
        Self {
            rules,
            max_buckets,
            buckets: HashMap::new(),
            order: BTreeMap::new(),
            next: 0,
            latest: Duration::ZERO,
        }
    }

    /// Takes a token from every bucket concerned, or from none: then it says how long to
    /// wait.
    ///
    /// # Errors
    /// The time until there are tokens in all of them.
    pub fn take(&mut self, now: Duration, asked: &Asked<'_>) -> Result<(), Duration> {
        self.charge(now, 1, asked, |rule| rule.concerns(asked))
    }

    /// As [`RateLimiter::take`] for a request that [`RateLimiter::take_anonymous`] let in.
    ///
    /// # Errors
    /// As there.
    pub fn take_rest(&mut self, now: Duration, asked: &Asked<'_>) -> Result<(), Duration> {
        self.charge(now, 1, asked, |rule| rule.concerns(asked) && !rule.is_blind())
    }

    /// As [`RateLimiter::take`] for `count` requests of which only the sender is known: the
    /// rules for every request (`*`), per server or principal.
    ///
    /// # Errors
    /// As there.
    pub fn take_anonymous(&mut self, now: Duration, principal: &str, count: u32) -> Result<(), Duration> {
        self.charge(now, count, &anonymous(principal), RateRule::is_blind)
    }

    /// Gives back one that [`RateLimiter::take_anonymous`] took: it was no request.
    pub fn give_back(&mut self, principal: &str) {
        let asked = anonymous(principal);
        for at in 0..self.rules.len() {
            if !self.rules[at].is_blind() {
                continue;
            }
            let own = Key(at, self.whose(at, &asked).into());
            let key = if self.buckets.contains_key(&own) { own } else { Key(at, SHARED.into()) };
            if let Some((full, _)) = self.buckets.get(&key) {
                let full = full.saturating_sub(self.rules[at].interval);
                self.set(key, full);
            }
        }
    }

    /// Whether some rule needs nothing but the sender.
    pub fn has_anonymous(&self) -> bool {
        self.rules.iter().any(RateRule::is_blind)
    }

    /// How many buckets there are.
    pub fn len(&self) -> usize {
        self.buckets.len()
    }

    /// Whether nothing was limited so far.
    pub fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    fn charge(
        &mut self,
        now: Duration,
        count: u32,
        asked: &Asked<'_>,
        concerns: impl Fn(&RateRule) -> bool,
    ) -> Result<(), Duration> {
        // Who read the clock before others and comes after them is as late as they are: at an earlier
        // time, buckets that are full now would be overdrawn.
        self.latest = self.latest.max(now);
        let now = self.latest;
        let mut charges = Vec::new();
        let mut wait = Duration::ZERO;
        for at in 0..self.rules.len() {
            if !concerns(&self.rules[at]) {
                continue;
            }
            let key = self.bucket(at, now, asked);
            let rule = &self.rules[at];
            let full = self.buckets.get(&key).map_or(now, |(full, _)| *full).max(now);
            let next = full.saturating_add(rule.interval.saturating_mul(count.min(rule.burst)));
            let most = now.saturating_add(rule.interval.saturating_mul(rule.burst));
            wait = wait.max(next.saturating_sub(most));
            charges.push((key, next));
        }
        if !wait.is_zero() {
            return Err(wait);
        }
        for (key, full) in charges {
            self.set(key, full);
        }
        Ok(())
    }

    /// What tells the buckets of a rule from each other.
    fn whose<'a>(&self, rule: usize, asked: &Asked<'a>) -> &'a str {
        let whose = match self.rules[rule].per {
            Per::Server => "",
            Per::Session => asked.session,
            Per::Principal => asked.principal,
            Per::Tool => asked.name,
        };
        if whose.len() > LONGEST { "…" } else { whose }
    }

    /// The bucket of a rule that is to be charged.
    fn bucket(&mut self, rule: usize, now: Duration, asked: &Asked<'_>) -> Key {
        let key = Key(rule, self.whose(rule, asked).into());
        if self.buckets.contains_key(&key) || self.buckets.len() < self.max_buckets {
            return key;
        }
        let Some(oldest) = self.order.first_entry().filter(|first| first.key().0 <= now) else {
            return Key(rule, SHARED.into());
        };
        self.buckets.remove(&oldest.remove());
        key
    }

    fn set(&mut self, key: Key, full: Duration) {
        let place = (full, self.next);
        self.next += 1;
        if let Some(before) = self.buckets.insert(key.clone(), place) {
            self.order.remove(&before);
        }
        self.order.insert(place, key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn asked<'a>(method: &'a str, principal: &'a str) -> Asked<'a> {
        Asked { method, name: principal, session: principal, principal, inbound: true }
    }

    fn limiter(rules: &[(&[&str], Per, f64, u32)], most: usize) -> RateLimiter {
        let rule = |(methods, per, rate, burst): &(&[&str], Per, f64, u32)| {
            RateRule::new(methods.iter().copied(), *per, *rate, *burst).unwrap()
        };
        RateLimiter::new(rules.iter().map(rule).collect(), most)
    }

    #[test]
    fn ten_thousand_at_once_are_ten() {
        let mut limiter = limiter(&[(&["tools/call"], Per::Server, 1.0, 10)], 100);
        let passed = (0..10_000).filter(|_| limiter.take(SECOND, &asked("tools/call", "a")).is_ok()).count();
        assert_eq!((passed, limiter.len()), (10, 1));
        assert_eq!(limiter.take(SECOND, &asked("tools/call", "a")), Err(SECOND));
        assert!(limiter.take(SECOND, &asked("prompts/get", "a")).is_ok(), "another method");
        assert!(limiter.take(SECOND * 2, &asked("tools/call", "b")).is_ok(), "one came back");
        assert!(limiter.take(SECOND * 2, &asked("tools/call", "b")).is_err());
    }

    #[test]
    fn who_read_the_clock_early_and_comes_late_is_not_refused_for_it() {
        let mut limiter = limiter(&[(&["tools/call"], Per::Server, 1.0, 2)], 100);
        assert!(limiter.take(SECOND * 10, &asked("tools/call", "a")).is_ok());
        assert!(limiter.take(SECOND * 8, &asked("tools/call", "b")).is_ok(), "one of two is left");
        assert!(limiter.take(SECOND * 8, &asked("tools/call", "b")).is_err(), "none is left");
    }

    #[test]
    fn a_refused_request_costs_nothing_anywhere() {
        let rules: [(&[&str], Per, f64, u32); 2] =
            [(&["*"], Per::Principal, 1.0, 1), (&["tools/call"], Per::Server, 1.0, 2)];
        let mut limiter = limiter(&rules, 100);
        assert!(limiter.take(SECOND, &asked("tools/call", "a")).is_ok());
        for _ in 0..5 {
            assert_eq!(limiter.take(SECOND, &asked("tools/call", "a")), Err(SECOND));
        }
        assert!(limiter.take(SECOND, &asked("tools/call", "b")).is_ok(), "the server's second token is left");
        assert!(limiter.take(SECOND, &asked("tools/call", "c")).is_err());
    }

    #[test]
    fn buckets_are_bounded_and_only_full_ones_make_room() {
        let mut limiter = limiter(&[(&["*"], Per::Principal, 1.0, 1)], 3);
        for name in ["a", "b", "c"] {
            assert!(limiter.take(SECOND, &asked("x", name)).is_ok());
        }
        assert!(limiter.take(SECOND, &asked("x", "d")).is_ok(), "the first newcomer");
        assert!(limiter.take(SECOND, &asked("x", "e")).is_err(), "newcomers share a bucket");
        assert!(limiter.take(SECOND, &asked("x", "a")).is_err(), "nobody's debt was forgotten");
        assert_eq!(limiter.len(), 4);
        for n in 0..1_000u32 {
            let _ = limiter.take(SECOND * (n + 3), &asked("x", &n.to_string()));
        }
        assert!(limiter.len() <= 4, "{}", limiter.len());
        assert_eq!(limiter.order.len(), limiter.buckets.len());
    }

    #[test]
    fn long_names_cost_no_memory() {
        let mut limiter = limiter(&[(&["*"], Per::Tool, 1.0, 1)], 10);
        assert!(limiter.take(SECOND, &asked("x", &"a".repeat(257))).is_ok());
        assert!(limiter.take(SECOND, &asked("x", &"b".repeat(100_000))).is_err(), "they share a bucket");
        assert!(limiter.buckets.keys().all(|key| key.1.len() < 10));
    }

    #[test]
    fn what_needs_no_reading_is_charged_once() {
        let rules: [(&[&str], Per, f64, u32); 2] =
            [(&["*"], Per::Principal, 1.0, 2), (&["tools/call"], Per::Principal, 1.0, 1)];
        let mut limiter = limiter(&rules, 100);
        assert!(limiter.has_anonymous());
        assert!(limiter.take_anonymous(SECOND, "a", 1).is_ok());
        assert!(limiter.take_rest(SECOND, &asked("tools/call", "a")).is_ok());
        assert!(limiter.take_anonymous(SECOND, "a", 1).is_ok(), "the second token is there");
        assert!(limiter.take_rest(SECOND, &asked("tools/call", "a")).is_err());
        assert_eq!(limiter.take_anonymous(SECOND, "a", 2), Err(SECOND * 2));
        assert!(
            limiter.take_anonymous(SECOND * 3, "a", 500).is_ok(),
            "a batch above the burst takes all of it"
        );
    }

    #[test]
    fn what_is_given_back_can_be_taken_again_and_no_more() {
        let mut limiter = limiter(&[(&["*"], Per::Principal, 1.0, 2), (&["ping"], Per::Server, 1.0, 1)], 1);
        for name in ["a", "a newcomer, who has a share of the last bucket"] {
            assert!(limiter.take_anonymous(SECOND, name, 2).is_ok());
            limiter.give_back(name);
            assert!(limiter.take_anonymous(SECOND, name, 1).is_ok(), "{name}");
            assert!(limiter.take_anonymous(SECOND, name, 1).is_err(), "{name}");
        }
        for _ in 0..5 {
            limiter.give_back("a");
        }
        assert!(limiter.take_anonymous(SECOND, "a", 2).is_ok());
        assert!(limiter.take_anonymous(SECOND, "a", 1).is_err(), "the burst is the most");
    }

    #[test]
    fn the_servers_own_requests_are_limited_by_name_only() {
        let mut limiter = limiter(&[(&["*", "elicitation/create"], Per::Server, 1.0, 1)], 10);
        let out = |method| Asked { inbound: false, ..asked(method, "a") };
        assert!(limiter.take(SECOND, &out("roots/list")).is_ok());
        assert!(limiter.take(SECOND, &out("roots/list")).is_ok());
        assert!(limiter.take(SECOND, &out("elicitation/create")).is_ok());
        assert!(limiter.take(SECOND, &out("elicitation/create")).is_err());
    }

    #[test]
    fn a_rule_that_cannot_be_is_refused_by_name() {
        let refused = |methods: &[&str], rate, burst| {
            RateRule::new(methods.iter().copied(), Per::Server, rate, burst).unwrap_err().message
        };
        assert!(refused(&[], 1.0, 1).contains("methods"));
        assert!(refused(&["notifications/progress"], 1.0, 1).contains("notifications/progress"));
        for rate in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e10, 1e-300] {
            assert!(refused(&["*"], rate, 1).contains("rate must"), "{rate}");
        }
        assert!(refused(&["*"], 1.0, 0).contains("burst"));
    }
}
