//! The order of files: no files of the core, or of a facade, that use each other in a circle.
//!
//! Owns: what an arrow from file to file is. A path leads to the file that defines the
//! name at its end, however many re-exports lie between; so a `mod.rs` that only hands
//! on the names of its children closes no circle. `mod name;` is no arrow, and neither
//! is a re-export of a name that the file itself does not use.

mod python;
mod typescript;
mod uniffi;

use super::{Finding, Tree};
use crate::rust_source::{PathUse, RustSource};
use std::collections::{BTreeMap, BTreeSet};

/// Folders of sources, and what their crates are called in a path.
const CRATES: &[(&str, &str)] = &[("core/proto/src/", "mcpbolt_proto"), ("core/src/", "mcpbolt")];
/// Words before the name of an item.
const ITEMS: &[&str] =
    &["fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod", "macro_rules"];

/// One file and the path of its module, the crate's name first.
struct Node<'a> {
    path: &'a str,
    module: Vec<String>,
    source: &'a RustSource,
    items: BTreeSet<&'a str>,
}

/// All files, and which of them is the file of a module.
struct Files<'a> {
    nodes: Vec<Node<'a>>,
    modules: BTreeMap<Vec<String>, usize>,
}

/// From file to file, with the lines that say so.
type Arrows = BTreeMap<usize, BTreeMap<usize, BTreeSet<usize>>>;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let files = Files::of(tree);
    let arrows = files.arrows();
    let mut findings = typescript::check(tree);
    findings.extend(python::check(tree));
    findings.extend(uniffi::check(tree));
    for (number, circle) in circles(files.nodes.len(), &arrows).iter().enumerate() {
        let names: Vec<_> = circle.iter().map(|node| files.nodes[*node].path).collect();
        let message =
            format!("circle {}, {} files use each other: {}", number + 1, names.len(), names.join(", "));
        findings.push(Finding::new(names[0], 1, message));
        for from in circle {
            for (to, lines) in arrows[from].iter().filter(|(to, _)| circle.contains(to)) {
                let others: Vec<_> = lines.iter().skip(1).map(usize::to_string).collect();
                let also = if others.is_empty() {
                    String::new()
                } else {
                    format!(", also lines {}", others.join(" "))
                };
                let line = lines.first().copied().unwrap_or(1);
                let message = format!("circle {}: uses {}{also}", number + 1, files.nodes[*to].path);
                findings.push(Finding::new(files.nodes[*from].path, line, message));
            }
        }
    }
    findings
}

impl<'a> Files<'a> {
    fn of(tree: &'a Tree) -> Self {
        let mut nodes = Vec::new();
        for (file, source) in tree.rust() {
            let Some((folder, name)) = CRATES.iter().find(|(folder, _)| file.path.starts_with(folder)) else {
                continue;
            };
            let module = module_path(name, &file.path[folder.len()..]);
            let pairs = source.tokens.windows(2);
            let items = pairs.filter(|pair| ITEMS.contains(&pair[0].text.as_str()));
            let items = items.map(|pair| pair[1].text.as_str()).collect();
            nodes.push(Node { path: &file.path, module, source, items });
        }
        place(&mut nodes);
        let mut modules = BTreeMap::new();
        for (index, node) in nodes.iter().enumerate() {
            modules.entry(node.module.clone()).or_insert(index);
        }
        Self { nodes, modules }
    }

    fn arrows(&self) -> Arrows {
        let mut arrows = Arrows::new();
        for (from, node) in self.nodes.iter().enumerate() {
            let tokens = &node.source.tokens;
            let used: BTreeSet<&str> = tokens.iter().filter(|t| !t.in_use).map(|t| t.text.as_str()).collect();
            let handed_on = |path: &PathUse| {
                let exported = path.import.as_ref().filter(|import| import.exported);
                exported.is_some_and(|import| !used.contains(import.name.as_str()))
            };
            let written = node.source.paths.iter().chain(&node.source.other_imports);
            let written = written
                .filter(|path| !handed_on(path))
                .filter_map(|path| Some((self.resolve(&node.absolute(path)?, path.is_macro)?, path.line)));
            let inline = node
                .child_paths()
                .into_iter()
                .filter_map(|(path, line)| Some((self.resolve(&path, false)?, line)));
            for (to, line) in written.chain(inline).filter(|(to, _)| *to != from) {
                arrows.entry(from).or_default().entry(to).or_default().insert(line);
            }
        }
        arrows
    }

    /// The file that defines what a path names; of a macro of the whole crate nobody knows.
    fn resolve(&self, path: &[String], is_macro: bool) -> Option<usize> {
        let found = self.follow(path, &mut BTreeSet::new())?;
        (!is_macro || self.nodes[found].module.len() > 1).then_some(found)
    }

    /// Follows re-exports, also out of our crates; `seen` are the files and names asked already.
    fn follow(&self, path: &[String], seen: &mut BTreeSet<(usize, String)>) -> Option<usize> {
        let known = (1..=path.len()).rev().find(|length| self.modules.contains_key(&path[..*length]))?;
        let index = self.modules[&path[..known]];
        let node = &self.nodes[index];
        let Some(name) = path.get(known).filter(|name| *name != "*") else { return Some(index) };
        if !seen.insert((index, name.clone())) {
            return Some(index);
        }
        let mut on = |import: &PathUse| {
            let mut target = node.absolute(import)?;
            if target.last().is_some_and(|last| last == "*") {
                target.pop();
                target.push(name.clone());
            }
            target.extend_from_slice(&path[known + 1..]);
            self.follow(&target, seen).filter(|end| *end != index)
        };
        if let Some(named) = node.imports(name).find_map(&mut on) {
            return Some(named);
        }
        if node.items.contains(name.as_str()) {
            return Some(index);
        }
        if let Some(import) = node.imports(name).next() {
            return node.absolute(import).map(|_| index);
        }
        let mut by_glob = node.imports("*").filter_map(on);
        by_glob.find(|end| self.nodes[*end].items.contains(name.as_str())).or(Some(index))
    }
}

impl Node<'_> {
    /// What the file itself, outside its inline modules, calls by this name.
    fn imports(&self, name: &str) -> impl Iterator<Item = &PathUse> {
        let all = self.source.paths.iter().chain(&self.source.other_imports);
        all.filter(move |path| {
            path.inside.is_empty() && path.import.as_ref().is_some_and(|import| import.name == name)
        })
    }

    /// A path from the crate's name on; `None` for those of other crates.
    fn absolute(&self, path: &PathUse) -> Option<Vec<String>> {
        let segments = match path.segments.split_last() {
            Some((last, module)) if last == "self" && !module.is_empty() => module,
            _ => &path.segments,
        };
        let first = segments.first()?.as_str();
        let mut from: Vec<String> = self.module.iter().chain(&path.inside).cloned().collect();
        let mut rest = segments;
        match first {
            "crate" => {
                from.truncate(1);
                rest = &rest[1..];
            }
            "self" | "super" => {
                while let Some(word) = rest.first().filter(|word| matches!(word.as_str(), "self" | "super")) {
                    if word == "super" {
                        from.pop();
                    }
                    rest = &rest[1..];
                }
            }
            name if CRATES.iter().any(|(_, known)| *known == name) => from.clear(),
            name if path.inside.is_empty() && self.has_child(name) => {}
            _ => return None,
        }
        from.extend_from_slice(rest);
        Some(from)
    }

    fn has_child(&self, name: &str) -> bool {
        self.source.submodules.iter().any(|child| child.name == name)
    }

    /// Paths in code that begin with a child, as in `child::name()`, with their lines.
    fn child_paths(&self) -> Vec<(Vec<String>, usize)> {
        let tokens = &self.source.tokens;
        let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.text == text);
        let starts = |at: usize| at == 0 || !is(at - 1, ":") || !is(at.saturating_sub(2), ":");
        let mut found = Vec::new();
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| !token.in_use) {
            if !is(at + 1, ":") || !is(at + 2, ":") || !starts(at) || !self.has_child(&token.text) {
                continue;
            }
            let mut path = self.module.clone();
            path.push(token.text.clone());
            let mut next = at + 1;
            while is(next, ":") && is(next + 1, ":") {
                path.extend(tokens.get(next + 2).map(|token| token.text.clone()));
                next += 3;
            }
            found.push((path, token.line));
        }
        found
    }
}

/// `session/legacy/mod.rs` is `[mcpbolt_proto, session, legacy]`.
fn module_path(krate: &str, path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    let names = path.split('/').filter(|name| *name != "lib");
    std::iter::once(krate).chain(names).map(str::to_owned).collect()
}

/// Gives files that a `#[path]` names the module it says.
fn place(nodes: &mut [Node<'_>]) {
    let mut named = BTreeMap::new();
    for node in &*nodes {
        let folder = node.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for child in &node.source.submodules {
            if let Some(file) = &child.path {
                let mut module = node.module.clone();
                module.push(child.name.clone());
                named.insert(format!("{folder}/{file}"), module);
            }
        }
    }
    for node in nodes {
        if let Some(module) = named.remove(node.path) {
            node.module = module;
        }
    }
}

/// Files that reach each other.
fn circles(count: usize, arrows: &Arrows) -> Vec<BTreeSet<usize>> {
    let reached: Vec<BTreeSet<usize>> = (0..count).map(|from| reach(from, arrows)).collect();
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    for from in 0..count {
        let circle: BTreeSet<usize> =
            reached[from].iter().copied().filter(|to| reached[*to].contains(&from)).collect();
        if circle.contains(&from) && seen.insert(circle.clone()) {
            found.push(circle);
        }
    }
    found
}

/// Where arrows lead from a file; to itself only by a circle.
fn reach(from: usize, arrows: &Arrows) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        let next = arrows.get(&at).into_iter().flat_map(BTreeMap::keys).copied();
        open.extend(next.filter(|to| reached.insert(*to)));
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::File;

    fn messages(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
        let tree = Tree::of(files.iter().map(file).collect());
        check(&tree).into_iter().map(|f| format!("{}:{} {}", f.path, f.line, f.message)).collect()
    }

    #[test]
    fn a_circle_names_its_files_and_the_lines_of_its_arrows() {
        let files = [
            ("core/src/a/x.rs", "use super::y::Y;\nuse crate::b::B;\nfn f() { super::y::g() }"),
            ("core/src/a/y.rs", "\nuse crate::a::x::X;"),
            ("core/src/b.rs", "use mcpbolt_proto::c::C;"),
            ("core/proto/src/c.rs", "struct C;"),
        ];
        assert_eq!(
            messages(&files),
            [
                "core/src/a/x.rs:1 circle 1, 2 files use each other: core/src/a/x.rs, core/src/a/y.rs",
                "core/src/a/x.rs:1 circle 1: uses core/src/a/y.rs, also lines 3",
                "core/src/a/y.rs:2 circle 1: uses core/src/a/x.rs",
            ]
        );
    }

    #[test]
    fn names_handed_on_by_the_parent_lead_past_it() {
        for hand_on in ["pub use x::X;", "pub(super) use self::x::X;", "pub use x::*;"] {
            let parent = format!("mod x; mod y; {hand_on}");
            let files = [
                ("core/src/a/mod.rs", parent.as_str()),
                ("core/src/a/x.rs", "pub struct X;"),
                ("core/src/a/y.rs", "use super::X;"),
            ];
            assert_eq!(messages(&files), [""; 0], "{hand_on}");
        }
    }

    #[test]
    fn a_parent_and_a_child_that_use_each_other_are_a_circle() {
        for used in
            ["pub use x::X; fn f(x: X) {}", "use x::X;", "fn f() { x::g() }", "fn f() { self::x::g() }"]
        {
            let parent = format!("mod x; {used} pub struct P;");
            let files =
                [("core/src/a/mod.rs", parent.as_str()), ("core/src/a/x.rs", "use super::P; struct X;")];
            assert_eq!(messages(&files).len(), 3, "{used}");
        }
    }

    #[test]
    fn the_way_of_a_name_is_followed_through_the_root_and_under_other_names() {
        let files = [
            ("core/src/lib.rs", "pub use a::Old as New; mod a; mod b;"),
            ("core/src/a/mod.rs", "mod x; pub use x::Old;"),
            ("core/src/a/x.rs", "use crate::b::B; pub struct Old;"),
            ("core/src/b.rs", "use crate::New; pub struct B;"),
        ];
        assert_eq!(
            messages(&files)[0],
            "core/src/a/x.rs:1 circle 1, 2 files use each other: core/src/a/x.rs, core/src/b.rs"
        );
    }

    #[test]
    fn names_of_other_crates_lead_nowhere() {
        let files = [
            ("core/src/a/mod.rs", "mod x; use std::process::Stdio; use x::X;"),
            ("core/src/a/x.rs", "use super::Stdio; struct X;"),
        ];
        assert_eq!(messages(&files), [""; 0]);
    }

    #[test]
    fn a_file_named_by_an_attribute_is_the_module_it_says() {
        let parent = "fn g() {} #[cfg(test)] #[path = \"x_tests.rs\"] mod tests;";
        let files = [
            ("core/src/a/mod.rs", "mod x; fn f() { x::g() }"),
            ("core/src/a/x.rs", parent),
            ("core/src/a/x_tests.rs", "use super::g;"),
        ];
        assert_eq!(messages(&files), [""; 0]);
    }
}
