//! What the types are at run time: `v1.ts` (the schema constants of the 1.x face),
//! `methods.ts` (which method each message has) and `schemas.ts` (what is checked).

use super::WRITTEN;
use super::face::{Face, Item, Kind, Member, Object};
use super::text::comment;
use crate::api::Api;
use std::fmt::Write as _;

/// One face: its types, and a constant for each of its schemas.
pub(super) fn constants(face: &Face, which: &str, doc: &str) -> String {
    let own: Vec<&Item> = face.items.iter().filter(|item| item.face == which).collect();
    let mut out = format!(
        "/**\n * {doc} {WRITTEN}\n */\nimport {{ specSchema, type SpecSchema }} from '../protocol/schema/schema';\nimport type * as t from './types';\n\n"
    );
    out.push_str("export type {\n");
    for item in own.iter().filter(|item| item.has_type) {
        let _ = writeln!(out, "  {},", item.name);
    }
    out.push_str("} from './types';\n");
    for item in own.iter().filter(|item| item.has_schema) {
        out.push_str(&constant(item));
    }
    out
}

fn constant(item: &Item) -> String {
    let name = &item.name;
    if let Kind::Again(other) = &item.kind {
        let doc = format!("The old name of `{other}Schema`.\n@deprecated Use `{other}Schema`.");
        return format!("\n{}export const {name}Schema = {other}Schema;\n", comment(&doc, ""));
    }
    let generics = match &item.kind {
        Kind::Message { method, .. } => format!("t.{name}, '{method}'"),
        _ => format!("t.{name}"),
    };
    format!(
        "\n{}export const {name}Schema: SpecSchema<{generics}> = /* @__PURE__ */ specSchema('{name}');\n",
        comment(&item.doc, "")
    )
}

/// Which method each message has, and what goes with each method.
pub(super) fn methods(api: &Api, face: &Face) -> Result<String, String> {
    let mut out = format!(
        "/**\n * Methods and types. {WRITTEN}\n */\nimport type * as t from './types';\n\n/** The method of each message, by the name of its type. */\nexport const METHODS: Readonly<Record<string, string>> = {{\n"
    );
    let messages: Vec<(&Item, &str)> = face
        .items
        .iter()
        .filter_map(|item| match &item.kind {
            Kind::Message { method, .. } => Some((item, method.as_str())),
            _ => None,
        })
        .collect();
    for (item, method) in &messages {
        let _ = writeln!(out, "  {}: '{method}',", item.name);
    }
    out.push_str("};\n");
    let kinds = [
        ("request", "RequestTypeMap", "Each request by its method."),
        ("notification", "NotificationTypeMap", "Each notification by its method."),
        ("request", "ResultTypeMap", "What each request is answered with, by its method."),
    ];
    for (kind, map, doc) in kinds {
        let _ = write!(out, "\n/** {doc} */\nexport interface {map} {{\n");
        for (item, method) in &messages {
            let row = api.methods.iter().find(|row| row.name == *method);
            let row = row.ok_or_else(|| format!("no method {method}"))?;
            if row.kind != kind {
                continue;
            }
            let name = if map == "ResultTypeMap" { result(face, row.result) } else { item.name.clone() };
            let _ = writeln!(out, "  '{method}': {};", t(&name));
        }
        out.push_str("}\n");
    }
    Ok(out)
}

fn t(names: &str) -> String {
    names.split(" | ").map(|name| format!("t.{name}")).collect::<Vec<_>>().join(" | ")
}

/// The types of the face that stand for a result of the surface.
pub(super) fn result(face: &Face, surface: Option<&str>) -> String {
    let stands = |item: &&Item| item.of.as_deref() == surface;
    let names: Vec<&str> = face.items.iter().filter(stands).map(|item| item.name.as_str()).collect();
    if names.is_empty() { "Result".to_owned() } else { names.join(" | ") }
}

/// What is checked, as JSON Schema.
pub(super) fn write(face: &Face) -> Result<String, String> {
    let mut out = format!(
        "/**\n * Each type as JSON Schema, in the part of it that `protocol/schema` knows. {WRITTEN}\n */\n\n/** Text of the schemas by the names of their types; `$ref` is such a name. */\nexport const SCHEMAS: Readonly<Record<string, string>> = {{\n"
    );
    for item in &face.items {
        let schema = match &item.kind {
            Kind::Object(object) => of_object(object),
            Kind::Alias(_, Some(expr)) => expr.schema(),
            Kind::Message { method, params: Some(params), optional } => {
                let required = if *optional { r#"["method"]"# } else { r#"["method","params"]"# };
                format!(
                    r#"{{"type":"object","properties":{{"method":{{"const":"{method}"}},"params":{{"$ref":"{params}"}}}},"required":{required}}}"#
                )
            }
            Kind::Message { .. } | Kind::Alias(_, None) | Kind::Again(_) => continue,
        };
        serde_json::from_str::<serde_json::Value>(&schema)
            .map_err(|why| format!("face.txt, {}: {why}: {schema}", item.name))?;
        let _ = writeln!(out, "  {}: '{}',", item.name, schema.replace('\\', "\\\\").replace('\'', "\\'"));
    }
    out.push_str("};\n");
    Ok(out)
}

fn of_object(object: &Object) -> String {
    let members: Vec<String> =
        object.members.iter().map(|member| format!("\"{}\":{}", member.name, of_member(member))).collect();
    let required: Vec<String> = object
        .members
        .iter()
        .filter(|member| !member.optional && member.default.is_none())
        .map(|member| format!("\"{}\"", member.name))
        .collect();
    let mut out = format!("{{\"type\":\"object\",\"properties\":{{{}}}", members.join(","));
    if !required.is_empty() {
        let _ = write!(out, ",\"required\":[{}]", required.join(","));
    }
    if object.strict {
        out.push_str(",\"additionalProperties\":false");
    }
    if let Some(json) = &object.empty_means {
        let _ = write!(out, ",\"emptyMeans\":{json}");
    }
    out.push('}');
    out
}

/// A member's schema, with what only the member says.
fn of_member(member: &Member) -> String {
    let mut schema = member.expr.schema();
    let mut add = |text: &str| {
        schema.pop();
        if schema.len() > 1 {
            schema.push(',');
        }
        schema.push_str(text);
        schema.push('}');
    };
    if let Some(json) = &member.default {
        add(&format!("\"default\":{json}"));
    }
    if member.null_is_absent {
        add("\"nullIsAbsent\":true");
    }
    schema
}
