//! The public declarations of a file of Kotlin or Swift.
//!
//! Owns: finding them, what kind each is, its name and what is in it. Must not know: how one is
//! written on the site, or which types belong together.

use super::super::item::Words;
use super::layout::flat;
use super::source::Source;
use super::{comments, kotlin, swift};
use crate::uniffi_source::Language;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Type,
    /// More of a type that is declared elsewhere.
    Extension,
    /// What is called.
    Function,
    /// What makes a type.
    Constructor,
    Value,
    /// One of an enum's.
    Case,
}

/// One declaration.
#[derive(Debug)]
pub(super) struct Declaration {
    pub(super) kind: Kind,
    /// With the type that it extends, if it does.
    pub(super) name: String,
    pub(super) line: usize,
    /// As a reader wants to see it, without a body.
    pub(super) code: String,
    pub(super) words: Words,
    /// What an extension adds to the bases of its type.
    pub(super) bases: Vec<String>,
    pub(super) members: Vec<Self>,
    /// In a companion object, which needs no name.
    pub(super) companion: bool,
}

impl Declaration {
    /// One with its code; what else there is to say comes later.
    pub(super) fn new(kind: Kind, name: &str, code: String) -> Self {
        let (words, bases, members) = (Words::default(), Vec::new(), Vec::new());
        Self { kind, name: name.to_owned(), line: 0, code, words, bases, members, companion: false }
    }
}

/// What stands before the word that declares something.
#[derive(Debug, Default)]
pub(super) struct Modifiers<'a> {
    /// In their order, but those that only say that all may use it.
    pub(super) words: Vec<&'a str>,
    pub(super) public: bool,
    pub(super) hidden: bool,
    /// Others may not set it.
    pub(super) read_only: bool,
    /// Why it should not be used.
    pub(super) deprecated: Option<String>,
}

impl Modifiers<'_> {
    /// The code behind them, in one line with them.
    pub(super) fn before(&self, code: &str) -> String {
        flat(&[&self.words.join(" "), code].join(" "))
    }
}

/// Where a declaration stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    /// A file, or a type whose members say that they are public.
    Anything,
    /// A protocol or an interface, whose members are as public as it is.
    Interface,
    /// An enum of Swift: its cases say nothing.
    Cases,
}

const MODIFIERS: &str = "open abstract sealed final data inline const suspend operator infix indirect \
    nonisolated lateinit value override static mutating convenience required companion annotation weak";
const HIDDEN: &str = "internal private fileprivate protected";

/// All public declarations of a file.
pub(super) fn of(text: &str, language: Language) -> Vec<Declaration> {
    let source = Source::of(text, language);
    scan(&source, 0, source.len(), Inside::Anything)
}

/// The declarations between two places, none of which is in brackets there.
pub(super) fn scan(source: &Source<'_>, from: usize, to: usize, inside: Inside) -> Vec<Declaration> {
    let mut found = Vec::new();
    let mut at = from;
    while at < to {
        let (modifiers, word) = modifiers(source, at);
        if word < to
            && let Some(kind) = kind(source, word, inside)
            && (modifiers.public || is_open(inside, kind, modifiers.hidden))
        {
            let read = match source.language {
                Language::Kotlin => kotlin::read(source, &modifiers, word, to, kind),
                Language::Swift => swift::read(source, &modifiers, word, to, kind),
            };
            if let Some((mut declaration, next)) = read {
                let words = comments::read(source.before(at), source.language);
                let deprecated = words.deprecated.clone().or(modifiers.deprecated);
                declaration.words = Words { deprecated, ..words };
                declaration.line = source.line(word);
                found.push(declaration);
                at = next.max(word + 1);
                continue;
            }
        }
        at = match source.at(at) {
            "(" | "[" | "{" => source.closing(at) + 1,
            _ => at + 1,
        };
    }
    found
}

/// Where the head of a function ends that is at a place: at its body, or with its line.
pub(super) fn end_of_head(source: &Source<'_>, from: usize, to: usize) -> usize {
    let is_body = |sign| matches!(sign, "{" | "}") || (sign == "=" && source.language == Language::Kotlin);
    let mut at = from;
    while at < to && !is_body(source.at(at)) && !ends_before(source, at) {
        at = if matches!(source.at(at), "(" | "[") { source.closing(at) + 1 } else { at + 1 };
    }
    at
}

/// Whether it may be used though it does not say so.
fn is_open(inside: Inside, kind: Kind, hidden: bool) -> bool {
    kind == Kind::Extension || kind == Kind::Case || (inside == Inside::Interface && !hidden)
}

/// Whether a word means nothing here: a member, a label, a name in back quotes.
fn is_name(source: &Source<'_>, word: usize) -> bool {
    let Some(last) = word.checked_sub(1) else { return false };
    let quoted = source.at(last) == "`" && source.before(word).is_empty();
    quoted || matches!(source.at(last), "." | ":" | "$")
}

/// What the word at a place declares.
fn kind(source: &Source<'_>, word: usize, inside: Inside) -> Option<Kind> {
    if is_name(source, word) {
        return None;
    }
    let kotlin = source.language == Language::Kotlin;
    Some(match source.at(word) {
        "typealias" | "var" => Kind::Value,
        "associatedtype" | "let" if !kotlin => Kind::Value,
        "extension" if !kotlin => Kind::Extension,
        "case" if !kotlin && inside == Inside::Cases => Kind::Case,
        "init" | "subscript" if !kotlin => Kind::Constructor,
        "constructor" if kotlin => Kind::Constructor,
        "val" if kotlin => Kind::Value,
        "func" if !kotlin => Kind::Function,
        "fun" if kotlin => Kind::Function,
        name if source.language.types().contains(&name) => Kind::Type,
        _ => return None,
    })
}

/// The modifiers and annotations from a place on, and the place behind them.
fn modifiers<'a>(source: &Source<'a>, from: usize) -> (Modifiers<'a>, usize) {
    let mut found = Modifiers::default();
    let mut at = from;
    loop {
        let word = source.at(at);
        if is_name(source, at) {
            return (found, at);
        }
        if word == "@" && source.is_word(at + 1) {
            let open = at + 2;
            let has_values = source.at(open) == "(";
            let next = if has_values { source.closing(open) + 1 } else { open };
            if has_values && source.at(at + 1) == "Deprecated" {
                found.deprecated = source.within(open).split('"').nth(1).map(str::to_owned);
            }
            at = next;
        } else if word == "public" {
            found.public = true;
            at += 1;
        } else if HIDDEN.split_whitespace().any(|known| known == word) {
            if source.at(at + 1) == "(" {
                found.read_only = true;
                at = source.closing(at + 1) + 1;
            } else {
                found.hidden = true;
                at += 1;
            }
        } else if MODIFIERS.split_whitespace().any(|known| known == word)
            || matches!((word, source.at(at + 1)), ("fun", "interface") | ("enum", "class"))
        {
            found.words.push(word);
            at += 1;
        } else {
            return (found, at);
        }
    }
}

/// The name at a place, with what stands before it and points, and the place behind it.
pub(super) fn name(source: &Source<'_>, from: usize) -> Option<(String, usize)> {
    let mut at = source.after_generics(from);
    let mut parts: Vec<&str> = Vec::new();
    loop {
        let quoted = source.at(at) == "`";
        at += usize::from(quoted);
        if !source.is_word(at) {
            return None;
        }
        parts.push(source.at(at));
        at = source.after_generics(at + 1 + usize::from(quoted));
        if source.at(at) != "." {
            return Some((parts.join("."), at));
        }
        at += 1;
    }
}

/// Whether a declaration ends before this place, because it stands on the next line.
pub(super) fn ends_before(source: &Source<'_>, at: usize) -> bool {
    let last = source.at(at - 1);
    let arrow = last == ">" && at > 1 && source.at(at - 2) == "-";
    let open = arrow || matches!(last, ":" | "," | "=" | "&" | "." | "@");
    let goes_on = matches!(source.at(at), ":" | "-" | "." | "&" | "," | "where" | "throws" | "async" | "?");
    source.line(at) > source.line(at - 1) && !open && !goes_on
}
