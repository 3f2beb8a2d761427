//! Answers of clients without a person: forms filled in by their schema.

use mcpbolt::jsonrpc::{RawJson, RawObject};
use mcpbolt::types::{ContentBlock, FormSchema};
use serde_json::{Value, json};

/// Something that fits each field of a form. Fields with a default are left out: the
/// engine fills those in.
pub fn fill_in(form: &FormSchema) -> RawObject {
    let schema: Value = form.as_raw().decode().unwrap_or_default();
    let fields = schema["properties"].as_object().into_iter().flatten();
    fields
        .filter(|(_, field)| field.get("default").is_none())
        .map(|(name, field)| (name.clone(), RawJson::from(fitting(field))))
        .collect()
}

fn fitting(field: &Value) -> Value {
    let first = |choices: &Value| {
        let choice = choices.as_array().and_then(|all| all.first())?;
        Some(choice.get("const").unwrap_or(choice).clone())
    };
    match field["type"].as_str() {
        Some("boolean") => json!(true),
        Some("integer" | "number") => field.get("minimum").cloned().unwrap_or(json!(1)),
        Some("array") => {
            let items = &field["items"];
            json!([first(&items["enum"]).or_else(|| first(&items["anyOf"]))])
        }
        _ => first(&field["enum"]).or_else(|| first(&field["oneOf"])).unwrap_or_else(|| text(field)),
    }
}

fn text(field: &Value) -> Value {
    match field["format"].as_str() {
        Some("email") => json!("ada@example.com"),
        Some("uri") => json!("https://example.com/"),
        Some("date") => json!("2026-07-28"),
        Some("date-time") => json!("2026-07-28T12:00:00Z"),
        _ => json!("Ada"),
    }
}

/// The words of some content, one block per line.
pub fn text_of(content: &[ContentBlock]) -> String {
    content.iter().filter_map(ContentBlock::as_text).collect::<Vec<_>>().join("\n")
}
