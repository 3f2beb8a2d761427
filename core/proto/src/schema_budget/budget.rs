//! The bounds, what a schema within them costs, and why one is refused.
//!
//! Owns: the types. Must not know: how anything is counted.

use crate::limits::Limits;

/// The bounds.
///
/// ```
/// use mcpbolt_proto::schema_budget::{RefusalReason, SchemaBudget, check};
/// use serde_json::json;
///
/// let refusal = check(&json!({"$ref": "http://other.example/"}).into(), &SchemaBudget::default());
/// assert_eq!(refusal.map_err(|refusal| refusal.reason), Err(RefusalReason::Unresolved));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaBudget {
    /// Largest schema in bytes.
    pub max_bytes: u64,
    /// Deepest nesting of subschemas.
    pub max_depth: usize,
    /// Most subschemas.
    pub max_nodes: usize,
    /// Most evaluation paths, references followed.
    pub max_paths: usize,
}

impl Default for SchemaBudget {
    fn default() -> Self {
        Self::from(&Limits::default())
    }
}

impl From<&Limits> for SchemaBudget {
    fn from(limits: &Limits) -> Self {
        Self {
            max_bytes: limits.schema_bytes,
            max_depth: limits.schema_depth,
            max_nodes: limits.schema_nodes,
            max_paths: limits.schema_paths,
        }
    }
}

/// What a schema within the budget costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaCost {
    /// Subschemas.
    pub nodes: usize,
    /// Evaluation paths; a recursive reference counts once.
    pub paths: usize,
    /// A subschema refers back to itself in two ways that can meet at one value: the
    /// cost of a validation then doubles with each level of the value.
    pub branching_recursion: bool,
    /// How often one part of a value can be looked at, by how deep it lies. Deeper
    /// than the last entry it stays the same; never empty.
    pub levels: Vec<u64>,
}

impl SchemaCost {
    /// Most evaluations of one part of a value, `depth` levels inside it.
    ///
    /// ```
    /// use mcpbolt_proto::schema_budget::{SchemaBudget, check};
    /// use serde_json::json;
    ///
    /// let twice = json!({"items": {"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}});
    /// let cost = check(&twice.into(), &SchemaBudget::default()).unwrap();
    /// assert!(cost.at(20) > 1_000_000);
    /// ```
    pub fn at(&self, depth: usize) -> u64 {
        self.levels.get(depth).or(self.levels.last()).copied().unwrap_or(1)
    }
}

/// Why a schema is not compiled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("schema refused at '{pointer}': {reason}")]
pub struct SchemaRefusal {
    /// JSON pointer to the subschema where the bound was crossed.
    pub pointer: String,
    /// Which bound.
    pub reason: RefusalReason,
}

/// The bound that was crossed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RefusalReason {
    /// `schema_bytes`
    #[error("more than {0} bytes (schema_bytes)")]
    Bytes(u64),
    /// `schema_depth`
    #[error("nested or chained more than {0} levels (schema_depth)")]
    Depth(usize),
    /// `schema_nodes`
    #[error("more than {0} subschemas (schema_nodes)")]
    Nodes(usize),
    /// `schema_paths`
    #[error("more than {0} evaluation paths (schema_paths)")]
    Paths(usize),
    /// A reference that leads back to itself without consuming anything.
    #[error("the reference leads back to itself")]
    Loop,
    /// A reference to something outside the schema, or to nothing.
    #[error("the reference does not resolve within the schema")]
    Unresolved,
    /// Not readable as JSON values.
    #[error("the schema is not readable")]
    Unreadable,
}
