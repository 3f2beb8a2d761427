//! Types that JSON Schema does not know, found without compiling anything.
//!
//! Owns: where a schema may name a type. Compiling finds the same and more, but would make a
//! server with hundreds of tools slow to start. Must not know: what compiling finds beside
//! that.

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use serde_json::Value;

/// What may stand behind `type`, in all dialects.
pub(super) const TYPES: [&str; 7] = ["string", "number", "integer", "boolean", "object", "array", "null"];

/// Keywords whose value is a schema.
const ONE: [&str; 11] = [
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
    "additionalItems",
];
/// Keywords whose value is a list of schemas; `items` may be one in older dialects.
const LISTS: [&str; 5] = ["allOf", "anyOf", "items", "oneOf", "prefixItems"];
/// Keywords whose value has a schema under each name.
const MAPS: [&str; 5] = ["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"];

/// Refuses a schema of a tool that names a type which there is not, such as `int`.
///
/// # Errors
/// `Usage`, with the tool, the place and the types there are.
pub(crate) fn check_types(tool: &str, which: &str, schema: &RawJson) -> Result<(), Error> {
    let value: Value = schema.decode().unwrap_or_default();
    let Some((place, word)) = unknown(&value, &mut Vec::new()) else { return Ok(()) };
    Err(Error::usage(format!("the {which} of tool {tool} is no JSON Schema: {}", said(&place, &word))))
}

/// One sentence about a word that stands where a type should.
pub(super) fn said(place: &str, word: &Value) -> String {
    let short: String = word.to_string().chars().take(32).collect();
    format!("{place} is {short}, which is no type; there are {}", TYPES.join(", "))
}

/// The first place with an unknown type, as a JSON pointer, and what stands there.
fn unknown(schema: &Value, path: &mut Vec<String>) -> Option<(String, Value)> {
    let members = schema.as_object()?;
    let known = |word: &Value| word.as_str().is_none_or(|word| TYPES.contains(&word));
    let wrong = |word: &&Value| match word {
        Value::Array(words) => !words.iter().all(known),
        word => !known(word),
    };
    if let Some(word) = members.get("type").filter(wrong) {
        let place: String = path.iter().flat_map(|part| ["/", part]).chain(["/type"]).collect();
        return Some((place, word.clone()));
    }
    members.iter().find_map(|(keyword, value)| {
        below(path, keyword, |path| match value {
            Value::Object(map) if MAPS.contains(&keyword.as_str()) => {
                map.iter().find_map(|(name, schema)| below(path, name, |path| unknown(schema, path)))
            }
            Value::Array(list) if LISTS.contains(&keyword.as_str()) => {
                let mut items = list.iter().enumerate();
                items.find_map(|(at, schema)| below(path, &at.to_string(), |path| unknown(schema, path)))
            }
            schema if ONE.contains(&keyword.as_str()) => unknown(schema, path),
            _ => None,
        })
    })
}

/// Looks one step deeper.
fn below<T>(path: &mut Vec<String>, step: &str, look: impl FnOnce(&mut Vec<String>) -> T) -> T {
    path.push(step.replace('~', "~0").replace('/', "~1"));
    let found = look(path);
    path.pop();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(schema: &str) -> Option<String> {
        let schema = RawJson::parse(schema.to_owned()).expect("JSON");
        check_types("add", "inputSchema", &schema).err().map(|error| error.message)
    }

    #[test]
    fn a_type_that_there_is_not_is_named_with_its_place() {
        for (schema, says) in [
            (r#"{"type":"object","properties":{"a/b":{"type":"int"}}}"#, "/properties/a~1b/type is \"int\""),
            (r#"{"items":{"type":["string","none"]}}"#, "/items/type is [\"string\",\"none\"]"),
            (r#"{"anyOf":[{"type":"null"},{"type":"str"}]}"#, "/anyOf/1/type is \"str\""),
            (r#"{"type":"dict"}"#, "/type is \"dict\""),
        ] {
            let message = found(schema).expect(schema);
            assert!(
                message.contains(says) && message.contains("tool add") && message.contains("integer"),
                "{message}"
            );
        }
    }

    #[test]
    fn members_that_are_called_type_and_values_are_left_alone() {
        for schema in [
            r#"{"type":"object","properties":{"type":{"type":"string","const":"int"}}}"#,
            r#"{"type":["string","null"],"default":{"type":"int"},"examples":[{"type":"int"}]}"#,
            r#"{"enum":[{"type":"int"}],"x-mine":{"type":"int"}}"#,
            "true",
        ] {
            assert_eq!(found(schema), None, "{schema}");
        }
    }
}
