//! Templates that a facade has read, matched by the rules of its official package.
//!
//! RFC 6570 does not say which values a URI has, and official packages say it differently than
//! [`UriTemplate`](super::UriTemplate). Their facades keep the syntax and the words of errors,
//! and describe what they read as a [`Pattern`].
//!
//! Owns: what such a template consists of, and which of two walks finds its values.
//! Must not know: the syntax of templates, or which language asks.

use serde::Deserialize;

use super::piece::{Kind, Piece};
use super::row::{self, Step};
use super::{Value, ends};

/// A template as a row of texts and values.
///
/// ```
/// use mcpbolt_proto::uri_template::{Value, pattern::Pattern};
///
/// let row = r#"{"walk": "longestFirst", "pieces": ["notes://", {"name": "folder", "stops": "/"}, "/", {"name": "note"}]}"#;
/// let notes = Pattern::parse(row)?;
/// let found = notes.matches("notes://home/to%20do").unwrap_or_default();
/// assert_eq!(found[1], ("note", Value::Text("to%20do".to_owned())));
/// assert!(notes.matches("notes://home").is_none());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Pattern {
    walk: Walk,
    pieces: Vec<Piece>,
    /// Names of values in the query behind the pieces, which come in any order and may be absent.
    #[serde(default)]
    pub(super) query: Vec<String>,
}

/// How a URI is gone through.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Walk {
    /// The first value is as long as it can be, then the second, as a greedy regular expression
    /// has it. Values stay encoded and are never empty.
    LongestFirst,
    /// From both ends to the value that may span segments, without ever going back. Values
    /// are decoded, and may be empty.
    BothEnds,
}

impl Pattern {
    /// A pattern from JSON text: `walk`, `longestFirst` or `bothEnds`; `pieces`, each a text or
    /// an object with `name`, `stops`, and what else is said of a value; `query`, names.
    ///
    /// # Errors
    /// It is something else.
    pub fn parse(json: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(json)
    }

    /// The values a URI has, by name, in the order in which they are found; `None` if it does
    /// not match. Bound the URI before: time and memory grow with it and with the pattern.
    pub fn matches(&self, uri: &str) -> Option<Vec<(&str, Value)>> {
        match self.walk {
            Walk::LongestFirst => self.longest_first(uri),
            Walk::BothEnds => ends::matches(&self.pieces, &self.query, uri),
        }
    }

    fn longest_first(&self, uri: &str) -> Option<Vec<(&str, Value)>> {
        let steps: Vec<Step<'_>> = self
            .pieces
            .iter()
            .map(|piece| match piece {
                Piece::Text(text) => Step::Literal(text.into()),
                Piece::Value(slot) => Step::Run { stops: &slot.stops, list: slot.kind == Kind::List },
            })
            .collect();
        let value = |(step, span): (usize, std::ops::Range<usize>)| match self.pieces.get(step) {
            Some(Piece::Value(slot)) => Some((slot.name.as_str(), Value::Text(uri[span].to_owned()))),
            _ => None,
        };
        Some(row::spans(&steps, uri)?.into_iter().filter_map(value).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pattern(walk: &str, pieces: &str, query: &str) -> Pattern {
        let json = format!(r#"{{"walk": "{walk}", "pieces": [{pieces}], "query": [{query}]}}"#);
        Pattern::parse(&json).unwrap_or_else(|why| panic!("{json}: {why}"))
    }

    /// The values as `a=1;b=2`, items of lists between bars; `-` where there is no match.
    fn said(pattern: &Pattern, uri: &str) -> String {
        let text = |(name, value): (&str, Value)| match value {
            Value::Text(text) => format!("{name}={text}"),
            Value::List(items) => format!("{name}=|{}|", items.join("|")),
            Value::Map(_) => unreachable!("no pattern has maps"),
        };
        pattern
            .matches(uri)
            .map_or_else(|| "-".to_owned(), |found| found.into_iter().map(text).collect::<Vec<_>>().join(";"))
    }

    #[test]
    fn the_first_value_is_the_longest() {
        let two =
            pattern("longestFirst", r#"{"name": "a", "stops": "/"}, "-", {"name": "b", "stops": "/"}"#, "");
        assert_eq!(said(&two, "1-2-%33"), "a=1-2;b=%33");
        assert_eq!(said(&two, "-2"), "-");
        assert_eq!(said(&two, "1-2/3"), "-");
    }

    #[test]
    fn items_of_a_list_are_never_empty() {
        let list = pattern(
            "longestFirst",
            r#"{"name": "a", "stops": "/,", "kind": "list"}, ",", {"name": "b", "stops": "/,"}"#,
            "",
        );
        assert_eq!(said(&list, "1,2,3"), "a=1,2;b=3");
        for uri in ["1", "1,,2", ",1,2", "1,2,"] {
            assert_eq!(said(&list, uri), "-", "{uri}");
        }
    }

    #[test]
    fn values_are_found_from_both_ends() {
        let middle = r#""x", {"name": "a", "stops": "/"}, "/", {"name": "m", "stops": "?#", "kind": "spanning"}, "/", {"name": "b", "stops": "/"}"#;
        let all = pattern("bothEnds", middle, r#""q", "r""#);
        assert_eq!(said(&all, "x1/2/3%20/4?r=&q=a+b&q=no#end"), "a=1;m=2/3 ;b=4;q=a+b;r=");
        assert_eq!(said(&all, "x1/2"), "-");
        let plain = pattern("bothEnds", r#""p-", {"name": "a", "stops": "/"}"#, "");
        assert_eq!(said(&plain, "p-p-1"), "a=p-1");
        assert_eq!(said(&plain, "p-"), "a=");
        assert_eq!(said(&plain, "p-1/2"), "-");
    }

    #[test]
    fn lists_and_names_without_values_are_found() {
        let list = pattern(
            "bothEnds",
            r#""f", {"name": "p", "stops": "/?#", "kind": "spanning", "between": "/"}"#,
            "",
        );
        assert_eq!(said(&list, "f/a//c"), "p=|a||c|");
        assert_eq!(said(&list, "f"), "p=||");
        let named = pattern(
            "bothEnds",
            r#"{"name": "k", "stops": ";/", "kind": "spanning", "between": ";", "named": true}"#,
            "",
        );
        assert_eq!(said(&named, ";k=1;k"), "k=|1||");
        assert_eq!(said(&named, ";k=1;l=2"), "-");
        let bare = pattern("bothEnds", r#""x;k", {"name": "k", "stops": ";/", "kind": "bare"}"#, "");
        assert_eq!(
            (said(&bare, "x;k"), said(&bare, "x;k=1=2"), said(&bare, "x;keys")),
            ("k=".into(), "k=1=2".into(), "-".into())
        );
    }

    #[test]
    fn other_descriptions_are_refused() {
        for json in [
            "",
            "[]",
            r#"{"walk": "back", "pieces": []}"#,
            r#"{"walk": "bothEnds", "pieces": [{"stops": "/"}]}"#,
        ] {
            assert!(Pattern::parse(json).is_err(), "{json}");
        }
    }

    proptest! {
        #[test]
        fn no_uri_makes_either_walk_panic(uri in "[a/;=?#,é%-]{0,24}", stops in "[/;é,]{0,3}") {
            let slot = |name: &str, more: &str| format!(r#"{{"name": "{name}", "stops": "{stops}"{more}}}"#);
            let (a, b, c) = (slot("a", r#", "kind": "bare""#), slot("b", r#", "kind": "spanning", "between": ";""#), slot("c", ""));
            for pieces in [
                format!(r#""a;", {a}, "é", {b}, "/", {c}"#),
                format!(r#"{c}, "-", {a}"#),
                format!("{a}, {b}, {c}"),
            ] {
                pattern("bothEnds", &pieces, r#""q""#).matches(&uri);
                pattern("longestFirst", &pieces, "").matches(&uri);
            }
        }
    }
}
