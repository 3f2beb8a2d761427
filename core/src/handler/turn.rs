//! Wakes that wait until a thread has done what it has at hand.
//!
//! Owns: which thread puts off what, and for how long. Must not know: who is woken.
//!
//! A host that is woken by the first of ten requests takes that one alone, and the others
//! with a second wake. A host that hands over ten answers wakes ten tasks, one by one. On
//! few cores each of those wakes moves somebody off a core.

// Hosts are the bridge's.
#![cfg_attr(not(feature = "bridge"), allow(dead_code))]

use std::cell::RefCell;
use std::mem;
use std::task::Waker;

use super::Wake;

/// Whoever waits is told after so many more wishes, even if the thread is not done.
const MAX_WISHES: usize = 32;

/// What a thread puts off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    /// Waking hosts; for a thread of a runtime, which wakes its own tasks at no cost.
    Hosts,
    /// Waking tasks; for a thread of a host.
    Tasks,
}

/// Whom to wake.
enum Due {
    Host(Wake),
    Task(Waker),
}

#[derive(Default)]
struct Held {
    what: Vec<Hold>,
    due: Vec<Due>,
    wishes: usize,
}

thread_local! {
    static HELD: RefCell<Held> = RefCell::default();
}

/// Puts off wakes of this thread while it is there.
pub(crate) struct Turn(());

impl Turn {
    pub(crate) fn begin(hold: Hold) -> Self {
        HELD.with_borrow_mut(|held| held.what.push(hold));
        Self(())
    }

    /// What was put off so far happens now; for a thread that is about to wait.
    pub(crate) fn pause() {
        loop {
            let due = HELD.with_borrow_mut(Held::take);
            if due.is_empty() {
                return;
            }
            // Which may wish for more.
            fire(due);
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        fire(HELD.with_borrow_mut(|held| {
            held.what.pop();
            held.take()
        }));
    }
}

/// Wakes a task, now or at the end of this thread's turn.
pub(crate) fn wake_task(task: Waker) {
    wish(Due::Task(task));
}

/// Calls what wakes a host, now or at the end of this thread's turn.
pub(crate) fn wake_host(wake: Wake) {
    wish(Due::Host(wake));
}

/// A host that is woken already has more to do.
pub(crate) fn more_for_host() {
    fire(HELD.try_with(|held| held.borrow_mut().count()).unwrap_or_default());
}

fn wish(due: Due) {
    let mut now = Some(due);
    // A thread that is ending holds nothing.
    let full = HELD.try_with(|held| {
        let mut held = held.borrow_mut();
        if !now.as_ref().is_some_and(|due| held.what.contains(&due.hold())) {
            return Vec::new();
        }
        held.due.extend(now.take());
        held.count()
    });
    now.into_iter().for_each(Due::fire);
    fire(full.unwrap_or_default());
}

impl Held {
    fn count(&mut self) -> Vec<Due> {
        self.wishes += 1;
        if self.wishes >= MAX_WISHES { self.take() } else { Vec::new() }
    }

    fn take(&mut self) -> Vec<Due> {
        self.wishes = 0;
        mem::take(&mut self.due)
    }
}

impl Due {
    fn hold(&self) -> Hold {
        match self {
            Self::Host(_) => Hold::Hosts,
            Self::Task(_) => Hold::Tasks,
        }
    }

    fn fire(self) {
        match self {
            Self::Host(wake) => wake(),
            Self::Task(task) => task.wake(),
        }
    }
}

fn fire(due: Vec<Due>) {
    due.into_iter().for_each(Due::fire);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Wake as Waking, Waker};

    use super::{Hold, MAX_WISHES, Turn, more_for_host, wake_host, wake_task};

    /// Counts how often it is woken, as a host or as a task.
    #[derive(Default)]
    struct Count(AtomicUsize);

    impl Waking for Count {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    impl Count {
        fn as_host(self: &Arc<Self>) {
            let count = Arc::clone(self);
            wake_host(Box::new(move || Waking::wake(count)));
        }

        fn as_task(self: &Arc<Self>) {
            wake_task(Waker::from(Arc::clone(self)));
        }

        fn get(&self) -> usize {
            self.0.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn without_a_turn_wakes_happen_at_once() {
        let woken = Arc::new(Count::default());
        woken.as_host();
        woken.as_task();
        assert_eq!(woken.get(), 2);
    }

    #[test]
    fn a_turn_puts_off_what_it_holds_and_nothing_else() {
        for (hold, held, at_once) in [
            (Hold::Hosts, Count::as_host as fn(&Arc<Count>), Count::as_task as fn(&Arc<Count>)),
            (Hold::Tasks, Count::as_task, Count::as_host),
        ] {
            let (late, early) = (Arc::new(Count::default()), Arc::new(Count::default()));
            let turn = Turn::begin(hold);
            held(&late);
            at_once(&early);
            assert_eq!((late.get(), early.get()), (0, 1), "{hold:?}");
            Turn::pause();
            assert_eq!(late.get(), 1, "{hold:?}");
            held(&late);
            drop(turn);
            assert_eq!(late.get(), 2, "{hold:?}");
            held(&late);
            assert_eq!(late.get(), 3, "{hold:?}");
        }
    }

    #[test]
    fn a_thread_that_is_never_done_keeps_nobody_waiting() {
        let woken = Arc::new(Count::default());
        let _turn = Turn::begin(Hold::Hosts);
        woken.as_host();
        (2..MAX_WISHES).for_each(|_| more_for_host());
        assert_eq!(woken.get(), 0);
        more_for_host();
        assert_eq!(woken.get(), 1);
    }

    #[test]
    fn a_wake_may_wish_for_wakes() {
        let woken = Arc::new(Count::default());
        let turn = Turn::begin(Hold::Hosts);
        let count = Arc::clone(&woken);
        wake_host(Box::new(move || count.as_host()));
        Turn::pause();
        assert_eq!(woken.get(), 1);
        drop(turn);
        assert_eq!(woken.get(), 1);
    }

    #[test]
    fn other_threads_are_not_held() {
        let woken = Arc::new(Count::default());
        let _turn = Turn::begin(Hold::Hosts);
        std::thread::scope(|scope| scope.spawn(|| woken.as_host()).join().expect("it wakes"));
        assert_eq!(woken.get(), 1);
    }
}
