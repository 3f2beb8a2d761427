//! queue.

pub(crate) mod capacity;
pub(crate) mod deferred_items;
pub(crate) mod idle;
pub(crate) mod inbox;
pub(crate) mod lane;
