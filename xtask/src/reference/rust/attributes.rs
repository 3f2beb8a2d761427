//! What the attributes of an item say.
//!
//! Owns: comments, what is hidden or only for tests, features, deprecation. Must not know: items.

use proc_macro2::TokenTree;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, Meta, Token};

/// Features that are on unless a program says otherwise.
const DEFAULT: &[&str] = &["http-server", "http-client", "schema-validation", "file-store"];
/// The feature of what bindings stand on, which is no business of programs.
const BINDINGS: &str = "bridge";

/// The lines of the comment.
pub(super) fn comment(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter(|each| each.path().is_ident("doc"));
    let texts = lines.filter_map(|each| match &each.meta {
        Meta::NameValue(pair) => text(&pair.value),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// A literal, or literals that are put together.
fn text(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        Expr::Macro(call) if call.mac.path.is_ident("concat") => {
            let parts = call.mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated).ok()?;
            parts.iter().map(text).collect()
        }
        Expr::Group(group) => text(&group.expr),
        _ => None,
    }
}

/// Whether it is for tests, for bindings, or hidden from readers.
pub(super) fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|each| {
        let words = words(each);
        let has = |word: &str| words.iter().any(|found| found == word);
        (each.path().is_ident("doc") && has("hidden"))
            || (each.path().is_ident("cfg") && !has("not") && !has("any") && has("test"))
            || (each.path().is_ident("cfg") && !has("not") && has(BINDINGS))
    })
}

/// The feature that a program has to ask for.
pub(super) fn feature(attributes: &[Attribute]) -> Option<String> {
    let conditions = attributes.iter().filter(|each| each.path().is_ident("cfg"));
    let all = conditions.map(words).filter(|words| !words.iter().any(|word| word == "not"));
    let mut wanted = all.filter_map(|words| {
        let at = words.iter().position(|word| word == "feature")?;
        words.get(at + 1).cloned()
    });
    wanted.find(|feature| !DEFAULT.contains(&feature.as_str()))
}

/// What is said against its use.
pub(super) fn deprecated(attributes: &[Attribute]) -> Option<String> {
    let found = attributes.iter().find(|each| each.path().is_ident("deprecated"))?;
    let words = words(found);
    let note = words.iter().position(|word| word == "note").and_then(|at| words.get(at + 1));
    Some(note.cloned().unwrap_or_default())
}

pub(super) fn is_non_exhaustive(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|each| each.path().is_ident("non_exhaustive"))
}

/// The traits that are derived, also those that a feature brings.
pub(super) fn derived(attributes: &[Attribute]) -> Vec<String> {
    let lists = attributes.iter().filter(|each| each.path().is_ident("derive"));
    let mut found = Vec::new();
    for list in lists {
        let parsed = list.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated);
        let paths = parsed.into_iter().flatten();
        found.extend(paths.filter_map(|path| path.segments.last().map(|last| last.ident.to_string())));
    }
    found
}

/// The file that a module is in, if it says so itself.
pub(super) fn path(attributes: &[Attribute]) -> Option<String> {
    let found = attributes.iter().find(|each| each.path().is_ident("path"))?;
    match &found.meta {
        Meta::NameValue(pair) => text(&pair.value),
        _ => None,
    }
}

/// Names and literals within an attribute, at any depth.
fn words(attribute: &Attribute) -> Vec<String> {
    fn collect(tokens: proc_macro2::TokenStream, found: &mut Vec<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(name) => found.push(name.to_string()),
                TokenTree::Literal(literal) => match syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                    Ok(text) => found.push(text.value()),
                    Err(_) => found.push(literal.to_string()),
                },
                TokenTree::Group(group) => collect(group.stream(), found),
                TokenTree::Punct(_) => {}
            }
        }
    }
    let mut found = Vec::new();
    if let Meta::List(list) = &attribute.meta {
        collect(list.tokens.clone(), &mut found);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Attribute> {
        syn::parse_str::<syn::ItemStruct>(&format!("{text}\nstruct A;")).unwrap().attrs
    }

    #[test]
    fn comments_may_be_put_together() {
        assert_eq!(comment(&of("/// One.\n///\n/// Two.")), " One.\n\n Two.");
        assert_eq!(comment(&of("#[doc = concat!(\"`\", \"a\", \"`\")]")), "`a`");
    }

    #[test]
    fn hidden_is_what_tests_and_bindings_have() {
        for hidden in ["#[doc(hidden)]", "#[cfg(test)]", "#[cfg(feature = \"bridge\")]"] {
            assert!(is_hidden(&of(hidden)), "{hidden}");
        }
        for shown in ["", "#[cfg(not(test))]", "#[cfg(any(test, feature = \"testing\"))]", "/// hidden"] {
            assert!(!is_hidden(&of(shown)), "{shown}");
        }
    }

    #[test]
    fn features_that_are_on_are_not_told() {
        assert_eq!(feature(&of("#[cfg(feature = \"http-server\")]")), None);
        assert_eq!(feature(&of("#[cfg(feature = \"redis\")]")).as_deref(), Some("redis"));
        assert_eq!(feature(&of("#[cfg(not(feature = \"redis\"))]")), None);
    }

    #[test]
    fn derives_and_deprecation_are_found() {
        let all = of("#[derive(Debug, serde::Serialize)] #[deprecated(note = \"Use B.\")] #[non_exhaustive]");
        assert_eq!(derived(&all), ["Debug", "Serialize"]);
        assert_eq!(deprecated(&all).as_deref(), Some("Use B."));
        assert!(is_non_exhaustive(&all));
    }
}
