//! A list as its handler knows it: whole, before anything is hidden or paged.
//!
//! Owns: the type. Must not know: who asks.

use mcpbolt_proto::jsonrpc::RawJson;

/// All that a list method has to show.
///
/// ```
/// use mcpbolt::handler::Listing;
///
/// let listing = Listing { entries: vec![], page_size: Some(100), ttl_ms: 0 };
/// assert!(listing.entries.is_empty());
/// ```
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Every entry as clients see it, in order.
    pub entries: Vec<RawJson>,
    /// Most of them in one answer.
    pub page_size: Option<usize>,
    /// How long the client that asked may keep the answer.
    pub ttl_ms: u64,
}
