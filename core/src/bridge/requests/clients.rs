//! The connections of clients, until they are over.
//!
//! Owns: finding one by its number, telling its end once. Must not know: what is said on
//! them.

use std::collections::HashMap;
use std::sync::Arc;

use mcpbolt_proto::protocol::Error;

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::item::Item;
use crate::bridge::boundary::outcome::Failure;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::queue::open::{Closing, IsStill, Open};

use super::client_link::ClientLink;

/// Connections to servers by number.
#[derive(Default)]
pub(crate) struct Clients(HashMap<u64, Arc<dyn ClientLink>>);

impl Clients {
    pub(crate) fn get(&self, connection: u64) -> Option<&Arc<dyn ClientLink>> {
        self.0.get(&connection)
    }
}

impl Open for Clients {
    fn close(&mut self, process: ForkGuard) -> Closing {
        let open = std::mem::take(&mut self.0);
        Box::new(move || {
            if process.check().is_ok() {
                for link in open.into_values() {
                    link.close();
                }
            } else {
                // The processes and sockets are the parent's: not even dropped.
                std::mem::forget(open);
            }
        })
    }

    fn count(&self) -> usize {
        self.0.len()
    }

    fn is_still(&self) -> IsStill {
        let links: Vec<_> = self.0.values().cloned().collect();
        Box::new(move || links.iter().all(|link| !link.waits_for_answers()))
    }
}

impl Inbox {
    /// A client's connection is known before its transport speaks.
    pub(crate) fn client_opened(&self, link: Arc<dyn ClientLink>) -> Result<(), Error> {
        let mut state = self.lock();
        if state.is_closed() {
            return Err(Error::closed());
        }
        state.of::<Clients>().0.insert(link.id(), link);
        Ok(())
    }

    /// Its transport could not be opened.
    pub(crate) fn client_forgotten(&self, connection: u64) {
        let gone = self.lock().of::<Clients>().0.remove(&connection);
        drop(gone);
    }

    /// A client's connection that is not over.
    pub(crate) fn client(&self, connection: u64) -> Result<Arc<dyn ClientLink>, Error> {
        self.lock().of::<Clients>().get(connection).cloned().ok_or_else(Error::closed)
    }

    /// A client's connection is over, and its transport too. Told once, whether the server,
    /// the host or the transport ended it first.
    pub(crate) fn client_over(&self, connection: u64, failure: Option<Failure>) {
        let over = self.lock().of::<Clients>().0.remove(&connection);
        if over.is_some() {
            self.post(Item::Closed { connection, failure });
        }
    }
}
