//! Human in the loop, part three: forms. Defaults are filled and answers are checked
//! before the server sees them.
//!
//! Owns: what is added to and demanded of a form's answer. Must not know: who fills the form
//! in.

use serde_json::{Map, Value};

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::{ElicitAction, ElicitResult, FormSchema};

/// Completes an answer with the form's defaults and checks it. Answers other than
/// `accept` lose their content.
pub(super) fn complete(schema: &FormSchema, mut result: ElicitResult) -> Result<ElicitResult, Error> {
    if result.action != ElicitAction::Accept {
        result.content = None;
        return Ok(result);
    }
    let mut content = result.content.take().unwrap_or_default();
    let schema: Value = schema.as_raw().decode().unwrap_or_default();
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    for (name, field) in properties {
        if let (false, Some(default)) = (content.contains(name), field.get("default")) {
            content.set(name.as_str(), RawJson::from(default));
        }
    }
    for name in
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    {
        if !content.contains(name) {
            return Err(wrong(name, "is required"));
        }
    }
    check(properties, &content)?;
    result.content = Some(content);
    Ok(result)
}

fn check(properties: &Map<String, Value>, content: &RawObject) -> Result<(), Error> {
    for (name, raw) in content.iter() {
        let Some(field) = properties.get(name) else { continue };
        let value: Value = raw.decode().unwrap_or_default();
        fits(field, &value).map_err(|reason| wrong(name, reason))?;
    }
    Ok(())
}

fn fits(field: &Value, value: &Value) -> Result<(), &'static str> {
    match field.get("type").and_then(Value::as_str) {
        Some("string") => string(field, value.as_str().ok_or("must be a string")?),
        Some("boolean") => value.is_boolean().then_some(()).ok_or("must be true or false"),
        Some("integer") => {
            let number = value.as_f64().filter(|n| n.fract() == 0.0).ok_or("must be an integer")?;
            number_within(field, number)
        }
        Some("number") => number_within(field, value.as_f64().ok_or("must be a number")?),
        Some("array") => array(field, value.as_array().ok_or("must be a list")?),
        _ => Ok(()),
    }
}

fn string(field: &Value, text: &str) -> Result<(), &'static str> {
    let length = text.chars().count() as u64;
    let limit = |name: &str| field.get(name).and_then(Value::as_u64);
    if limit("minLength").is_some_and(|least| length < least) {
        return Err("is too short");
    }
    if limit("maxLength").is_some_and(|most| length > most) {
        return Err("is too long");
    }
    match choices(field) {
        Some(choices) if !choices.contains(&text) => Err("is none of the choices"),
        _ => Ok(()),
    }
}

/// The allowed values of an enum field, plain or titled.
fn choices(field: &Value) -> Option<Vec<&str>> {
    if let Some(plain) = field.get("enum").and_then(Value::as_array) {
        return Some(plain.iter().filter_map(Value::as_str).collect());
    }
    let titled = field.get("oneOf").or_else(|| field.get("anyOf"))?.as_array()?;
    Some(titled.iter().filter_map(|choice| choice.get("const")?.as_str()).collect())
}

fn number_within(field: &Value, number: f64) -> Result<(), &'static str> {
    let limit = |name: &str| field.get(name).and_then(Value::as_f64);
    if limit("minimum").is_some_and(|least| number < least) {
        return Err("is too small");
    }
    if limit("maximum").is_some_and(|most| number > most) {
        return Err("is too large");
    }
    Ok(())
}

fn array(field: &Value, items: &[Value]) -> Result<(), &'static str> {
    let limit = |name: &str| field.get(name).and_then(Value::as_u64);
    let count = items.len() as u64;
    if limit("minItems").is_some_and(|least| count < least) {
        return Err("has too few values");
    }
    if limit("maxItems").is_some_and(|most| count > most) {
        return Err("has too many values");
    }
    let Some(choices) = field.get("items").and_then(choices) else { return Ok(()) };
    let known = |item: &Value| item.as_str().is_some_and(|text| choices.contains(&text));
    items.iter().all(known).then_some(()).ok_or("has a value that is none of the choices")
}

fn wrong(name: &str, reason: &str) -> Error {
    Error::invalid_params(format!("the answer does not fit the form: {name} {reason}"))
}
