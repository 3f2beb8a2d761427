//! `types.ts`: one type for each name of the face.
//!
//! They are aliases of object types, not interfaces: only those fit where a program
//! asks for an object with any members.

use super::WRITTEN;
use super::face::{Face, Item, Kind, Member, Object};
use super::text::{broken, comment};
use std::fmt::Write as _;

/// The file's text.
pub(super) fn write(face: &Face) -> String {
    let mut out =
        format!("/**\n * The types of the protocol, as the official packages shape them. {WRITTEN}\n */\n");
    let mut chapter = "";
    for item in &face.items {
        if item.chapter != chapter {
            chapter = &item.chapter;
            let _ = write!(out, "\n// {chapter}\n");
        }
        out.push_str(&one(item));
    }
    out
}

fn one(item: &Item) -> String {
    let head = format!("\n{}export type {} =", comment(&item.doc, ""), item.name);
    match &item.kind {
        Kind::Object(object) => format!("{head} {};\n", members(object)),
        Kind::Alias(_, Some(expr)) => {
            let line = format!("export type {} =", item.name);
            format!("\n{}{}", comment(&item.doc, ""), broken(&line, &expr.typescript()))
        }
        Kind::Message { method, params: Some(params), optional } => {
            let mark = if *optional { "?" } else { "" };
            format!(
                "{head} {{\n  /** The method. */\n  method: '{method}';\n  /** What it is about. */\n  params{mark}: {params};\n}};\n"
            )
        }
        Kind::Message { .. } | Kind::Alias(_, None) | Kind::Again(_) => String::new(),
    }
}

fn members(object: &Object) -> String {
    let mut out = String::from("{\n");
    if object.open {
        out.push_str("  /** Members of extensions and of later revisions. */\n  [key: string]: unknown;\n");
    }
    for member in &object.members {
        out.push_str(&line(member));
    }
    out.push('}');
    out
}

fn line(member: &Member) -> String {
    let plain = member.name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
    let name = if plain { member.name.clone() } else { format!("'{}'", member.name) };
    let mark = if member.optional { "?" } else { "" };
    format!("{}  {name}{mark}: {};\n", comment(&member.doc, "  "), member.expr.typescript())
}
