//! Changes that come faster than the client reads.
//!
//! Owns: which of them wait for room, and when they are told. Must not know: who asked for which.

use std::collections::VecDeque;

use mcpbolt_proto::session::{Change, StreamId};

use crate::handler::Subscriber;

use super::server::ServerConnection;

/// Changes that wait, each of them once.
#[derive(Default)]
pub(super) struct LateChanges(VecDeque<Change>);

impl LateChanges {
    /// Keeps a change, behind all others. How many were lost because `most` wait already.
    fn keep(&mut self, change: &Change, most: usize) -> u64 {
        self.0.retain(|known| known != change);
        self.0.push_back(change.clone());
        let is_over = self.0.len() > most;
        if is_over {
            self.0.pop_front();
        }
        u64::from(is_over)
    }
}

impl Subscriber for ServerConnection {
    fn publish(&self, change: &Change) {
        let (facts, now) = (self.handler.facts(), self.engine.now());
        let mut inner = self.inner.lock();
        let others_wait = !inner.late.0.is_empty();
        if !others_wait && !self.sink.is_full(StreamId::CONNECTION) {
            inner.session.publish(change, &*facts);
            return self.settle(inner, now);
        }
        let lost = inner.late.keep(change, self.engine.limits.send_queue_messages);
        drop(inner);
        self.engine.stats().dropped(lost);
        if !others_wait {
            let me = self.me.clone();
            let wake = move || me.upgrade().into_iter().for_each(|me| me.publish_late());
            self.sink.on_writable(StreamId::CONNECTION, Box::new(wake));
        }
    }
}

impl ServerConnection {
    /// There is room for what waits: few things, however much has changed meanwhile.
    fn publish_late(&self) {
        let (facts, now) = (self.handler.facts(), self.engine.now());
        let mut inner = self.inner.lock();
        let late = std::mem::take(&mut inner.late);
        // A sink that is closed tells those who wait, too.
        if inner.closed {
            return;
        }
        for change in late.0 {
            inner.session.publish(&change, &*facts);
        }
        self.settle(inner, now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_on_each_thing_is_kept_in_order() {
        let mut late = LateChanges::default();
        let resource = |uri: &str| Change::Resource(uri.to_owned());
        for change in [resource("a"), Change::Tools, resource("b"), resource("a")] {
            assert_eq!(late.keep(&change, 3), 0);
        }
        assert_eq!(late.0, [Change::Tools, resource("b"), resource("a")]);
        assert_eq!(late.keep(&resource("c"), 3), 1);
        assert_eq!(late.0, [resource("b"), resource("a"), resource("c")]);
    }
}
