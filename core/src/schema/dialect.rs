//! The dialects of JSON Schema that are understood.
//!
//! Owns: their names, and the refusal of others. Must not know: what a keyword means in each.

use serde_json::Value;

const HOSTED: [(&str, &str); 5] = [
    ("draft/2020-12/schema", "2020-12"),
    ("draft/2019-09/schema", "2019-09"),
    ("draft-07/schema", "draft 7"),
    ("draft-06/schema", "draft 6"),
    ("draft-04/schema", "draft 4"),
];

/// What is wrong with the `$schema` of a schema, if anything. Embedded documents are
/// left to the library.
pub(super) fn refuse(schema: &Value) -> Option<String> {
    match schema.get("$schema")? {
        Value::String(uri) if known(uri) => None,
        Value::String(uri) => {
            let shown: String = uri.chars().take(200).collect();
            let names: Vec<_> = HOSTED.iter().map(|(_, name)| *name).collect();
            Some(format!("unknown dialect {shown}: use {}", names.join(", ")))
        }
        _ => Some("$schema must be a string".to_owned()),
    }
}

fn known(uri: &str) -> bool {
    let bare = uri.strip_suffix('#').unwrap_or(uri);
    let path =
        ["https://json-schema.org/", "http://json-schema.org/"].iter().find_map(|p| bare.strip_prefix(p));
    path.is_some_and(|path| path == "schema" || HOSTED.iter().any(|(hosted, _)| *hosted == path))
}
