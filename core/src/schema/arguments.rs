//! What the schema of a tool's arguments must be.
//!
//! Owns: the refusal, and its remedy. Must not know: JSON Schema beyond its outermost members.

use mcpbolt_proto::jsonrpc::{JsonKind, RawJson, RawObject};
use mcpbolt_proto::protocol::Error;

/// Arguments are an object, so their schema describes one: a JSON object whose `type` is
/// `object`. Anything else is refused when the tool is registered.
///
/// ```
/// use mcpbolt::RawJson;
/// use mcpbolt::schema::check_arguments;
///
/// assert!(check_arguments("add", Some(&RawJson::parse(r#"{"type":"object"}"#)?)).is_ok());
/// let error = check_arguments("add", Some(&RawJson::parse("null")?)).unwrap_err();
/// assert!(error.message.contains("tool add"));
/// # Ok::<(), mcpbolt::jsonrpc::RawError>(())
/// ```
///
/// # Errors
/// `Usage`, with the tool's name and the remedy.
pub fn check_arguments(tool: &str, schema: Option<&RawJson>) -> Result<(), Error> {
    let found = match schema {
        None => "it has none".to_owned(),
        Some(schema) => match RawObject::parse(schema) {
            None => format!("it is {}", kind(schema)),
            Some(members) => match members.get("type") {
                Some(of) if of.as_string().as_deref() == Some("object") => return Ok(()),
                Some(of) => format!("its type is {}", of.as_string().unwrap_or_else(|| kind(of).to_owned())),
                None => "it has no type".to_owned(),
            },
        },
    };
    Err(Error::usage(format!(
        "the inputSchema of tool {tool} must be an object schema with \"type\": \"object\", but {found}; \
         a tool without arguments has {{\"type\": \"object\", \"additionalProperties\": false}}"
    )))
}

fn kind(value: &RawJson) -> &'static str {
    match value.kind() {
        JsonKind::Null => "null",
        JsonKind::Object => "an object with a name twice",
        JsonKind::Array => "an array",
        JsonKind::String => "a string",
        JsonKind::Number => "a number",
        JsonKind::Bool => "a boolean",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_says_what_was_found_and_what_is_needed() {
        let found = |text: &str| {
            let schema = RawJson::parse(text.to_owned()).expect("JSON");
            check_arguments("t", Some(&schema)).expect_err(text).message
        };
        for (text, says) in [
            ("null", "it is null"),
            ("true", "it is a boolean"),
            ("[]", "it is an array"),
            ("{}", "it has no type"),
            (r#"{"type":null}"#, "its type is null"),
            (r#"{"type":"string"}"#, "its type is string"),
            (r#"{"type":["object"]}"#, "its type is an array"),
        ] {
            let message = found(text);
            assert!(message.contains(says) && message.contains("additionalProperties"), "{text}: {message}");
        }
        assert!(check_arguments("t", None).expect_err("none").message.contains("it has none"));
    }
}
