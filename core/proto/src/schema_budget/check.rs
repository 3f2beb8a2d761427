//! The check of a schema against its budget.
//!
//! Owns: the order of the counts. Must not know: how paths are measured (`graph` does).

use serde_json::Value;

use crate::jsonrpc::RawJson;

use super::budget::{RefusalReason, SchemaBudget, SchemaCost, SchemaRefusal};
use super::graph::Graph;
use super::keywords::{STORES, children, escape};

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
