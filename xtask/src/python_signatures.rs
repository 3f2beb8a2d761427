//! What Python sources declare, and which parameters their docstrings explain.
//!
//! Owns: classes, functions and methods with parameters, fields, base classes and docstrings, and
//! the names in sections such as `Args:`. Must not know: which of them are public.

use crate::python_source::{Statement, statements};
use std::collections::BTreeSet;

/// Sections of a docstring that explain parameters or fields.
const SECTIONS: [&str; 3] = ["Args:", "Arguments:", "Attributes:"];

/// A class, or a function that is not inside of another.
pub(crate) struct Definition {
    /// With the names of the classes around it: `Client.call_tool`.
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) is_class: bool,
    /// What it is derived from, without parameters of types.
    pub(crate) bases: Vec<String>,
    /// Its decorators, without `@`.
    pub(crate) marks: Vec<String>,
    /// The parameters of a function that callers name or fill.
    pub(crate) parameters: Vec<String>,
    /// The annotated fields of a class, and whether a docstring follows.
    pub(crate) fields: Vec<(String, bool)>,
    /// What its docstring explains.
    pub(crate) explained: BTreeSet<String>,
    pub(crate) has_docstring: bool,
}

/// What a file declares.
pub(crate) fn definitions(text: &str) -> Vec<Definition> {
    let written: Vec<_> = statements(text).into_iter().filter(|statement| !statement.is_blank()).collect();
    let mut found: Vec<Definition> = Vec::new();
    // What is open: its indent, its name, and its place in `found` if it is a class.
    let mut open: Vec<(usize, String, Option<usize>)> = Vec::new();
    let mut marks = Vec::new();
    for (at, statement) in written.iter().enumerate() {
        open.retain(|(indent, ..)| *indent < statement.indent());
        let code = statement.code.trim();
        if let Some(mark) = code.strip_prefix('@') {
            marks.push(mark.to_owned());
            continue;
        }
        let in_function = open.iter().any(|(_, _, class)| class.is_none());
        let text = written.get(at + 1).and_then(docstring);
        let Some((head, is_class)) = head(code) else {
            let field = open.last().and_then(|(_, _, class)| *class).zip(field(code));
            if let (Some((class, name)), false) = (field, in_function) {
                found[class].fields.push((name.to_owned(), text.is_some()));
            }
            marks.clear();
            continue;
        };
        let (name, rest) = head.split_at(head.find(|c: char| !is_word(c)).unwrap_or(head.len()));
        let text = text.filter(|_| written[at + 1].indent() > statement.indent());
        let list = listed(rest);
        let names: Vec<_> = open.iter().map(|(_, name, _)| name.as_str()).chain([name]).collect();
        if !in_function {
            found.push(Definition {
                name: names.join("."),
                line: statement.line,
                is_class,
                bases: if is_class {
                    list.iter().filter_map(|base| base_of(base)).collect()
                } else {
                    Vec::new()
                },
                marks: std::mem::take(&mut marks),
                parameters: list.iter().filter(|_| !is_class).filter_map(|text| parameter(text)).collect(),
                fields: Vec::new(),
                explained: text.map(explained).unwrap_or_default(),
                has_docstring: text.is_some(),
            });
        }
        marks.clear();
        open.push((statement.indent(), name.to_owned(), is_class.then(|| found.len() - 1)));
    }
    found
}

/// The names that a list such as `__all__` has.
pub(crate) fn texts_of_list(text: &str, name: &str) -> Vec<String> {
    let all = statements(text);
    let Some(list) = all.iter().find(|statement| statement.code.starts_with(&format!("{name} = ["))) else {
        return Vec::new();
    };
    list.written.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// What stands behind `class` or `def`, and whether it is a class.
fn head(code: &str) -> Option<(&str, bool)> {
    if let Some(rest) = code.strip_prefix("class ") {
        return Some((rest, true));
    }
    let rest = code.strip_prefix("async ").unwrap_or(code).strip_prefix("def ")?;
    Some((rest, false))
}

/// The text of a statement that is nothing else.
fn docstring<'a>(statement: &Statement<'a>) -> Option<&'a str> {
    let code = statement.code.trim().trim_start_matches('r');
    (code == "\"" || code == "'").then_some(statement.written)
}

/// The name of an annotated field that a constructor may set.
fn field(code: &str) -> Option<&str> {
    let (name, rest) = code.split_once(": ")?;
    let is_name = name.chars().all(is_word) && !name.starts_with('_');
    (is_name && !rest.contains("ClassVar") && !rest.contains("init=False")).then_some(name)
}

/// What stands in the parentheses that a text begins with, one by one.
fn listed(text: &str) -> Vec<String> {
    let Some(inside) = text.trim_start().strip_prefix('(') else { return Vec::new() };
    let mut found = vec![String::new()];
    let mut depth = 0_usize;
    for c in inside.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = found.last_mut() {
            last.push(c);
        }
    }
    found
}

/// The name of a parameter that a docstring has to explain.
fn parameter(text: &str) -> Option<String> {
    let name = text.trim().trim_start_matches('*');
    let name = name.split([':', '=']).next().unwrap_or_default().trim();
    let is_counted = !name.is_empty() && name != "/" && name != "self" && name != "cls";
    (is_counted && !name.starts_with('_')).then(|| name.to_owned())
}

fn base_of(text: &str) -> Option<String> {
    let name = text.split('[').next().unwrap_or_default().trim();
    let name = name.rsplit('.').next().unwrap_or_default();
    (!name.is_empty() && !name.contains('=')).then(|| name.to_owned())
}

/// The names that the sections of a docstring explain.
fn explained(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut section = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let indent = line.len() - line.trim_start().len();
        if SECTIONS.contains(&line.trim()) {
            section = Some(indent);
        } else if section.is_some_and(|begun| indent <= begun) {
            section = None;
        } else if section.is_some_and(|begun| indent == begun + 4)
            && let Some((names, _)) = line.split_once(':')
        {
            let names = names.split(" (").next().unwrap_or_default().split(',');
            found.extend(names.map(|name| name.trim().trim_matches(['*', '`']).to_owned()));
        }
    }
    found
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_has_its_class_its_parameters_and_what_is_said_of_them() {
        let text = "class A(B[int], Generic[T]):\n    @mark(1)\n    async def f(\n        self,\n        a: dict[str, int] = {},\n        *b: str,\n        c=(1, 2),\n        _d=\"x, y\",\n    ):\n        \"\"\"Do.\n\n        Args:\n            a: This.\n                more: That.\n            *b, c: Those.\n\n        Raises:\n            d: Never.\n        \"\"\"\n        def g(x): ...\n";
        let found = definitions(text);
        let names: Vec<_> = found.iter().map(|it| (it.name.as_str(), it.line)).collect();
        assert_eq!(names, [("A", 1), ("A.f", 3)]);
        assert_eq!(found[0].bases, ["B", "Generic"]);
        assert_eq!(found[1].marks, ["mark(1)"]);
        assert_eq!(found[1].parameters, ["a", "b", "c"]);
        assert_eq!(found[1].explained.iter().collect::<Vec<_>>(), ["a", "b", "c"]);
    }

    #[test]
    fn fields_have_their_docstring_behind_them() {
        let text = "class A:\n    x: int = 1\n    \"\"\"Said.\"\"\"\n    y: int\n    z: ClassVar[int]\n    def f(self):\n        v: int = 2\n";
        let fields = definitions(text).remove(0).fields;
        assert_eq!(fields, [("x".to_owned(), true), ("y".to_owned(), false)]);
    }

    #[test]
    fn the_texts_of_a_list_are_read_over_lines() {
        assert_eq!(texts_of_list("x = 1\n__all__ = [\n    \"a\",\n    \"b\",\n]\n", "__all__"), ["a", "b"]);
    }
}
