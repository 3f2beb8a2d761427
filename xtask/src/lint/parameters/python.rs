//! The Python package: what programs can import, and what that is derived from.
//!
//! Owns: which declarations are public. Must not know: numbers.

use super::{Bare, Finding, Tree};
use crate::python_signatures::{Definition, definitions, texts_of_list};
use crate::python_source::Package;
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

/// A file, and a name at its top.
type Place = (usize, String);

pub(super) fn bare(tree: &Tree) -> Vec<Bare> {
    let package = Package::of(&tree.files);
    let mut modules = Vec::new();
    let mut public = BTreeSet::new();
    for (index, module) in package.modules.iter().enumerate() {
        let text = tree.file(&module.path).map_or("", |file| file.text.as_str());
        let path = module.path.strip_prefix(PACKAGE).unwrap_or_default();
        let is_public = path.split('/').all(|part| !part.starts_with('_') || part == "__init__.py");
        if is_public {
            let all = texts_of_list(text, "__all__").into_iter();
            public.extend(all.map(|name| (package.defining(index, &name), name)));
        }
        let definitions = if text.contains(GENERATED) { Vec::new() } else { definitions(text) };
        let path = module.path.as_str();
        modules.push(Module { path, is_public, definitions });
    }
    with_bases(&package, &modules, &mut public);
    let mut found = Vec::new();
    for (index, module) in modules.iter().enumerate() {
        for one in &module.definitions {
            let top = one.name.split('.').next().unwrap_or_default();
            let is_private =
                one.name.split('.').skip(1).any(|part| part.starts_with('_') && part != "__init__");
            if public.contains(&(index, top.to_owned())) && !is_private && !is_repeated(one) {
                found.extend(bare_of(module, one));
            }
        }
    }
    found
}

/// Adds what public modules define, and what public classes are derived from.
fn with_bases(package: &Package, modules: &[Module<'_>], public: &mut BTreeSet<Place>) {
    for (index, module) in modules.iter().enumerate().filter(|(_, module)| module.is_public) {
        let names = module.definitions.iter().map(|one| &one.name);
        let open = names.filter(|name| !name.starts_with('_') && !name.contains('.'));
        public.extend(open.map(|name| (index, name.clone())));
    }
    loop {
        let before = public.len();
        for (index, module) in modules.iter().enumerate() {
            for one in &module.definitions {
                if public.contains(&(index, one.name.clone())) {
                    let bases = one.bases.iter();
                    public.extend(bases.map(|base| (package.defining(index, base), base.clone())));
                }
            }
        }
        if public.len() == before {
            return;
        }
    }
}

/// Another definition of a name that is explained once, or what only pydantic calls.
fn is_repeated(one: &Definition) -> bool {
    let again = |mark: &String| {
        mark == "overload" || mark.ends_with(".setter") || mark.starts_with("field_validator")
    };
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
