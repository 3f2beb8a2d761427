//! Schemas of tools: whether they can be used, and whether they say enough.
//!
//! Owns: faults of schemas. Must not know: what a tool does.

use mcpbolt::RawJson;
use mcpbolt::schema::{CompileOptions, compile};
use serde_json::Value;

use super::{Findings, Subject, named, rules};
use crate::args::Kind;
use crate::output::schema::required;

/// Keywords that narrow down what fits.
const NARROWING: [&str; 9] =
    ["type", "enum", "const", "anyOf", "oneOf", "allOf", "not", "$ref", "properties"];

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    for tool in subject.list(Kind::Tools) {
        let place = named(Kind::Tools, tool);
        for member in ["inputSchema", "outputSchema"] {
            if let Some(schema) = tool.get(member)
                && let Err(error) = compile(&RawJson::from(schema), &CompileOptions::default())
            {
                findings.tell(&rules::SCHEMA_INVALID, &place, format!("{member}: {}", error.message));
            }
        }
        if let Some(schema) = tool.get("inputSchema") {
            input(&place, schema, findings);
        }
    }
}

fn input(place: &str, schema: &Value, findings: &mut Findings) {
    if schema.get("type").and_then(Value::as_str) != Some("object") {
        findings.add(&rules::SCHEMA_OBJECT, place);
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    for name in required(schema) {
        // Other keywords may bring properties of their own.
        let elsewhere = ["allOf", "anyOf", "oneOf", "$ref", "patternProperties"];
        let known = properties.is_some_and(|properties| properties.contains_key(name));
        if !known && elsewhere.iter().all(|keyword| schema.get(keyword).is_none()) {
            findings.tell(&rules::REQUIRED_UNKNOWN, place, name);
        }
    }
    for (name, property) in properties.into_iter().flatten() {
        if property.is_object() && NARROWING.iter().all(|keyword| property.get(keyword).is_none()) {
            findings.tell(&rules::UNTYPED, place, name);
        }
        if let Some(default) = property.get("default")
            && !default_fits(property, default)
        {
            findings.tell(&rules::DEFAULT, place, name);
        }
    }
}

/// A property that refers to other parts of the document cannot be judged alone.
fn default_fits(property: &Value, default: &Value) -> bool {
    // Null stands for "left out" in schemas made of Python's optional arguments.
    if default.is_null() || property.to_string().contains("\"$ref\"") {
        return true;
    }
    let Ok(validator) = compile(&RawJson::from(property), &CompileOptions::default()) else { return true };
    validator.validate(&RawJson::from(default)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(schema: &Value) -> Vec<&'static str> {
        let mut findings = Findings::default();
        input("tool a", schema, &mut findings);
        findings.0.iter().map(|finding| finding.rule.name).collect()
    }

    #[test]
    fn a_good_schema_has_no_faults() {
        let schema = json!({"type": "object", "required": ["a"], "properties": {
            "a": {"type": "integer", "default": 1}, "b": {"$ref": "#/$defs/b", "default": 2}, "c": {"enum": [1]},
        }});
        assert_eq!(found(&schema), [""; 0]);
    }

    #[test]
    fn each_fault_has_its_rule() {
        assert_eq!(found(&json!({})), ["schema-not-object"]);
        let object = |rest: Value| {
            let mut schema = json!({"type": "object"});
            schema.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
            schema
        };
        assert_eq!(found(&object(json!({"required": ["gone"]}))), ["required-unknown"]);
        assert_eq!(
            found(&object(json!({"properties": {"a": {"description": "x"}}}))),
            ["argument-without-type"]
        );
        let default = json!({"properties": {"a": {"type": "integer", "default": "one"}}});
        assert_eq!(found(&object(default)), ["default-does-not-fit"]);
    }
}
