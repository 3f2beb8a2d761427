//! Where the long strings of a value stand.
//!
//! Owns: finding them, and the way to each. Must not know: what becomes of them.

use std::fmt::Write as _;
use std::ops::Range;

use super::RawJson;
use super::scan::string_end;

/// A long string of a value.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{LongString, RawJson};
///
/// let value: RawJson = serde_json::json!({"to": ["Ada", "a longer name"]}).into();
/// let found = LongString::all_in(&value, 10);
/// assert_eq!(found[0].way, r#"["to",1]"#);
/// assert_eq!(&value.as_str()[found[0].span.clone()], r#""a longer name""#);
/// assert_eq!(found.len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LongString {
    /// Names of members and numbers of elements that lead to it, as a JSON array.
    pub way: String,
    /// Where its literal stands in the text, with its quotes.
    pub span: Range<usize>,
}

/// A container that is open.
enum Open {
    /// The name of the member that is read, as a literal.
    Object(Range<usize>),
    /// The number of the element that is read.
    Array(usize),
}

impl LongString {
    /// All strings of a value whose literals have at least so many bytes, in order. Names of
    /// members are not among them.
    pub fn all_in(value: &RawJson, least: usize) -> Vec<Self> {
        let text = value.as_str();
        let mut found = Vec::new();
        let mut open = Vec::new();
        let (mut at, mut names) = (0, false);
        while let Some(byte) = text.as_bytes().get(at) {
            match byte {
                b'"' => {
                    let span = at..string_end(text.as_bytes(), at + 1);
                    at = span.end;
                    match open.last_mut() {
                        Some(Open::Object(name)) if names => *name = span,
                        _ if span.len() >= least => found.push(Self { way: way(text, &open), span }),
                        _ => {}
                    }
                    continue;
                }
                b'{' => {
                    open.push(Open::Object(0..0));
                    names = true;
                }
                b'[' => {
                    open.push(Open::Array(0));
                    names = false;
                }
                b'}' | b']' => drop(open.pop()),
                b':' => names = false,
                b',' => match open.last_mut() {
                    Some(Open::Array(number)) => *number += 1,
                    _ => names = true,
                },
                _ => {}
            }
            at += 1;
        }
        found
    }
}

fn way(text: &str, open: &[Open]) -> String {
    let mut way = String::from("[");
    for (at, step) in open.iter().enumerate() {
        let comma = if at > 0 { "," } else { "" };
        let _ = match step {
            Open::Object(name) => write!(way, "{comma}{}", &text[name.clone()]),
            Open::Array(number) => write!(way, "{comma}{number}"),
        };
    }
    way.push(']');
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ways(value: serde_json::Value) -> Vec<String> {
        LongString::all_in(&value.into(), 10).into_iter().map(|found| found.way).collect()
    }

    #[test]
    fn values_are_found_and_names_are_not() {
        let long = "long enough";
        assert_eq!(ways(serde_json::json!(long)), ["[]"]);
        assert_eq!(ways(serde_json::json!([1, [], {}, long, {"a,]": [long]}])), ["[3]", "[4,\"a,]\",0]"]);
        assert_eq!(
            ways(serde_json::json!({"a": {"b": long, "a long name": [true, long]}, "c\"": long})),
            [r#"["a","b"]"#, r#"["a","a long name",1]"#, r#"["c\""]"#]
        );
        assert!(ways(serde_json::json!({"a very long name": "short", "x": "{[\"{["})).is_empty());
    }

    proptest::proptest! {
        #[test]
        fn each_way_leads_to_its_string(words in proptest::collection::vec("[a-z\"{\\[\\\\,:]{0,16}", 0..8)) {
            let nested = |word: &String| serde_json::json!([{word.clone(): [word, 1], "x": word}, word]);
            let value = serde_json::Value::from(words.iter().map(nested).collect::<Vec<_>>());
            let raw = RawJson::from(&value);
            for found in LongString::all_in(&raw, 12) {
                let steps: Vec<serde_json::Value> = serde_json::from_str(&found.way).expect("an array");
                let at = steps.iter().try_fold(&value, |at, step| match step {
                    serde_json::Value::String(name) => at.get(name),
                    number => at.get(number.as_u64().and_then(|n| usize::try_from(n).ok())?),
                });
                let literal: serde_json::Value = serde_json::from_str(&raw.as_str()[found.span]).expect("a string");
                proptest::prop_assert_eq!(at, Some(&literal));
            }
        }
    }
}
