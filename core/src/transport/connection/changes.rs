//! What has changed, on its way to a client: at once, or when there is room for it.
//!
//! Owns: when it is told. Must not know: who asked for which.

use mcpbolt_proto::session::{Change, StreamId};

use crate::handler::Subscriber;

use super::server::ServerConnection;

impl Subscriber for ServerConnection {
    fn publish(&self, change: &Change) {
        let (facts, now) = (self.handler.facts(), self.engine.now());
        let mut inner = self.inner.lock();
        let others_wait = !inner.late.is_empty();
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
        let late = inner.late.take();
        // A sink that is closed tells those who wait, too.
        if inner.closed {
            return;
        }
        for change in late {
            inner.session.publish(&change, &*facts);
        }
        self.settle(inner, now);
    }
}
