//! The public names of the crate `mcpbolt` with their comments.
//!
//! Owns: what is told of an item: fields, variants, functions, and the traits that it implements.
//! Must not know: pages.

mod attributes;
mod macros;
mod modules;
mod names;
mod shown;
mod words;

use super::item::{Item, Row};
use crate::tree::File;
use modules::{CRATES, Modules, Path};
use names::{DEEPEST, Meaning, Place, Public};
use std::collections::{BTreeMap, BTreeSet};
use syn::spanned::Spanned as _;
use syn::{Fields, ImplItem, ItemImpl, TraitItem, Type, Visibility};

/// All public items, by the module where programs find them.
pub(super) fn items(files: &[File]) -> Result<Vec<Item>, String> {
    let modules = Modules::read(files)?;
    let public = modules.public(CRATES[0].0);
    let engine = Engine {
        blocks: blocks(&modules),
        public: public.iter().map(|each| each.place.clone()).collect(),
        modules: &modules,
    };
    Ok(public.iter().filter_map(|each| engine.item(each)).collect())
}

/// The `impl` of each item, with the modules they stand in.
type Blocks<'a> = BTreeMap<Place, Vec<(&'a Path, &'a ItemImpl)>>;

fn blocks(modules: &Modules) -> Blocks<'_> {
    let mut found = Blocks::new();
    for (path, module) in &modules.all {
        for item in &module.items {
            let syn::Item::Impl(block) = item else { continue };
            let Type::Path(of) = &*block.self_ty else { continue };
            let segments: Path = of.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            if let Some(Meaning::Item(place)) = modules.meaning(path, &segments, DEEPEST)
                && !attributes::is_hidden(&block.attrs)
            {
                found.entry(place).or_default().push((path, block));
            }
        }
    }
    found
}

struct Engine<'a> {
    modules: &'a Modules,
    blocks: Blocks<'a>,
    public: BTreeSet<Place>,
}

impl Engine<'_> {
    fn item(&self, public: &Public) -> Option<Item> {
        let item = self.modules.item(&public.place);
        let found = attributes_of(item);
        if attributes::is_hidden(found) {
            return None;
        }
        let mut notes = Vec::new();
        if let Some(feature) = public.feature.clone().or_else(|| attributes::feature(found)) {
            notes.push(format!("With the feature `{feature}`."));
        }
        let implemented = self.implemented(&public.place, found);
        if !implemented.is_empty() {
            notes.push(format!("Implements `{}`.", implemented.join("`, `")));
        }
        let mut members = self.functions(public);
        members.sort_by(|a, b| a.name.cmp(&b.name));
        let (lines, constants) = self.constants(public);
        let rows = [rows(item), constants].concat();
        Some(Item {
            name: public.name.clone(),
            place: public.module.join("::"),
            file: self.modules.all[&public.place.0].file.clone(),
            line: line(item),
            code: shown::with_lines(shown::item(item)?, &public.name, &lines),
            words: words::of(found),
            notes,
            rows,
            members,
        })
    }

    /// The functions of a type in any file, or of a trait.
    fn functions(&self, public: &Public) -> Vec<Item> {
        let member = |name: &syn::Ident, path: &Path, code: String, attributes: &[syn::Attribute]| Item {
            name: format!("{}::{name}", public.name),
            place: public.module.join("::"),
            file: self.modules.all[path].file.clone(),
            line: name.span().start().line,
            code,
            words: words::of(attributes),
            notes: attributes::feature(attributes)
                .map(|feature| format!("With the feature `{feature}`."))
                .into_iter()
                .collect(),
            ..Item::default()
        };
        let mut found = Vec::new();
        for (path, block) in self.inherent(&public.place) {
            for each in &block.items {
                if let ImplItem::Fn(function) = each
                    && matches!(function.vis, Visibility::Public(_))
                    && !attributes::is_hidden(&function.attrs)
                {
                    let code = shown::function(&function.vis, &function.sig);
                    found.push(member(&function.sig.ident, path, code, &function.attrs));
                }
            }
        }
        if let syn::Item::Trait(of) = self.modules.item(&public.place) {
            for each in &of.items {
                if let TraitItem::Fn(function) = each
                    && !attributes::is_hidden(&function.attrs)
                {
                    let code = shown::required(function);
                    found.push(member(&function.sig.ident, &public.place.0, code, &function.attrs));
                }
            }
        }
        found
    }

    /// The constants of a type, and what a trait has beside functions: as lines, and their words.
    fn constants(&self, public: &Public) -> (Vec<String>, Vec<Row>) {
        let (mut lines, mut rows) = (Vec::new(), Vec::new());
        let mut add = |line: String, name: &syn::Ident, attributes: &[syn::Attribute]| {
            lines.push(line);
            rows.push(Row { name: format!("{}::{name}", public.name), words: words::of(attributes) });
        };
        for (_, block) in self.inherent(&public.place) {
            for each in &block.items {
                if let ImplItem::Const(one) = each
                    && matches!(one.vis, Visibility::Public(_))
                    && !attributes::is_hidden(&one.attrs)
                {
                    let line = shown::associated(&one.vis, &one.ident, &one.ty, Some(&one.expr));
                    add(line, &one.ident, &one.attrs);
                }
            }
        }
        if let syn::Item::Trait(of) = self.modules.item(&public.place) {
            for each in &of.items {
                let (name, attributes) = match each {
                    TraitItem::Type(one) => (&one.ident, &one.attrs),
                    TraitItem::Const(one) => (&one.ident, &one.attrs),
                    _ => continue,
                };
                if let Some(line) = shown::line_of(each) {
                    add(line, name, attributes);
                }
            }
        }
        (lines, rows)
    }

    fn inherent(&self, place: &Place) -> impl Iterator<Item = &(&Path, &ItemImpl)> {
        self.blocks.get(place).into_iter().flatten().filter(|(_, block)| block.trait_.is_none())
    }

    /// The traits that it implements, but those that only the engine sees.
    fn implemented(&self, place: &Place, attributes: &[syn::Attribute]) -> Vec<String> {
        let mut found: BTreeSet<String> = attributes::derived(attributes).into_iter().collect();
        for (path, block) in self.blocks.get(place).into_iter().flatten() {
            let Some((of, _)) = &block.trait_ else { continue };
            if attributes::feature(&block.attrs).is_some() {
                continue;
            }
            let segments: Path = of.segments.iter().map(|segment| segment.ident.to_string()).collect();
            let ours = self.modules.meaning(path, &segments, DEEPEST);
            if !matches!(&ours, Some(Meaning::Item(of)) if !self.public.contains(of)) {
                found.extend(of.segments.last().map(|last| {
                    let last = syn::Path::from(last.clone());
                    let shown = shown::kind(&Type::Path(syn::TypePath {
                        attrs: Vec::new(),
                        qself: None,
                        path: last,
                    }));
                    // How long something lives is of no interest here.
                    shown.split_once("<'").map_or(shown.clone(), |(name, _)| name.to_owned())
                }));
            }
        }
        found.into_iter().collect()
    }
}

/// Fields and variants; the code of the item has them already.
fn rows(item: &syn::Item) -> Vec<Row> {
    let row = |name: String, attributes: &[syn::Attribute]| Row { name, words: words::of(attributes) };
    let fields = |fields: &Fields, before: &str, all: bool| {
        let named = fields.iter().filter(|field| all || matches!(field.vis, Visibility::Public(_)));
        let shown = named.filter(|field| !attributes::is_hidden(&field.attrs));
        let rows = shown.enumerate().map(|(index, field)| {
            let name = field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string);
            row(format!("{before}{name}"), &field.attrs)
        });
        rows.collect::<Vec<_>>()
    };
    match item {
        syn::Item::Struct(item) => fields(&item.fields, "", false),
        syn::Item::Enum(item) => {
            let each = item.variants.iter().flat_map(|variant| {
                let inner = fields(&variant.fields, &format!("{}.", variant.ident), true);
                std::iter::once(row(variant.ident.to_string(), &variant.attrs)).chain(inner)
            });
            each.collect()
        }
        _ => Vec::new(),
    }
}

fn attributes_of(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        _ => &[],
    }
}

/// Where the name stands.
fn line(item: &syn::Item) -> usize {
    let span = match item {
        syn::Item::Struct(item) => item.ident.span(),
        syn::Item::Enum(item) => item.ident.span(),
        syn::Item::Trait(item) => item.ident.span(),
        syn::Item::Type(item) => item.ident.span(),
        syn::Item::Const(item) => item.ident.span(),
        syn::Item::Static(item) => item.ident.span(),
        syn::Item::Fn(item) => item.sig.ident.span(),
        other => other.span(),
    };
    span.start().line
}

#[cfg(test)]
mod tests;
