//! Declarations of Rust as text, without what only the engine sees.
//!
//! Owns: what is left out of a declaration, and how it is written. Must not know: comments, or
//! which items there are.

use super::super::item::indented;
use super::attributes;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Field, Fields, Generics, Item, ItemConst, ItemFn, ItemType, Signature, TraitItem, Type,
    Variant, Visibility,
};

/// The longest value of a constant that is shown.
const VALUE: usize = 80;

/// The declaration of an item; nothing if it is none that is shown.
pub(super) fn item(item: &Item) -> Option<String> {
    match item {
        Item::Struct(found) => {
            let mut shown = found.clone();
            shown.attrs = kept(&found.attrs);
            let private = without_private(&mut shown.fields);
            Some(with_private(&written(Item::Struct(shown)), private))
        }
        Item::Enum(found) => {
            let mut shown = found.clone();
            shown.attrs = kept(&found.attrs);
            shown.variants.iter_mut().for_each(without_attributes);
            Some(written(Item::Enum(shown)))
        }
        Item::Trait(found) => {
            let mut shown = found.clone();
            shown.attrs = kept(&found.attrs);
            shown.items = Vec::new();
            Some(without_body(&written(Item::Trait(shown))))
        }
        Item::Type(found) => Some(written(Item::Type(ItemType { attrs: Vec::new(), ..found.clone() }))),
        Item::Const(found) => Some(constant(ItemConst { attrs: Vec::new(), ..found.clone() })),
        Item::Static(found) => {
            let mut shown = found.clone();
            shown.attrs = Vec::new();
            let line = written(Item::Static(shown));
            Some(line.split(" = ").next().map(|start| format!("{start};")).unwrap_or_default())
        }
        Item::Fn(found) => Some(function(&found.vis, &found.sig)),
        _ => None,
    }
}

/// The declaration with lines of its own: those of a trait in it, constants of a type in an `impl`.
pub(super) fn with_lines(declaration: String, name: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return declaration;
    }
    let inside = indented(lines);
    if declaration.split_whitespace().any(|word| word == "trait") {
        format!("{declaration} {{\n{inside}}}")
    } else {
        format!("{declaration}\n\nimpl {name} {{\n{inside}}}")
    }
}

/// A function without its body.
pub(super) fn function(visibility: &Visibility, signature: &Signature) -> String {
    let mut empty: ItemFn = parsed("fn f() {}");
    empty.vis = visibility.clone();
    empty.sig = signature.clone();
    // What a function does with a parameter is its own affair.
    let line = without_body(&written(Item::Fn(empty)));
    ["(mut ", ", mut ", "    mut "]
        .iter()
        .fold(line, |line, word| line.replace(word, &word.replace("mut ", "")))
}

/// A function of a trait: whether there is something to write for who implements it.
pub(super) fn required(function_: &syn::TraitItemFn) -> String {
    let line = function(&Visibility::Inherited, &function_.sig);
    if function_.default.is_some() { format!("{line} {{ … }}") } else { format!("{line};") }
}

/// A constant, with its value if that is short.
pub(super) fn constant(shown: ItemConst) -> String {
    let line = written(Item::Const(shown));
    let short = line.len() <= VALUE && !line.contains('\n');
    if short { line } else { line.split(" = ").next().map(|start| format!("{start};")).unwrap_or_default() }
}

/// The same for one of a type or trait.
pub(super) fn associated(
    visibility: &Visibility,
    name: &syn::Ident,
    kind: &Type,
    value: Option<&syn::Expr>,
) -> String {
    let mut shown: ItemConst = parsed("const A: () = ();");
    shown.vis = visibility.clone();
    shown.ident = name.clone();
    shown.ty = Box::new(kind.clone());
    let Some(value) = value else {
        return written(Item::Const(shown)).replace(" = ();", ";");
    };
    shown.expr = Box::new(value.clone());
    constant(shown)
}

/// A type in one line, as long as that may be.
pub(super) fn kind(of: &Type) -> String {
    let mut alias: ItemType = parsed("type A = ();");
    alias.ty = Box::new(of.clone());
    alias.generics = Generics::default();
    let line = written(Item::Type(alias));
    let shown = line.trim_start_matches("type A =").trim_end_matches(';');
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A trait's associated types and constants.
pub(super) fn line_of(member: &TraitItem) -> Option<String> {
    match member {
        TraitItem::Type(found) => {
            let bounds: Vec<String> = found.bounds.iter().map(bound).collect();
            let bounds = if bounds.is_empty() { String::new() } else { format!(": {}", bounds.join(" + ")) };
            Some(format!("type {}{bounds};", found.ident))
        }
        TraitItem::Const(found) => {
            let value = found.default.as_ref().map(|(_, value)| value);
            Some(associated(&Visibility::Inherited, &found.ident, &found.ty, value))
        }
        _ => None,
    }
}

fn bound(of: &syn::TypeParamBound) -> String {
    let mut object: syn::TypeTraitObject = parsed("dyn A");
    object.bounds = Punctuated::from_iter([of.clone()]);
    kind(&Type::TraitObject(object)).trim_start_matches("dyn ").to_owned()
}

/// What this module writes itself.
fn parsed<T: syn::parse::Parse>(text: &str) -> T {
    syn::parse_str(text).expect("a text of this module")
}

fn kept(attributes: &[Attribute]) -> Vec<Attribute> {
    let kept = attributes.iter().filter(|each| attributes::is_non_exhaustive(std::slice::from_ref(each)));
    kept.cloned().collect()
}

fn written(item: Item) -> String {
    prettyplease::unparse(&syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items: vec![item],
    })
    .trim_end()
    .to_owned()
}

fn without_body(text: &str) -> String {
    text.trim_end().trim_end_matches("{}").trim_end().trim_end_matches(',').to_owned()
}

/// Leaves private fields out; whether there were any.
fn without_private(fields: &mut Fields) -> bool {
    let shown =
        |field: &Field| matches!(field.vis, Visibility::Public(_)) && !attributes::is_hidden(&field.attrs);
    match fields {
        Fields::Named(named) => {
            let all = named.named.len();
            named.named = std::mem::take(&mut named.named).into_iter().filter(shown).map(bare).collect();
            named.named.len() < all
        }
        Fields::Unnamed(unnamed) => {
            for field in &mut unnamed.unnamed {
                field.attrs = Vec::new();
                if !shown(field) {
                    field.ty = parsed("_");
                    field.vis = Visibility::Inherited;
                }
            }
            false
        }
        Fields::Unit => false,
    }
}

fn bare(mut field: Field) -> Field {
    field.attrs = Vec::new();
    field
}

fn without_attributes(variant: &mut Variant) {
    variant.attrs = Vec::new();
    variant.fields.iter_mut().for_each(|field| field.attrs = Vec::new());
}

/// As rustdoc says that there is more.
fn with_private(text: &str, private: bool) -> String {
    if !private {
        return text.to_owned();
    }
    match text.strip_suffix("{}") {
        Some(head) => format!("{head}{{ /* private fields */ }}"),
        None => format!("{}    // some fields are private\n}}", text.trim_end_matches('}')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        item(&syn::parse_str(text).unwrap()).unwrap()
    }

    #[test]
    fn private_fields_are_not_shown_but_said() {
        assert_eq!(shown("#[derive(Debug)] pub struct A { b: u8 }"), "pub struct A { /* private fields */ }");
        let both = "pub struct A<T> {\n    pub b: T,\n    // some fields are private\n}";
        assert_eq!(shown("pub struct A<T> { /// B.\n pub b: T, c: u8 }"), both);
        assert_eq!(shown("pub struct A(pub u64, u8);"), "pub struct A(pub u64, _);");
    }

    #[test]
    fn variants_are_shown_without_their_attributes() {
        let text =
            "/// A.\n#[non_exhaustive] pub enum A { /// B.\n #[error(\"b\")] B { /// C.\n c: u8 }, D(u8) }";
        assert_eq!(shown(text), "#[non_exhaustive]\npub enum A {\n    B { c: u8 },\n    D(u8),\n}");
    }

    #[test]
    fn functions_have_no_body() {
        let text = "pub async fn f<T>(mut a: T, b: &mut u8) -> u8 where T: Into<u8> { a.into() }";
        assert_eq!(shown(text), "pub async fn f<T>(a: T, b: &mut u8) -> u8\nwhere\n    T: Into<u8>");
        assert_eq!(shown("pub trait A: Send { fn b(&self); }"), "pub trait A: Send");
    }

    #[test]
    fn values_of_constants_are_shown_if_they_are_short() {
        assert_eq!(shown("pub const A: u8 = 1;"), "pub const A: u8 = 1;");
        let long = format!("pub const A: &str = \"{}\";", "a".repeat(80));
        assert_eq!(shown(&long), "pub const A: &str;");
        assert_eq!(shown("pub static A: &[u8] = &[1];"), "pub static A: &[u8];");
    }

    #[test]
    fn types_are_one_line() {
        let of: Type = syn::parse_str("Box<dyn Fn(u8) -> Result<(), String> + Send>").unwrap();
        assert_eq!(kind(&of), "Box<dyn Fn(u8) -> Result<(), String> + Send>");
        let of: syn::ItemTrait = syn::parse_str("trait A { type B: Send + 'static; const C: u8; }").unwrap();
        let lines: Vec<_> = of.items.iter().filter_map(line_of).collect();
        assert_eq!(lines, ["type B: Send + 'static;", "const C: u8;"]);
    }
}
