//! The engine's one clockwork: all deadlines of all connections on one thread that
//! starts with the first of them.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, Weak};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

/// Somebody with a deadline.
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

#[derive(Default)]
struct Agenda {
    next: u64,
    entries: BTreeMap<(Instant, u64), Weak<dyn Due>>,
    running: bool,
}

#[derive(Default)]
struct Timer {
    agenda: Mutex<Agenda>,
    changed: Condvar,
}

/// Calls `due` on `who` after `delay`, unless it is gone by then.
pub fn schedule(delay: Duration, who: Weak<dyn Due>) {
    let timer = timer();
    let mut agenda = timer.agenda.lock();
    let key = (Instant::now() + delay, agenda.next);
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
}

fn timer() -> &'static Arc<Timer> {
    static TIMER: OnceLock<Arc<Timer>> = OnceLock::new();
    TIMER.get_or_init(Arc::default)
}

/// Whether a deadline has come that nobody was told of yet.
pub fn is_due() -> bool {
    timer().agenda.lock().entries.first_key_value().is_some_and(|(key, _)| key.0 <= Instant::now())
}

impl Timer {
    fn run(&self) {
        let mut agenda = self.agenda.lock();
        loop {
            let now = Instant::now();
            match agenda.entries.first_key_value().map(|(key, _)| *key) {
                None => self.changed.wait(&mut agenda),
                Some(key) if key.0 > now => drop(self.changed.wait_until(&mut agenda, key.0)),
                Some(key) => {
                    let who = agenda.entries.remove(&key).and_then(|who| who.upgrade());
                    parking_lot::MutexGuard::unlocked(&mut agenda, || {
                        if let Some(who) = who {
                            who.due();
                        }
                    });
                }
            }
        }
    }
}
