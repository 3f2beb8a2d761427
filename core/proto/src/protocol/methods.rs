//! THE TABLE: one row per method. Gating, headers, capability checks, docs and
//! bindings derive from it.

use super::Revision;

/// One row.
#[derive(Debug, PartialEq, Eq)]
pub struct Method {
    /// Name on the wire.
    pub name: &'static str,
    /// First revision that has it.
    pub first: Revision,
    /// Last revision that has it.
    pub last: Revision,
}
