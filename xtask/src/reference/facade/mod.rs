//! The public names of the Kotlin and Swift facades with their comments.
//!
//! Owns: what belongs to a type: its own members, what extensions add to it, and what of that is a
//! line of its code, a row or a function by itself. Must not know: pages.

mod comments;
mod declarations;
mod kotlin;
mod layout;
mod source;
mod swift;

use super::item::{Item, Row, Words, indented};
use crate::tree::File;
use crate::uniffi_source::Language;
use declarations::{Declaration, Kind};
use layout::laid_out;

/// A type while its parts are put together.
#[derive(Default)]
struct Type {
    item: Item,
    /// The lines of its code; those of a companion object by themselves.
    lines: Vec<String>,
    companion: Vec<String>,
    bases: Vec<String>,
}

/// All types, functions and values that programs see, by the path of their file in the facade.
pub(super) fn items(files: &[File], language: Language) -> Vec<Item> {
    let mut facade = Facade { language, types: Vec::new(), others: Vec::new() };
    let mut later = Vec::new();
    for file in files {
        let Some(place) = language.place(&file.path) else { continue };
        for declaration in declarations::of(&file.text, language) {
            let at = At { file: &file.path, place: &place };
            if declaration.kind == Kind::Type {
                facade.type_(declaration, "", &at);
            } else {
                later.push((declaration, file.path.clone(), place.clone()));
            }
        }
    }
    // All types are known now, whichever file they are in.
    for (declaration, file, place) in later {
        facade.beside(declaration, &At { file: &file, place: &place });
    }
    facade.finish()
}

struct At<'a> {
    file: &'a str,
    place: &'a str,
}

struct Facade {
    language: Language,
    types: Vec<Type>,
    others: Vec<Item>,
}

impl Facade {
    fn type_(&mut self, declaration: Declaration, outer: &str, at: &At<'_>) {
        let name =
            if outer.is_empty() { declaration.name.clone() } else { format!("{outer}.{}", declaration.name) };
        let item = Item { code: declaration.code.clone(), ..item(&declaration, name.clone(), at) };
        self.types.push(Type { item, ..Type::default() });
        self.members(declaration.members, &name, at, false);
    }

    fn members(&mut self, members: Vec<Declaration>, name: &str, at: &At<'_>, companion: bool) {
        for member in members {
            if member.kind == Kind::Type && member.companion {
                self.members(member.members, name, at, true);
            } else if member.kind == Kind::Type {
                self.type_(member, name, at);
            } else if let Some(of) = self.types.iter_mut().find(|of| of.item.name == name) {
                of.add(member, at, companion);
            }
        }
    }

    /// What stands at the top of a file and is no type.
    fn beside(&mut self, mut declaration: Declaration, at: &At<'_>) {
        if declaration.kind == Kind::Extension {
            let Some(of) = self.types.iter_mut().find(|of| of.item.name == declaration.name) else { return };
            // What a protocol of the language wants says nothing new.
            let quiet = !declaration.bases.is_empty();
            of.bases.append(&mut declaration.bases);
            declaration.members.retain(|member| !quiet || !member.words.is_empty());
            let name = declaration.name;
            return self.members(declaration.members, &name, at, false);
        }
        let (receiver, own) = match declaration.name.rsplit_once('.') {
            Some((receiver, own)) => (receiver.trim_end_matches(".Companion").to_owned(), own.to_owned()),
            None => (String::new(), declaration.name.clone()),
        };
        let mut found = item(&declaration, own, at);
        found.code = laid_out(&declaration.code);
        // Also one of a type of another package.
        if !receiver.is_empty() {
            found.name = format!("{receiver}.{}", found.name);
        }
        match self.types.iter_mut().find(|of| of.item.name == receiver) {
            Some(of) => of.item.members.push(found),
            None => self.others.push(found),
        }
    }

    fn finish(self) -> Vec<Item> {
        let language = self.language;
        let mut items: Vec<Item> = self.types.into_iter().map(|of| of.finish(language)).collect();
        items.extend(self.others);
        items
    }
}

impl Type {
    fn add(&mut self, member: Declaration, at: &At<'_>, companion: bool) {
        let plain = !member.words.text.contains("```")
            && member.words
                == Words {
                    text: member.words.text.clone(),
                    deprecated: member.words.deprecated.clone(),
                    ..Words::default()
                };
        let line = match member.kind {
            Kind::Value | Kind::Case => true,
            // How something is made belongs to what it is, unless there is more to say.
            Kind::Constructor => plain,
            _ => false,
        };
        if !line {
            let name = format!("{}.{}", self.item.name, member.name);
            let mut function = item(&member, name, at);
            function.code = laid_out(&member.code);
            return self.item.members.push(function);
        }
        let lines = if companion { &mut self.companion } else { &mut self.lines };
        lines.push(laid_out(&member.code));
        if !member.words.is_empty() {
            self.item.rows.push(Row { name: member.name, words: member.words });
        }
    }

    fn finish(mut self, language: Language) -> Item {
        if !self.bases.is_empty() {
            self.item.notes.push(format!("Conforms to `{}` too.", self.bases.join("`, `")));
        }
        if language == Language::Kotlin && !self.companion.is_empty() {
            self.lines.push(block("companion object", &self.companion));
        }
        self.item.code = block(&laid_out(&self.item.code), &self.lines);
        self.item.members.sort_by(|a, b| a.name.cmp(&b.name));
        self.item
    }
}

fn item(declaration: &Declaration, name: String, at: &At<'_>) -> Item {
    Item {
        name,
        place: at.place.to_owned(),
        file: at.file.to_owned(),
        line: declaration.line,
        words: declaration.words.clone(),
        ..Item::default()
    }
}

fn block(head: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return head.to_owned();
    }
    format!("{head} {{\n{}}}", indented(lines))
}

#[cfg(test)]
mod tests;
