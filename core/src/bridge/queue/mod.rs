//! The pull queue of one host loop: what waits for the host, and what is open meanwhile.
//!
//! Owns: the order of items, the wake, the bounds, the end of an inbox. Must not know:
//! requests, HTTP, services or connections. Each of these keeps a table of its own in the
//! queue ([`open`]), and the queue asks the table only what it has to know to close it and
//! to tell whether something is still going on.

pub(crate) mod capacity;
pub(crate) mod causes;
pub(crate) mod deferred_items;
pub(crate) mod idle;
pub(crate) mod inbox;
pub(crate) mod lane;
pub(crate) mod limits;
pub(crate) mod numbers;
pub(crate) mod open;
pub(crate) mod ready;
pub(crate) mod state;
pub(crate) mod wake;
pub(crate) mod work;

#[cfg(test)]
mod tests;
