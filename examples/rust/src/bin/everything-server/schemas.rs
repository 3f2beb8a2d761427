//! Tools with a JSON Schema of their own, which reaches clients byte for byte.

use mcpbolt::server::{Context, ServerBuilder};
use mcpbolt::types::Tool;
use serde_json::{Value, json};

pub(crate) fn tools(builder: ServerBuilder) -> ServerBuilder {
    let header = Tool::new("test_x_mcp_header", header_schema())
        .description("Takes an argument that HTTP clients repeat in a header (2026-07-28)");
    let keywords = Tool::new("json_schema_2020_12_tool", contact_schema())
        .description("Has a schema with keywords of JSON Schema 2020-12");
    builder
        .raw_tool(header, |args: Value, _: Context| async move {
            format!("value: {}", args["value"].as_str().unwrap_or_default())
        })
        .raw_tool(keywords, |args: Value, _: Context| async move { format!("Accepted: {args}") })
}

fn header_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "value": {
                "type": "string",
                "description": "Any text",
                "x-mcp-header": "Value"
            }
        }
    })
}

fn contact_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } }
            }
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" }
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false
    })
}
