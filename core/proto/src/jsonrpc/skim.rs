//! What can be told of a message that is too long or too deep to be read.
//!
//! Owns: finding the outermost `id` in one pass over bytes that are not kept.
//! Must not know: who skips a message, or what becomes of the request that waits for it.

use memchr::memchr2;
use serde_json::value::RawValue;

use super::Id;

/// Longest member name that matters, and longest id that is kept.
const LONGEST_NAME: usize = 8;
const LONGEST_ID: usize = 256;

/// What a [`Skim`] found.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{Skim, Skimmed};
///
/// let mut skim = Skim::default();
/// skim.push(br#"{"jsonrpc":"2.0","result":{"id":1,"deep":[[[[["#);
/// skim.push(br#"]]]]]},"id":7}"#);
/// assert_eq!(skim.finish(), Skimmed { id: Some(7.into()), is_answer: true, has_method: false });
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skimmed {
    /// The message's id; `None` where it has none, or more than one.
    pub id: Option<Id>,
    /// Whether it is a response: it has a result or an error, and no method.
    pub is_answer: bool,
    /// Whether it is a request or a notification: it has a method.
    pub has_method: bool,
}

/// Reads the outermost object of a message, however long and deep, without keeping it.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{Skim, Skimmed};
///
/// assert_eq!(Skim::of(b"not JSON"), Skimmed::default());
/// ```
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Skim {
    /// How many brackets are open.
    depth: usize,
    in_string: bool,
    escaped: bool,
    /// Behind a colon of the outermost object.
    in_value: bool,
    name: Vec<u8>,
    value: Vec<u8>,
    id: Option<Vec<u8>>,
    ids: usize,
    method: bool,
    outcome: bool,
    /// The text is not an object, or goes on behind its end.
    strange: bool,
}

impl Skim {
    /// Skims a whole message.
    pub fn of(text: &[u8]) -> Skimmed {
        let mut skim = Self::default();
        skim.push(text);
        skim.finish()
    }

    /// Takes the next bytes.
    pub fn push(&mut self, mut bytes: &[u8]) {
        while let Some(&byte) = bytes.first() {
            if self.in_string {
                bytes = self.string(bytes);
                continue;
            }
            self.token(byte);
            bytes = &bytes[1..];
        }
    }

    /// What was found.
    pub fn finish(self) -> Skimmed {
        if self.strange || self.depth > 0 {
            return Skimmed::default();
        }
        // Nobody has read it as JSON, what stands behind the name included.
        let text = self.id.as_deref().filter(|_| self.ids == 1);
        let id = text.and_then(|id| serde_json::from_slice::<&RawValue>(id).ok());
        Skimmed {
            id: id.and_then(|id| Id::from_text(id.get())),
            is_answer: self.outcome && !self.method,
            has_method: self.method,
        }
    }

    /// Goes on in a string, to its end at most; what is left comes back.
    fn string<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        if std::mem::take(&mut self.escaped) {
            self.keep(&bytes[..1]);
            return &bytes[1..];
        }
        let Some(at) = memchr2(b'"', b'\\', bytes) else {
            self.keep(bytes);
            return &[];
        };
        self.keep(&bytes[..=at]);
        self.escaped = bytes[at] == b'\\';
        self.in_string = self.escaped;
        &bytes[at + 1..]
    }

    fn token(&mut self, byte: u8) {
        match byte {
            _ if self.depth == 0 && byte != b'{' => self.strange |= !byte.is_ascii_whitespace(),
            b'{' | b'[' => {
                self.strange |= self.depth == 0 && (self.outcome || self.method || self.ids > 0);
                self.keep(&[byte]);
                self.depth += 1;
            }
            b'}' | b']' => {
                if self.depth == 1 {
                    self.end_member();
                }
                self.depth -= 1;
            }
            b',' if self.depth == 1 => self.end_member(),
            b':' if self.depth == 1 => self.in_value = true,
            b'"' => {
                self.in_string = true;
                self.keep(b"\"");
            }
            _ => self.keep(&[byte]),
        }
    }

    /// Keeps what belongs to a name or value of the outermost object, as far as it matters.
    fn keep(&mut self, part: &[u8]) {
        if self.depth != 1 {
            return;
        }
        let (kept, longest) =
            if self.in_value { (&mut self.value, LONGEST_ID) } else { (&mut self.name, LONGEST_NAME + 3) };
        let room = longest.saturating_sub(kept.len());
        kept.extend_from_slice(&part[..part.len().min(room)]);
    }

    fn end_member(&mut self) {
        match self.name.trim_ascii() {
            b"\"id\"" => {
                self.ids += 1;
                self.id = Some(std::mem::take(&mut self.value)).filter(|id| id.len() < LONGEST_ID);
            }
            b"\"method\"" => self.method = true,
            b"\"result\"" | b"\"error\"" => self.outcome = true,
            _ => {}
        }
        self.name.clear();
        self.value.clear();
        self.in_value = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skim(text: &str) -> (Option<Id>, bool) {
        let found = Skim::of(text.as_bytes());
        (found.id, found.is_answer)
    }

    #[test]
    fn the_outermost_id_is_found_wherever_it_stands() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(skim(&format!(r#"{{"jsonrpc":"2.0","id":3,"result":{deep}}}"#)), (Some(3.into()), true));
        assert_eq!(skim(&format!(r#"{{"result":{deep},"id":"a\"b"}}"#)), (Some("a\"b".into()), true));
        assert_eq!(skim(r#" { "error" : {"id":9} , "id" : -5 } "#), (Some((-5).into()), true));
        assert_eq!(skim(r#"{"id":1,"method":"m","params":{}}"#), (Some(1.into()), false));
    }

    #[test]
    fn what_is_in_doubt_has_no_id() {
        for text in [
            r#"{"result":{"id":1}}"#,
            r#"{"id":1,"id":2,"result":0}"#,
            r#"{"id":[1],"result":0}"#,
            r#"{"result":"id\":1}"#,
        ] {
            assert_eq!(skim(text).0, None, "{text}");
        }
        for id in [r#""a"é"#, r#""a"b"#, r#"1"2"#, "1 2", "01", r#"""""#, "\"a\u{1}\""] {
            assert_eq!(skim(&format!(r#"{{"id":{id},"method":"m"}}"#)), (None, false), "{id}");
        }
        assert_eq!(skim(r#"[{"id":1,"result":0}]"#), (None, false));
        assert_eq!(skim(r#"{"id":1,"result":0} {"id":2}"#), (None, false));
        assert_eq!(skim("Listening on port 3000"), (None, false));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_skimmed(text in r#"\{"id":["a1é,:\\ \[\]{}]{0,12}[\[{]{0,3}["a}\]]{0,6}"#) {
            let found = Skim::of(text.as_bytes()).id;
            let Ok(serde_json::Value::Object(read)) = serde_json::from_str(&text) else { return Ok(()) };
            let found = found.map(|id| id.to_raw().decode::<serde_json::Value>().unwrap());
            proptest::prop_assert!(found.is_none() || found.as_ref() == read.get("id"));
        }

        #[test]
        fn any_cut_finds_the_same(
            name in proptest::sample::select(vec!["id", "result", "x\\\"id", "method"]),
            value in "[\"\\\\a:,{}\\[\\] ]{0,12}",
            cut in 0_usize..60,
        ) {
            let text = serde_json::json!({"a": [value.clone(), {"id": 1}], name: value, "id": 42}).to_string();
            let cut = cut.min(text.len());
            let mut halves = Skim::default();
            halves.push(&text.as_bytes()[..cut]);
            halves.push(&text.as_bytes()[cut..]);
            let found = halves.finish();
            proptest::prop_assert_eq!(&found, &Skim::of(text.as_bytes()));
            proptest::prop_assert_eq!(found.id, Some(42.into()));
        }
    }
}
