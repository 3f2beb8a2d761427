//! YAML as JSON: what every reader of YAML 1.2 takes alike, and nothing else.
//!
//! Owns: what plain words mean (the core schema), and what is refused because readers differ
//! about it. Must not know: what the document is for.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Number, Value};

/// Levels of one document.
const MAX_DEPTH: usize = 32;
/// Bytes of one document.
const MAX_BYTES: usize = 64 * 1024;

/// Why a document was refused, and on which of its lines (from 1).
pub(super) type Refused = (Option<usize>, String);

/// Reads one document that is a mapping.
pub(super) fn mapping(text: &str) -> Result<Map<String, Value>, Refused> {
    if text.len() > MAX_BYTES {
        return Err((None, format!("it is longer than {MAX_BYTES} bytes")));
    }
    let mut reader = Reader { open: Vec::new(), done: None };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|e| (Some(e.marker().line()), e.info().to_owned()))?;
        reader.take(event).map_err(|why| (Some(span.start.line()), why))?;
    }
    match reader.done {
        Some(Value::Object(mapping)) => Ok(mapping),
        None => Err((None, "it is empty".to_owned())),
        Some(_) => Err((None, "it must be a mapping of names to values".to_owned())),
    }
}

/// A collection that has not ended.
enum Open {
    Sequence(Vec<Value>),
    /// With the key whose value comes next.
    Mapping(Map<String, Value>, Option<String>),
}

struct Reader {
    open: Vec<Open>,
    done: Option<Value>,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
            Event::Alias(_) => Err("aliases (*) are not supported".to_owned()),
            Event::Scalar(text, style, anchor, tag) => {
                plain_only(anchor, tag.is_some())?;
                if self.key_is_next() { self.name(&text, style) } else { self.put(scalar(&text, style)?) }
            }
            Event::SequenceStart(anchor, tag) => {
                plain_only(anchor, tag.is_some())?;
                self.enter(Open::Sequence(Vec::new()))
            }
            Event::MappingStart(anchor, tag) => {
                plain_only(anchor, tag.is_some())?;
                self.enter(Open::Mapping(Map::new(), None))
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::Sequence(items)) => self.put(Value::Array(items)),
                Some(Open::Mapping(members, _)) => self.put(Value::Object(members)),
                None => Ok(()),
            },
        }
    }

    fn key_is_next(&self) -> bool {
        matches!(self.open.last(), Some(Open::Mapping(_, None)))
    }

    fn enter(&mut self, open: Open) -> Result<(), String> {
        if self.key_is_next() {
            return Err("a key must be a text".to_owned());
        }
        if self.open.len() == MAX_DEPTH {
            return Err(format!("it is nested deeper than {MAX_DEPTH} levels"));
        }
        self.open.push(open);
        Ok(())
    }

    fn name(&mut self, text: &str, style: ScalarStyle) -> Result<(), String> {
        if !scalar(text, style)?.is_string() {
            return Err(format!("the key {text:?} must be a text: quote it"));
        }
        // Some readers merge what stands there, and some languages give this name a meaning.
        if matches!(text, "<<" | "__proto__") {
            return Err(format!("the key {text:?} is not supported"));
        }
        match self.open.last_mut() {
            Some(Open::Mapping(members, _)) if members.contains_key(text) => {
                Err(format!("the key {text:?} is there twice"))
            }
            Some(Open::Mapping(_, key)) => {
                *key = Some(text.to_owned());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn put(&mut self, value: Value) -> Result<(), String> {
        match self.open.last_mut() {
            Some(Open::Sequence(items)) => items.push(value),
            Some(Open::Mapping(members, key)) => {
                if let Some(key) = key.take() {
                    members.insert(key, value);
                }
            }
            None if self.done.is_some() => return Err("it must be one document".to_owned()),
            None => self.done = Some(value),
        }
        Ok(())
    }
}

fn plain_only(anchor: usize, tagged: bool) -> Result<(), String> {
    match (anchor, tagged) {
        (0, false) => Ok(()),
        (0, true) => Err("tags (!) are not supported".to_owned()),
        _ => Err("anchors (&) are not supported".to_owned()),
    }
}

/// A word by the core schema of YAML 1.2; what is quoted is a text.
fn scalar(text: &str, style: ScalarStyle) -> Result<Value, String> {
    if style != ScalarStyle::Plain {
        return Ok(Value::String(text.to_owned()));
    }
    Ok(match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => number(text)?.map_or_else(|| Value::String(text.to_owned()), Value::Number),
    })
}

/// `None` for what is no number; an error for one that JSON does not have.
fn number(text: &str) -> Result<Option<Number>, String> {
    let found =
        |number: Option<Number>| number.map(Some).ok_or(format!("{text} is no number of JSON: quote it"));
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix).filter(|digits| all_digits(digits, radix)) {
            return found(u64::from_str_radix(digits, radix).ok().map(Number::from));
        }
    }
    let bare = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(bare, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return found(None);
    }
    if all_digits(bare, 10) {
        let plain = text.strip_prefix('+').unwrap_or(text);
        let whole =
            plain.parse::<i64>().map(Number::from).or_else(|_| plain.parse::<u64>().map(Number::from));
        return found(whole.ok().or_else(|| plain.parse().ok().and_then(Number::from_f64)));
    }
    if is_float(bare) { found(text.parse().ok().and_then(Number::from_f64)) } else { Ok(None) }
}

fn all_digits(text: &str, radix: u32) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_digit(radix))
}

/// Digits, perhaps a point, perhaps an exponent; at least one digit before it.
fn is_float(text: &str) -> bool {
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let has_one = !(whole.is_empty() && fraction.is_empty());
    let exponent = exponent.is_none_or(|e| all_digits(e.strip_prefix(['+', '-']).unwrap_or(e), 10));
    has_one && digits(whole) && digits(fraction) && exponent
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_mean_what_the_core_schema_says() {
        let text = "a: yes\nb: true\nc: 012\nd: 0o17\ne: 0xff\nf: 1e3\ng: .5\nh: ~\ni: 2026-07-28\nj: '1'\n\
                    k: -7\nl: 1.2.3\nm:\nn: [x, {y: 1}]\no: |\n  two\n  lines\np: >-\n  one\n  line\n";
        let read = Value::Object(mapping(text).unwrap());
        let expected = json!({
            "a": "yes", "b": true, "c": 12, "d": 15, "e": 255, "f": 1000.0, "g": 0.5, "h": null,
            "i": "2026-07-28", "j": "1", "k": -7, "l": "1.2.3", "m": null, "n": ["x", {"y": 1}],
            "o": "two\nlines\n", "p": "one line"
        });
        assert_eq!(read, expected);
    }

    #[test]
    fn what_readers_differ_about_is_refused() {
        let deep = format!("a: {}{}", "[".repeat(40), "]".repeat(40));
        let long = format!("a: {}", "x".repeat(MAX_BYTES));
        for text in [
            "a: &x 1\nb: *x\n",
            "a: !!str 1\n",
            "a: 1\na: 2\n",
            "<<: {a: 1}\n",
            "1: a\n",
            "? [a]\n: b\n",
            "a: .inf\n",
            "a: .nan\n",
            "- a\n",
            "",
            "a: [1\n",
            "a: 1\n--- \nb: 2\n",
            "__proto__: {}\n",
            &deep,
            &long,
        ] {
            assert!(mapping(text).is_err(), "{}", &text[..text.len().min(60)]);
        }
        let (line, _) = mapping("a: 1\nb: *x\n").unwrap_err();
        assert_eq!(line, Some(2));
    }
}
