//! The files of the TypeScript facade, and what each of them imports.
//!
//! Owns: finding imports in text, whatever they are for: values, types, `typeof import()`,
//! `require` inside functions, re-exports. Must not know: which of them are wanted.

use crate::tree::File;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The folder of the facade's sources.
pub(crate) const FOLDER: &str = "bindings-node/ts/";
/// What stands before the path of a module.
const WORDS: &[&str] = &["from ", "import ", "import(", "require("];

/// From file to file, with the lines that say so.
pub(crate) type Arrows = BTreeMap<usize, BTreeMap<usize, BTreeSet<usize>>>;

/// One file.
pub(crate) struct Module<'a> {
    pub(crate) path: &'a str,
    pub(crate) text: &'a str,
}

/// All files of the facade.
pub(crate) struct Facade<'a> {
    pub(crate) modules: Vec<Module<'a>>,
}

impl<'a> Facade<'a> {
    pub(crate) fn of(files: &'a [File]) -> Self {
        let is_ts = |file: &&File| Path::new(&file.path).extension().is_some_and(|found| found == "ts");
        let ours = files.iter().filter(|file| file.path.starts_with(FOLDER)).filter(is_ts);
        Self { modules: ours.map(|file| Module { path: &file.path, text: &file.text }).collect() }
    }

    /// A module's path below the folder.
    pub(crate) fn short(&self, index: usize) -> &'a str {
        &self.modules[index].path[FOLDER.len()..]
    }

    /// Which file imports which. A file that imports itself has no arrow for it.
    pub(crate) fn arrows(&self) -> Arrows {
        let places: BTreeMap<&str, usize> =
            self.modules.iter().enumerate().map(|(index, module)| (module.path, index)).collect();
        let mut arrows = Arrows::new();
        for (from, module) in self.modules.iter().enumerate() {
            for (line, text) in module.text.lines().enumerate().filter(|(_, text)| !is_comment(text)) {
                for named in relative_paths(text) {
                    let base = joined(module.path, named);
                    let files = [format!("{base}.ts"), format!("{base}/index.ts")];
                    let found = files.iter().find_map(|file| places.get(file.as_str()));
                    if let Some(to) = found.filter(|to| **to != from) {
                        arrows.entry(from).or_default().entry(*to).or_default().insert(line + 1);
                    }
                }
            }
        }
        arrows
    }
}

/// A line that is a comment, or a line of one.
fn is_comment(line: &str) -> bool {
    ["//", "/*", "*"].iter().any(|mark| line.trim_start().starts_with(mark))
}

/// The relative paths that a line imports.
fn relative_paths(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for word in WORDS {
        for (at, _) in line.match_indices(word) {
            let rest = &line[at + word.len()..];
            let Some(quote) = rest.chars().next().filter(|c| matches!(c, '\'' | '"')) else { continue };
            let Some(path) = rest[1..].split(quote).next() else { continue };
            if path.starts_with("./") || path.starts_with("../") {
                found.push(path);
            }
        }
    }
    found
}

/// The path that a relative one means in a file, without an ending.
pub(crate) fn joined(file: &str, path: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.trim_end_matches(".js").split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows(text: &str) -> Vec<(String, Vec<usize>)> {
        let file = |path: &str, text: &str| File { path: format!("{FOLDER}{path}"), text: text.to_owned() };
        let files = [file("a/x.ts", text), file("a/y.ts", ""), file("b/index.ts", ""), file("c.ts", "")];
        let facade = Facade::of(&files);
        let all = facade.arrows();
        let of_first = all.get(&0).into_iter().flatten();
        of_first.map(|(to, lines)| (facade.short(*to).to_owned(), lines.iter().copied().collect())).collect()
    }

    #[test]
    fn every_kind_of_import_is_an_arrow() {
        for import in [
            "import { y } from './y';",
            "import type { Y } from \"./y\";",
            "import './y';",
            "export * from './y.js';",
            "let y: import('./y').Y;",
            "const { y } = require('./y') as typeof import('./y');",
            "const y = await import('../a/y');",
            "import {\n  y,\n} from './y';",
        ] {
            let lines = vec![import.lines().count()];
            assert_eq!(arrows(import), [("a/y.ts".to_owned(), lines)], "{import}");
        }
    }

    #[test]
    fn folders_mean_their_index() {
        let found = arrows("import { b } from '../b';\nimport { c } from '../c';");
        assert_eq!(found, [("b/index.ts".to_owned(), vec![1]), ("c.ts".to_owned(), vec![2])]);
    }

    #[test]
    fn comments_other_packages_and_texts_are_none() {
        let texts =
            [" * import { y } from './y';", "// require('./y')", "import z from 'zod';", "say('./y');"];
        assert_eq!(arrows(&texts.join("\n")), []);
    }
}
