//! Declarations of Kotlin: what of one is shown.
//!
//! Owns: constructors in the head of a class, getters, companion objects, entries of enums. Must not
//! know: how a declaration is found.

use super::comments;
use super::declarations::{Declaration, Inside, Kind, Modifiers, end_of_head, ends_before, name, scan};
use super::layout::flat;
use super::source::Source;
use crate::uniffi_source::Language;

/// The declaration whose word is at a place, and where the next may begin.
pub(super) fn read(
    source: &Source<'_>,
    modifiers: &Modifiers<'_>,
    word: usize,
    to: usize,
    kind: Kind,
) -> Option<(Declaration, usize)> {
    match kind {
        Kind::Type => class(source, modifiers, word, to),
        Kind::Constructor => {
            let close = source.closing(word + 1);
            let code = flat(source.between(word, close + 1));
            Some((Declaration::new(kind, "constructor", code), close + 1))
        }
        Kind::Function => {
            let (name, open) = name(source, word + 1)?;
            let end = end_of_head(source, source.closing(open) + 1, to);
            Some((Declaration::new(kind, &name, modifiers.before(source.between(word, end))), end))
        }
        _ => value(source, modifiers, word, to),
    }
}

/// A property, or another name of a type.
fn value(
    source: &Source<'_>,
    modifiers: &Modifiers<'_>,
    word: usize,
    to: usize,
) -> Option<(Declaration, usize)> {
    let (name, after) = name(source, word + 1)?;
    let alias = source.at(word) == "typealias";
    let mut at = after;
    while at < to && !matches!(source.at(at), "{" | "}") && (at == after || !ends_before(source, at)) {
        let accessor = matches!(source.at(at), "get" | "set") && source.at(at + 1) == "(";
        if !alias && (source.at(at) == "=" || source.at(at) == "by" || accessor) {
            break;
        }
        at = if source.at(at) == "(" { source.closing(at) + 1 } else { at + 1 };
    }
    let constant = modifiers.words.contains(&"const");
    let code = if constant { source.to_end_of_line(word, at) } else { source.between(word, at) };
    let read_only = modifiers.read_only || source.line_below(at - 1) == "private set";
    let code = modifiers.before(code);
    let code = if read_only { code.replacen("var ", "val ", 1) } else { code };
    Some((Declaration::new(Kind::Value, &name, code), at))
}

fn class(
    source: &Source<'_>,
    modifiers: &Modifiers<'_>,
    word: usize,
    to: usize,
) -> Option<(Declaration, usize)> {
    let companion = modifiers.words.contains(&"companion");
    let (name, mut at) = match name(source, word + 1) {
        Some(found) => found,
        None if companion => (String::new(), word + 1),
        None => return None,
    };
    let head = source.between(word, at).to_owned();
    let hidden = matches!(source.at(at), "internal" | "private" | "protected");
    at += usize::from(hidden);
    at += usize::from(source.at(at) == "constructor");
    let mut members = Vec::new();
    let mut parameters = String::new();
    if source.at(at) == "(" {
        let parts = source.parts(at);
        if hidden || modifiers.words.contains(&"enum") {
            members.extend(parts.iter().filter_map(|(from, to)| property(source, *from, *to)));
        } else {
            let shown: Vec<String> = parts.iter().map(|(from, to)| parameter(source, *from, *to)).collect();
            parameters = format!("({})", shown.join(", "));
        }
        at = source.closing(at) + 1;
    }
    let (bases, mut next) = bases(source, at, to);
    let bases = if bases.is_empty() { String::new() } else { format!(" : {}", bases.join(", ")) };
    if source.at(next) == "{" && next < to {
        let close = source.closing(next);
        let interface = source.at(word) == "interface";
        let mut from = next + 1;
        if modifiers.words.contains(&"enum") {
            let (entries, end) = entries(source, from, close);
            members.extend(entries);
            from = end;
        }
        let inside = if interface { Inside::Interface } else { Inside::Anything };
        members.extend(scan(source, from, close, inside));
        next = close + 1;
    }
    let code = modifiers.before(&format!("{head}{parameters}{bases}"));
    Some((Declaration { members, companion, ..Declaration::new(Kind::Type, &name, code) }, next))
}

/// A parameter of a constructor: what the class keeps for itself is a plain one.
fn parameter(source: &Source<'_>, from: usize, to: usize) -> String {
    let at = after_annotations(source, from);
    let text = source.part(at, to);
    let plain = [
        "private val ",
        "private var ",
        "internal val ",
        "internal var ",
        "protected val ",
        "protected var ",
    ];
    let text = plain.iter().find_map(|start| text.strip_prefix(start)).unwrap_or(text);
    flat(text.strip_prefix("public ").unwrap_or(text))
}

/// The property that a parameter of a hidden constructor makes.
fn property(source: &Source<'_>, from: usize, to: usize) -> Option<Declaration> {
    let at = after_annotations(source, from);
    let text = source.part(at, to).strip_prefix("public ")?;
    let text = flat(text.split(" = ").next().unwrap_or(text));
    let words = comments::read(source.before(from), Language::Kotlin);
    let name = text.trim_start_matches("override ").split([' ', ':']).nth(1)?.to_owned();
    Some(Declaration { line: source.line(at), words, ..Declaration::new(Kind::Value, &name, text) })
}

fn after_annotations(source: &Source<'_>, from: usize) -> usize {
    let mut at = from;
    while source.at(at) == "@" {
        at = if source.at(at + 2) == "(" { source.closing(at + 2) + 1 } else { at + 2 };
    }
    at
}

/// What a class extends, without what it is given, and the place behind it.
fn bases(source: &Source<'_>, from: usize, to: usize) -> (Vec<String>, usize) {
    let mut found = Vec::new();
    if source.at(from) != ":" {
        return (found, from);
    }
    let mut at = from + 1;
    loop {
        let start = at;
        while (source.is_word(at) && source.at(at) != "by") || matches!(source.at(at), "." | "<") {
            at = if source.at(at) == "<" { source.after_generics(at) } else { at + 1 };
            if ends_before(source, at) {
                break;
            }
        }
        found.push(flat(source.between(start, at)));
        if source.at(at) == "(" {
            at = source.closing(at) + 1;
        }
        while source.at(at) == "by" || (source.is_word(at) && !ends_before(source, at) && at < to) {
            at += 1;
        }
        if source.at(at) != "," {
            return (found, at);
        }
        at += 1;
    }
}

/// The entries of an enum, and the place behind them.
fn entries(source: &Source<'_>, from: usize, to: usize) -> (Vec<Declaration>, usize) {
    let mut found = Vec::new();
    let mut at = from;
    while at < to && source.is_word(at) {
        let words = comments::read(source.before(at), Language::Kotlin);
        let entry = Declaration::new(Kind::Case, source.at(at), source.at(at).to_owned());
        found.push(Declaration { words, line: source.line(at), ..entry });
        at += 1;
        while at < to && !matches!(source.at(at), "," | ";") {
            at = if matches!(source.at(at), "(" | "{") { source.closing(at) + 1 } else { at + 1 };
        }
        let last = source.at(at) == ";";
        at += 1;
        if last {
            break;
        }
    }
    (found, at.min(to))
}
