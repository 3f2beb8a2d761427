//! The modules of the engine's two crates, with what macros write.
//!
//! Owns: which file a module is in, what it declares, and what its `use` names. Must not know: what
//! is public, or how anything is shown.

use super::attributes;
use super::macros::Macro;
use crate::tree::File;
use std::collections::BTreeMap;
use syn::parse::{ParseStream, Parser as _};
use syn::{ImplItem, Item, UseTree, Visibility};

/// The two crates: the name that paths begin with, and where their sources are.
pub(super) const CRATES: [(&str, &str); 2] = [("mcpbolt", "core/src"), ("mcpbolt_proto", "core/proto/src")];

/// A path of modules, or to an item in one.
pub(super) type Path = Vec<String>;

/// One name that a `use` brings.
pub(super) struct Import {
    /// `*` for all names.
    pub(super) name: String,
    pub(super) path: Path,
    pub(super) public: bool,
    /// The feature that it needs.
    pub(super) feature: Option<String>,
}

/// One module.
#[derive(Default)]
pub(super) struct Module {
    pub(super) file: String,
    pub(super) items: Vec<Item>,
    pub(super) imports: Vec<Import>,
    /// Names of the modules in it, whether each is public, and the feature that it needs.
    pub(super) children: Vec<(String, bool, Option<String>)>,
}

/// All modules by their path.
pub(super) struct Modules {
    pub(super) all: BTreeMap<Path, Module>,
}

struct Loader<'a> {
    texts: BTreeMap<&'a str, &'a str>,
    macros: BTreeMap<String, Macro>,
    all: BTreeMap<Path, Module>,
}

impl Modules {
    pub(super) fn read(files: &[File]) -> Result<Self, String> {
        let ours = files.iter().filter(|file| CRATES.iter().any(|(_, folder)| file.path.starts_with(folder)));
        let texts = ours.map(|file| (file.path.as_str(), file.text.as_str())).collect();
        let mut loader = Loader { texts, macros: BTreeMap::new(), all: BTreeMap::new() };
        for (name, folder) in CRATES {
            loader.file(vec![name.to_owned()], &format!("{folder}/lib.rs"), folder)?;
        }
        loader.expand()?;
        Ok(Self { all: loader.all })
    }
}

impl Loader<'_> {
    /// Reads the file of a module; the modules in it are in a folder, or say where they are.
    fn file(&mut self, path: Path, file: &str, folder: &str) -> Result<(), String> {
        let text = self.texts.get(file).ok_or_else(|| format!("{file} is not there"))?;
        let read = syn::parse_file(text).map_err(|why| format!("{file}: {why}"))?;
        self.module(path, file, folder, read.items)
    }

    fn module(&mut self, path: Path, file: &str, folder: &str, items: Vec<Item>) -> Result<(), String> {
        let mut module = Module { file: file.to_owned(), ..Module::default() };
        for item in items {
            match item {
                Item::Mod(child) if attributes::is_hidden(&child.attrs) => {}
                Item::Mod(child) => {
                    let name = child.ident.to_string();
                    let inner = [&path[..], std::slice::from_ref(&name)].concat();
                    let deeper = format!("{folder}/{name}");
                    let public = matches!(child.vis, Visibility::Public(_));
                    module.children.push((name, public, attributes::feature(&child.attrs)));
                    if let Some((_, items)) = child.content {
                        self.module(inner, file, &deeper, items)?;
                    } else {
                        let said = attributes::path(&child.attrs).map(|path| format!("{folder}/{path}"));
                        let places = [format!("{deeper}.rs"), format!("{deeper}/mod.rs")];
                        let place = said.or_else(|| {
                            places.into_iter().find(|place| self.texts.contains_key(place.as_str()))
                        });
                        let place = place.ok_or_else(|| format!("{deeper}.rs is not there"))?;
                        self.file(inner, &place, &deeper)?;
                    }
                }
                Item::Use(import) if !attributes::is_hidden(&import.attrs) => {
                    let public = matches!(import.vis, Visibility::Public(_));
                    let feature = attributes::feature(&import.attrs);
                    leaves(&import.tree, &mut Vec::new(), &mut |name, path| {
                        module.imports.push(Import { name, path, public, feature: feature.clone() });
                    });
                }
                Item::Macro(made) if made.ident.is_some() => {
                    let name = made.ident.map(|name| name.to_string()).unwrap_or_default();
                    self.macros.insert(name, Macro::read(made.mac.tokens));
                }
                other => module.items.push(other),
            }
        }
        self.all.insert(path, module);
        Ok(())
    }

    /// Puts in place of each call of a macro of ours what it writes.
    fn expand(&mut self) -> Result<(), String> {
        for module in self.all.values_mut() {
            let file = module.file.clone();
            let mut items = Vec::new();
            for item in std::mem::take(&mut module.items) {
                expand_item(item, &self.macros, &mut items).map_err(|why| format!("{file}: {why}"))?;
            }
            module.items = items;
        }
        Ok(())
    }
}

fn expand_item(item: Item, macros: &BTreeMap<String, Macro>, out: &mut Vec<Item>) -> syn::Result<()> {
    match item {
        Item::Macro(call) => {
            // Others, such as those of tests, declare nothing.
            if let Some(known) = called(&call.mac, macros) {
                for each in syn::parse2::<syn::File>(known.expand(&call.mac.tokens)?)?.items {
                    expand_item(each, macros, out)?;
                }
            }
        }
        Item::Impl(mut block) => {
            let mut members = Vec::new();
            for member in std::mem::take(&mut block.items) {
                expand_member(member, macros, &mut members)?;
            }
            block.items = members;
            out.push(Item::Impl(block));
        }
        other => out.push(other),
    }
    Ok(())
}

fn expand_member(
    member: ImplItem,
    macros: &BTreeMap<String, Macro>,
    out: &mut Vec<ImplItem>,
) -> syn::Result<()> {
    let ImplItem::Macro(call) = member else {
        out.push(member);
        return Ok(());
    };
    if let Some(known) = called(&call.mac, macros) {
        for each in members.parse2(known.expand(&call.mac.tokens)?)? {
            expand_member(each, macros, out)?;
        }
    }
    Ok(())
}

fn members(input: ParseStream<'_>) -> syn::Result<Vec<ImplItem>> {
    let mut found = Vec::new();
    while !input.is_empty() {
        found.push(input.parse()?);
    }
    Ok(found)
}

fn called<'a>(call: &syn::Macro, macros: &'a BTreeMap<String, Macro>) -> Option<&'a Macro> {
    macros.get(&call.path.get_ident()?.to_string())
}

/// Each name of a `use`, with its path.
fn leaves(tree: &UseTree, prefix: &mut Path, found: &mut dyn FnMut(String, Path)) {
    let with = |prefix: &Path, last: &syn::Ident| {
        let mut path = prefix.clone();
        if last != "self" {
            path.push(last.to_string());
        }
        path
    };
    match tree {
        UseTree::Path(path) => {
            prefix.push(path.ident.to_string());
            leaves(&path.tree, prefix, found);
            prefix.pop();
        }
        UseTree::Name(name) => {
            let path = with(prefix, &name.ident);
            found(path.last().cloned().unwrap_or_default(), path);
        }
        UseTree::Rename(name) => found(name.rename.to_string(), with(prefix, &name.ident)),
        UseTree::Glob(_) => found("*".to_owned(), prefix.clone()),
        UseTree::Group(group) => group.items.iter().for_each(|each| leaves(each, prefix, found)),
    }
}

/// The modules of texts; a crate that has none is empty.
#[cfg(test)]
pub(super) fn of(files: &[(&str, &str)]) -> Modules {
    let file = |(path, text): &(&str, &str)| File { path: (*path).to_owned(), text: (*text).to_owned() };
    let mut all: Vec<File> = files.iter().map(file).collect();
    for (_, folder) in CRATES {
        let path = format!("{folder}/lib.rs");
        if !files.iter().any(|(found, _)| *found == path) {
            all.push(File { path, text: String::new() });
        }
    }
    Modules::read(&all).unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(modules: &Modules, path: &str) -> Vec<String> {
        let path: Path = path.split("::").map(str::to_owned).collect();
        let items = modules.all[&path].items.iter();
        items
            .filter_map(|item| match item {
                Item::Struct(item) => Some(item.ident.to_string()),
                Item::Enum(item) => Some(item.ident.to_string()),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn modules_are_in_files_in_folders_and_in_each_other() {
        let modules = of(&[
            (
                "core/src/lib.rs",
                "pub mod a; mod b { struct B; } #[cfg(test)] mod tests; #[path = \"e.rs\"] mod d;",
            ),
            ("core/src/a/mod.rs", "mod c;"),
            ("core/src/a/c.rs", "struct C;"),
            ("core/src/e.rs", "struct E;"),
        ]);
        assert_eq!(names(&modules, "mcpbolt::a::c"), ["C"]);
        assert_eq!(names(&modules, "mcpbolt::b"), ["B"]);
        assert_eq!(names(&modules, "mcpbolt::d"), ["E"]);
    }

    #[test]
    fn what_macros_write_is_there() {
        let text = "
            macro_rules! outer { ($name:ident $($more:tt)*) => { pub struct $name; impl $name { inner! { a, $($more)* } } }; }
            macro_rules! inner { ($($field:ident,)+) => { $(pub fn $field() {})+ }; }
            outer! { A b, }
            thread_local! { static X: u8 = 0; }";
        let modules = of(&[("core/src/lib.rs", text)]);
        assert_eq!(names(&modules, "mcpbolt"), ["A"]);
        let Item::Impl(block) = &modules.all[&vec!["mcpbolt".to_owned()]].items[1] else { panic!("no impl") };
        assert_eq!(block.items.len(), 2);
    }

    #[test]
    fn imports_are_unfolded() {
        let modules = of(&[("core/src/lib.rs", "pub use a::{b, c::{self, D as E}, f::*}; use g;")]);
        let all = &modules.all[&vec!["mcpbolt".to_owned()]].imports;
        let shown: Vec<_> =
            all.iter().map(|i| format!("{} {} {}", i.name, i.path.join("::"), i.public)).collect();
        assert_eq!(shown, ["b a::b true", "c a::c true", "E a::c::D true", "* a::f true", "g g false"]);
    }
}
