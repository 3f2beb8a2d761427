//! A static bound on what a JSON Schema can cost, before anything is compiled.
//!
//! Owns: the count of bytes, levels, subschemas and evaluation paths. Nested
//! references multiply: forty lines of `anyOf` over two references each keep a
//! validator busy for hours, and it has no clock to stop by. Must not know: which
//! validator runs.
//!
//! ```
//! use mcpbolt_proto::schema_budget::{RefusalReason, SchemaBudget, SchemaCost, SchemaRefusal, check};
//! use serde_json::json;
//!
//! let budget = SchemaBudget { max_depth: 2, ..SchemaBudget::default() };
//! let flat = json!({"properties": {"city": {"type": "string"}}}).into();
//! let SchemaCost { nodes, .. } = check(&flat, &budget)?;
//! assert_eq!(nodes, 2);
//!
//! let deep = json!({"items": {"items": {"items": {}}}}).into();
//! let SchemaRefusal { pointer, reason } = check(&deep, &budget).unwrap_err();
//! assert_eq!(reason, RefusalReason::Depth(2));
//! println!("at {pointer}: {reason}");
//! # Ok::<(), SchemaRefusal>(())
//! ```

use serde_json::{Map, Value};

use crate::jsonrpc::RawJson;
use crate::limits::Limits;

mod graph;
mod resolve;
#[cfg(test)]
mod tests;

use graph::Graph;

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

/// How a keyword holds subschemas.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    One,
    List,
    Map,
    /// A schema or a list of them (`items` of older drafts).
    OneOrList,
}

/// Keyword, shape, and whether its subschemas see the same value as their parent.
const KEYWORDS: [(&str, Shape, bool); 21] = [
    ("allOf", Shape::List, true),
    ("anyOf", Shape::List, true),
    ("oneOf", Shape::List, true),
    ("not", Shape::One, true),
    ("if", Shape::One, true),
    ("then", Shape::One, true),
    ("else", Shape::One, true),
    ("dependentSchemas", Shape::Map, true),
    ("dependencies", Shape::Map, true),
    ("extends", Shape::OneOrList, true),
    ("properties", Shape::Map, false),
    ("patternProperties", Shape::Map, false),
    ("additionalProperties", Shape::One, false),
    ("unevaluatedProperties", Shape::One, false),
    ("propertyNames", Shape::One, false),
    ("items", Shape::OneOrList, false),
    ("prefixItems", Shape::List, false),
    ("additionalItems", Shape::One, false),
    ("unevaluatedItems", Shape::One, false),
    ("contains", Shape::One, false),
    ("contentSchema", Shape::One, false),
];
/// Keywords that only keep subschemas for references.
const STORES: [&str; 2] = ["$defs", "definitions"];

/// Checks a schema against the budget.
pub fn check(schema: &RawJson, budget: &SchemaBudget) -> Result<SchemaCost, SchemaRefusal> {
    let refuse = |reason| SchemaRefusal { pointer: String::new(), reason };
    if u64::try_from(schema.as_str().len()).unwrap_or(u64::MAX) > budget.max_bytes {
        return Err(refuse(RefusalReason::Bytes(budget.max_bytes)));
    }
    let root: Value = schema.decode().map_err(|_| refuse(RefusalReason::Unreadable))?;
    let mut nodes = 0;
    count(&root, &mut String::new(), 0, &mut nodes, budget)?;
    let graph = Graph::build(&root, budget)?;
    let order = graph.refuse_loops()?;
    let (paths, branching_recursion) = graph.measure(budget)?;
    Ok(SchemaCost { nodes, paths, branching_recursion, levels: graph.levels(&order) })
}

/// Calls `visit` for each direct subschema: path below the schema, subschema, keyword,
/// and whether it sees the same value.
fn children<'v, E>(
    schema: &'v Map<String, Value>,
    mut visit: impl FnMut(&str, &'v Value, (&'static str, bool)) -> Result<(), E>,
) -> Result<(), E> {
    for (keyword, shape, in_place) in KEYWORDS {
        let Some(value) = schema.get(keyword) else { continue };
        match (shape, value) {
            (Shape::Map, Value::Object(map)) => {
                for (name, child) in map {
                    visit(&format!("/{keyword}/{}", escape(name)), child, (keyword, in_place))?;
                }
            }
            (Shape::List | Shape::OneOrList, Value::Array(list)) => {
                for (n, child) in list.iter().enumerate() {
                    visit(&format!("/{keyword}/{n}"), child, (keyword, in_place))?;
                }
            }
            (Shape::One | Shape::OneOrList, Value::Object(_) | Value::Bool(_)) => {
                visit(&format!("/{keyword}"), value, (keyword, in_place))?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// Counts subschemas and levels, stored ones included.
fn count(
    schema: &Value,
    pointer: &mut String,
    depth: usize,
    nodes: &mut usize,
    budget: &SchemaBudget,
) -> Result<(), SchemaRefusal> {
    let refuse = |pointer: &str, reason| Err(SchemaRefusal { pointer: pointer.to_owned(), reason });
    *nodes += 1;
    if *nodes > budget.max_nodes {
        return refuse(pointer, RefusalReason::Nodes(budget.max_nodes));
    }
    if depth > budget.max_depth {
        return refuse(pointer, RefusalReason::Depth(budget.max_depth));
    }
    let Value::Object(members) = schema else { return Ok(()) };
    let mut below = |step: &str, child: &Value| {
        let length = pointer.len();
        pointer.push_str(step);
        count(child, pointer, depth + 1, nodes, budget)?;
        pointer.truncate(length);
        Ok(())
    };
    children(members, |step, child, _| below(step, child))?;
    for store in STORES {
        for (name, child) in members.get(store).and_then(Value::as_object).into_iter().flatten() {
            below(&format!("/{store}/{}", escape(name)), child)?;
        }
    }
    Ok(())
}
