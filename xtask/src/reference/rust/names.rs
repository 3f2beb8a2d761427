//! Which names of the engine a program can use, and what a path means.
//!
//! Owns: following `pub use` and the paths of imports. Must not know: what an item looks like.

use super::modules::{Import, Module, Modules, Path};
use std::collections::{BTreeSet, VecDeque};
use syn::{Item, Visibility};

/// An item by the module that declares it, and its number there.
pub(super) type Place = (Path, usize);

/// What a name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    Item(Place),
    Module(Path),
}

/// A public name.
#[derive(Debug)]
pub(super) struct Public {
    /// The module where programs find it.
    pub(super) module: Path,
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) feature: Option<String>,
}

/// How far one `use` may lead to the next.
pub(super) const DEEPEST: usize = 16;

impl Modules {
    /// All public names of the first crate, each once: at the module around its declaration, or
    /// at the shortest path.
    pub(super) fn public(&self, root: &str) -> Vec<Public> {
        let mut seen = BTreeSet::new();
        let mut waiting: VecDeque<(Path, Path, Option<String>)> = VecDeque::new();
        waiting.push_back((vec![root.to_owned()], vec![root.to_owned()], None));
        let mut found: Vec<Public> = Vec::new();
        while let Some((shown, module, feature)) = waiting.pop_front() {
            if !seen.insert(module.clone()) {
                continue;
            }
            for (name, meaning, own) in self.exports(&module) {
                let feature = own.or_else(|| feature.clone());
                match meaning {
                    Meaning::Module(inner) => {
                        waiting.push_back(([&shown[..], &[name]].concat(), inner, feature));
                    }
                    Meaning::Item(place) => {
                        let public = Public { module: shown.clone(), name, place, feature };
                        match found.iter_mut().find(|known| known.place == public.place) {
                            None => found.push(public),
                            Some(known) if !known.is_at_home() && public.is_at_home() => *known = public,
                            Some(_) => {}
                        }
                    }
                }
            }
        }
        found
    }

    /// What a module gives to others.
    fn exports(&self, path: &Path) -> Vec<(String, Meaning, Option<String>)> {
        let Some(module) = self.all.get(path) else { return Vec::new() };
        let mut found = Vec::new();
        for (name, _, feature) in module.children.iter().filter(|(_, public, _)| *public) {
            let inner = [&path[..], std::slice::from_ref(name)].concat();
            found.push((name.clone(), Meaning::Module(inner), feature.clone()));
        }
        for (index, item) in module.items.iter().enumerate() {
            if let Some((name, true)) = declared(item) {
                found.push((name, Meaning::Item((path.clone(), index)), None));
            }
        }
        for import in module.imports.iter().filter(|import| import.public) {
            if import.name == "*" {
                if let Some(Meaning::Module(inner)) = self.meaning(path, &import.path, DEEPEST) {
                    found.extend(self.exports(&inner));
                }
            } else if let Some(meaning) = self.meaning(path, &import.path, DEEPEST) {
                found.push((import.name.clone(), meaning, import.feature.clone()));
            }
        }
        found
    }

    /// What a path means in a module; nothing if it leads out of our crates.
    pub(super) fn meaning(&self, module: &Path, path: &[String], depth: usize) -> Option<Meaning> {
        let depth = depth.checked_sub(1)?;
        let (first, rest) = path.split_first()?;
        let up = || module.split_last().map(|(_, outer)| Meaning::Module(outer.to_vec()));
        let mut at = match first.as_str() {
            "crate" => Meaning::Module(module[..1].to_vec()),
            "self" => Meaning::Module(module.clone()),
            "super" => up()?,
            name if self.all.contains_key(&vec![name.to_owned()]) => Meaning::Module(vec![name.to_owned()]),
            name => self.within(module, name, depth)?,
        };
        for name in rest {
            let Meaning::Module(inner) = at else { return None };
            at = match name.as_str() {
                "super" => Meaning::Module(inner.split_last()?.1.to_vec()),
                name => self.within(&inner, name, depth)?,
            };
        }
        Some(at)
    }

    /// What a name means in a module.
    fn within(&self, path: &Path, name: &str, depth: usize) -> Option<Meaning> {
        let module: &Module = self.all.get(path)?;
        let is_it = |item: &Item| declared(item).is_some_and(|(found, _)| found == name);
        if let Some(index) = module.items.iter().position(is_it) {
            return Some(Meaning::Item((path.clone(), index)));
        }
        if module.children.iter().any(|(child, _, _)| child == name) {
            return Some(Meaning::Module([&path[..], &[name.to_owned()]].concat()));
        }
        let named = module.imports.iter().find(|import| import.name == name);
        if let Some(import) = named {
            return self.follow(path, import, depth);
        }
        let globs = module.imports.iter().filter(|import| import.name == "*");
        globs.filter_map(|import| self.follow(path, import, depth)).find_map(|inner| match inner {
            Meaning::Module(inner) => self.within(&inner, name, depth.checked_sub(1)?),
            Meaning::Item(_) => None,
        })
    }

    /// An import of a name from a crate of that name would lead to itself.
    fn follow(&self, module: &Path, import: &Import, depth: usize) -> Option<Meaning> {
        if import.path.first() == Some(&import.name) && import.path.len() == 1 {
            return None;
        }
        self.meaning(module, &import.path, depth)
    }

    pub(super) fn item(&self, place: &Place) -> &Item {
        &self.all[&place.0].items[place.1]
    }
}

impl Public {
    /// Whether it is found in a module around its declaration.
    fn is_at_home(&self) -> bool {
        self.place.0.starts_with(&self.module)
    }
}

/// The name that an item declares, and whether it is public.
fn declared(item: &Item) -> Option<(String, bool)> {
    let (name, visibility) = match item {
        Item::Struct(item) => (&item.ident, &item.vis),
        Item::Enum(item) => (&item.ident, &item.vis),
        Item::Union(item) => (&item.ident, &item.vis),
        Item::Trait(item) => (&item.ident, &item.vis),
        Item::Type(item) => (&item.ident, &item.vis),
        Item::Const(item) => (&item.ident, &item.vis),
        Item::Static(item) => (&item.ident, &item.vis),
        Item::Fn(item) => (&item.sig.ident, &item.vis),
        _ => return None,
    };
    Some((name.to_string(), matches!(visibility, Visibility::Public(_))))
}

#[cfg(test)]
mod tests {
    use super::super::modules::of;

    fn public(files: &[(&str, &str)]) -> Vec<String> {
        let mut found: Vec<_> = of(files)
            .public("mcpbolt")
            .iter()
            .map(|one| format!("{}::{}", one.module.join("::"), one.name))
            .collect();
        found.sort();
        found
    }

    #[test]
    fn private_modules_hand_their_names_on() {
        let lib =
            "mod a; pub mod b { pub use crate::a::{A, c::*}; pub(crate) use crate::a::D; } use a::A as Own;";
        let a = "pub struct A; pub struct D; struct Secret; pub(super) mod c { pub fn f() {} fn g() {} }";
        let found = public(&[("core/src/lib.rs", lib), ("core/src/a.rs", a)]);
        assert_eq!(found, ["mcpbolt::b::A", "mcpbolt::b::f"]);
    }

    #[test]
    fn the_other_crate_is_found_by_its_own_paths() {
        let lib =
            "pub use mcpbolt_proto::{policy, Error}; pub mod c { pub use mcpbolt_proto::policy::Rate; }";
        let proto = "pub mod policy { pub struct Rate; } mod e { pub enum Error {} } pub use e::Error;";
        let found = public(&[("core/src/lib.rs", lib), ("core/proto/src/lib.rs", proto)]);
        assert_eq!(found, ["mcpbolt::Error", "mcpbolt::c::Rate"]);
    }

    #[test]
    fn a_name_stands_where_it_is_at_home() {
        let lib = "pub mod a { pub use crate::b::B; } pub mod b { mod inner; pub use inner::B; }";
        let found = public(&[("core/src/lib.rs", lib), ("core/src/b/inner.rs", "pub struct B;")]);
        assert_eq!(found, ["mcpbolt::b::B"]);
    }

    #[test]
    fn circles_end() {
        let lib = "pub use self::a::X; mod a { pub use super::X; pub use super::*; } pub use a;";
        assert!(public(&[("core/src/lib.rs", lib)]).is_empty());
    }
}
