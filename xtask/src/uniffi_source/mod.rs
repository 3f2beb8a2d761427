//! The files of the Kotlin and Swift facades, and which of them uses what another declares.
//!
//! Owns: finding declarations and uses in text. All files of Kotlin are one package and all of
//! Swift one module, so there are no imports: an arrow from file to file is the use of a type,
//! a function or a value that the other declares at its top. What extends a type uses it. Must
//! not know: which arrows are wanted.

pub(crate) mod tokens;

use crate::tree::File;
use std::collections::{BTreeMap, BTreeSet};
use tokens::{Token, tokens};

/// A language of the bindings, with the folders of its sources.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    Kotlin,
    Swift,
}

/// Where the generated files stand among the others.
pub(crate) const GENERATED: &str = "generated/";
/// Where the package on Ktor stands among them.
pub(crate) const KTOR: &str = "ktor/";
/// What may stand before the word that declares something.
const MODIFIERS: &str = "public internal private fileprivate open abstract sealed final data enum inline const \
    suspend operator infix indirect nonisolated lateinit value fun";

impl Language {
    pub(crate) const ALL: [Self; 2] = [Self::Kotlin, Self::Swift];

    /// Where a file stands in the picture of the rooms, if it is one of the language.
    pub(crate) fn place(self, path: &str) -> Option<String> {
        let mut folders = self.folders().iter();
        folders.find_map(|(folder, room)| Some(format!("{room}{}", path.strip_prefix(folder)?)))
    }

    /// The folders of its files, and where these stand in the picture of the rooms.
    pub(crate) fn folders(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Kotlin => &[
                ("bindings-uniffi/kotlin/src/main/dev/mcpbolt/", ""),
                ("bindings-uniffi/kotlin/src/generated/dev/mcpbolt/", GENERATED),
                ("bindings-uniffi/kotlin/src/ktor/dev/mcpbolt/", KTOR),
            ],
            Self::Swift => &[("bindings-uniffi/swift/Sources/MCPBolt/", "")],
        }
    }

    pub(crate) fn types(self) -> &'static [&'static str] {
        match self {
            Self::Kotlin => &["class", "interface", "object", "typealias"],
            Self::Swift => &["class", "struct", "enum", "actor", "protocol", "typealias"],
        }
    }

    fn functions(self) -> &'static str {
        match self {
            Self::Kotlin => "fun",
            Self::Swift => "func",
        }
    }

    fn values(self) -> &'static [&'static str] {
        match self {
            Self::Kotlin => &["val", "var"],
            Self::Swift => &["let", "var"],
        }
    }
}

/// From file to file, with the lines that say so.
pub(crate) type Arrows = BTreeMap<usize, BTreeMap<usize, BTreeSet<usize>>>;

/// How a name is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// By its name alone: a type or a value.
    Named,
    /// Called by its name.
    Function,
    /// Called on something that it extends.
    Extension,
}

/// One declaration.
struct Declared<'a> {
    name: &'a str,
    kind: Kind,
    /// Whether other files can name it: at the top, and not private.
    seen: bool,
}

/// One file.
pub(crate) struct Module<'a> {
    pub(crate) path: &'a str,
    /// The path in the picture of the rooms.
    pub(crate) short: String,
    tokens: Vec<Token<'a>>,
    declared: Vec<Declared<'a>>,
}

/// All files of a facade.
pub(crate) struct Facade<'a> {
    pub(crate) modules: Vec<Module<'a>>,
}

impl<'a> Facade<'a> {
    pub(crate) fn of(files: &'a [File], language: Language) -> Self {
        let mut modules = Vec::new();
        for file in files {
            if let Some(short) = language.place(&file.path) {
                let tokens = tokens(&file.text, language);
                let declared = declarations(&tokens, language);
                modules.push(Module { path: &file.path, short, tokens, declared });
            }
        }
        Self { modules }
    }

    /// Which file uses which.
    pub(crate) fn arrows(&self) -> Arrows {
        let mut owners: BTreeMap<&str, Vec<(usize, Kind)>> = BTreeMap::new();
        let mut members = BTreeSet::new();
        for (index, module) in self.modules.iter().enumerate() {
            for one in &module.declared {
                if one.seen {
                    owners.entry(one.name).or_default().push((index, one.kind));
                } else if one.kind == Kind::Function {
                    members.insert(one.name);
                }
            }
        }
        let mut arrows = Arrows::new();
        for (from, module) in self.modules.iter().enumerate() {
            for (at, token) in module.tokens.iter().enumerate() {
                let Some(owners) = owners.get(token.text).filter(|_| !module.has(token.text)) else {
                    continue;
                };
                let is_type = owners.iter().any(|(_, kind)| *kind == Kind::Named);
                // Which of several functions of one name is called is not seen from the text, nor
                // whether a call makes a type or is one of a function that is named after it.
                for (to, kind) in owners {
                    let unclear = match kind {
                        Kind::Named => false,
                        Kind::Function => is_type,
                        Kind::Extension => members.contains(token.text),
                    };
                    if !unclear && module.uses(at, *kind) {
                        arrows.entry(from).or_default().entry(*to).or_default().insert(token.line);
                    }
                }
            }
        }
        arrows
    }
}

impl Module<'_> {
    /// Whether a file was written by the generator.
    pub(crate) fn is_generated(&self) -> bool {
        self.short.starts_with(GENERATED)
    }

    /// Whether the file has something of that name itself, be it inside of a type.
    fn has(&self, name: &str) -> bool {
        self.declared.iter().any(|one| one.name == name)
    }

    /// Whether the word at this place can mean something of that kind.
    fn uses(&self, at: usize, kind: Kind) -> bool {
        let is = |at: Option<usize>, text: &str| {
            at.and_then(|at| self.tokens.get(at)).is_some_and(|token| token.text == text)
        };
        let member = is(at.checked_sub(1), ".") && !is(at.checked_sub(2), ".");
        let called = ["(", "{", "<"].iter().any(|sign| is(Some(at + 1), sign));
        let referred = is(at.checked_sub(1), ":") && is(at.checked_sub(2), ":");
        match kind {
            Kind::Named => !member,
            Kind::Function => !member && (called || referred),
            Kind::Extension => member && called,
        }
    }
}

/// What a file declares: types and functions at any depth, values at the top.
fn declarations<'a>(tokens: &[Token<'a>], language: Language) -> Vec<Declared<'a>> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
        let after_sign = at > 0 && matches!(tokens[at - 1].text, "." | ":" | "$");
        let kind = if after_sign {
            continue;
        } else if language.types().contains(&token.text) {
            Kind::Named
        } else if language.functions() == token.text {
            Kind::Function
        } else if language.values().contains(&token.text) && depth == 0 {
            Kind::Named
        } else {
            continue;
        };
        let Some((place, extends)) = name_after(tokens, at + 1) else { continue };
        let name = tokens[place].text;
        if language.types().contains(&name) || language.functions() == name {
            continue;
        }
        // A value that extends a type is named as its members are.
        if extends && kind == Kind::Named {
            continue;
        }
        let kind = if extends { Kind::Extension } else { kind };
        found.push(Declared { name, kind, seen: depth == 0 && !is_private(tokens, at) });
    }
    found
}

/// The last name of a path, as `c` in `<T> A<B>.c`, and whether there is one before it.
fn name_after(tokens: &[Token<'_>], from: usize) -> Option<(usize, bool)> {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.text == text);
    let mut at = after_generics(tokens, from);
    let mut extends = false;
    loop {
        tokens.get(at).filter(|token| token.is_word())?;
        let name = at;
        at = after_generics(tokens, at + 1);
        at += usize::from(is(at, "?"));
        if !is(at, ".") {
            return Some((name, extends));
        }
        extends = true;
        at += 1;
    }
}

/// The place behind `<…>`, if that comes next.
fn after_generics(tokens: &[Token<'_>], from: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = from;
    while let Some(token) = tokens.get(at) {
        match token.text {
            "<" => depth += 1,
            // Not the point of an arrow.
            ">" if tokens[at - 1].text != "-" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return if at == from { from } else { at + 1 };
        }
        at += 1;
    }
    from
}

fn is_private(tokens: &[Token<'_>], at: usize) -> bool {
    let before = tokens[..at].iter().rev().map(|token| token.text);
    let mut modifiers = before.take_while(|word| MODIFIERS.split_whitespace().any(|known| known == *word));
    modifiers.any(|word| matches!(word, "private" | "fileprivate"))
}

#[cfg(test)]
mod tests;
