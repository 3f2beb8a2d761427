//! The Swift types: one struct for each object of the surface, one enum or struct for each
//! method, under the names of the official package.
//!
//! Must not know: Rust types.

mod names;
mod text;

use std::fmt::Write as _;

use crate::api::{Api, EnumValue, Expr, Field, MethodRow, Shape};
use names::{BY_HAND, CASES, CLOSED, NESTED, OPTIONAL, ORDER, RENAMED, find};
use text::{comment, quoted, word};

const FOLDER: &str = "bindings-uniffi/swift/Sources/MCPBolt/generated";
const WRITTEN: &str = "Written by `cargo xtask generate`; do not edit.";

/// Path and text of each file.
pub(crate) fn products(api: &Api) -> Result<Vec<(String, String)>, String> {
    Ok(vec![
        (format!("{FOLDER}/Types.swift"), types(api)),
        (format!("{FOLDER}/Methods.swift"), methods(api)?),
    ])
}

fn types(api: &Api) -> String {
    let mut out = format!("// The types of the protocol. {WRITTEN}\n");
    for found in api.types.iter().filter(|found| !BY_HAND.contains(&found.name.as_str())) {
        out.push('\n');
        out.push_str(&comment(api, &found.doc, found.notes.deprecated, ""));
        let name = named(&found.name);
        match &found.shape {
            Shape::Object { fields } => object(&mut out, api, &name, &ordered(&found.name, fields)),
            Shape::Enum { open: true, values } if !CLOSED.contains(&name.as_str()) => {
                open_enum(&mut out, api, &name, values);
            }
            Shape::Enum { values, .. } => closed_enum(&mut out, api, &name, values),
            Shape::Union { of, open: true } => blocks(&mut out, api, &name, of),
            Shape::Union { of, .. } => union(&mut out, api, &name, of),
            Shape::Alias { of } => {
                let _ = writeln!(out, "public typealias {name} = {}", swift(of));
            }
        }
    }
    for (outer, inner, target) in NESTED {
        let _ = write!(
            out,
            "\nextension {outer} {{\n    /// The official name.\n    public typealias {inner} = MCPBolt.{target}\n}}\n"
        );
    }
    out
}

fn named(name: &str) -> String {
    find(RENAMED, name).unwrap_or(name).to_owned()
}

/// The fields, in the order of the official initializer.
fn ordered<'a>(name: &str, fields: &'a [Field]) -> Vec<&'a Field> {
    let first = ORDER.iter().find(|(known, _)| *known == name).map_or(&[][..], |(_, order)| order);
    let place = |field: &&Field| first.iter().position(|known| *known == field.name).unwrap_or(first.len());
    let mut fields: Vec<&Field> = fields.iter().collect();
    fields.sort_by_key(place);
    fields
}

/// A type where it is used.
fn swift(expr: &Expr) -> String {
    match expr {
        Expr::String | Expr::Const(_) => "String".to_owned(),
        Expr::Integer => "Int".to_owned(),
        Expr::Number => "Double".to_owned(),
        Expr::Boolean => "Bool".to_owned(),
        Expr::Object => "[String: Value]".to_owned(),
        Expr::Ref(name) => named(name),
        Expr::List(inner) => format!("[{}]", swift(inner)),
        Expr::Map(inner) => format!("[String: {}]", swift(inner)),
        // One block, or several.
        Expr::Union(all) if all.contains(&Expr::Ref("ContentBlock".to_owned())) => "Contents".to_owned(),
        Expr::Json | Expr::Union(_) => "Value".to_owned(),
    }
}

/// Type and default of a parameter or property.
fn typed(field: &Field) -> (String, &'static str) {
    match (&field.default, field.required) {
        (Some(_), _) => (swift(&field.expr), " = []"),
        (None, true) => (swift(&field.expr), ""),
        (None, false) => (format!("{}?", swift(&field.expr)), " = nil"),
    }
}

fn object(out: &mut String, api: &Api, name: &str, fields: &[&Field]) {
    let mut settable: Vec<(String, &str, String)> = Vec::new();
    let params = name.ends_with("Params") && fields.iter().all(|field| !field.required);
    let not_required = if params { ", NotRequired" } else { "" };
    let _ = writeln!(out, "public struct {name}: Hashable, Codable, Sendable{not_required} {{");
    for field in fields {
        out.push_str(&comment(api, &field.doc, field.notes.deprecated, "    "));
        if let Expr::Const(value) = &field.expr {
            let _ = writeln!(
                out,
                "    public private(set) var {}: String = {}",
                word(&field.name),
                quoted(value)
            );
            continue;
        }
        let (mut kind, mut default) = typed(field);
        if OPTIONAL.contains(&(name, field.name.as_str())) {
            kind.push('?');
            default = " = nil";
        }
        let _ = writeln!(out, "    public var {}: {kind}", word(&field.name));
        settable.push((field.name.clone(), default, kind));
    }
    initializer(out, &settable);
    if params && !settable.is_empty() {
        out.push_str("\n    /// Nothing of it.\n    public init() {}\n");
    }
    if fields.iter().any(|field| field.default.is_some()) {
        reader(out, fields);
    }
    out.push_str("}\n");
}

fn initializer(out: &mut String, settable: &[(String, &str, String)]) {
    if settable.is_empty() {
        out.push_str("\n    /// What there is to say.\n    public init() {}\n");
        return;
    }
    let parameters: Vec<String> = settable
        .iter()
        .map(|(name, default, kind)| format!("        {}: {kind}{default}", label(name)))
        .collect();
    let _ =
        write!(out, "\n    /// With its members.\n    public init(\n{}\n    ) {{\n", parameters.join(",\n"));
    for (name, _, _) in settable {
        let _ = writeln!(out, "        self.{name} = {}", word(name));
    }
    out.push_str("    }\n");
}

/// Argument labels may be keywords, but for three.
fn label(name: &str) -> String {
    if ["inout", "var", "let"].contains(&name) { word(name) } else { word(name).replace('`', "") }
}

/// What is absent has its default.
fn reader(out: &mut String, fields: &[&Field]) {
    out.push_str("\n    /// Reads one; what is absent has its default.\n");
    out.push_str("    public init(from decoder: any Decoder) throws {\n");
    out.push_str("        let members = try decoder.container(keyedBy: CodingKeys.self)\n");
    for field in fields {
        if matches!(field.expr, Expr::Const(_)) {
            continue;
        }
        let (name, kind) = (&field.name, swift(&field.expr));
        let _ = match (&field.default, field.required) {
            (Some(_), _) => writeln!(
                out,
                "        {name} = try members.decodeIfPresent({kind}.self, forKey: .{name}) ?? []"
            ),
            (None, true) => {
                writeln!(out, "        {name} = try members.decode({kind}.self, forKey: .{name})")
            }
            (None, false) => {
                writeln!(out, "        {name} = try members.decodeIfPresent({kind}.self, forKey: .{name})")
            }
        };
    }
    out.push_str("    }\n");
}

fn open_enum(out: &mut String, api: &Api, name: &str, values: &[EnumValue]) {
    let _ = writeln!(out, "public struct {name}: RawRepresentable, Hashable, Codable, Sendable {{");
    for value in values {
        out.push_str(&comment(api, &value.doc, value.notes.deprecated, "    "));
        let case = text::case(&value.value);
        let _ = writeln!(out, "    public static let {case} = {name}(rawValue: {})", quoted(&value.value));
    }
    out.push_str("    /// The word; others than these are kept.\n    public let rawValue: String\n");
    out.push_str("\n    /// Any word.\n    public init(rawValue: String) { self.rawValue = rawValue }\n}\n");
}

fn closed_enum(out: &mut String, api: &Api, name: &str, values: &[EnumValue]) {
    let _ = writeln!(out, "public enum {name}: String, Hashable, Codable, Sendable, CaseIterable {{");
    for value in values {
        out.push_str(&comment(api, &value.doc, value.notes.deprecated, "    "));
        let _ = writeln!(out, "    case {} = {}", text::case(&value.value), quoted(&value.value));
    }
    out.push_str("}\n");
}

fn refs(of: &[Expr]) -> Vec<&str> {
    of.iter().filter_map(|expr| if let Expr::Ref(name) = expr { Some(name.as_str()) } else { None }).collect()
}

fn consts(api: &Api, name: &str) -> Option<(String, String)> {
    let Shape::Object { fields } = &api.find(name)?.shape else { return None };
    fields.iter().find_map(|field| match &field.expr {
        Expr::Const(value) => Some((field.name.clone(), value.clone())),
        _ => None,
    })
}

/// What a constant member tells apart; the one without takes the rest.
fn union(out: &mut String, api: &Api, name: &str, of: &[Expr]) {
    let _ = writeln!(out, "public enum {name}: Hashable, Codable, Sendable {{");
    let mut members = refs(of);
    members.sort_by_key(|member| consts(api, member).is_none());
    let case = |member: &str| find(CASES, member).unwrap_or("other").to_owned();
    for member in &members {
        let doc = api.find(member).map_or("", |found| found.doc.as_str());
        out.push_str(&comment(api, doc, None, "    "));
        let _ = writeln!(out, "    case {}({member})", case(member));
    }
    out.push_str("\n    /// Reads whichever it is.\n    public init(from decoder: any Decoder) throws {\n");
    let mut rest = String::from(
        "        throw DecodingError.dataCorrupted(\n            .init(codingPath: decoder.codingPath, debugDescription: \"none of its kinds\"))\n",
    );
    for member in &members {
        let read = format!("self = .{}(try {member}(from: decoder))", case(member));
        if let Some((key, value)) = consts(api, member) {
            let _ = writeln!(out, "        if decoder.tells({}, {}) {{", quoted(&key), quoted(&value));
            let _ = writeln!(out, "            {read}\n            return\n        }}");
        } else {
            rest = format!("        {read}\n");
        }
    }
    out.push_str(&rest);
    out.push_str("    }\n\n    /// Writes the one it is.\n    public func encode(to encoder: any Encoder) throws {\n        switch self {\n");
    for member in &members {
        let _ = writeln!(out, "        case .{}(let one): try one.encode(to: encoder)", case(member));
    }
    out.push_str("        }\n    }\n}\n");
}

/// Kinds told by a constant member, each with its members beside the case's name; what is
/// none of them is kept.
fn blocks(out: &mut String, api: &Api, name: &str, of: &[Expr]) {
    let _ = writeln!(out, "public indirect enum {name}: Hashable, Codable, Sendable {{");
    let (mut read, mut write) = (String::new(), String::new());
    for member in refs(of) {
        let (Some(found), Some((key, value))) = (api.find(member), consts(api, member)) else { continue };
        let Shape::Object { fields } = &found.shape else { continue };
        let case = find(CASES, member).unwrap_or(member);
        let fields: Vec<&Field> = fields.iter().filter(|f| !matches!(f.expr, Expr::Const(_))).collect();
        let list =
            |row: &dyn Fn(&Field) -> String| fields.iter().map(|f| row(f)).collect::<Vec<_>>().join(", ");
        let declared = list(&|f| {
            let (kind, default) = typed(f);
            format!("{}: {kind}{default}", label(&f.name))
        });
        out.push_str(&comment(api, &found.doc, found.notes.deprecated, "    "));
        let _ = writeln!(out, "    case {case}({declared})");
        let _ = write!(
            read,
            "        if decoder.tells({}, {}) {{\n            let one = try {member}(from: decoder)\n            self = .{case}({})\n            return\n        }}\n",
            quoted(&key),
            quoted(&value),
            list(&|f| format!("{}: one.{}", label(&f.name), word(&f.name)))
        );
        let _ = write!(
            write,
            "        case .{case}({}):\n            try {member}({}).encode(to: encoder)\n",
            list(&|f| format!("let {}", word(&f.name))),
            list(&|f| format!("{}: {}", label(&f.name), word(&f.name)))
        );
    }
    out.push_str("    /// Of an extension or a later revision.\n    case other(Value)\n");
    let _ = write!(
        out,
        "\n    /// Reads whichever it is.\n    public init(from decoder: any Decoder) throws {{\n{read}        self = .other(try Value(from: decoder))\n    }}\n"
    );
    let _ = write!(
        out,
        "\n    /// Writes the one it is.\n    public func encode(to encoder: any Encoder) throws {{\n        switch self {{\n{write}        case .other(let value): try value.encode(to: encoder)\n        }}\n    }}\n}}\n"
    );
}

fn methods(api: &Api) -> Result<String, String> {
    let mut out = format!("// Every method and notification of every revision. {WRITTEN}\n");
    for row in &api.methods {
        out.push('\n');
        out.push_str(&method(api, row)?);
    }
    Ok(out)
}

fn method(api: &Api, row: &MethodRow) -> Result<String, String> {
    let name = names::message(row)?;
    let mut out = comment(api, &crate::words::message_doc(row), row.deprecated, "");
    let (kind, protocol) = if row.result.is_some() { ("enum", "Method") } else { ("struct", "Notification") };
    let _ = writeln!(out, "public {kind} {name}: {protocol} {{");
    let _ = writeln!(out, "    /// Its name on the wire.\n    public static let name = {}", quoted(row.name));
    let _ =
        writeln!(out, "    /// What it is given.\n    public typealias Parameters = {}", named(row.params));
    if let Some(result) = row.result {
        let _ = writeln!(out, "    /// What it answers.\n    public typealias Result = {}", named(result));
    } else {
        out.push_str("\n    /// Nothing by itself; see `message`.\n    public init() {}\n");
    }
    out.push_str("}\n");
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_and_type_is_there_once() -> Result<(), String> {
        let api = crate::api::read()?;
        let (types, methods) = (types(&api), methods(&api)?);
        for row in &api.methods {
            assert_eq!(methods.matches(&format!("name = \"{}\"\n", row.name)).count(), 1, "{}", row.name);
        }
        for found in api.types.iter().filter(|found| !BY_HAND.contains(&found.name.as_str())) {
            let name = named(&found.name);
            let made = types.matches(&format!(" {name}: ")).count()
                + types.matches(&format!("typealias {name} =")).count();
            assert!(made >= 1, "{name}");
        }
        Ok(())
    }

    #[test]
    fn what_is_on_its_way_out_says_so() -> Result<(), String> {
        let api = crate::api::read()?;
        let all = types(&api) + &methods(&api)?;
        for row in api
            .deprecations
            .iter()
            .filter(|row| !["dynamicClientRegistration", "httpSse"].contains(&row.feature))
        {
            assert!(all.contains(&format!("Deprecated: {}", row.feature)), "{}", row.feature);
        }
        Ok(())
    }
}
