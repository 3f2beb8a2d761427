//! A schema as a graph: which subschemas look at the same value, which at a part of
//! it. Knows keywords and references; must not know limits or the validating library.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// Where an edge leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// The same value: `allOf`, `$ref`, `if`, …
    Same,
    /// One named member; a value has each name once.
    Member,
    /// A member that others may look at too: patterns, `additionalProperties`, …
    AnyMember,
    /// An item at one place.
    Item,
    /// An item that others may look at too: `items`, `contains`, …
    AnyItem,
    /// A name, or nothing at all: no deeper value.
    Aside,
}

/// One subschema.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) edges: Vec<(Slot, usize)>,
}

/// All subschemas that can be reached; the first is the root.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    /// Deepest nesting of subschemas, references not followed.
    pub(super) depth: usize,
}

/// Why there is no graph.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum GraphError {
    TooManyNodes,
    /// A reference to another document, or through a base that is not in the schema.
    Foreign(String),
}

struct Builder<'a> {
    nodes: Vec<Node>,
    /// Address of a subschema to its node.
    known: HashMap<*const Value, usize>,
    /// Subschemas whose members are still to be followed: value, document, depth.
    open: Vec<(&'a Value, &'a Value, usize)>,
    /// Embedded documents by `$id`.
    ids: Vec<(&'a str, &'a Value)>,
    max_nodes: usize,
    depth: usize,
}

impl Graph {
    pub(super) fn build(root: &Value, max_nodes: usize) -> Result<Self, GraphError> {
        let mut builder = Builder {
            nodes: Vec::new(),
            known: HashMap::new(),
            open: Vec::new(),
            ids: Vec::new(),
            max_nodes,
            depth: 0,
        };
        collect_ids(root, &mut builder.ids);
        builder.node(root, root, 1)?;
        while let Some((schema, document, depth)) = builder.open.pop() {
            builder.expand(schema, document, depth)?;
        }
        Ok(Self { nodes: builder.nodes, depth: builder.depth })
    }
}

impl<'a> Builder<'a> {
    fn node(&mut self, schema: &'a Value, document: &'a Value, depth: usize) -> Result<usize, GraphError> {
        if let Some(&known) = self.known.get(&std::ptr::from_ref(schema)) {
            return Ok(known);
        }
        if self.nodes.len() == self.max_nodes {
            return Err(GraphError::TooManyNodes);
        }
        self.depth = self.depth.max(depth);
        self.nodes.push(Node::default());
        self.known.insert(schema, self.nodes.len() - 1);
        self.open.push((schema, document, depth));
        Ok(self.nodes.len() - 1)
    }

    fn expand(&mut self, schema: &'a Value, document: &'a Value, depth: usize) -> Result<(), GraphError> {
        let Value::Object(members) = schema else { return Ok(()) };
        let from = self.known[&std::ptr::from_ref(schema)];
        let document = if id_of(members).is_some() { schema } else { document };
        for (keyword, value) in members {
            if matches!(keyword.as_str(), "$ref" | "$dynamicRef" | "$recursiveRef") {
                if let Some(target) = value.as_str() {
                    self.follow(from, target, document)?;
                }
                continue;
            }
            for (slot, child) in children(keyword, value) {
                let to = self.node(child, document, depth + 1)?;
                self.nodes[from].edges.push((slot, to));
            }
        }
        Ok(())
    }

    fn follow(&mut self, from: usize, target: &str, document: &'a Value) -> Result<(), GraphError> {
        let foreign = || GraphError::Foreign(target.chars().take(200).collect());
        let (base, fragment) = target.split_once('#').unwrap_or((target, ""));
        if is_meta_schema(base) {
            return Ok(());
        }
        let document = if base.is_empty() {
            document
        } else {
            self.ids
                .iter()
                .find(|(id, _)| same_document(id, base))
                .map(|(_, doc)| *doc)
                .ok_or_else(foreign)?
        };
        let fragment = percent_encoding::percent_decode_str(fragment).decode_utf8().map_err(|_| foreign())?;
        let mut found = Vec::new();
        if fragment.is_empty() || fragment.starts_with('/') {
            found.extend(document.pointer(&fragment));
        } else {
            find_anchor(document, &fragment, &mut found);
        }
        // A dynamic reference may reach any anchor of that name: all of them count.
        for schema in found {
            let to = self.node(schema, document, 1)?;
            self.nodes[from].edges.push((Slot::Same, to));
        }
        Ok(())
    }
}

/// The subschemas under one keyword. Definitions count when something refers to them.
fn children<'a>(keyword: &str, value: &'a Value) -> Vec<(Slot, &'a Value)> {
    let (slot, named) = match keyword {
        "allOf" | "anyOf" | "oneOf" | "not" | "if" | "then" | "else" => (Slot::Same, false),
        "dependentSchemas" | "dependencies" => (Slot::Same, true),
        "properties" => (Slot::Member, true),
        "patternProperties" => (Slot::AnyMember, true),
        "additionalProperties" | "unevaluatedProperties" => (Slot::AnyMember, false),
        "prefixItems" => (Slot::Item, false),
        "items" if value.is_array() => (Slot::Item, false),
        "items" | "additionalItems" | "contains" | "unevaluatedItems" => (Slot::AnyItem, false),
        "propertyNames" | "contentSchema" => (Slot::Aside, false),
        "$defs" | "definitions" => (Slot::Aside, true),
        _ => return Vec::new(),
    };
    let is_schema = |child: &&Value| child.is_object() || child.is_boolean();
    match value {
        Value::Array(items) => items.iter().filter(is_schema).map(|child| (slot, child)).collect(),
        Value::Object(members) if named => members.values().filter(is_schema).map(|c| (slot, c)).collect(),
        other => Some(other).filter(is_schema).map(|child| (slot, child)).into_iter().collect(),
    }
}

fn id_of(members: &Map<String, Value>) -> Option<&str> {
    let id = members.get("$id").or_else(|| members.get("id"))?.as_str()?;
    (!id.starts_with('#')).then_some(id)
}

/// Every object with an id, whether or not it stands where a schema may: one too many
/// does no harm. Recursion is bounded by the depth of raw JSON.
fn collect_ids<'a>(value: &'a Value, ids: &mut Vec<(&'a str, &'a Value)>) {
    match value {
        Value::Object(members) => {
            if let Some(id) = id_of(members) {
                ids.push((id, value));
            }
            members.values().for_each(|child| collect_ids(child, ids));
        }
        Value::Array(items) => items.iter().for_each(|child| collect_ids(child, ids)),
        _ => {}
    }
}

fn find_anchor<'a>(value: &'a Value, name: &str, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(members) => {
            let is_it = |keyword: &str| members.get(keyword).and_then(Value::as_str) == Some(name);
            let legacy = ["$id", "id"].iter().any(|keyword| {
                members.get(*keyword).and_then(Value::as_str).and_then(|id| id.strip_prefix('#'))
                    == Some(name)
            });
            if legacy || is_it("$anchor") || is_it("$dynamicAnchor") {
                found.push(value);
            }
            members.values().for_each(|child| find_anchor(child, name, found));
        }
        Value::Array(items) => items.iter().for_each(|child| find_anchor(child, name, found)),
        _ => {}
    }
}

/// Whether a reference may mean the document with this id. Relative references are
/// compared by their last segment: mistaking one document for another only makes the
/// estimate another one, and what matches nothing is refused.
fn same_document(id: &str, base: &str) -> bool {
    let last = |uri: &str| uri.trim_end_matches('#').rsplit('/').next().unwrap_or_default().to_owned();
    id.trim_end_matches('#') == base || last(id) == last(base)
}

/// The drafts themselves are known to the library and recurse in a straight line.
fn is_meta_schema(base: &str) -> bool {
    ["https://json-schema.org/", "http://json-schema.org/"].iter().any(|prefix| base.starts_with(prefix))
}
