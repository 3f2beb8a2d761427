//! The counters behind [`Stats`](super::Stats), and their sum over the process.
//!
//! Owns: the numbers, where each thread counts, and that those of an owner that is gone are still
//! in the sum.
//! Must not know: who reads them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, OnceLock, Weak};
use std::time::Duration;

use parking_lot::{Mutex, RwLock};

use mcpbolt_proto::protocol::{ErrorKind, Method};

use super::Histogram;
use super::snapshot::{MethodSnapshot, Snapshot};

/// How many threads count each for itself; more of them share.
const STRIPES: usize = 32;

/// Counters of one owner. A call changes a dozen of them: each thread has its own, or processors
/// would take them from each other all the time. They are made when a thread counts first.
#[derive(Default)]
pub(super) struct Counters {
    stripes: [OnceLock<Box<Stripe>>; STRIPES],
    /// Counts queued bytes where they are kept.
    pub(super) queue: OnceLock<QueueProbe>,
}

/// The counters of a thread, on cache lines of their own. What one thread opens another may close:
/// only all of them together say what is open.
#[derive(Default)]
#[repr(align(128))]
pub(super) struct Stripe {
    pub(super) connections: AtomicU64,
    pub(super) connections_total: AtomicU64,
    pub(super) sessions: AtomicU64,
    pub(super) streams: AtomicU64,
    pub(super) in_flight: AtomicU64,
    pub(super) queued_bytes: AtomicU64,
    pub(super) bytes_in: AtomicU64,
    pub(super) bytes_out: AtomicU64,
    pub(super) dropped: AtomicU64,
    pub(super) problems: AtomicU64,
    pub(super) latency: Histogram,
    methods: RwLock<BTreeMap<&'static str, Arc<MethodCounters>>>,
    kinds: [AtomicU64; ErrorKind::ALL.len()],
}

/// Says how many bytes wait to be sent.
pub(super) type QueueProbe = Arc<dyn Fn() -> u64 + Send + Sync>;

#[derive(Debug, Default)]
struct MethodCounters {
    /// Not all calls: of two counters of which one includes the other, a reader in between would see
    /// more failures than calls, or calls that went well become fewer.
    ok: AtomicU64,
    errors: AtomicU64,
}

impl MethodCounters {
    fn snapshot(&self) -> MethodSnapshot {
        let errors = self.errors.load(Ordering::Relaxed);
        MethodSnapshot { calls: self.ok.load(Ordering::Relaxed).saturating_add(errors), errors }
    }
}

impl Counters {
    /// Those of this thread.
    pub(super) fn here(&self) -> &Stripe {
        static THREADS: AtomicUsize = AtomicUsize::new(0);
        thread_local! {
            static PLACE: usize = THREADS.fetch_add(1, Ordering::Relaxed) % STRIPES;
        }
        // A thread that ends may count once more.
        let place = PLACE.try_with(|place| *place).unwrap_or_default();
        self.stripes[place].get_or_init(Box::default)
    }

    /// All of them together.
    pub(super) fn sum(&self) -> Stripe {
        let sum = Stripe::default();
        self.add_to(&sum, true);
        sum.settle();
        sum
    }

    /// Gauges only while their owner lives: what has ended is not open.
    fn add_to(&self, sum: &Stripe, alive: bool) {
        for stripe in self.stripes.iter().filter_map(OnceLock::get) {
            sum.absorb(stripe, alive);
        }
        if alive {
            let queued = self.queue.get().map_or(0, |probe| probe());
            sum.queued_bytes.fetch_add(queued, Ordering::Relaxed);
        }
    }
}

impl Stripe {
    /// Gauges of what is open now, in one fixed order.
    fn gauges(&self) -> [&AtomicU64; 5] {
        [&self.connections, &self.sessions, &self.streams, &self.in_flight, &self.queued_bytes]
    }

    /// Totals that only grow, in one fixed order.
    fn totals(&self) -> [&AtomicU64; 5] {
        [&self.connections_total, &self.bytes_in, &self.bytes_out, &self.dropped, &self.problems]
    }

    pub(super) fn ended(&self, row: Option<&'static Method>, failed: bool, took: Duration) {
        self.latency.record(took);
        // Names without a row could be many: a peer may make them up.
        let counters = self.method(row.map_or("other", |row| row.name));
        let outcome = if failed { &counters.errors } else { &counters.ok };
        outcome.fetch_add(1, Ordering::Relaxed);
    }

    fn method(&self, name: &'static str) -> Arc<MethodCounters> {
        let known = self.methods.read().get(name).cloned();
        known.unwrap_or_else(|| Arc::clone(self.methods.write().entry(name).or_default()))
    }

    pub(super) fn failed(&self, kind: ErrorKind) {
        if let Some(at) = ErrorKind::ALL.iter().position(|known| *known == kind) {
            self.kinds[at].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Adds what another counted.
    fn absorb(&self, other: &Self, alive: bool) {
        let add = |to: &AtomicU64, from: &AtomicU64| {
            to.fetch_add(from.load(Ordering::Relaxed), Ordering::Relaxed);
        };
        if alive {
            self.gauges().into_iter().zip(other.gauges()).for_each(|(to, from)| add(to, from));
        }
        self.totals().into_iter().zip(other.totals()).for_each(|(to, from)| add(to, from));
        self.kinds.iter().zip(&other.kinds).for_each(|(to, from)| add(to, from));
        self.latency.absorb(&other.latency);
        for (name, from) in &*other.methods.read() {
            let to = self.method(name);
            add(&to.ok, &from.ok);
            add(&to.errors, &from.errors);
        }
    }

    /// Something that began on one thread and ended on another while these were added up may have
    /// been seen to end only.
    fn settle(&self) {
        for gauge in self.gauges() {
            let open = gauge.load(Ordering::Relaxed);
            gauge.store(if open > u64::MAX / 2 { 0 } else { open }, Ordering::Relaxed);
        }
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let kinds = ErrorKind::ALL.iter().zip(&self.kinds).map(|(kind, count)| (*kind, get(count)));
        Snapshot {
            connections: get(&self.connections),
            connections_total: get(&self.connections_total),
            sessions: get(&self.sessions),
            streams: get(&self.streams),
            in_flight: get(&self.in_flight),
            queued_bytes: get(&self.queued_bytes),
            bytes_in: get(&self.bytes_in),
            bytes_out: get(&self.bytes_out),
            dropped: get(&self.dropped),
            problems: get(&self.problems),
            p50: self.latency.quantile(0.5),
            p99: self.latency.quantile(0.99),
            latency: self.latency.cumulative(),
            methods: self.methods.read().iter().map(|(name, counts)| (*name, counts.snapshot())).collect(),
            errors: kinds.filter(|(_, count)| *count > 0).collect(),
        }
    }
}

/// Everybody who counts in this process, and the sum of those that are gone.
#[derive(Default)]
struct Process {
    living: Mutex<Vec<Weak<Counters>>>,
    gone: Stripe,
}

static PROCESS: LazyLock<Process> = LazyLock::new(Process::default);

/// New counters that the process's sum includes.
pub(super) fn register() -> Arc<Counters> {
    let counters = Arc::new(Counters::default());
    PROCESS.living.lock().push(Arc::downgrade(&counters));
    counters
}

/// Their owner is gone: what they counted stays, what was open does not.
pub(super) fn retire(counters: &Arc<Counters>) {
    let mut living = PROCESS.living.lock();
    living.retain(|known| known.strong_count() > 0 && !std::ptr::eq(known.as_ptr(), Arc::as_ptr(counters)));
    counters.add_to(&PROCESS.gone, false);
}

/// Counters of all servers and clients of this process, those that are gone included:
/// what is open now, and all that was ever counted.
///
/// ```
/// let now = mcpbolt::observe::process_stats();
/// println!("{} connections, {} calls waiting", now.connections, now.in_flight);
/// ```
pub fn process_stats() -> Snapshot {
    let sum = Stripe::default();
    let living = PROCESS.living.lock();
    sum.absorb(&PROCESS.gone, false);
    for counters in living.iter().filter_map(Weak::upgrade) {
        counters.add_to(&sum, true);
    }
    drop(living);
    sum.settle();
    sum.snapshot()
}
