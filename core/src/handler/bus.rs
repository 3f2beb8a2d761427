//! The change bus: a change is published once and reaches every connection that
//! asked for it.
//!
//! Owns: who is told, and that none is told twice. Must not know: which changes a peer asked
//! for.

use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use mcpbolt_proto::session::{Change, NumberMap};

use super::ConnectionId;

/// A connection that wants changes.
pub trait Subscriber: Send + Sync {
    /// Sends the change on, if the peer asked for it.
    fn publish(&self, change: &Change);
}

/// Who wants changes.
#[derive(Default)]
pub struct Bus(Mutex<NumberMap<ConnectionId, Weak<dyn Subscriber>>>);

impl Bus {
    /// From now on `subscriber` hears of changes, until it is dropped.
    pub fn join(&self, id: ConnectionId, subscriber: Weak<dyn Subscriber>) {
        self.0.lock().insert(id, subscriber);
    }

    /// Leaves the bus.
    pub fn leave(&self, id: ConnectionId) {
        self.0.lock().remove(&id);
    }

    /// Tells everybody.
    pub fn publish(&self, change: &Change) {
        let all: Vec<Arc<dyn Subscriber>> = {
            let mut members = self.0.lock();
            members.retain(|_, member| member.strong_count() > 0);
            members.values().filter_map(Weak::upgrade).collect()
        };
        for member in all {
            member.publish(change);
        }
    }

    /// How many listen.
    pub fn len(&self) -> usize {
        self.0.lock().len()
    }

    /// Whether it has no subscribers.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
