//! Declarations of Swift: what of one is shown.
//!
//! Owns: heads of types and extensions, cases, accessors. Must not know: how a declaration is found.

use super::declarations::{Declaration, Inside, Kind, Modifiers, end_of_head, ends_before, name, scan};
use super::layout::flat;
use super::source::Source;

/// The longest value that is shown of what has no other type.
const VALUE: usize = 80;

/// The declaration whose word is at a place, and where the next may begin.
pub(super) fn read(
    source: &Source<'_>,
    modifiers: &Modifiers<'_>,
    word: usize,
    to: usize,
    kind: Kind,
) -> Option<(Declaration, usize)> {
    match kind {
        Kind::Type | Kind::Extension => Some(type_(source, modifiers, word, to, kind)?),
        Kind::Constructor => {
            // A failable one has a sign after its word.
            let end = end_of_head(source, word + 1, to);
            Some((Declaration::new(kind, source.at(word), modifiers.before(source.between(word, end))), end))
        }
        Kind::Function => {
            let (name, after) = name(source, word + 1)?;
            let end = end_of_head(source, after, to);
            Some((Declaration::new(kind, &name, modifiers.before(source.between(word, end))), end))
        }
        Kind::Case => {
            let (name, end) = case(source, word, to)?;
            let code = source.between(word, end);
            // A string is no token.
            let code = if code.ends_with('=') { source.to_end_of_line(word, end) } else { code };
            Some((Declaration::new(kind, &name, flat(code)), end))
        }
        Kind::Value => value(source, modifiers, word, to),
    }
}

fn type_(
    source: &Source<'_>,
    modifiers: &Modifiers<'_>,
    word: usize,
    to: usize,
    kind: Kind,
) -> Option<(Declaration, usize)> {
    let (name, after) = name(source, word + 1)?;
    let open = (after..to).find(|at| source.at(*at) == "{")?;
    let close = source.closing(open);
    let inside = match source.at(word) {
        "protocol" => Inside::Interface,
        "enum" => Inside::Cases,
        _ => Inside::Anything,
    };
    let members = scan(source, open + 1, close, inside);
    let bases = if kind == Kind::Extension { bases(source, after, open) } else { Vec::new() };
    let code = modifiers.before(source.between(word, open));
    Some((Declaration { bases, members, ..Declaration::new(kind, &name, code) }, close + 1))
}

/// What an extension adds to the bases of its type.
fn bases(source: &Source<'_>, from: usize, open: usize) -> Vec<String> {
    let end = (from..open).find(|at| source.at(*at) == "where").unwrap_or(open);
    if source.at(from) != ":" {
        return Vec::new();
    }
    flat(source.between(from + 1, end)).split(',').map(|base| base.trim().to_owned()).collect()
}

/// The names of the cases on a line, and where they end.
fn case(source: &Source<'_>, word: usize, to: usize) -> Option<(String, usize)> {
    let (mut names, mut at) = name(source, word + 1)?;
    while at < to && source.at(at) != "}" && !ends_before(source, at) {
        // What a case is on the wire is a string, which is no token.
        if source.at(at - 1) == "=" && source.line(at) > source.line(at - 1) {
            break;
        }
        if source.at(at) == "," {
            let (more, next) = name(source, at + 1)?;
            names = format!("{names}, {more}");
            at = next;
        } else {
            at = if source.at(at) == "(" { source.closing(at) + 1 } else { at + 1 };
        }
    }
    Some((names, at))
}

fn value(
    source: &Source<'_>,
    modifiers: &Modifiers<'_>,
    word: usize,
    to: usize,
) -> Option<(Declaration, usize)> {
    let (mut names, mut at) = name(source, word + 1)?;
    while source.at(at) == "," {
        let (more, next) = name(source, at + 1)?;
        names = format!("{names}, {more}");
        at = next;
    }
    let alias = matches!(source.at(word), "typealias" | "associatedtype");
    let typed = source.at(at) == ":";
    let start = at;
    while at < to && !matches!(source.at(at), "{" | "}") && (at == start || !ends_before(source, at)) {
        if source.at(at) == "=" && !alias {
            break;
        }
        at = if matches!(source.at(at), "(" | "[") { source.closing(at) + 1 } else { at + 1 };
    }
    let mut code = modifiers.before(source.between(word, at));
    if !typed && source.at(at) == "=" {
        let whole = modifiers.before(source.to_end_of_line(word, at + 1));
        // A value over several lines is left out, but not what it is made of.
        let balanced = whole.matches(['(', '{', '[']).count() == whole.matches([')', '}', ']']).count();
        code = if balanced && whole.len() <= VALUE { whole } else { code };
    } else if source.at(word) == "var" {
        code.push_str(&accessors(source, modifiers, at));
    }
    let next = if source.at(at) == "{" && at < to { source.closing(at) + 1 } else { at };
    Some((Declaration::new(Kind::Value, &names, code), next))
}

/// What can be done with a variable, if it is not both reading and writing.
fn accessors(source: &Source<'_>, modifiers: &Modifiers<'_>, at: usize) -> String {
    let computed = source.at(at) == "{";
    let inner = at + 1..source.closing(at);
    let sets = computed && inner.clone().any(|at| matches!(source.at(at), "set" | "didSet" | "willSet"));
    if sets || !(computed || modifiers.read_only) {
        return String::new();
    }
    let effects: Vec<&str> =
        inner.take_while(|at| computed && source.at(*at) != "{").map(|at| source.at(at)).collect();
    let said = effects.iter().all(|word| matches!(*word, "get" | "async" | "throws"));
    if computed && said && effects.first() == Some(&"get") {
        return format!(" {{ {} }}", effects.join(" "));
    }
    " { get }".to_owned()
}
