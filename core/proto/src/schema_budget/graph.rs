//! The graph of subschemas and references, and what can be read off it.
//!
//! Owns: loops, paths, and the work per level. Must not know: which bound is right.

use std::collections::HashMap;

use serde_json::Value;

use super::budget::{RefusalReason, SchemaBudget, SchemaRefusal};
use super::keywords::{children, escape};
use super::resolve::{self, Resources};

const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
/// How many times `schema_depth` a chain of references may be long.
const CHAIN_FACTOR: usize = 4;
/// Levels of a value that [`Graph::levels`] looks at: as deep as a message may nest.
const LEVELS: usize = 128;

/// An evaluation of one subschema that follows from another.
struct Edge {
    to: usize,
    /// The keyword, or property name, that leads there.
    keyword: &'static str,
    in_place: bool,
}

struct Node<'v> {
    schema: &'v Value,
    edges: Vec<Edge>,
    /// Looks for what nothing else evaluated, which visits the subschemas again.
    twice: bool,
}

/// Every subschema that an evaluation can reach.
pub(super) struct Graph<'v> {
    root: &'v Value,
    nodes: Vec<Node<'v>>,
}

impl<'v> Graph<'v> {
    pub(super) fn build(root: &'v Value, budget: &SchemaBudget) -> Result<Self, SchemaRefusal> {
        let resources = Resources::collect(root);
        let mut build = Build { nodes: Vec::new(), known: HashMap::new(), open: Vec::new() };
        build.node(root);
        let mut edges = 0_usize;
        while let Some((from, schema)) = build.open.pop() {
            let Value::Object(members) = schema else { continue };
            let Ok(()) = children(members, |_, child, (keyword, in_place)| {
                let to = build.node(child);
                build.nodes[from].edges.push(Edge { to, keyword, in_place });
                Ok::<_, std::convert::Infallible>(())
            });
            for keyword in REFERENCES {
                let Some(reference) = members.get(keyword).and_then(Value::as_str) else { continue };
                let targets = resources.resolve(schema, keyword, reference);
                if targets.is_empty() && !resolve::is_metaschema(reference) {
                    let pointer = format!("{}/{keyword}", locate(root, schema).unwrap_or_default());
                    return Err(SchemaRefusal { pointer, reason: RefusalReason::Unresolved });
                }
                for target in targets {
                    let to = build.node(target);
                    build.nodes[from].edges.push(Edge { to, keyword, in_place: true });
                }
            }
            // No evaluation has fewer paths than there are edges.
            edges += build.nodes[from].edges.len();
            if edges > budget.max_paths {
                let pointer = locate(root, schema).unwrap_or_default();
                return Err(SchemaRefusal { pointer, reason: RefusalReason::Paths(budget.max_paths) });
            }
            let twice = ["unevaluatedProperties", "unevaluatedItems"];
            build.nodes[from].twice = twice.iter().any(|keyword| members.contains_key(*keyword));
        }
        Ok(Self { root, nodes: build.nodes })
    }

    /// Refuses references that lead back to themselves at the same value. Returns the
    /// nodes so that all that one evaluates at the same value comes before it.
    pub(super) fn refuse_loops(&self) -> Result<Vec<usize>, SchemaRefusal> {
        let in_place = |node: &Node<'_>| node.edges.iter().filter(|edge| edge.in_place).count();
        let mut left: Vec<usize> = self.nodes.iter().map(in_place).collect();
        let mut parents = vec![Vec::new(); self.nodes.len()];
        for (from, node) in self.nodes.iter().enumerate() {
            node.edges.iter().filter(|edge| edge.in_place).for_each(|edge| parents[edge.to].push(from));
        }
        let mut done: Vec<usize> = (0..left.len()).filter(|&node| left[node] == 0).collect();
        let mut order = Vec::with_capacity(self.nodes.len());
        while let Some(node) = done.pop() {
            order.push(node);
            for &parent in &parents[node] {
                left[parent] -= 1;
                if left[parent] == 0 {
                    done.push(parent);
                }
            }
        }
        match left.iter().position(|&count| count > 0) {
            Some(at) => Err(self.refusal(at, RefusalReason::Loop)),
            None => Ok(order),
        }
    }

    /// How often one part of a value is looked at, by how deep it lies; deeper than
    /// the last entry it stays the same. Grows without end only when recursion branches.
    pub(super) fn levels(&self, order: &[usize]) -> Vec<u64> {
        let mut levels = Vec::new();
        let mut below = vec![0; self.nodes.len()];
        while levels.len() <= LEVELS {
            let mut here = vec![0_u64; self.nodes.len()];
            for &node in order {
                here[node] = self.nodes[node].evaluations(&here, &below);
            }
            levels.push(here[0]);
            if here == below {
                break;
            }
            below = here;
        }
        levels
    }

    /// Evaluation paths of the root, and whether recursion branches.
    pub(super) fn measure(&self, budget: &SchemaBudget) -> Result<(usize, bool), SchemaRefusal> {
        let unknown = Measured { index: usize::MAX, low: 0, group: None, paths: 1 };
        let mut walk =
            Walk { graph: self, budget, nodes: vec![unknown; self.nodes.len()], stack: Vec::new(), next: 0 };
        let paths = walk.visit(0, 0)?;
        let group = |node: usize| walk.nodes[node].group;
        let branching = self.nodes.iter().enumerate().any(|(from, node)| {
            let inside: Vec<_> = node.edges.iter().filter(|edge| group(edge.to) == group(from)).collect();
            inside.iter().enumerate().any(|(n, a)| inside[..n].iter().any(|b| a.meets(b)))
        });
        Ok((paths, branching))
    }

    fn refusal(&self, node: usize, reason: RefusalReason) -> SchemaRefusal {
        let pointer = locate(self.root, self.nodes[node].schema).unwrap_or_default();
        SchemaRefusal { pointer, reason }
    }
}

/// The JSON pointer to a value inside `root`.
fn locate(root: &Value, wanted: &Value) -> Option<String> {
    if std::ptr::eq(root, wanted) {
        return Some(String::new());
    }
    let below = |step: &str, value| locate(value, wanted).map(|rest| format!("/{}{rest}", escape(step)));
    match root {
        Value::Object(members) => members.iter().find_map(|(name, value)| below(name, value)),
        Value::Array(list) => list.iter().enumerate().find_map(|(n, value)| below(&n.to_string(), value)),
        _ => None,
    }
}

impl Node<'_> {
    /// Evaluations of one part of a value, given those of all nodes at the part itself
    /// and one level further out. A member has one name and an item one place: of such
    /// keywords the dearest counts, of others the sum.
    fn evaluations(&self, here: &[u64], below: &[u64]) -> u64 {
        let (mut same, mut member, mut item) = (1_u64, 0, 0);
        let (mut members, mut items) = (0_u64, 0_u64);
        for edge in &self.edges {
            match edge.keyword {
                _ if edge.in_place => same = same.saturating_add(here[edge.to]),
                "properties" | "additionalProperties" => member = below[edge.to].max(member),
                "prefixItems" => item = below[edge.to].max(item),
                "patternProperties" | "unevaluatedProperties" => {
                    members = members.saturating_add(below[edge.to]);
                }
                "propertyNames" | "contentSchema" => {}
                _ => items = items.saturating_add(below[edge.to]),
            }
        }
        let inside = members.saturating_add(member).max(items.saturating_add(item));
        let all = same.saturating_add(inside);
        if self.twice { all.saturating_mul(2) } else { all }
    }
}

impl Edge {
    /// Whether both evaluations can be of one value.
    fn meets(&self, other: &Self) -> bool {
        let apart = |keyword| matches!(keyword, "properties" | "additionalProperties" | "prefixItems");
        self.in_place || other.in_place || !(apart(self.keyword) && apart(other.keyword))
    }
}

struct Build<'v> {
    nodes: Vec<Node<'v>>,
    /// By address: the parsed schema does not move.
    known: HashMap<*const Value, usize>,
    open: Vec<(usize, &'v Value)>,
}

impl<'v> Build<'v> {
    fn node(&mut self, schema: &'v Value) -> usize {
        let next = self.nodes.len();
        let index = *self.known.entry(std::ptr::from_ref(schema)).or_insert(next);
        if index == next {
            self.nodes.push(Node { schema, edges: Vec::new(), twice: false });
            self.open.push((index, schema));
        }
        index
    }
}

#[derive(Clone, Copy)]
struct Measured {
    /// Order of the visit; `usize::MAX` before it.
    index: usize,
    low: usize,
    /// Nodes that reach one another share a group.
    group: Option<usize>,
    paths: usize,
}

/// One depth-first walk: Tarjan's groups and the number of paths. Each node is
/// visited once; a way back to a node that is still open counts as one path.
struct Walk<'g> {
    graph: &'g Graph<'g>,
    budget: &'g SchemaBudget,
    nodes: Vec<Measured>,
    stack: Vec<usize>,
    next: usize,
}

impl Walk<'_> {
    fn visit(&mut self, at: usize, depth: usize) -> Result<usize, SchemaRefusal> {
        let chain = self.budget.max_depth.saturating_mul(CHAIN_FACTOR);
        if depth > chain {
            return Err(self.graph.refusal(at, RefusalReason::Depth(chain)));
        }
        self.nodes[at] = Measured { index: self.next, low: self.next, group: None, paths: 1 };
        self.next += 1;
        self.stack.push(at);
        let mut total = 1_usize;
        for edge in &self.graph.nodes[at].edges {
            let seen = self.nodes[edge.to];
            if seen.index == usize::MAX {
                total = total.saturating_add(self.visit(edge.to, depth + 1)?);
                self.nodes[at].low = self.nodes[at].low.min(self.nodes[edge.to].low);
            } else {
                total = total.saturating_add(seen.paths);
                if seen.group.is_none() {
                    self.nodes[at].low = self.nodes[at].low.min(seen.index);
                }
            }
        }
        if self.graph.nodes[at].twice {
            total = total.saturating_mul(2);
        }
        if total > self.budget.max_paths {
            return Err(self.graph.refusal(at, RefusalReason::Paths(self.budget.max_paths)));
        }
        self.nodes[at].paths = total;
        if self.nodes[at].low == self.nodes[at].index {
            while let Some(member) = self.stack.pop() {
                self.nodes[member].group = Some(at);
                if member == at {
                    break;
                }
            }
        }
        Ok(total)
    }
}
