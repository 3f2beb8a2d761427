//! Features of a revision that are more than yes or no.
//!
//! Owns: their values. Must not know: which revision has which (`version` does).

/// Which values `structuredContent` and `outputSchema` may take.
///
/// ```
/// use mcpbolt_proto::protocol::{Revision, version::Structured};
/// assert_eq!(Revision::V2025_06_18.features().structured, Structured::Object);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Structured {
    /// Neither exists.
    None,
    /// Objects only.
    Object,
    /// Any JSON value, `null` included, and any schema.
    Any,
}

/// Which names `_meta` keys may have.
///
/// ```
/// use mcpbolt_proto::protocol::{Revision, version::MetaKeys};
/// assert_eq!(Revision::V2024_11_05.features().meta_keys, MetaKeys::Informal);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MetaKeys {
    /// No grammar is written down.
    Informal,
    /// Optional prefix; reserved when a label `modelcontextprotocol` or `mcp` is followed by another.
    Prefix,
    /// Optional reverse-DNS prefix; reserved when its second label is `modelcontextprotocol` or `mcp`.
    ReverseDns,
}
