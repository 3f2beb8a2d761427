//! Answers to forms: a flat object of primitives and what a person put in.
//!
//! Owns: filling in defaults, and which parts were answered. Must not know: who asked, or how a
//! form is drawn.
//!
//! Checking an answer is [`super::compile`] of the same schema.

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};

/// The answer with the `default` of every field that has one and was left out, in the
/// order of the form, behind what was answered. A field that was answered, be it with
/// `null`, stays. What is not a form changes nothing.
///
/// ```
/// use mcpbolt::schema::form::fill_defaults;
/// use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
///
/// let form = RawJson::parse(r#"{"properties": {"seats": {"type": "integer", "default": 2}}}"#).unwrap();
/// let filled = fill_defaults(&form, RawObject::new());
/// assert_eq!(filled.to_raw().as_str(), r#"{"seats":2}"#);
/// ```
#[must_use]
pub fn fill_defaults(schema: &RawJson, mut content: RawObject) -> RawObject {
    let fields = RawObject::parse(schema)
        .and_then(|schema| RawObject::parse(schema.get("properties")?))
        .unwrap_or_default();
    for (name, field) in fields.iter() {
        if content.contains(name) {
            continue;
        }
        let default = RawObject::parse(field).and_then(|mut field| field.remove("default"));
        if let Some(default) = default {
            content.set(name, default);
        }
    }
    content
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(schema: &str, content: &str) -> String {
        let content = RawObject::parse(&RawJson::parse(content.to_owned()).unwrap()).unwrap();
        fill_defaults(&RawJson::parse(schema.to_owned()).unwrap(), content).to_raw().as_str().to_owned()
    }

    #[test]
    fn fills_what_was_left_out_and_nothing_else() {
        let form = r#"{"type":"object","properties":{
            "name":{"type":"string","default":"Ann"},
            "age":{"type":"integer","default":30.0},
            "tags":{"type":"array","default":["a","b"]},
            "note":{"type":"string"},
            "agree":{"type":"boolean","default":false}}}"#;
        assert_eq!(filled(form, "{}"), r#"{"name":"Ann","age":30.0,"tags":["a","b"],"agree":false}"#);
        assert_eq!(
            filled(form, r#"{"agree":true,"age":null,"more":1,"name":""}"#),
            r#"{"agree":true,"age":null,"more":1,"name":"","tags":["a","b"]}"#
        );
    }

    #[test]
    fn what_is_no_form_changes_nothing() {
        for schema in ["true", "{}", "[]", r#"{"properties":[]}"#, r#"{"properties":{"a":true,"b":[]}}"#] {
            assert_eq!(filled(schema, r#"{"x":1}"#), r#"{"x":1}"#, "{schema}");
        }
    }
}
