//! What the lint needs to know of a Rust file, read from its tokens: functions and
//! their length, paths, public types, and which of it is test code.
//!
//! Tokens, not a syntax tree: macro bodies count too, and comments and strings
//! cannot be mistaken for code.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use std::str::FromStr;

/// A function and the lines from `fn` to its closing brace.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) lines: usize,
    pub(crate) in_test: bool,
}

/// A path as written, unfolded: `use crate::{a::B, c}` gives two.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PathUse {
    pub(crate) segments: Vec<String>,
    pub(crate) line: usize,
    pub(crate) in_test: bool,
    /// Inline modules around it, outermost first.
    pub(crate) inside: Vec<String>,
    /// It names a macro.
    pub(crate) is_macro: bool,
    /// It stands in a `use`.
    pub(crate) import: Option<Import>,
}

/// What a `use` does with a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Import {
    /// What the file calls it from then on; `*` for all names.
    pub(crate) name: String,
    /// `pub use`, or `pub(…) use`.
    pub(crate) exported: bool,
}

/// A `mod name;`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Submodule {
    pub(crate) name: String,
    /// The file a `#[path]` names.
    pub(crate) path: Option<String>,
}

/// A `pub` struct, enum, trait or union outside test code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct PublicType {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) has_example: bool,
}

/// One token outside groups, with what surrounds it.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "five independent facts")]
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
    pub(crate) in_test: bool,
    /// Inside a test that runs on a paused clock.
    pub(crate) paused: bool,
    /// A call's parentheses, or another group, starts right after it.
    pub(crate) before_group: bool,
    /// The next token belongs to the same operator.
    pub(crate) joint: bool,
    /// Part of a `use`.
    pub(crate) in_use: bool,
}

/// Everything found in one file.
#[derive(Debug, Default)]
pub(crate) struct RustSource {
    pub(crate) functions: Vec<Function>,
    /// Those that begin with `crate`, `self`, `super` or the name of one of our crates.
    pub(crate) paths: Vec<PathUse>,
    /// Those of a `use` that begin with another name.
    pub(crate) other_imports: Vec<PathUse>,
    pub(crate) submodules: Vec<Submodule>,
    pub(crate) public_types: Vec<PublicType>,
    pub(crate) tokens: Vec<Token>,
}

#[derive(Clone, Default)]
struct Around {
    in_test: bool,
    paused: bool,
    inside: Vec<String>,
    /// In a `use`, and whether that exports.
    in_use: Option<bool>,
}

/// The attributes before the item being read.
#[derive(Default)]
struct Pending {
    test: bool,
    paused: bool,
    example: bool,
    path: Option<String>,
}

impl RustSource {
    /// Reads a file; `all_test` if the whole file is test code.
    pub(crate) fn parse(text: &str, all_test: bool) -> Result<Self, String> {
        let stream = TokenStream::from_str(text).map_err(|e| e.to_string())?;
        let mut source = Self::default();
        source.walk(&tokens(stream), &Around { in_test: all_test, ..Around::default() });
        Ok(source)
    }

    fn walk(&mut self, list: &[TokenTree], around: &Around) {
        let mut pending = Pending::default();
        let mut in_use = around.in_use;
        let mut at = 0;
        while let Some(token) = list.get(at) {
            let mut here = around.clone();
            here.in_use = in_use;
            here.in_test |= pending.test;
            here.paused |= pending.paused;
            match token {
                TokenTree::Punct(p) if p.as_char() == '#' => {
                    at = attribute(list, at, &mut pending);
                    continue;
                }
                TokenTree::Punct(p) => {
                    if p.as_char() == ';' {
                        pending = Pending::default();
                        in_use = None;
                    }
                    self.token(list, at, &here);
                }
                TokenTree::Ident(ident) => {
                    let word = ident.to_string();
                    if word == "use" && is_use(list, at) {
                        in_use = Some(is_exported(list, at));
                        here.in_use = in_use;
                        self.other_import(list, at + 1, &here);
                    }
                    self.item(&word, list, at, &pending, &here);
                    if let Some(next) = self.path(&word, list, at, &here) {
                        at = next;
                        continue;
                    }
                    if word == "mod"
                        && let Some(TokenTree::Ident(name)) = list.get(at + 1)
                        && let Some(TokenTree::Group(body)) = list.get(at + 2)
                    {
                        here.inside.push(name.to_string());
                        self.walk(&tokens(body.stream()), &here);
                        pending = Pending::default();
                        at += 3;
                        continue;
                    }
                    self.token(list, at, &here);
                }
                TokenTree::Group(group) => {
                    self.walk(&tokens(group.stream()), &here);
                    if group.delimiter() == Delimiter::Brace {
                        pending = Pending::default();
                    }
                }
                TokenTree::Literal(_) => {}
            }
            at += 1;
        }
    }

    fn token(&mut self, list: &[TokenTree], at: usize, here: &Around) {
        let token = &list[at];
        self.tokens.push(Token {
            text: token.to_string(),
            line: token.span().start().line,
            in_test: here.in_test,
            paused: here.paused,
            before_group: matches!(list.get(at + 1), Some(TokenTree::Group(_))),
            joint: matches!(token, TokenTree::Punct(p) if p.spacing() == Spacing::Joint),
            in_use: here.in_use.is_some(),
        });
    }

    fn item(&mut self, word: &str, list: &[TokenTree], at: usize, pending: &Pending, here: &Around) {
        let Some(TokenTree::Ident(name)) = list.get(at + 1) else { return };
        let line = list[at].span().start().line;
        match word {
            "fn" => {
                if let Some(body) = body(&list[at + 2..]) {
                    let lines = body.span_close().end().line + 1 - line;
                    let in_test = here.in_test;
                    self.functions.push(Function { name: name.to_string(), line, lines, in_test });
                }
            }
            "struct" | "enum" | "trait" | "union" if is_public(list, at) && !here.in_test => {
                let has_example = pending.example;
                self.public_types.push(PublicType { name: name.to_string(), line, has_example });
            }
            "mod" if matches!(list.get(at + 2), Some(TokenTree::Punct(p)) if p.as_char() == ';') => {
                self.submodules.push(Submodule { name: name.to_string(), path: pending.path.clone() });
            }
            _ => {}
        }
    }

    /// If a rooted path starts at `at`, records it and says where it ends.
    fn path(&mut self, word: &str, list: &[TokenTree], at: usize, here: &Around) -> Option<usize> {
        if !is_root(word) || !is_colons(list, at + 1) {
            return None;
        }
        let found = self.paths.len();
        let end = unfold(list, at, &mut Vec::new(), &mut |leaf| self.paths.push(leaf.used(here)));
        for path in &self.paths[found..] {
            for (index, segment) in path.segments.iter().enumerate() {
                self.tokens.push(Token {
                    text: segment.clone(),
                    line: path.line,
                    in_test: here.in_test,
                    paused: here.paused,
                    before_group: index + 1 == path.segments.len()
                        && matches!(list.get(end), Some(TokenTree::Group(_))),
                    joint: false,
                    in_use: here.in_use.is_some(),
                });
            }
        }
        Some(end)
    }

    /// Records a `use` whose path begins at `at` with a name that [`RustSource::path`] does not record.
    fn other_import(&mut self, list: &[TokenTree], at: usize, here: &Around) {
        if matches!(list.get(at), Some(TokenTree::Ident(first)) if !is_root(&first.to_string())) {
            unfold(list, at, &mut Vec::new(), &mut |leaf| self.other_imports.push(leaf.used(here)));
        }
    }
}

/// The end of one way through a path and its groups.
struct Leaf<'a> {
    segments: &'a [String],
    line: usize,
    is_macro: bool,
    alias: Option<String>,
}

impl Leaf<'_> {
    fn used(self, here: &Around) -> PathUse {
        let own = || match self.segments {
            [.., module, last] if last == "self" => module.clone(),
            segments => segments.last().cloned().unwrap_or_default(),
        };
        PathUse {
            segments: self.segments.to_vec(),
            line: self.line,
            in_test: here.in_test,
            inside: here.inside.clone(),
            is_macro: self.is_macro,
            import: here
                .in_use
                .map(|exported| Import { name: self.alias.clone().unwrap_or_else(own), exported }),
        }
    }
}

/// Names a rooted path begins with.
fn is_root(word: &str) -> bool {
    matches!(word, "crate" | "self" | "super" | "mcpbolt" | "mcpbolt_proto")
}

/// An import, not the `use<'a>` of a type.
fn is_use(list: &[TokenTree], at: usize) -> bool {
    !matches!(list.get(at + 1), Some(TokenTree::Punct(p)) if p.as_char() == '<')
}

/// `pub`, or `pub(crate)` and its like, right before the item.
fn is_exported(list: &[TokenTree], at: usize) -> bool {
    let is_pub = |back: usize| {
        let token = at.checked_sub(back).and_then(|i| list.get(i));
        matches!(token, Some(TokenTree::Ident(word)) if word == "pub")
    };
    let after_group = matches!(at.checked_sub(1).and_then(|i| list.get(i)), Some(TokenTree::Group(_)));
    is_pub(1) || (after_group && is_pub(2))
}

fn tokens(stream: TokenStream) -> Vec<TokenTree> {
    stream.into_iter().collect()
}

/// Reads the attribute at `at`; inner attributes describe nothing that follows.
fn attribute(list: &[TokenTree], at: usize, pending: &mut Pending) -> usize {
    let inner = matches!(list.get(at + 1), Some(TokenTree::Punct(p)) if p.as_char() == '!');
    let group_at = at + 1 + usize::from(inner);
    let Some(TokenTree::Group(group)) = list.get(group_at) else { return at + 1 };
    let text = group.stream().to_string();
    if !inner {
        let head = text.split(['(', '=', ' ']).next().unwrap_or_default();
        pending.test |= text.starts_with("cfg") && text.contains("test") && !text.contains("not (test")
            || head.ends_with("test")
            || text.contains(":: test");
        pending.paused |= text.contains("start_paused");
        pending.example |= head == "doc" && text.contains("```");
        if head == "path" {
            pending.path = text.split('"').nth(1).map(str::to_owned);
        }
    }
    group_at + 1
}

fn is_colons(list: &[TokenTree], at: usize) -> bool {
    let colon = |i: usize| matches!(list.get(i), Some(TokenTree::Punct(p)) if p.as_char() == ':');
    colon(at) && colon(at + 1)
}

/// `pub` right before the item, or before `unsafe`; `pub(crate)` is not public.
fn is_public(list: &[TokenTree], at: usize) -> bool {
    let word = |back: usize| match at.checked_sub(back).and_then(|i| list.get(i)) {
        Some(TokenTree::Ident(ident)) => ident.to_string(),
        _ => String::new(),
    };
    word(1) == "pub" || (word(1) == "unsafe" && word(2) == "pub")
}

/// The braces of a function, if it has a body.
fn body(list: &[TokenTree]) -> Option<&Group> {
    for token in list {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => return Some(group),
            TokenTree::Punct(p) if p.as_char() == ';' => return None,
            _ => {}
        }
    }
    None
}

type Found<'a> = &'a mut dyn FnMut(Leaf<'_>);

/// Follows a path from the name at `at`, through `::{…}` groups; where it ends.
fn unfold(list: &[TokenTree], at: usize, prefix: &mut Vec<String>, found: Found<'_>) -> usize {
    let depth = prefix.len();
    let line = list[at].span().start().line;
    let mut next = at;
    loop {
        match list.get(next) {
            Some(TokenTree::Ident(ident)) => prefix.push(ident.to_string()),
            Some(TokenTree::Punct(p)) if p.as_char() == '*' => prefix.push("*".to_owned()),
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => {
                let inner = tokens(group.stream());
                for part in inner.split(|t| matches!(t, TokenTree::Punct(p) if p.as_char() == ',')) {
                    if !part.is_empty() {
                        unfold(part, 0, prefix, found);
                    }
                }
                prefix.truncate(depth);
                return next + 1;
            }
            _ => break,
        }
        next += 1;
        if !is_colons(list, next) {
            break;
        }
        next += 2;
    }
    let is_macro = matches!(list.get(next), Some(TokenTree::Punct(p)) if p.as_char() == '!');
    let alias = match (list.get(next), list.get(next + 1)) {
        (Some(TokenTree::Ident(word)), Some(TokenTree::Ident(alias))) if word == "as" => {
            Some(alias.to_string())
        }
        _ => None,
    };
    found(Leaf { segments: prefix, line, is_macro, alias });
    prefix.truncate(depth);
    next
}

#[cfg(test)]
#[path = "rust_source_tests.rs"]
mod tests;
