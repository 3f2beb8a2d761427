//! What a schema may cost, decided before it is compiled.
//!
//! The library has no bound of its own, and a schema of two kilobytes can keep it
//! busy for hours: references double the work at each step, and a schema that refers
//! to itself twice doubles it at each level of the value. Both are counted here.

use serde_json::Value;

use super::Budget;
use super::graph::{Graph, GraphError, Slot};

/// The deepest value a decoder lets through.
const LEVELS: usize = 128;

/// Why a schema is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Excess {
    /// Larger than [`Budget::bytes`].
    #[error("the schema is larger than {0} bytes")]
    Bytes(usize),
    /// Nested deeper than [`Budget::depth`].
    #[error("the schema nests deeper than {0} subschemas")]
    Depth(usize),
    /// More than [`Budget::nodes`].
    #[error("the schema has more than {0} subschemas")]
    Nodes(usize),
    /// More than [`Budget::paths`].
    #[error("checking one value against the schema can take more than {0} steps")]
    Paths(u64),
    /// A subschema that refers to itself without looking at a smaller value.
    #[error("the schema refers to itself in a circle")]
    Circle,
    /// Nothing outside of the schema is ever read, neither network nor files.
    #[error("the schema refers to another document, which is never fetched: {0}")]
    Foreign(String),
}

/// What checking values against a schema may cost, known before any value is.
#[derive(Debug)]
pub(super) struct Cost {
    /// Evaluations that one part of a value may cause, by how deep it lies. Deeper
    /// than the last entry they stay the same.
    levels: Vec<u64>,
    budget: Budget,
}

/// Values have many parts; this many times the steps for one part are for all of them.
const PARTS: u64 = 100;

impl Cost {
    fn at(&self, depth: usize) -> u64 {
        self.levels.get(depth).or(self.levels.last()).copied().unwrap_or(1)
    }

    /// Whether any value of so many bytes may be checked without a closer look.
    pub(super) fn is_trivial(&self, bytes: usize) -> bool {
        self.at(LEVELS).saturating_mul(bytes as u64) <= self.budget.paths
    }

    /// Whether a value of this depth and number of parts may be checked.
    pub(super) fn allows(&self, depth: usize, parts: u64) -> bool {
        let steps = self.at(depth);
        let all = self.budget.steps.saturating_mul(PARTS);
        steps <= self.budget.steps && steps.saturating_mul(parts) <= all
    }

    /// Whether what is wrong with such a value may be found out: costs much more than
    /// that something is.
    pub(super) fn explains(&self, depth: usize) -> bool {
        self.at(depth) <= self.budget.paths
    }
}

/// Checks a schema of so many `bytes`.
pub(super) fn check(schema: &Value, bytes: usize, budget: &Budget) -> Result<Cost, Excess> {
    if bytes > budget.bytes {
        return Err(Excess::Bytes(budget.bytes));
    }
    let graph = Graph::build(schema, budget.nodes).map_err(|error| match error {
        GraphError::TooManyNodes => Excess::Nodes(budget.nodes),
        GraphError::Foreign(uri) => Excess::Foreign(uri),
    })?;
    if graph.depth > budget.depth {
        return Err(Excess::Depth(budget.depth));
    }
    let order = inner_first(&graph)?;
    let mut below = vec![0; graph.nodes.len()];
    let mut levels = Vec::new();
    for _ in 0..=LEVELS {
        let here = evaluations(&graph, &order, &below);
        levels.push(here[0]);
        if here == below || here[0] > budget.steps {
            break;
        }
        below = here;
    }
    if levels[0] > budget.paths {
        return Err(Excess::Paths(budget.paths));
    }
    Ok(Cost { levels, budget: *budget })
}

/// The nodes so that whatever a node asks about the same value comes before it.
fn inner_first(graph: &Graph) -> Result<Vec<usize>, Excess> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; graph.nodes.len()];
    let mut order = Vec::with_capacity(graph.nodes.len());
    for start in 0..graph.nodes.len() {
        let mut stack = vec![(start, 0)];
        while let Some((node, next)) = stack.pop() {
            if next == 0 {
                if marks[node] == Mark::Done {
                    continue;
                }
                marks[node] = Mark::Open;
            }
            let mut inner = graph.nodes[node].edges.iter().filter(|(slot, _)| *slot == Slot::Same);
            if let Some(&(_, to)) = inner.nth(next) {
                stack.push((node, next + 1));
                match marks[to] {
                    Mark::New => stack.push((to, 0)),
                    Mark::Open => return Err(Excess::Circle),
                    Mark::Done => {}
                }
            } else {
                marks[node] = Mark::Done;
                order.push(node);
            }
        }
    }
    Ok(order)
}

/// How often a single value, `n` levels inside the one a node is asked about, is
/// looked at, given the same for `n - 1`. A member has one name and an item one
/// place, so of those only the dearest counts; all else adds up.
fn evaluations(graph: &Graph, order: &[usize], below: &[u64]) -> Vec<u64> {
    let mut here = vec![0_u64; graph.nodes.len()];
    for &node in order {
        let (mut same, mut member, mut members) = (1_u64, 0, 0_u64);
        let (mut item, mut items) = (0, 0_u64);
        for &(slot, to) in &graph.nodes[node].edges {
            match slot {
                Slot::Same => same = same.saturating_add(here[to]),
                Slot::Member => member = below[to].max(member),
                Slot::AnyMember => members = members.saturating_add(below[to]),
                Slot::Item => item = below[to].max(item),
                Slot::AnyItem => items = items.saturating_add(below[to]),
                Slot::Aside => {}
            }
        }
        let inside = member.saturating_add(members).max(item.saturating_add(items));
        here[node] = same.saturating_add(inside);
    }
    here
}
