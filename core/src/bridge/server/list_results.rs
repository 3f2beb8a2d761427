//! List results that were made once and are sent as they are.
//!
//! Owns: one result for each method, revision and start of a page. Must not know: how a
//! result is made.

use std::collections::HashMap;

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Revision;

/// Method, revision, where the page starts.
pub(crate) type PageKey = (&'static str, Revision, usize);

/// Finished results of lists, each with the generation it was made from.
#[derive(Default)]
pub(crate) struct ListResults(Mutex<HashMap<PageKey, (u64, RawJson)>>);

impl ListResults {
    /// The result for this generation of the registry.
    pub(crate) fn get(&self, key: PageKey, generation: u64) -> Option<RawJson> {
        self.0.lock().get(&key).filter(|(of, _)| *of == generation).map(|(_, value)| value.clone())
    }

    pub(crate) fn put(&self, key: PageKey, generation: u64, value: &RawJson) {
        self.0.lock().insert(key, (generation, value.clone()));
    }
}
