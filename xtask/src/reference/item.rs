//! One public name of a language, as the site shows it.
//!
//! Owns: what is told of a name, and its JSON, which `docs/site/declared_shown.py` reads. Must not
//! know: a language, or on which page a name is.

use serde_json::{Value, json};

/// What a comment says. Links are still those of the language.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Words {
    /// Markdown.
    pub(super) text: String,
    /// Why it should not be used any more.
    pub(super) deprecated: Option<String>,
    /// Names and meanings.
    pub(super) parameters: Vec<(String, String)>,
    pub(super) returns: Option<String>,
    /// What is thrown, and when.
    pub(super) throws: Vec<(String, String)>,
}

impl Words {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn json(&self) -> Value {
        json!({
            "text": self.text,
            "deprecated": self.deprecated,
            "parameters": self.parameters,
            "returns": self.returns,
            "throws": self.throws,
        })
    }
}

/// A field, a property, a constant, a case: what is a line in the code of its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) words: Words,
}

/// A function of a type, or something that stands by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Item {
    /// As a program calls it: with its type, if it has one.
    pub(super) name: String,
    /// Where programs find it: a module, or a file of a facade.
    pub(super) place: String,
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) code: String,
    pub(super) words: Words,
    /// Sentences about it that no comment has, such as what it implements.
    pub(super) notes: Vec<String>,
    pub(super) rows: Vec<Row>,
    pub(super) members: Vec<Self>,
}

impl Item {
    pub(super) fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| json!({ "name": row.name, "words": row.words.json() }));
        json!({
            "name": self.name,
            "place": self.place,
            "file": self.file,
            "line": self.line,
            "code": self.code,
            "words": self.words.json(),
            "notes": self.notes,
            "rows": rows.collect::<Vec<_>>(),
            "members": self.members.iter().map(Self::json).collect::<Vec<_>>(),
        })
    }
}

/// Lines of code as they stand in a block.
pub(super) fn indented(lines: &[String]) -> String {
    let shifted = lines.iter().map(|line| ["    ", &line.replace('\n', "\n    "), "\n"].concat());
    shifted.collect()
}
