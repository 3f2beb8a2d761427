//! Finished list results.
//!
//! Owns: under what they are kept. Must not know: how a list is made or paged.

use std::collections::HashMap;

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Revision;

/// Finished list results.
#[derive(Default)]
pub(super) struct ListCache(pub(super) Mutex<HashMap<Key, (u64, RawJson)>>);

#[derive(PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) method: &'static str,
    pub(super) revision: Revision,
    pub(super) start: usize,
}
