//! `Builders.kt`: a builder for each request, and the function that runs it.
//!
//! Must not know: how a builder keeps what it is given.

use super::expr;
use super::messages::{is_optional, name_of};
use super::names::Names;
use super::text::{comment, literal, member};
use crate::api::{Api, Expr, Field, MethodRow, Shape};
use std::fmt::Write as _;

const HEAD: &str = "@file:Suppress(\"DEPRECATION\", \"unused\")

package dev.mcpbolt

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonObjectBuilder
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.buildJsonObject

// Requests that are put together member by member. Written by `cargo xtask generate`; do not edit.
";

/// Those that stand in `protocol/RequestBuilders.kt`: they have more than their members.
const BY_HAND: &[&str] = &["CompleteRequest", "CreateMessageRequest", "ElicitRequest", "InitializeRequest"];

/// Members that a builder has under another name.
const RENAMED: &[(&str, &str, &str)] = &[("SetLevelRequest", "level", "loggingLevel")];

/// The file's text.
pub(super) fn write(api: &Api, names: &Names) -> String {
    let mut out = HEAD.to_owned();
    for row in api.methods.iter().filter(|row| row.is_request()) {
        let name = name_of(names, row);
        if !BY_HAND.contains(&name.as_str()) {
            out.push_str(&builder(api, names, row, &name));
        }
    }
    out
}

fn builder(api: &Api, names: &Names, row: &MethodRow, name: &str) -> String {
    let Some(Shape::Object { fields }) = api.find(row.params).map(|found| &found.shape) else {
        return String::new();
    };
    let paginated = row.params == "PaginatedParams";
    let base = if paginated { "PaginatedRequestBuilder" } else { "RequestBuilder" };
    let mut out =
        format!("\n/** Puts a [{name}] together. */\n@McpDsl\npublic class {name}Builder : {base}() {{\n");
    let own = |field: &&Field| {
        !matches!(field.expr, Expr::Const(_))
            && field.name != "_meta"
            && !(paginated && field.name == "cursor")
    };
    for field in fields.iter().filter(own) {
        out.push_str(&part(api, names, name, field));
    }
    let required: Vec<String> = fields
        .iter()
        .filter(|field| field.required && own(field))
        .map(|field| literal(&field.name))
        .collect();
    let (params, required) = (names.name(row.params), required.join(", "));
    let made = if is_optional(row) {
        format!("some()?.let {{ {params}.of(it) }}")
    } else {
        format!("{params}.of(all({required}))")
    };
    let _ = write!(
        out,
        "    /** @throws IllegalArgumentException if something is missing. */\n    override fun build(): {name} = {name}({made})\n}}\n\n/** Makes a [{name}]. */\npublic inline fun build{name}(block: {name}Builder.() -> Unit): {name} =\n    {name}Builder().apply(block).build()\n"
    );
    out
}

/// How one member is given: a property, or functions for objects.
fn part(api: &Api, names: &Names, request: &str, field: &Field) -> String {
    let known = expr::of_field(api, names, field);
    let kotlin = &known.kotlin;
    let wire = literal(&field.name);
    let renamed = RENAMED.iter().find(|row| row.0 == request && row.1 == field.name).map(|row| row.2);
    let name = renamed.unwrap_or_else(|| member(&field.name));
    let doc = comment(api, &field.doc, field.notes.deprecated, "    ");
    if kotlin == "JsonObject" {
        return format!(
            "{doc}    public fun {name}(value: JsonObject): Unit = keep({wire}, value)\n\n{doc}    public fun {name}(block: JsonObjectBuilder.() -> Unit): Unit = keep({wire}, buildJsonObject(block))\n\n"
        );
    }
    if known.read.contains(".of(") {
        return format!("{doc}    public fun {name}(value: {kotlin}): Unit = keep({wire}, value)\n\n");
    }
    format!(
        "{doc}    public var {name}: {kotlin}?\n        get() = kept({wire})\n        set(value) = keep({wire}, value)\n\n"
    )
}
