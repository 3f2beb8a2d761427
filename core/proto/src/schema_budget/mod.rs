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

mod budget;
mod check;
mod graph;
mod keywords;
mod resolve;
#[cfg(test)]
mod tests;

pub use budget::{RefusalReason, SchemaBudget, SchemaCost, SchemaRefusal};
pub use check::check;
