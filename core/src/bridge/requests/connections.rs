//! The connections of a host's servers: how to reach them, and which ends the host is
//! told of.
//!
//! Over HTTP a connection may be one exchange that the engine answers by itself. The host
//! hears of the end of such a connection only if an item named it: nothing it may have
//! kept under the number is left behind, and what it never knew makes no noise.

use std::sync::{Arc, Weak};

use crate::handler::{Link, TransportKind};

use crate::bridge::boundary::item::Item;
use crate::bridge::queue::inbox::{Inbox, State};

/// A connection of a server.
pub(crate) struct Linked {
    pub(crate) link: Weak<dyn Link>,
    /// Whether the host knows of it.
    named: bool,
    /// Over HTTP nobody waits for its end.
    http: bool,
}

impl State {
    /// The host hears of a connection.
    pub(crate) fn hear(&mut self, connection: u64) {
        if let Some(linked) = self.links.get_mut(&connection) {
            linked.named = true;
        }
    }

    /// The host hears of the connection that an item names, if it names one.
    pub(crate) fn hear_of(&mut self, item: &Item) {
        if let Item::Notification { connection, .. }
        | Item::Subscription { connection, .. }
        | Item::Log { connection, .. } = item
        {
            self.hear(*connection);
        }
    }
}

impl Inbox {
    pub(crate) fn connected(&self, connection: u64, link: &Arc<dyn Link>) {
        let http = matches!(link.info().transport, TransportKind::Http | TransportKind::LegacySse);
        let linked = Linked { link: Arc::downgrade(link), named: !http, http };
        self.lock().links.insert(connection, linked);
    }

    /// Tells the end of a connection, if the host ever heard of it.
    pub(crate) fn disconnected(&self, connection: u64) {
        let linked = {
            let mut state = self.lock();
            state.waiting.remove(&connection);
            state.links.remove(&connection)
        };
        let closed = Item::Closed { connection, failure: None };
        match linked {
            Some(linked) if linked.named && linked.http => self.post_tidy(closed),
            Some(linked) if linked.named => self.post(closed),
            _ => {}
        }
    }
}
