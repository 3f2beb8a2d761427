//! [`Pieces`]: JSON text that a host writes, with the strings it does not write itself.
//!
//! Owns: that what comes out is one JSON value. Must not know: what it means, or which strings
//! a host leaves to the engine.
//!
//! Long strings need not be looked at again for that: they are literals because they were made
//! here. Only the text around them is checked, with an empty string in the place of each.

use bytes::Bytes;
use bytestring::ByteString;

use super::{HostText, LiteralParts, RawError, RawJson, scan};

/// JSON text in pieces: text of the host's, and strings.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{HostText, Pieces};
///
/// let mut pieces = Pieces::default();
/// pieces.json(r#"{"type":"text","text":"#);
/// pieces.string(HostText::Latin1(b"\"gr\xfcn\""));
/// pieces.json("}");
/// assert_eq!(pieces.finish()?.as_str(), r#"{"type":"text","text":"\"grün\""}"#);
///
/// let mut broken = Pieces::default();
/// broken.json("[1");
/// broken.string(HostText::Utf8("2]"));
/// assert!(broken.finish().is_err());
/// # Ok::<(), mcpbolt_proto::jsonrpc::RawError>(())
/// ```
#[derive(Debug, Default)]
pub struct Pieces {
    text: Vec<u8>,
    /// The same with empty strings.
    outline: String,
    /// Where the last string stands in `text`.
    last: std::ops::Range<usize>,
    /// A string stands where no value can.
    misplaced: bool,
}

impl Pieces {
    /// Pieces of about so many bytes together.
    pub fn with_room(bytes: usize) -> Self {
        Self { text: Vec::with_capacity(bytes), ..Self::default() }
    }

    /// Appends text of the host's.
    pub fn json(&mut self, part: &str) {
        self.text.extend_from_slice(part.as_bytes());
        self.outline.push_str(part);
    }

    /// Appends a string.
    pub fn string(&mut self, value: HostText<'_>) {
        self.outline_string();
        let start = self.text.len();
        value.push_literal(&mut self.text);
        self.last = start..self.text.len();
    }

    /// Appends a string whose parts come one after another.
    ///
    /// # Errors
    /// What `parts` returns; the string ends there.
    pub fn string_of_parts<E>(
        &mut self,
        parts: impl FnOnce(&mut LiteralParts<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.outline_string();
        let start = self.text.len();
        let written = LiteralParts::write(&mut self.text, parts);
        self.last = start..self.text.len();
        written
    }

    /// Appends the last string once more.
    pub fn same_string(&mut self) {
        self.outline_string();
        let start = self.text.len();
        self.text.extend_from_within(self.last.clone());
        self.last = start..self.text.len();
    }

    fn outline_string(&mut self) {
        // Behind these a string is a value, or the text is broken: the outline says which.
        self.misplaced |= !matches!(self.outline.as_bytes().last(), None | Some(b':' | b',' | b'['));
        self.outline.push_str("\"\"");
    }

    /// The value.
    ///
    /// # Errors
    /// [`RawError`] if it is not one JSON value.
    pub fn finish(self) -> Result<RawJson, RawError> {
        if self.misplaced || scan::has_line_break(self.outline.as_bytes()) {
            return RawJson::parse(self.text);
        }
        let outlined = self.outline.len();
        if RawJson::parse(self.outline)?.as_str().len() < outlined {
            return RawJson::parse(self.text);
        }
        let text = ByteString::try_from(Bytes::from(self.text)).map_err(|_| RawError::NotUtf8)?;
        Ok(RawJson::trusted(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(parts: &[&str], value: &str) -> Result<String, RawError> {
        let mut pieces = Pieces::default();
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                pieces.string(HostText::Utf8(value));
            }
            pieces.json(part);
        }
        pieces.finish().map(|raw| raw.as_str().to_owned())
    }

    #[test]
    fn strings_stand_where_values_may() {
        let value = "a\"\\\n\u{7}ü";
        let literal = serde_json::json!(value).to_string();
        for parts in [&["", ""][..], &["[", ",", "]"], &["{\"a\":", ",\"b\":[", "]}"], &[" { \"a\":", "\n} "]]
        {
            let found = joined(parts, value).expect("JSON");
            let expected: serde_json::Value = serde_json::from_str(&parts.join(&literal)).expect("JSON");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&found).expect("JSON"), expected);
            assert!(!found.contains('\n'));
        }
    }

    #[test]
    fn nothing_else_comes_out_of_it() {
        for parts in [
            &["", "", ""][..],
            &["{", "}"],
            &["{\"a\"", "}"],
            &["[", "]]"],
            &["[1", "]"],
            &["\"x\\", "\""],
            &["\"a:", "\""],
            &["[\"a,", "\"]"],
        ] {
            assert!(joined(parts, ",\"x\":[").is_err(), "{parts:?}");
        }
    }

    #[test]
    fn a_string_can_stand_twice() {
        let mut pieces = Pieces::with_room(64);
        pieces.json("[");
        pieces.string(HostText::Latin1(b"\xe9\n"));
        pieces.json(",");
        pieces.same_string();
        pieces.json("]");
        assert_eq!(pieces.finish().expect("JSON").as_str(), r#"["é\n","é\n"]"#);
    }

    #[test]
    fn a_string_can_come_in_parts_and_is_one_though_they_end_early() {
        let mut pieces = Pieces::default();
        pieces.json("[");
        let fails = pieces.string_of_parts(|parts| {
            parts.push(HostText::Latin1(b"\xe9"));
            parts.push(HostText::Utf16(&[0x20ac]));
            Err("no more")
        });
        assert_eq!(fails, Err("no more"));
        pieces.json(",");
        pieces.same_string();
        pieces.json("]");
        assert_eq!(pieces.finish().expect("JSON").as_str(), r#"["é€","é€"]"#);
    }
}
