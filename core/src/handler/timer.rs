//! The engine's one clockwork: all deadlines of all connections on one thread that
//! starts with the first of them.
//!
//! Owns: the thread, the order of deadlines, and forgetting those that are over. Must not know:
//! what is due.

use std::collections::BTreeMap;
use std::process;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use tokio::sync::Notify;

use mcpbolt_proto::session::Time;

use crate::observe::contained;

use super::{Clock, ahead};

/// Something with a deadline.
///
/// ```
/// use mcpbolt::transport::timer::{Due, schedule};
/// use std::sync::{Arc, mpsc};
/// use std::time::Duration;
///
/// struct Alarm(mpsc::Sender<()>);
///
/// impl Due for Alarm {
///     fn due(self: Arc<Self>) {
///         let _ = self.0.send(());
///     }
/// }
/// let (ring, rung) = mpsc::channel();
/// let alarm: Arc<dyn Due> = Arc::new(Alarm(ring));
/// schedule(Duration::from_millis(1), Arc::downgrade(&alarm));
/// assert!(rung.recv_timeout(Duration::from_secs(5)).is_ok());
/// ```
pub trait Due: Send + Sync {
    /// The deadline has come, or an earlier one that no longer matters.
    fn due(self: Arc<Self>);
}

/// When, and a number that tells entries of one time apart.
type Key = (Instant, u64);

#[derive(Default)]
struct Agenda {
    next: u64,
    entries: BTreeMap<Key, Weak<dyn Due>>,
    running: bool,
    /// A deadline is being told.
    telling: bool,
}

#[derive(Default)]
struct Timer {
    agenda: Mutex<Agenda>,
    changed: Condvar,
}

/// Moves the time of every engine in the process forward, for tests: what is due by
/// then is told at once. Never back.
#[cfg(feature = "bridge")]
pub(crate) fn advance(by: Duration) {
    crate::handler::move_ahead(by);
    // Under the lock, so that the thread cannot go to sleep on the old time.
    let timer = timer();
    let _agenda = timer.agenda.lock();
    timer.changed.notify_one();
}

/// The time that deadlines are compared with.
pub(crate) fn now() -> Instant {
    let now = Instant::now();
    now.checked_add(ahead()).unwrap_or(now)
}

/// Calls `due` on `who` after `delay`, unless it is gone by then.
pub fn schedule(delay: Duration, who: Weak<dyn Due>) {
    enter(&timer(), delay, who);
}

/// A deadline of something that may be over long before it. Dropped, it leaves the agenda:
/// else the memory of each connection that ends would stay until its last deadline.
pub(crate) struct Appointment {
    /// When it is, on the clock it was made for.
    pub(crate) at: Time,
    entry: Option<(Arc<Timer>, Key)>,
}

impl Appointment {
    /// Calls `due` on `who` at `at`, which is `delay` from now.
    pub(crate) fn new(at: Time, delay: Duration, who: Weak<dyn Due>) -> Self {
        let timer = timer();
        let key = enter(&timer, delay, who);
        Self { at, entry: key.map(|key| (timer, key)) }
    }

    /// Calls `due` on `who` when `clock` shows `at`.
    pub(crate) fn on(clock: &dyn Clock, at: Time, who: Weak<dyn Due>) -> Self {
        let delay = at.saturating_sub(clock.now());
        let again = who.clone();
        let ring = move || {
            if let Some(who) = again.upgrade() {
                who.due();
            }
        };
        match clock.ring_at(at, Box::new(ring)) {
            Some(_) => Self::new(at, delay, who),
            None => Self { at, entry: None },
        }
    }
}

impl Drop for Appointment {
    fn drop(&mut self) {
        // A forked child leaves its parent's timer alone.
        if let Some((made, key)) = &self.entry
            && Arc::ptr_eq(made, &timer())
        {
            made.agenda.lock().entries.remove(key);
        }
    }
}

/// Waits for something, at most this long on the engine's clock: needs no runtime.
pub(crate) async fn within<T>(patience: Duration, event: impl Future<Output = T>) -> Option<T> {
    struct Bell(Notify);

    impl Due for Bell {
        fn due(self: Arc<Self>) {
            self.0.notify_one();
        }
    }

    let bell = Arc::new(Bell(Notify::new()));
    let who: Weak<dyn Due> = Arc::downgrade(&bell) as _;
    let _appointment = Appointment::new(Time::ZERO, patience, who);
    tokio::select! {
        biased;
        value = event => Some(value),
        () = bell.0.notified() => None,
    }
}

fn enter(timer: &Arc<Timer>, delay: Duration, who: Weak<dyn Due>) -> Option<Key> {
    let mut agenda = timer.agenda.lock();
    let at = now().checked_add(delay)?;
    let key = (at, agenda.next);
    agenda.next += 1;
    let first = agenda.entries.first_key_value().is_none_or(|(earliest, _)| key < *earliest);
    agenda.entries.insert(key, who);
    if !agenda.running {
        let worker = Arc::clone(timer);
        let started = std::thread::Builder::new().name("mcpbolt-timer".into()).spawn(move || worker.run());
        agenda.running = started.is_ok();
    } else if first {
        timer.changed.notify_one();
    }
    Some(key)
}

/// The process's timer. A forked child has none of its parent's threads and begins with
/// an empty one.
fn timer() -> Arc<Timer> {
    static TIMER: Mutex<Option<(u32, Arc<Timer>)>> = Mutex::new(None);
    let mut current = TIMER.lock();
    match current.as_ref() {
        Some((owner, timer)) if *owner == process::id() => Arc::clone(timer),
        _ => {
            let timer = Arc::<Timer>::default();
            std::mem::forget(current.replace((process::id(), Arc::clone(&timer))));
            timer
        }
    }
}

/// Whether a deadline has come that was not told yet, or is being told now.
pub fn is_due() -> bool {
    let timer = timer();
    let agenda = timer.agenda.lock();
    agenda.telling || agenda.entries.first_key_value().is_some_and(|(key, _)| key.0 <= now())
}

impl Timer {
    fn run(&self) {
        let mut agenda = self.agenda.lock();
        loop {
            let now = now();
            match agenda.entries.first_key_value().map(|(key, _)| *key) {
                None => self.changed.wait(&mut agenda),
                Some(key) if key.0 > now => drop(self.changed.wait_for(&mut agenda, key.0 - now)),
                Some(key) => {
                    let who = agenda.entries.remove(&key).and_then(|who| who.upgrade());
                    agenda.telling = true;
                    parking_lot::MutexGuard::unlocked(&mut agenda, || {
                        if let Some(who) = who {
                            contained(|| who.due());
                        }
                    });
                    agenda.telling = false;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    struct Panics;

    impl Due for Panics {
        fn due(self: Arc<Self>) {
            panic!("of a test");
        }
    }

    struct Tells(mpsc::Sender<()>);

    impl Due for Tells {
        fn due(self: Arc<Self>) {
            let _ = self.0.send(());
        }
    }

    #[test]
    fn who_is_due_next_is_told_after_one_that_panics() {
        let (sender, told) = mpsc::channel();
        let (first, next): (Arc<dyn Due>, Arc<dyn Due>) = (Arc::new(Panics), Arc::new(Tells(sender)));
        let _first = Appointment::new(Time::ZERO, Duration::ZERO, Arc::downgrade(&first));
        let _next = Appointment::new(Time::ZERO, Duration::from_millis(1), Arc::downgrade(&next));
        told.recv_timeout(Duration::from_secs(10)).expect("told");
    }
}
