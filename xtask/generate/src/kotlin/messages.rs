//! `Messages.kt`: a class for each request and each notification of the table.

use super::expr;
use super::methods;
use super::names::Names;
use super::text::{comment, literal, member};
use crate::api::{Api, Expr, MethodRow, Shape};
use crate::words;
use std::fmt::Write as _;

const HEAD: &str = "@file:Suppress(\"DEPRECATION\", \"unused\")

package dev.mcpbolt

import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

// The messages of the protocol. Written by `cargo xtask generate`; do not edit.
";

/// The file's text.
pub(super) fn write(api: &Api, names: &Names) -> String {
    let mut out = HEAD.to_owned();
    let questions: Vec<_> = api
        .methods
        .iter()
        .filter(|row| row.is_request() && row.is_for_clients() && row.declared_by() == "client")
        .map(|row| format!("{}.value", methods::constant(row)))
        .collect();
    let _ = write!(
        out,
        "\n/** What servers ask clients that declare it. */\ninternal val QUESTIONS: Set<String> = setOf(\n    {},\n)\n",
        questions.join(",\n    ")
    );
    for row in &api.methods {
        out.push_str(&message(api, names, row));
    }
    out.push_str(&reader(api, names));
    out.push_str("\n/** A notification that was read. */\ninternal fun notificationOf(method: String, params: JsonObject?): Notification = when (method) {\n");
    for row in api.methods.iter().filter(|row| row.kind == "notification") {
        let params = names.name(row.params);
        let read = if is_optional(row) { "params?.let" } else { "(params ?: EmptyJsonObject).let" };
        let _ = writeln!(
            out,
            "    {} -> {}({read} {{ {params}.of(it) }})",
            literal(row.name),
            name_of(names, row)
        );
    }
    out.push_str("    else -> CustomNotification(method, params)\n}\n");
    out
}

/// A request from its method and its params.
fn reader(api: &Api, names: &Names) -> String {
    let mut out = String::from(
        "\n/** A request that was read. */\ninternal fun requestOf(method: Method, params: JsonObject?): Request<Record> = when (method) {\n",
    );
    for row in api.methods.iter().filter(|row| row.is_request()) {
        let params = names.name(row.params);
        let read = if is_optional(row) { "params?.let" } else { "(params ?: EmptyJsonObject).let" };
        let _ = writeln!(
            out,
            "    {} -> {}({read} {{ {params}.of(it) }})",
            methods::constant(row),
            name_of(names, row)
        );
    }
    out.push_str("    else -> CustomRequest(method, params)\n}\n");
    out
}

pub(super) fn name_of(names: &Names, row: &MethodRow) -> String {
    names.message(row.name, row.params, row.result)
}

/// Whether a message may come without params.
pub(super) fn is_optional(row: &MethodRow) -> bool {
    matches!(row.params, "EmptyParams" | "PaginatedParams")
}

fn message(api: &Api, names: &Names, row: &MethodRow) -> String {
    let (name, params) = (name_of(names, row), names.name(row.params));
    let given = if is_optional(row) { format!("{params}? = null") } else { params.to_owned() };
    let mut out = format!("\n{}", comment(api, &words::message_doc(row), row.deprecated, ""));
    let base = row
        .result
        .map_or_else(|| "Notification".to_owned(), |result| format!("Request<{}>", names.name(result)));
    let _ = writeln!(
        out,
        "public class {name}(override val params: {given}) : {base}({}) {{",
        methods::constant(row)
    );
    out.push_str(&members(api, names, row));
    if let Some(result) = row.result {
        let _ =
            writeln!(out, "    override fun read(json: JsonObject): {0} = {0}.of(json)", names.name(result));
    }
    out.push_str("}\n");
    out
}

/// The members of the params, at hand.
fn members(api: &Api, names: &Names, row: &MethodRow) -> String {
    let Some(Shape::Object { fields }) = api.find(row.params).map(|found| &found.shape) else {
        return String::new();
    };
    let mark = if is_optional(row) { "?" } else { "" };
    let mut out = String::new();
    for field in fields.iter().filter(|field| !matches!(field.expr, Expr::Const(_))) {
        let known = expr::of_field(api, names, field);
        let optional = if field.required { mark } else { "?" };
        let name = member(&field.name);
        out.push_str(&comment(api, &field.doc, field.notes.deprecated, "    "));
        let _ =
            writeln!(out, "    public val {name}: {}{optional} get() = params{mark}.{name}\n", known.kotlin);
    }
    out
}
