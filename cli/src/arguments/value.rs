//! One value, from text to JSON.
//!
//! Owns: what text means where a schema wants a number, a list, or one of several things. Must
//! not know: keys.

use serde_json::{Value, json};

use crate::output::schema::{kind, resolve};

/// The value that the schema wants of this text; `before` is what the same key was given
/// already.
pub(super) fn read(
    root: &Value,
    schema: Option<&Value>,
    text: &str,
    before: Option<&Value>,
) -> Result<Value, String> {
    let Some(schema) = schema else { return Ok(repeated(loose(text), before)) };
    let schema = resolve(root, schema);
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        return one_of(values, text);
    }
    let choices = ["anyOf", "oneOf"].iter().find_map(|key| schema.get(key)?.as_array());
    if let Some(choices) = choices {
        return first_fit(root, choices, text, before).ok_or_else(|| wanted(&kind(root, schema, 0), text));
    }
    match schema.get("type") {
        Some(Value::String(name)) => of_type(root, schema, name, text, before),
        Some(Value::Array(names)) => {
            let choices: Vec<Value> = names.iter().map(|name| with_type(schema, name)).collect();
            first_fit(root, &choices, text, before).ok_or_else(|| wanted(&kind(root, schema, 0), text))
        }
        _ => Ok(loose(text)),
    }
}

fn with_type(schema: &Value, name: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(members) = schema.as_object_mut() {
        members.insert("type".to_owned(), name.clone());
    }
    schema
}

/// Text fits wherever text is allowed, so it is tried last.
fn first_fit(root: &Value, choices: &[Value], text: &str, before: Option<&Value>) -> Option<Value> {
    let is_text = |schema: &Value| resolve(root, schema).get("type").is_some_and(|name| name == "string");
    let (texts, others): (Vec<_>, Vec<_>) = choices.iter().partition(|schema| is_text(schema));
    others.into_iter().chain(texts).find_map(|schema| read(root, Some(schema), text, before).ok())
}

fn of_type(
    root: &Value,
    schema: &Value,
    name: &str,
    text: &str,
    before: Option<&Value>,
) -> Result<Value, String> {
    match name {
        "string" => Ok(Value::from(text)),
        "integer" => whole(text).ok_or_else(|| wanted("an integer", text)),
        "number" => number(text).ok_or_else(|| wanted("a number", text)),
        "boolean" => text.parse::<bool>().map(Value::from).map_err(|_| wanted("true or false", text)),
        "null" if matches!(text, "" | "null") => Ok(Value::Null),
        "null" => Err(wanted("null", text)),
        "array" => list(root, schema, text, before),
        "object" => match serde_json::from_str::<Value>(text) {
            Ok(value) if value.is_object() => Ok(value),
            _ => Err(wanted("a JSON object, or KEY.INNER=VALUE,", text)),
        },
        _ => Ok(loose(text)),
    }
}

/// A JSON array, or one more item.
fn list(root: &Value, schema: &Value, text: &str, before: Option<&Value>) -> Result<Value, String> {
    if before.is_none()
        && text.starts_with('[')
        && let Ok(value) = serde_json::from_str::<Value>(text)
    {
        return Ok(value);
    }
    let item = read(root, schema.get("items"), text, None)?;
    let mut items = before.and_then(Value::as_array).cloned().unwrap_or_default();
    items.push(item);
    Ok(Value::Array(items))
}

/// Of values that are no text the spelling counts.
fn one_of(values: &[Value], text: &str) -> Result<Value, String> {
    let fits = |value: &&Value| match value {
        Value::String(word) => word == text,
        other => other.to_string().as_str() == text,
    };
    values.iter().find(fits).cloned().ok_or_else(|| {
        let shown: Vec<String> = values.iter().map(Value::to_string).collect();
        wanted(&format!("one of {}", shown.join(", ")), text)
    })
}

fn whole(text: &str) -> Option<Value> {
    text.parse::<i64>().map(Value::from).or_else(|_| text.parse::<u64>().map(Value::from)).ok()
}

fn number(text: &str) -> Option<Value> {
    whole(text)
        .or_else(|| text.parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| json!(number)))
}

/// Where nothing says what is wanted.
fn loose(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::from(text))
}

fn repeated(value: Value, before: Option<&Value>) -> Value {
    match before {
        None => value,
        Some(Value::Array(items)) => items.iter().cloned().chain([value]).collect(),
        Some(first) => Value::Array(vec![first.clone(), value]),
    }
}

fn wanted(what: &str, text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    format!("want {what}, not {short}")
}
