//! What the rules ask of Python sources: which files import which, and how long functions are.
//!
//! Owns: finding imports in text, wherever they stand, the file that defines a name, and
//! functions with their bodies. Must not know: which imports and lengths are right. `import_module` with a text is no import here.

use crate::tree::File;
use std::collections::{BTreeMap, BTreeSet};

/// Where the package is imported from.
const ROOT: &str = "bindings-python/python/";

/// One name that a file imports.
struct Import {
    line: usize,
    /// The module from the package's name on; whole for `import a.b`.
    module: Vec<String>,
    /// The name taken from it, and what it is called here.
    name: Option<(String, String)>,
}

/// One file of the package.
pub(crate) struct Module {
    pub(crate) path: String,
    imports: Vec<Import>,
}

/// The whole package.
pub(crate) struct Package {
    pub(crate) modules: Vec<Module>,
    by_name: BTreeMap<Vec<String>, usize>,
}

/// From file to file, with the lines that say so.
pub(crate) type Arrows = BTreeMap<usize, BTreeMap<usize, BTreeSet<usize>>>;

impl Package {
    pub(crate) fn of(files: &[File]) -> Self {
        let mut modules = Vec::new();
        let mut by_name = BTreeMap::new();
        for file in files {
            let Some((name, is_package)) = module_name(&file.path) else { continue };
            let imports = imports(&file.text, &name, is_package);
            by_name.insert(name, modules.len());
            modules.push(Module { path: file.path.clone(), imports });
        }
        Self { modules, by_name }
    }

    /// All imports between files of the package, at the top, inside functions and for type
    /// checkers alike.
    pub(crate) fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (from, module) in self.modules.iter().enumerate() {
            for import in &module.imports {
                let name = import.name.as_ref().map(|(name, _)| name.as_str());
                if let Some(to) = self.find(&import.module, name, 0).filter(|to| *to != from) {
                    arrows.entry(from).or_default().entry(to).or_default().insert(import.line);
                }
            }
        }
        arrows
    }

    /// The file that defines what another one calls so.
    pub(crate) fn defining(&self, index: usize, name: &str) -> usize {
        let (module, _) = module_name(&self.modules[index].path).unwrap_or_default();
        self.find(&module, Some(name), 0).unwrap_or(index)
    }

    /// The file that a name of a module comes from, through re-exports.
    fn find(&self, module: &[String], name: Option<&str>, depth: usize) -> Option<usize> {
        let Some(name) = name else { return self.by_name.get(module).copied() };
        let mut child = module.to_vec();
        child.push(name.to_owned());
        if let Some(index) = self.by_name.get(&child) {
            return Some(*index);
        }
        let index = *self.by_name.get(module)?;
        let called = |import: &&Import| import.name.as_ref().is_some_and(|(_, alias)| alias == name);
        let handed_on = self.modules[index].imports.iter().find(called).filter(|_| depth < 8);
        let deeper = handed_on.and_then(|import| {
            self.find(&import.module, import.name.as_ref().map(|(original, _)| original.as_str()), depth + 1)
        });
        Some(deeper.unwrap_or(index))
    }
}

/// `mcpbolt/server/__init__.py` is the package `[mcpbolt, server]`. A stub stands for the
/// extension, which has no source.
fn module_name(path: &str) -> Option<(Vec<String>, bool)> {
    let path = path.strip_prefix(ROOT)?;
    let path = path.strip_suffix(".py").or_else(|| path.strip_suffix(".pyi"))?;
    let (path, is_package) = match path.strip_suffix("/__init__") {
        Some(folder) => (folder, true),
        None => (path, false),
    };
    Some((path.split('/').map(str::to_owned).collect(), is_package))
}

fn imports(text: &str, module: &[String], is_package: bool) -> Vec<Import> {
    let mut found = Vec::new();
    for Statement { line, code, .. } in statements(text) {
        let statement = code.trim();
        let mut words = statement.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (Some("from"), Some(from), Some("import")) => {
                let Some(target) = absolute(from, module, is_package) else { continue };
                let names = statement.split_once(" import ").map_or("", |(_, names)| names);
                let names = names.trim().trim_start_matches('(').trim_end_matches(')');
                for name in names.split(',').filter(|name| !name.trim().is_empty()) {
                    found.push(Import { line, module: target.clone(), name: Some(named(name)) });
                }
            }
            (Some("import"), Some(_), _) => {
                for name in statement["import".len()..].split(',') {
                    let (name, _) = named(name);
                    let target: Vec<String> = name.split('.').map(str::to_owned).collect();
                    if target[0] == module[0] {
                        found.push(Import { line, module: target, name: None });
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// `a as b` is `(a, b)`, `a` is `(a, a)`.
fn named(text: &str) -> (String, String) {
    let mut words = text.split_whitespace();
    let name = words.next().unwrap_or_default().to_owned();
    let alias = if words.next() == Some("as") { words.next().map(str::to_owned) } else { None };
    let alias = alias.unwrap_or_else(|| name.clone());
    (name, alias)
}

/// `..shared` as seen from a module; `None` for other packages.
fn absolute(from: &str, module: &[String], is_package: bool) -> Option<Vec<String>> {
    let rest = from.trim_start_matches('.');
    let dots = from.len() - rest.len();
    let names = rest.split('.').filter(|name| !name.is_empty()).map(str::to_owned);
    if dots == 0 {
        let target: Vec<String> = names.collect();
        return (target[0] == module[0]).then_some(target);
    }
    let up = dots - usize::from(is_package);
    let base = module.get(..module.len().checked_sub(up)?)?;
    Some(base.iter().cloned().chain(names).collect())
}

/// A function, and how many lines its body has.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) body: usize,
}

/// The functions of a file, nested ones too.
pub(crate) fn functions(text: &str) -> Vec<Function> {
    let statements = statements(text);
    let over = text.lines().count() + 1;
    let begins = |at: usize| statements.get(at).map_or(over, |next| next.line);
    let mut found = Vec::new();
    for (at, statement) in statements.iter().enumerate() {
        let head = statement.code.trim_start();
        let Some(rest) = head.strip_prefix("async ").unwrap_or(head).strip_prefix("def ") else { continue };
        let written = (at + 1..statements.len()).filter(|next| !statements[*next].is_blank());
        let last = written.take_while(|next| statements[*next].indent() > statement.indent()).last();
        let body = last.map_or(0, |last| begins(last + 1) - begins(at + 1));
        let name = rest.split('(').next().unwrap_or_default().trim().to_owned();
        found.push(Function { name, line: statement.line, body });
    }
    found
}

/// A logical line: what stands in parentheses is in one.
pub(crate) struct Statement<'a> {
    /// The number of its first line.
    pub(crate) line: usize,
    /// Without comments, and of texts only the first quotation mark.
    pub(crate) code: String,
    /// As it is written.
    pub(crate) written: &'a str,
}

impl Statement<'_> {
    pub(crate) fn indent(&self) -> usize {
        self.code.len() - self.code.trim_start().len()
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.code.trim().is_empty()
    }
}

/// The logical lines of a file.
pub(crate) fn statements(text: &str) -> Vec<Statement<'_>> {
    let mut found = Vec::new();
    let (mut line, mut begun, mut depth) = (1, 1, 0_usize);
    let mut code = String::new();
    let (mut rest, mut from) = (text, text);
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '#' => rest.find('\n').unwrap_or(rest.len()),
            '"' | '\'' => {
                code.push(c);
                quoted(rest, c)
            }
            '\n' if depth == 0 => {
                let written = &from[..from.len() - rest.len()];
                found.push(Statement { line: begun, code: std::mem::take(&mut code), written });
                begun = line + 1;
                from = &rest[1..];
                1
            }
            '\\' => rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at),
            c => {
                match c {
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                code.push(if c == '\n' { ' ' } else { c });
                c.len_utf8()
            }
        };
        line += rest[..length].matches('\n').count();
        rest = &rest[length..];
    }
    found.push(Statement { line: begun, code, written: from });
    found
}

/// The length of the text in quotes that `rest` begins with.
fn quoted(rest: &str, quote: char) -> usize {
    let triple = String::from(quote).repeat(3);
    let mark = if rest.starts_with(&triple) { triple.as_str() } else { &rest[..1] };
    let mut at = mark.len();
    while let Some(c) = rest[at..].chars().next() {
        if rest[at..].starts_with(mark) {
            return at + mark.len();
        }
        at += c.len_utf8();
        if c == '\\' {
            at += rest[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a.py:1 b.py` for each arrow.
    fn arrows(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| File {
            path: format!("{ROOT}mcpbolt/{path}"),
            text: (*text).to_owned(),
        };
        let package = Package::of(&files.iter().map(file).collect::<Vec<_>>());
        let short = |index: usize| package.modules[index].path[ROOT.len() + "mcpbolt/".len()..].to_owned();
        let mut found = Vec::new();
        for (from, targets) in package.arrows() {
            for (to, lines) in targets {
                let lines: Vec<_> = lines.iter().map(usize::to_string).collect();
                found.push(format!("{}:{} {}", short(from), lines.join(","), short(to)));
            }
        }
        found
    }

    #[test]
    fn imports_of_all_kinds_are_arrows() {
        let a =
            "from .b import x\nif TYPE_CHECKING:\n    from . import b\n\ndef f():\n    import mcpbolt.b\n";
        assert_eq!(arrows(&[("a.py", a), ("b.py", "")]), ["a.py:1,3,6 b.py"]);
    }

    #[test]
    fn dots_lead_up_from_a_file_and_from_a_package() {
        let files = [
            ("s/__init__.py", "from .x import y\nfrom .. import b"),
            ("s/x.py", "from ..b import z\nfrom . import w"),
            ("s/w.py", ""),
            ("b.pyi", ""),
        ];
        assert_eq!(
            arrows(&files),
            ["s/__init__.py:1 s/x.py", "s/__init__.py:2 b.pyi", "s/x.py:2 s/w.py", "s/x.py:1 b.pyi"]
        );
    }

    #[test]
    fn names_handed_on_lead_to_the_file_that_defines_them() {
        let files = [
            ("a.py", "from .s import New"),
            ("s/__init__.py", "if TYPE_CHECKING:\n    from .x import (\n        Old as New,  # why\n    )"),
            ("s/x.py", "class Old: ..."),
        ];
        assert_eq!(arrows(&files), ["a.py:1 s/x.py", "s/__init__.py:2 s/x.py"]);
    }

    #[test]
    fn a_function_is_as_long_as_its_body() {
        let text = "class A:\n    async def f(\n        self,\n    ) -> None:\n        \"\"\"Two\n        lines.\"\"\"\n\n        def g(): ...\n        return 1\n\n    x = 1\n";
        let found: Vec<_> = functions(text).into_iter().map(|f| (f.name, f.line, f.body)).collect();
        assert_eq!(found, [("f".to_owned(), 2, 5), ("g".to_owned(), 8, 0)]);
    }

    #[test]
    fn texts_and_comments_are_not_imports() {
        let a = "\"\"\"Use\n\nfrom .b import x\n\"\"\"\n# from .b import x\nT = 'it\\'s'\nfrom .c import y\n";
        assert_eq!(arrows(&[("a.py", a), ("b.py", ""), ("c.py", "")]), ["a.py:7 c.py"]);
    }
}
