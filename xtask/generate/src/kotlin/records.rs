//! `Types.kt`: a class for each object and each set of words.
//!
//! A record is its JSON object: members that nobody knows stay, what is not looked at is not
//! read, and what is made of other records is made once.

use super::expr;
use super::names::{self, Names};
use super::text::{comment, literal, member, upper};
use super::unions;
use crate::api::{Api, EnumValue, Expr, Field, Notes, Shape, Type};
use std::fmt::Write as _;

const HEAD: &str = "@file:Suppress(\"DEPRECATION\", \"unused\")

package dev.mcpbolt

import kotlinx.serialization.KSerializer
import kotlinx.serialization.Serializable
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

// The types of the protocol. Written by `cargo xtask generate`; do not edit.
";

/// The file's text.
pub(super) fn write(api: &Api, names: &Names) -> String {
    let mut out = HEAD.to_owned();
    let schemas = schemas();
    for found in api.types.iter().chain(&schemas) {
        match &found.shape {
            Shape::Object { fields } => out.push_str(&record(api, names, found, fields)),
            Shape::Enum { values, .. } => out.push_str(&word(api, names, found, values)),
            Shape::Union { of, .. } => out.push_str(&unions::write(api, names, found, of)),
            Shape::Alias { .. } => {}
        }
    }
    out
}

/// Schemas are JSON of the program's; these are what the official package shows of them.
fn schemas() -> [Type; 2] {
    let field = |name: &str, expr, doc: &str| Field {
        name: name.to_owned(),
        expr,
        required: false,
        default: None,
        doc: doc.to_owned(),
        notes: Notes::default(),
    };
    let kind =
        || Field { required: true, ..field("type", Expr::Const("object".to_owned()), "Always `object`.") };
    let required =
        || field("required", Expr::List(Box::new(Expr::String)), "The members that must be there.");
    let schema = |name: &str, doc: &str, fields| Type {
        name: name.to_owned(),
        doc: doc.to_owned(),
        notes: Notes::default(),
        source: "core",
        shape: Shape::Object { fields },
    };
    let defs = "Schemas that others refer to.";
    let tool = vec![
        kind(),
        field("properties", Expr::Object, "A schema for each member."),
        required(),
        field("$defs", Expr::Object, defs),
        field("$schema", Expr::String, "The dialect; 2020-12 when absent."),
    ];
    let members = Expr::Map(Box::new(Expr::Ref("FieldSchema".to_owned())));
    let properties = Field { required: true, ..field("properties", members, "The fields of the form.") };
    [
        schema("ToolSchema", "JSON Schema of an object; `ToolSchema.of` takes any.", tool),
        schema(
            "FormSchema",
            "JSON Schema of a form: an object of plain values.",
            vec![kind(), properties, required()],
        ),
    ]
}

fn record(api: &Api, names: &Names, found: &Type, fields: &[Field]) -> String {
    let name = names.name(&found.name);
    let unions: Vec<&Type> = names::unions_of(api, &found.name).collect();
    let mut out = format!("\n{}", comment(api, &found.doc, found.notes.deprecated, ""));
    let mut supers = String::new();
    for union in &unions {
        let _ = write!(supers, ", {}", names.name(&union.name));
    }
    let _ = writeln!(
        out,
        "@Serializable(with = {name}.Companion::class)\npublic class {name} internal constructor(members: Members) : Record(members){supers} {{"
    );
    out.push_str(&constructors(api, names, name, fields));
    let kind = unions.iter().find_map(|union| names::kind(&union.name));
    for field in fields {
        let over =
            if unions.iter().any(|union| unions::shares(api, union, field)) { "override " } else { "" };
        match &field.expr {
            Expr::Const(text) => out.push_str(&constant(api, field, text, kind, over)),
            _ => out.push_str(&kept(api, names, field, over)),
        }
    }
    out.push_str(&copy(api, names, name, fields));
    out.push_str(&second_names(name));
    out.push_str(&companion(name, &format!("{name}(Members(json))")));
    out.push_str("}\n");
    out
}

/// What reads a type, and serializes it.
pub(super) fn companion(name: &str, read: &str) -> String {
    let mut out = format!("\n    public companion object : RecordSerializer<{name}>({}) {{\n", literal(name));
    for [value, kotlin, what, doc] in names::companions(name) {
        let _ = writeln!(out, "        /** {doc} */\n        public val {value}: {kotlin} get() = {what}\n");
    }
    let _ = writeln!(
        out,
        "        override fun of(json: JsonObject): {name} = {read}\n\n        /** For `kotlinx.serialization`. */\n        public fun serializer(): KSerializer<{name}> = this\n    }}"
    );
    out
}

/// A member that is the same in all values of a type.
fn constant(api: &Api, field: &Field, text: &str, kind: Option<&str>, over: &str) -> String {
    let doc = comment(api, &field.doc, field.notes.deprecated, "    ");
    let (name, text) = (member(&field.name), literal(text));
    match kind.filter(|_| field.name == "type") {
        Some(kind) => format!("\n{doc}    override public val {name}: {kind} get() = {kind}({text})\n"),
        None => format!("\n{doc}    {over}public val {name}: String get() = {text}\n"),
    }
}

/// How a member is read; one that is made of records, once.
fn kept(api: &Api, names: &Names, field: &Field, over: &str) -> String {
    let known = expr::of_field(api, names, field);
    if !(known.read.contains(".of(") || known.read.contains('{')) {
        return property(api, names, field, over);
    }
    let (head, body) = parts(api, names, field, over);
    let (name, kotlin) = (member(&field.name), &known.kotlin);
    let mark = if head.ends_with('?') { "?" } else { "" };
    format!(
        "{head} get() = {name}Read ?: {body}{mark}.also {{ {name}Read = it }}\n    @Volatile private var {name}Read: {kotlin}? = null\n"
    )
}

/// The same with other members. Those that nobody knows stay.
fn copy(api: &Api, names: &Names, kotlin: &str, fields: &[Field]) -> String {
    let given: Vec<&Field> = names::ordered(kotlin, fields)
        .into_iter()
        .filter(|field| !matches!(field.expr, Expr::Const(_)))
        .collect();
    if given.is_empty() {
        return String::new();
    }
    let parameter = |field: &&Field| {
        let (known, name) = (expr::of_field(api, names, field), member(&field.name));
        let list = field.default.is_some() && known.kotlin.starts_with("List<");
        let mark = if field.required || list { "" } else { "?" };
        format!("{name}: {}{mark} = this.{name}", known.kotlin)
    };
    let parameters: Vec<String> = given.iter().map(parameter).collect();
    let passed: Vec<&str> = given.iter().map(|field| member(&field.name)).collect();
    let wire: Vec<String> = given.iter().map(|field| literal(&field.name)).collect();
    format!(
        "\n    /** The same with other members; those of extensions and of later revisions are kept. */\n    public fun copy({}): {kotlin} =\n        {kotlin}(changed({kotlin}({}), {}))\n",
        parameters.join(", "),
        passed.join(", "),
        wire.join(", ")
    )
}

/// The other names that types go by within this one.
pub(super) fn second_names(owner: &str) -> String {
    let line = |(name, of): (&str, &str)| {
        // The same name would mean itself.
        let place = if name == of { "dev.mcpbolt." } else { "" };
        format!("\n    /** See [{of}]. */\n    public typealias {name} = {place}{of}\n")
    };
    names::nested(owner).map(line).collect()
}

/// From members; once more with one block of content, where there may be several.
fn constructors(api: &Api, names: &Names, kotlin: &str, fields: &[Field]) -> String {
    let mut parameters = Vec::new();
    let mut several = None;
    for field in names::ordered(kotlin, fields) {
        if matches!(field.expr, Expr::Const(_)) {
            continue;
        }
        let (known, name) = (expr::of_field(api, names, field), member(&field.name));
        let default = match (field.required, &field.default) {
            (true, _) => String::new(),
            (false, Some(_)) if known.kotlin.starts_with("List<") => " = emptyList()".to_owned(),
            (false, _) => "? = null".to_owned(),
        };
        parameters.push(format!("{name}: {}{default}", known.kotlin));
        several = several.or(known.write.map(|_| (name.to_owned(), known.kotlin)));
    }
    // As the engine writes them, whatever the order of the parameters is.
    let members: Vec<String> = fields.iter().map(|field| written(api, names, field)).collect();
    let (given, members) = (parameters.join(", "), members.join(", "));
    let mut out = format!("    public constructor({given}) :\n        this(Members({members}))\n");
    if let Some((name, list)) = several {
        let one = list.trim_start_matches("List<").trim_end_matches('>');
        let given = given.replace(&format!("{name}: {list}"), &format!("{name}: {one}"));
        let passed = parameters.iter().filter_map(|parameter| parameter.split(':').next());
        let passed: Vec<String> =
            passed.map(|p| if p == name { format!("listOf({p})") } else { p.to_owned() }).collect();
        let _ = writeln!(out, "\n    public constructor({given}) :\n        this({})", passed.join(", "));
    }
    out
}

/// A member and its value, of the parameter of that name.
fn written(api: &Api, names: &Names, field: &Field) -> String {
    let (wire, name) = (literal(&field.name), member(&field.name));
    match (&field.expr, expr::of_field(api, names, field).write) {
        (Expr::Const(text), _) => format!("{wire} to {}", literal(text)),
        (_, Some(write)) => format!("{wire} to {write}({name})"),
        (_, None) => format!("{wire} to {name}"),
    }
}

/// How a member is read.
pub(super) fn property(api: &Api, names: &Names, field: &Field, modifiers: &str) -> String {
    let (head, body) = parts(api, names, field, modifiers);
    format!("{head} get() = {body}\n")
}

/// The declaration of a member, and what reads it.
fn parts(api: &Api, names: &Names, field: &Field, modifiers: &str) -> (String, String) {
    let known = expr::of_field(api, names, field);
    let wire = literal(&field.name);
    let (mark, body) = match (&field.expr, field.required, &field.default) {
        // `null` is a value here.
        (Expr::Json, false, _) if known.kotlin == "JsonElement" => ("?", format!("json[{wire}]")),
        (_, true, _) if known.read == "it" => ("", format!("json.need({wire})")),
        (_, true, _) => ("", format!("json.need({wire}).let {{ {} }}", known.read)),
        (_, false, Some(_)) if known.kotlin.starts_with("List<") => {
            ("", format!("json.find({wire})?.let {{ {} }}.orEmpty()", known.read))
        }
        (_, false, _) => ("?", format!("json.find({wire})?.let {{ {} }}", known.read)),
    };
    let head = format!(
        "\n{}    {modifiers}public val {}: {}{mark}",
        comment(api, &field.doc, field.notes.deprecated, "    "),
        member(&field.name),
        known.kotlin,
    );
    (head, body)
}

fn word(api: &Api, names: &Names, found: &Type, values: &[EnumValue]) -> String {
    let name = names.name(&found.name);
    let mut out = format!("\n{}", comment(api, &found.doc, found.notes.deprecated, ""));
    let _ = write!(
        out,
        "@Serializable(with = {name}.Companion::class)\npublic data class {name}(override val value: String) : Word {{\n    override fun toString(): String = value\n\n    public companion object : WordSerializer<{name}>({}) {{\n",
        literal(name)
    );
    for value in values {
        out.push_str(&comment(api, &value.doc, value.notes.deprecated, "        "));
        let _ = writeln!(
            out,
            "        public val {}: {name} = {name}({})",
            upper(&value.value),
            literal(&value.value)
        );
    }
    let _ = write!(
        out,
        "\n        override fun of(value: String): {name} = {name}(value)\n\n        /** For `kotlinx.serialization`. */\n        public fun serializer(): KSerializer<{name}> = this\n    }}\n}}\n"
    );
    out
}
