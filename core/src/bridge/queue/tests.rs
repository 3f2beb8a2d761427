//! The queue with a table of its own making: what it asks of any feature.
//!
//! Owns: these checks. Must not know: the features of the bridge.

use std::collections::HashMap;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Weak};
use std::time::Duration;

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::item::Item;

use super::inbox::Inbox;
use super::lane::Lane;
use super::limits::InboxLimits;
use super::open::{Closing, Open, OpenTables};

/// Things that are delivered once, and tell when they are closed.
#[derive(Default)]
struct Parcels {
    waiting: HashMap<u64, u64>,
    inbox: Weak<Inbox>,
    closed: Option<Sender<(u64, bool)>>,
}

impl Open for Parcels {
    fn close(&mut self, _: ForkGuard) -> Closing {
        let (waiting, inbox) = (std::mem::take(&mut self.waiting), self.inbox.upgrade());
        let closed = self.closed.clone();
        Box::new(move || {
            for number in waiting.into_keys() {
                // Would not return if the lock were held.
                let is_closed = inbox.as_ref().is_some_and(|inbox| inbox.is_closed());
                if let Some(closed) = &closed {
                    closed.send((number, is_closed)).unwrap();
                }
            }
        })
    }

    fn is_idle(&self) -> bool {
        self.waiting.is_empty()
    }

    fn is_waiting(&self, number: u64) -> bool {
        self.waiting.contains_key(&number)
    }

    fn redeem(&mut self, number: u64) -> Option<Item> {
        self.waiting.remove(&number).map(|target| Item::Writable { target })
    }
}

/// Another table, closed after the parcels.
#[derive(Default)]
struct Later(Option<Sender<(u64, bool)>>);

impl Open for Later {
    fn close(&mut self, _: ForkGuard) -> Closing {
        let closed = self.0.clone();
        Box::new(move || {
            if let Some(closed) = closed {
                closed.send((0, true)).unwrap();
            }
        })
    }
}

fn inbox() -> Arc<Inbox> {
    let tables = OpenTables::default().and::<Parcels>().and::<Later>();
    Inbox::with_tables(InboxLimits::default(), tables)
}

fn post(inbox: &Inbox, number: u64, size: usize) {
    let wakeup = {
        let mut state = inbox.lock();
        state.of::<Parcels>().waiting.insert(number, number * 10);
        state.push_ticket::<Parcels>(Lane::Loop, number, size);
        state.arrived()
    };
    wakeup.fire();
}

fn taken(inbox: &Inbox) -> Vec<u64> {
    let number = |item: &Item| if let Item::Writable { target } = item { *target } else { 0 };
    inbox.take(64, 1 << 20).iter().map(number).collect()
}

#[test]
fn a_ticket_becomes_its_item_in_order() {
    let inbox = inbox();
    post(&inbox, 1, 5);
    inbox.post(Item::Writable { target: 7 });
    post(&inbox, 2, 5);
    assert_eq!(inbox.len(), 3);
    assert_eq!(taken(&inbox), [10, 7, 20]);
    assert!(inbox.is_empty());
}

#[test]
fn what_is_forgotten_is_not_delivered_and_counts_no_more() {
    let inbox = inbox();
    (1..=3).for_each(|number| post(&inbox, number, 5));
    {
        let mut state = inbox.lock();
        state.of::<Parcels>().waiting.remove(&2);
        state.forget_ticket(Lane::Loop, 5);
        assert_eq!((state.len(), state.bytes()), (2, 10));
    }
    assert_eq!(taken(&inbox), [10, 30]);
    assert_eq!(inbox.lock().bytes(), 0);
}

#[test]
fn tickets_of_what_is_gone_do_not_pile_up() {
    let inbox = inbox();
    for number in 1..=1000 {
        post(&inbox, number, 1);
        let mut state = inbox.lock();
        state.of::<Parcels>().waiting.remove(&number);
        state.forget_ticket(Lane::Loop, 1);
    }
    post(&inbox, 1001, 1);
    assert_eq!(inbox.len(), 1);
    assert_eq!(taken(&inbox), [10_010]);
}

#[test]
fn what_is_open_keeps_an_inbox_from_settling() {
    let inbox = inbox();
    inbox.lock().of::<Parcels>().waiting.insert(1, 10);
    assert!(!inbox.settle(Duration::ZERO));
    inbox.lock().of::<Parcels>().waiting.clear();
    assert!(inbox.settle(Duration::from_secs(5)));
}

#[test]
fn tables_are_closed_in_their_order_and_without_the_lock() {
    let inbox = inbox();
    let (closed, order) = channel();
    {
        let mut state = inbox.lock();
        state.of::<Later>().0 = Some(closed.clone());
        let parcels = state.of::<Parcels>();
        (parcels.inbox, parcels.closed) = (Arc::downgrade(&inbox), Some(closed));
    }
    post(&inbox, 1, 5);
    inbox.close();
    inbox.close();
    assert_eq!(order.try_iter().collect::<Vec<_>>(), [(1, true), (0, true)]);
    assert!(taken(&inbox).is_empty());
    inbox.post(Item::Writable { target: 7 });
    assert!(taken(&inbox).is_empty(), "a closed inbox takes nothing");
}
