//! What features keep open in an inbox: one table for each, all under the inbox's lock.
//!
//! Owns: how the queue sees such a table. Must not know: any of them. A feature defines its
//! table in its own folder and reaches it by type; `bridge/features.rs` says which there are
//! and in which order they are closed.

use std::any::{Any, TypeId};

use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::boundary::item::Item;

use super::lane::Ticket;

/// The rest of closing a table, done without the inbox's lock: it may call into handlers,
/// connections and the inbox itself.
pub(crate) type Closing = Box<dyn FnOnce() + Send>;

/// Looks, without the inbox's lock, whether nothing is going on.
pub(crate) type IsStill = Box<dyn FnOnce() -> bool>;

/// A feature's table: what it has open under which number. Its methods run under the
/// inbox's lock, so they touch neither a call nor a connection.
pub(crate) trait Open: Any + Send {
    /// Forgets all that is open, and returns what is owed for it. In a process that was
    /// forked off (`process` says so) nothing that belongs to the parent may be touched.
    fn close(&mut self, process: ForkGuard) -> Closing;

    /// Whether the host owes nothing here.
    fn is_idle(&self) -> bool {
        true
    }

    /// How much is open.
    fn count(&self) -> usize {
        0
    }

    /// What has to be looked at without the lock to know that nothing is going on.
    fn is_still(&self) -> IsStill {
        Box::new(|| true)
    }

    /// Whether the item of a ticket is still wanted.
    fn is_waiting(&self, number: u64) -> bool {
        let _ = number;
        false
    }

    /// Makes the item of a ticket: the host has it from now on. `None` if it is no longer
    /// wanted.
    fn redeem(&mut self, number: u64) -> Option<Item> {
        let _ = number;
        None
    }
}

/// The tables of one inbox.
#[derive(Default)]
pub(crate) struct OpenTables(Vec<(TypeId, Box<dyn Open>)>);

impl OpenTables {
    /// One more table, closed after those before it.
    pub(crate) fn and<T: Open + Default>(mut self) -> Self {
        self.position::<T>();
        self
    }

    /// Where a table stands; it is added if it is missing. There are few of them, so that
    /// comparing types is faster than a hash.
    pub(crate) fn position<T: Open + Default>(&mut self) -> usize {
        let wanted = TypeId::of::<T>();
        let found = self.0.iter().position(|(of, _)| *of == wanted);
        found.unwrap_or_else(|| {
            self.0.push((wanted, Box::<T>::default()));
            self.0.len() - 1
        })
    }

    /// A feature's own table.
    pub(crate) fn get<T: Open + Default>(&mut self) -> &mut T {
        let at = self.position::<T>();
        let table: &mut dyn Any = &mut *self.0[at].1;
        table.downcast_mut().expect("a table stands under its own type")
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &dyn Open> {
        self.0.iter().map(|(_, table)| &**table)
    }

    pub(crate) fn is_waiting(&self, ticket: &Ticket) -> bool {
        self.0[ticket.table].1.is_waiting(ticket.number)
    }

    pub(crate) fn redeem(&mut self, ticket: &Ticket) -> Option<Item> {
        self.0[ticket.table].1.redeem(ticket.number)
    }

    pub(crate) fn close(&mut self, process: ForkGuard) -> Vec<Closing> {
        self.0.iter_mut().map(|(_, table)| table.close(process)).collect()
    }
}
