//! JSON Schemas in few words.
//!
//! Owns: how a schema is abbreviated for people. Must not know: what fits a schema.

use serde_json::{Map, Value};

/// Deepest nesting that is looked into.
const DEPTH: usize = 4;
/// Most values of an enumeration that are shown.
const VALUES: usize = 6;

/// The arguments that a schema asks for: `a: number, b?: string = "x"`.
pub(crate) fn signature(schema: &Value) -> String {
    let required = required(schema);
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut parts: Vec<String> = Vec::new();
    // What must be given comes first.
    for wanted in [true, false] {
        for (name, property) in properties.into_iter().flatten() {
            if required.contains(&name.as_str()) != wanted {
                continue;
            }
            let mark = if wanted { "" } else { "?" };
            let default = property.get("default").map(|value| format!(" = {value}")).unwrap_or_default();
            parts.push(format!("{name}{mark}: {}{default}", kind(schema, property, 0)));
        }
    }
    parts.join(", ")
}

/// The names that a schema requires.
pub(crate) fn required(schema: &Value) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// What kind of value fits, in the manner of TypeScript.
pub(crate) fn kind(root: &Value, schema: &Value, depth: usize) -> String {
    let schema = resolve(root, schema);
    if depth > DEPTH {
        return "…".to_owned();
    }
    let Some(members) = schema.as_object() else { return "any".to_owned() };
    if let Some(value) = members.get("const") {
        return value.to_string();
    }
    if let Some(values) = members.get("enum").and_then(Value::as_array) {
        let mut shown: Vec<String> = values.iter().take(VALUES).map(Value::to_string).collect();
        if values.len() > VALUES {
            shown.push("…".to_owned());
        }
        return shown.join("|");
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(choices) = members.get(key).and_then(Value::as_array) {
            let mut kinds: Vec<String> = Vec::new();
            for kind in choices.iter().map(|choice| kind(root, choice, depth + 1)) {
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
            return kinds.join("|");
        }
    }
    match members.get("type") {
        Some(Value::String(name)) => of_type(root, members, name, depth),
        Some(Value::Array(names)) => {
            let names = names.iter().filter_map(Value::as_str);
            names.map(|name| of_type(root, members, name, depth)).collect::<Vec<_>>().join("|")
        }
        _ if members.contains_key("properties") => "object".to_owned(),
        _ => "any".to_owned(),
    }
}

fn of_type(root: &Value, members: &Map<String, Value>, name: &str, depth: usize) -> String {
    match (name, members.get("items")) {
        ("array", Some(items)) => {
            let inner = kind(root, items, depth + 1);
            if inner.contains('|') { format!("({inner})[]") } else { format!("{inner}[]") }
        }
        _ => name.to_owned(),
    }
}

/// The schema that a reference inside of the document leads to. One that leads elsewhere, or in
/// a circle, stays as it is.
pub(crate) fn resolve<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let mut schema = schema;
    for _ in 0..16 {
        let Some(pointer) =
            schema.get("$ref").and_then(Value::as_str).and_then(|text| text.strip_prefix('#'))
        else {
            break;
        };
        match root.pointer(pointer) {
            Some(found) => schema = found,
            None => break,
        }
    }
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_must_be_given_comes_first() {
        let schema = json!({
            "properties": {
                "limit": {"type": "integer", "default": 10},
                "query": {"type": "string"},
                "order": {"enum": ["up", "down"]},
                "tags": {"type": "array", "items": {"type": ["string", "null"]}},
            },
            "required": ["query"],
        });
        assert_eq!(
            signature(&schema),
            r#"query: string, limit?: integer = 10, order?: "up"|"down", tags?: (string|null)[]"#
        );
        assert_eq!(signature(&json!({"type": "object"})), "");
    }

    #[test]
    fn references_are_followed_and_circles_end() {
        let schema = json!({
            "properties": {"a": {"$ref": "#/$defs/a"}, "b": {"$ref": "#/$defs/b"}, "c": {"$ref": "https://x/y"}},
            "$defs": {"a": {"type": "boolean"}, "b": {"$ref": "#/$defs/b"}},
        });
        assert_eq!(signature(&schema), "a?: boolean, b?: any, c?: any");
    }
}
