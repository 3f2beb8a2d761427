//! Work that is done on the host's thread when it next comes to take.
//!
//! Owns: what such work looks like to the queue. Must not know: what is done.

use std::sync::Arc;

use crate::bridge::boundary::item::Item;

/// Something that goes on when the host comes to take, such as an HTTP exchange that was
/// woken. It runs without the inbox's lock, and what it returns is taken with the rest.
pub(crate) trait Work: Send + Sync {
    /// Goes on as far as it can.
    fn run(self: Arc<Self>) -> Vec<Item>;
}
