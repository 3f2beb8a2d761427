//! Macros by example, carried out: types and setters that a macro writes are in the reference, too.
//!
//! Owns: matching and writing, as far as the macros of the engine need it: nested repetitions, and
//! fragments of a few kinds. Must not know: any of these macros.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use std::collections::BTreeMap;
use syn::ext::IdentExt as _;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Error, Expr, Lit, Meta, Result, Type};

/// One macro: what its rules match and write.
pub(super) struct Macro {
    rules: Vec<(Vec<Pattern>, TokenStream)>,
}

enum Pattern {
    Token(TokenTree),
    Group(Delimiter, Vec<Self>),
    Fragment(String, String),
    Repeat { inner: Vec<Self>, separator: Option<TokenTree>, at_least: usize },
}

/// What a name of a rule stands for.
#[derive(Clone)]
enum Bound {
    One(TokenStream),
    Many(Vec<Bound>),
}

type Names = BTreeMap<String, Bound>;

impl Macro {
    /// Reads what stands in the braces of `macro_rules!`.
    pub(super) fn read(tokens: TokenStream) -> Self {
        let list: Vec<TokenTree> = tokens.into_iter().collect();
        let mut rules = Vec::new();
        let groups: Vec<&Group> = list
            .iter()
            .filter_map(|token| if let TokenTree::Group(group) = token { Some(group) } else { None })
            .collect();
        for pair in groups.chunks_exact(2) {
            rules.push((patterns(pair[0].stream()), pair[1].stream()));
        }
        Self { rules }
    }

    /// What it writes for these tokens.
    pub(super) fn expand(&self, tokens: &TokenStream) -> Result<TokenStream> {
        let mut why = Error::new(proc_macro2::Span::call_site(), "no rule matches");
        for (patterns, body) in &self.rules {
            let matched = |input: ParseStream<'_>| {
                let mut names = Names::new();
                matches(patterns, input, &mut names)?;
                if input.is_empty() { Ok(names) } else { Err(input.error("more than the rule matches")) }
            };
            match matched.parse2(tokens.clone()) {
                Ok(names) => return Ok(written(body.clone(), &names)),
                Err(error) => why = error,
            }
        }
        Err(why)
    }
}

fn is_punct(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(found)) if found.as_char() == sign)
}

/// The repetition `$(…) sep op` behind a `$` at `at`: its group, separator, operator, and how long it is.
fn repetition(list: &[TokenTree], at: usize) -> Option<(&Group, Option<&TokenTree>, char, usize)> {
    let Some(TokenTree::Group(group)) = list.get(at + 1) else { return None };
    let operator = |at: usize| match list.get(at) {
        Some(TokenTree::Punct(sign)) if matches!(sign.as_char(), '*' | '+' | '?') => Some(sign.as_char()),
        _ => None,
    };
    if let Some(sign) = operator(at + 2) {
        return Some((group, None, sign, 3));
    }
    operator(at + 3).map(|sign| (group, list.get(at + 2), sign, 4))
}

fn patterns(tokens: TokenStream) -> Vec<Pattern> {
    let list: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = list.get(at) {
        if is_punct(Some(token), '$') {
            if let Some((group, separator, sign, length)) = repetition(&list, at) {
                let at_least = usize::from(sign == '+');
                let inner = patterns(group.stream());
                found.push(Pattern::Repeat { inner, separator: separator.cloned(), at_least });
                at += length;
                continue;
            }
            if let (Some(name), Some(kind)) = (list.get(at + 1), list.get(at + 3)) {
                found.push(Pattern::Fragment(name.to_string(), kind.to_string()));
                at += 4;
                continue;
            }
        }
        found.push(match token {
            TokenTree::Group(group) => Pattern::Group(group.delimiter(), patterns(group.stream())),
            other => Pattern::Token(other.clone()),
        });
        at += 1;
    }
    found
}

fn matches(patterns: &[Pattern], input: ParseStream<'_>, names: &mut Names) -> Result<()> {
    for pattern in patterns {
        match pattern {
            Pattern::Token(wanted) => {
                let found: TokenTree = input.parse()?;
                if found.to_string() != wanted.to_string() {
                    return Err(Error::new(found.span(), format!("{wanted} is wanted")));
                }
            }
            Pattern::Group(delimiter, inner) => {
                let TokenTree::Group(group) = input.parse()? else { return Err(input.error("no group")) };
                if group.delimiter() != *delimiter {
                    return Err(input.error("another bracket is wanted"));
                }
                let whole = |input: ParseStream<'_>| matches(inner, input, names);
                whole.parse2(group.stream())?;
            }
            Pattern::Fragment(name, kind) => {
                names.insert(name.clone(), Bound::One(fragment(kind, input)?));
            }
            Pattern::Repeat { inner, separator, at_least } => {
                let rounds = repeated(inner, separator.as_ref(), input)?;
                if rounds.len() < *at_least {
                    return Err(input.error("at least one is wanted"));
                }
                for name in names_in(inner) {
                    let each = rounds.iter().filter_map(|round| round.get(&name).cloned());
                    names.insert(name.clone(), Bound::Many(each.collect()));
                }
            }
        }
    }
    Ok(())
}

/// Matches as often as it can.
fn repeated(inner: &[Pattern], separator: Option<&TokenTree>, input: ParseStream<'_>) -> Result<Vec<Names>> {
    let mut rounds = Vec::new();
    while !input.is_empty() {
        let trial = input.fork();
        let mut names = Names::new();
        if let (Some(separator), false) = (separator, rounds.is_empty())
            && trial.parse::<TokenTree>()?.to_string() != separator.to_string()
        {
            break;
        }
        if matches(inner, &trial, &mut names).is_err() {
            break;
        }
        input.advance_to(&trial);
        rounds.push(names);
    }
    Ok(rounds)
}

fn names_in(patterns: &[Pattern]) -> Vec<String> {
    let mut found = Vec::new();
    for pattern in patterns {
        match pattern {
            Pattern::Token(_) => {}
            Pattern::Fragment(name, _) => found.push(name.clone()),
            Pattern::Group(_, inner) | Pattern::Repeat { inner, .. } => found.extend(names_in(inner)),
        }
    }
    found
}

/// The tokens of one fragment.
fn fragment(kind: &str, input: ParseStream<'_>) -> Result<TokenStream> {
    let start = input.cursor();
    match kind {
        "ident" => drop(Ident::parse_any(input)?),
        "literal" => drop(input.parse::<Lit>()?),
        "ty" => drop(input.parse::<Type>()?),
        "expr" => drop(input.parse::<Expr>()?),
        "meta" => drop(input.parse::<Meta>()?),
        "tt" => drop(input.parse::<TokenTree>()?),
        other => return Err(input.error(format!("fragments of the kind {other} are not known here"))),
    }
    let (mut at, end) = (start, input.cursor());
    let mut tokens = Vec::new();
    while at != end
        && let Some((token, next)) = at.token_tree()
    {
        tokens.push(token);
        at = next;
    }
    Ok(tokens.into_iter().collect())
}

fn written(body: TokenStream, names: &Names) -> TokenStream {
    let list: Vec<TokenTree> = body.into_iter().collect();
    let mut out: Vec<TokenTree> = Vec::new();
    let mut at = 0;
    while let Some(token) = list.get(at) {
        if is_punct(Some(token), '$') {
            if let Some((group, separator, _, length)) = repetition(&list, at) {
                for (index, round) in rounds(group.stream(), names).iter().enumerate() {
                    out.extend(separator.filter(|_| index > 0).cloned());
                    out.extend(written(group.stream(), round));
                }
                at += length;
                continue;
            }
            if let Some(Bound::One(tokens)) = list.get(at + 1).and_then(|name| names.get(&name.to_string())) {
                out.extend(tokens.clone());
                at += 2;
                continue;
            }
        }
        out.push(match token {
            TokenTree::Group(group) => {
                let mut made = Group::new(group.delimiter(), written(group.stream(), names));
                made.set_span(group.span());
                TokenTree::Group(made)
            }
            other => other.clone(),
        });
        at += 1;
    }
    out.into_iter().collect()
}

/// For each round of a repetition, what the names in it stand for.
fn rounds(body: TokenStream, names: &Names) -> Vec<Names> {
    let mut used = Vec::new();
    used_names(body, &mut used);
    let repeated = used.iter().filter_map(|name| match names.get(name) {
        Some(Bound::Many(each)) => Some((name, each)),
        _ => None,
    });
    let mut found: Vec<Names> = Vec::new();
    for (name, each) in repeated {
        found.resize(found.len().max(each.len()), names.clone());
        for (round, bound) in found.iter_mut().zip(each) {
            round.insert(name.clone(), bound.clone());
        }
    }
    found
}

fn used_names(body: TokenStream, found: &mut Vec<String>) {
    let mut after_sign = false;
    for token in body {
        match &token {
            TokenTree::Group(group) => used_names(group.stream(), found),
            TokenTree::Ident(name) if after_sign => found.push(name.to_string()),
            _ => {}
        }
        after_sign = is_punct(Some(&token), '$');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blanks do not count: which signs belong together is seen from the signs.
    fn same(rules: &str, given: &str, wanted: &str) {
        let made = Macro::read(rules.parse().unwrap()).expand(&given.parse().unwrap()).unwrap();
        assert_eq!(made.to_string().replace(' ', ""), wanted.replace(' ', ""));
    }

    #[test]
    fn repetitions_are_nested_and_separated() {
        let rules = "($($name:ident { $($(#[$doc:meta])* $field:ident : $kind:ty = $value:expr,)* })*) => {
            $(pub struct $name { $($(#[$doc])* $field: $kind),* })*
        };";
        let given = "A { #[doc = \"x\"] a: Option<Vec<u8>> = f(1, 2).g(), } B {}";
        same(rules, given, "pub struct A { #[doc = \"x\"] a: Option<Vec<u8>> } pub struct B { }");
    }

    #[test]
    fn names_from_outside_stand_in_each_round() {
        let rules =
            "($name:ident { $($variant:ident = $text:literal,)+ }) => { $($name::$variant => $text,)+ };";
        same(
            rules,
            "Role { User = \"user\", Model = \"model\", }",
            "Role::User => \"user\", Role::Model => \"model\",",
        );
    }

    #[test]
    fn the_first_rule_that_matches_counts() {
        let rules = "(a $b:ident) => { one $b }; ($($all:tt)*) => { two $($all)* };";
        same(rules, "a b", "one b");
        same(rules, "c (d)", "two c (d)");
    }

    #[test]
    fn what_no_rule_matches_is_an_error() {
        let made = Macro::read("($name:ident) => { $name };".parse().unwrap());
        assert!(made.expand(&"1 + 1".parse().unwrap()).is_err());
        assert!(made.expand(&"a b".parse().unwrap()).is_err());
    }
}
