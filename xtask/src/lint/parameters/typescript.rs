//! The TypeScript facade: what its public paths export, and what that is made of.
//!
//! Owns: which declarations are public. Must not know: numbers.

use super::{Bare, Finding, Tree};
use crate::typescript_signatures::{Declaration, Handed, declarations, handed};
use crate::typescript_source::{self, FOLDER, joined};
use std::collections::{BTreeMap, BTreeSet};

/// Folders that `package.json` closes.
const CLOSED: [&str; 6] = ["common/", "engine/", "generated/", "protocol/", "v1/", "v2/internal/"];

struct Module<'a> {
    path: &'a str,
    handed: Handed,
    declarations: Vec<Declaration>,
}

struct Facade<'a> {
    modules: Vec<Module<'a>>,
    places: BTreeMap<&'a str, usize>,
}

type Place = (usize, String);

pub(super) fn bare(tree: &Tree) -> Vec<Bare> {
    let sources = typescript_source::Facade::of(&tree.files);
    let modules: Vec<_> = sources
        .modules
        .iter()
        .map(|module| Module {
            path: module.path,
            handed: handed(module.text),
            declarations: declarations(module.text),
        })
        .collect();
    let places = modules.iter().enumerate().map(|(index, module)| (module.path, index)).collect();
    let facade = Facade { modules, places };
    let mut found = Vec::new();
    for (index, name) in facade.public() {
        let module = &facade.modules[index];
        if module.path[FOLDER.len()..].starts_with("generated/") {
            continue;
        }
        // A function may be declared more than once.
        let all: Vec<_> = module.declarations.iter().filter(|one| one.name == name).collect();
        found.extend(bare_of(module, &all));
    }
    found
}

impl Facade<'_> {
    /// What is exported by a public path, and what it is derived from or made of.
    fn public(&self) -> BTreeSet<Place> {
        let mut waiting = Vec::new();
        for (index, module) in self.modules.iter().enumerate() {
            if !CLOSED.iter().any(|folder| module.path[FOLDER.len()..].starts_with(folder)) {
                self.exported(index, &mut BTreeSet::new(), &mut waiting);
            }
        }
        let mut found = BTreeSet::new();
        while let Some((index, name)) = waiting.pop() {
            let declared = self.modules[index].declarations.iter().filter(|one| one.name == name);
            let bases: BTreeSet<_> = declared.flat_map(|one| &one.bases).collect();
            if found.insert((index, name)) {
                waiting.extend(bases.into_iter().filter_map(|base| self.find(index, base, 0)));
            }
        }
        found
    }

    fn exported(&self, index: usize, seen: &mut BTreeSet<usize>, found: &mut Vec<Place>) {
        if !seen.insert(index) {
            return;
        }
        let module = &self.modules[index];
        let own = module.declarations.iter().filter(|one| one.is_exported);
        found.extend(own.map(|one| (index, one.name.clone())));
        found.extend(module.handed.exported.iter().filter_map(|name| self.find(index, name, 0)));
        for path in &module.handed.all {
            if let Some(next) = self.module(module.path, path) {
                self.exported(next, seen, found);
            }
        }
    }

    /// The file that declares what another one knows by a name.
    fn find(&self, index: usize, name: &str, depth: usize) -> Option<Place> {
        let module = &self.modules[index];
        if depth > 8 || module.declarations.iter().any(|one| one.name == name) {
            return Some((index, name.to_owned()));
        }
        if let Some((path, there)) = module.handed.names.get(name) {
            return self.find(self.module(module.path, path)?, there, depth + 1);
        }
        let mut all = module.handed.all.iter().filter_map(|path| self.module(module.path, path));
        all.find_map(|next| self.find(next, name, depth + 1))
    }

    fn module(&self, from: &str, path: &str) -> Option<usize> {
        let base = path.starts_with('.').then(|| joined(from, path))?;
        let files = [format!("{base}.ts"), format!("{base}/index.ts")];
        files.iter().find_map(|file| self.places.get(file.as_str())).copied()
    }
}

/// Each overload is shown by itself, so it says everything by itself. The one with the body is not
/// shown where there are others.
fn bare_of(module: &Module<'_>, all: &[&Declaration]) -> Vec<Bare> {
    let mut found = Vec::new();
    let members = || all.iter().flat_map(|one| one.members.iter().map(move |member| (*one, member)));
    for (one, member) in members().filter(|(_, member)| !member.is_internal) {
        let kind =
            if member.name == "constructor" { "typescript constructors" } else { "typescript functions" };
        let whole = format!("{}.{}", one.name, member.name);
        let whole = whole.trim_end_matches('.');
        let mut add = |message: String| {
            found.push(Bare { kind, finding: Finding::new(module.path, member.line, message) });
        };
        let Some(parameters) = &member.parameters else {
            if !member.has_comment && !one.is_class {
                add(whole.to_owned());
            }
            continue;
        };
        let same = || members().filter(|(_, it)| it.name == member.name);
        let is_overloaded = same().count() > 1;
        // A method without words is shown with those of the method that it replaces.
        let inherits = one.is_class && !one.bases.is_empty() && same().all(|(_, it)| !it.has_comment);
        if (member.has_body && is_overloaded) || (inherits && member.name != "constructor") {
            continue;
        }
        for name in parameters.iter().filter(|name| !member.explained.contains(*name)) {
            add(format!("{whole}: {name}"));
        }
    }
    found
}
