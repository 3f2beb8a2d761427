//! Where a schema holds other schemas.
//!
//! Owns: the table of keywords, of all drafts at once. Must not know: what is counted.

use serde_json::{Map, Value};

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
pub(super) const STORES: [&str; 2] = ["$defs", "definitions"];

/// Calls `visit` for each direct subschema: path below the schema, subschema, keyword,
/// and whether it sees the same value.
pub(super) fn children<'v, E>(
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

pub(super) fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
