//! The Python package: what programs can import, and what that is derived from.
//!
//! Owns: which declarations are public. Must not know: numbers.

use super::{Bare, Finding, Tree};
use crate::python_signatures::{Definition, definitions, texts_of_list};
use std::collections::BTreeSet;

const PACKAGE: &str = "bindings-python/python/mcpbolt/";
/// What a generated file says of itself.
const GENERATED: &str = "Written by `cargo xtask generate`";
/// Bases whose fields are arguments of the constructor.
const MODELS: [&str; 4] = ["BaseModel", "BaseSettings", "TypedDict", "NamedTuple"];

struct Module<'a> {
    path: &'a str,
    is_public: bool,
    definitions: Vec<Definition>,
}

pub(super) fn bare(tree: &Tree) -> Vec<Bare> {
    let mut modules = Vec::new();
    let mut exported = BTreeSet::new();
    for file in tree.files.iter().filter(|file| file.path.starts_with(PACKAGE) && file.path.ends_with(".py"))
    {
        if file.text.contains(GENERATED) {
            continue;
        }
        let path = &file.path[PACKAGE.len()..];
        let is_public = path.split('/').all(|part| !part.starts_with('_') || part == "__init__.py");
        if is_public {
            exported.extend(texts_of_list(&file.text, "__all__"));
        }
        modules.push(Module { path: &file.path, is_public, definitions: definitions(&file.text) });
    }
    let public = with_bases(&modules, exported);
    let mut found = Vec::new();
    for module in &modules {
        for one in &module.definitions {
            let top = one.name.split('.').next().unwrap_or_default();
            let is_private = one.name.split('.').any(|part| part.starts_with('_') && part != "__init__");
            let is_counted = (module.is_public && !top.starts_with('_')) || public.contains(top);
            if is_counted && !is_private && !is_repeated(one) {
                found.extend(bare_of(module, one));
            }
        }
    }
    found
}

/// The names of public classes and functions, and of what the classes are derived from.
fn with_bases(modules: &[Module<'_>], exported: BTreeSet<String>) -> BTreeSet<String> {
    let mut public = exported;
    let open = modules.iter().filter(|module| module.is_public).flat_map(|module| &module.definitions);
    public.extend(open.filter(|one| !one.name.starts_with('_')).map(|one| one.name.clone()));
    loop {
        let before = public.len();
        for one in modules.iter().flat_map(|module| &module.definitions) {
            if public.contains(&one.name) {
                public.extend(one.bases.iter().cloned());
            }
        }
        if public.len() == before {
            return public;
        }
    }
}

/// Another definition of a name that is explained once.
fn is_repeated(one: &Definition) -> bool {
    let again =
        |mark: &String| mark == "overload" || mark.ends_with(".overload") || mark.ends_with(".setter");
    one.marks.iter().any(again)
}

fn bare_of(module: &Module<'_>, one: &Definition) -> Vec<Bare> {
    let class = one.name.rsplit_once('.').map_or("", |(class, _)| class);
    let class = module.definitions.iter().find(|it| it.is_class && it.name == class);
    let is_constructor = one.is_class || one.name.ends_with(".__init__");
    let is_said = |name: &String| {
        one.explained.contains(name)
            || (is_constructor && class.is_some_and(|class| class.explained.contains(name)))
    };
    let names: Vec<&String> = if one.is_class {
        let makes = one.marks.iter().any(|mark| mark.contains("dataclass"))
            || one.bases.iter().any(|base| MODELS.contains(&base.as_str()));
        one.fields.iter().filter(|(_, said)| makes && !said).map(|(name, _)| name).collect()
    } else {
        one.parameters.iter().collect()
    };
    let kind = if is_constructor { "python constructors" } else { "python functions" };
    // A method without words is shown with those of the method that it replaces.
    let inherits =
        !is_constructor && !one.has_docstring && class.is_some_and(|class| !class.bases.is_empty());
    let bare = names.into_iter().filter(|name| !is_said(name) && !inherits);
    bare.map(|name| Bare {
        kind,
        finding: Finding::new(module.path, one.line, format!("{}: {name}", one.name)),
    })
    .collect()
}
