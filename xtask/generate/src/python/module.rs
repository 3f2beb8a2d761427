//! One module of models.
//!
//! Must not know: what is inside a class.

use super::face::{Class, Face, Item, ItemKind, Module};
use super::members;
use super::text::{assignment, deprecated, docstring, literals, with_notes};
use crate::api::{Api, MethodRow};
use crate::words::message_doc;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Longest line of code.
pub(super) const LINE: usize = 110;

/// Where names come from that no module of ours has.
const BORROWED: &[(&str, &str)] = &[
    ("Annotated", "typing"),
    ("Any", "typing"),
    ("ClassVar", "typing"),
    ("Literal", "typing"),
    ("TypeAlias", "typing"),
    ("Field", "pydantic"),
    ("FileUrl", "pydantic"),
    ("datetime", "datetime"),
    ("deprecated", "typing_extensions"),
    ("Model", "._model"),
    ("OpenModel", "._model"),
    ("RootUri", "._model"),
    ("StrictInt", "._model"),
    ("Uri", "._model"),
];

/// The module's text.
pub(super) fn write(api: &Api, face: &Face, module: &Module) -> Result<String, String> {
    let mut body = String::new();
    for item in &module.items {
        body.push_str(&match &item.kind {
            ItemKind::Alias(value) => alias(api, item, value)?,
            ItemKind::Class(class) => write_class(api, face, item, class)?,
            ItemKind::Message { method, params } => message(api, face, item, method, params.as_deref())?,
            ItemKind::Given => String::new(),
        });
    }
    let head = format!("\"\"\"{}\n\nWritten by `cargo xtask generate`; do not edit.\n\"\"\"\n\n", module.doc);
    Ok(format!("{head}{}{body}", imports(face, module, &body)))
}

fn alias(api: &Api, item: &Item, value: &str) -> Result<String, String> {
    let known = item.of.as_ref().and_then(|name| api.find(name));
    let doc = match (&item.doc, known) {
        (Some(doc), _) => doc.clone(),
        (None, Some(known)) => with_notes(api, &known.doc, deprecated(&known.notes)),
        (None, None) => return Err(format!("{} has no documentation", item.name)),
    };
    let value = literals(api, value)?;
    Ok(format!("\n{}{}", assignment(&item.name, ": TypeAlias", &value), docstring(&doc, "")))
}

fn write_class(api: &Api, face: &Face, item: &Item, class: &Class) -> Result<String, String> {
    let known = item.of.as_ref().and_then(|name| api.find(name));
    let doc = match (&item.doc, known) {
        (Some(doc), _) => doc.clone(),
        (None, Some(known)) => with_notes(api, &known.doc, deprecated(&known.notes)),
        (None, None) => return Err(format!("{} has no documentation", item.name)),
    };
    let mut out = String::from("\n\n");
    if let Some(decorator) = &class.decorator {
        let _ = writeln!(out, "@{decorator}");
    }
    let open = if class.open { ", extra=\"allow\"" } else { "" };
    let _ = writeln!(out, "class {}({}{open}):", item.name, class.bases.join(", "));
    out.push_str(&docstring(&doc, "    "));
    let body = members::write(api, face, item, class)?;
    if !body.is_empty() {
        out.push_str(if body.starts_with('\n') { "" } else { "\n" });
        out.push_str(&body);
    }
    Ok(out)
}

/// A request or notification: its method and what its params are.
fn message(
    api: &Api,
    face: &Face,
    item: &Item,
    method: &str,
    params: Option<&str>,
) -> Result<String, String> {
    let row = api.methods.iter().find(|row| row.name == method);
    let row = row.ok_or_else(|| format!("{}: no method {method}", item.name))?;
    let (kind, empty) =
        if row.is_request() { ("Request", "RequestParams") } else { ("Notification", "NotificationParams") };
    let (base, field) = match (params, row.params) {
        (None, "PaginatedParams") => (format!("PaginatedRequest[Literal[\"{method}\"]]"), None),
        (None, "EmptyParams") => {
            (format!("{kind}[{empty} | None, Literal[\"{method}\"]]"), Some(format!("{empty} | None = None")))
        }
        (given, surface) => {
            let name = params_class(face, row, given);
            let name = name.ok_or_else(|| format!("{}: no class for {surface}", item.name))?;
            (format!("{kind}[{name}, Literal[\"{method}\"]]"), Some(name.to_owned()))
        }
    };
    let mut out = format!("\n\nclass {}({base}):\n", item.name);
    out.push_str(&docstring(&with_notes(api, &message_doc(row), row.deprecated), "    "));
    let _ = write!(out, "\n    method: Literal[\"{method}\"] = \"{method}\"\n");
    out.push_str("    \"\"\"The method.\"\"\"\n");
    if let Some(field) = field {
        let _ = writeln!(out, "    params: {field}");
        out.push_str("    \"\"\"What it is about.\"\"\"\n");
    }
    Ok(out)
}

/// The class of a method's params, `given` where the face names one.
pub(super) fn params_class<'a>(face: &'a Face, row: &MethodRow, given: Option<&'a str>) -> Option<&'a str> {
    match (given, row.params) {
        (None, "PaginatedParams") => Some("PaginatedRequestParams"),
        (None, "EmptyParams") if row.is_request() => Some("RequestParams"),
        (None, "EmptyParams") => Some("NotificationParams"),
        (given, surface) => given.or_else(|| face.name_of(surface)),
    }
}

/// Import lines for the names that the code uses.
fn imports(face: &Face, module: &Module, body: &str) -> String {
    let homes: BTreeMap<&str, String> = face
        .items()
        .filter(|(home, _)| home.name != module.name)
        .map(|(home, item)| (item.name.as_str(), format!(".{}", home.name)))
        .collect();
    let mut lines: BTreeMap<(Group, String), BTreeSet<&str>> = BTreeMap::new();
    for name in words(body) {
        let borrowed = BORROWED.iter().find(|(known, _)| *known == name).map(|(_, home)| (*home).to_owned());
        if let Some(home) = borrowed.or_else(|| homes.get(name).cloned()) {
            lines.entry((group(&home), home)).or_default().insert(name);
        }
    }
    let mut out = String::new();
    let mut last = None;
    for ((group, home), names) in &lines {
        if last.is_some_and(|last| last != *group) {
            out.push('\n');
        }
        last = Some(*group);
        let names: Vec<_> = names.iter().copied().collect();
        let line = format!("from {home} import {}\n", names.join(", "));
        if line.len() <= LINE {
            out.push_str(&line);
        } else {
            let _ = write!(out, "from {home} import (\n    {},\n)\n", names.join(",\n    "));
        }
    }
    out
}

/// Import lines stand in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Standard,
    Library,
    Own,
}

fn group(home: &str) -> Group {
    match home {
        "typing" | "datetime" => Group::Standard,
        own if own.starts_with('.') => Group::Own,
        _ => Group::Library,
    }
}

/// Words of the code, without docstrings and quoted text.
fn words(body: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for (index, code) in body.split("\"\"\"").enumerate() {
        if index % 2 == 0 {
            for (index, part) in code.split('"').enumerate() {
                if index % 2 == 0 {
                    found.extend(
                        part.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| !w.is_empty()),
                    );
                }
            }
        }
    }
    found
}
