//! Calls with one long text: as argument, as result, or both.
//!
//! Owns: the text, the tools that take and give it, what is accepted as the answer.

use crate::payload::{self, Era, check_call};

/// A line as people write it, with a line end and umlauts.
pub const LINE: &str =
    "It was a dark and stormy night; the rain fell in torrents, except at größeren Pausen.\n";

/// Which way the text goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// It is sent and comes back: `echo`.
    ThereAndBack,
    /// It is sent, and the answer is how many characters it has: `count`.
    There,
    /// Its number of lines is sent, and it comes: `repeat`.
    Back,
}

/// Calls with one text.
pub struct LongCalls {
    way: Way,
    /// The text, and as it stands in JSON without its quotes.
    decoded: String,
    encoded: String,
    /// What `repeat` or `count` are told and say.
    number: String,
}

impl LongCalls {
    /// Calls with a text of about so many bytes.
    pub fn new(way: Way, bytes: usize) -> Self {
        let lines = (bytes / LINE.len()).max(1);
        let decoded = LINE.repeat(lines);
        let encoded = decoded.replace('\n', "\\n");
        let number = if way == Way::Back { lines } else { decoded.chars().count() };
        Self { way, decoded, encoded, number: number.to_string() }
    }

    /// The tool that is called.
    pub fn tool(&self) -> &'static str {
        match self.way {
            Way::ThereAndBack => "echo",
            Way::There => "count",
            Way::Back => "repeat",
        }
    }

    /// The call with this id.
    pub fn call(&self, era: Era, id: u64) -> Vec<u8> {
        let mut call = Vec::with_capacity(self.encoded.len() + 512);
        let arguments = match self.way {
            Way::Back => ["{\"lines\":", &self.number, "}"],
            Way::ThereAndBack | Way::There => ["{\"text\":\"", &self.encoded, "\"}"],
        };
        payload::push_call_of(&mut call, era, id, self.tool(), &arguments);
        call
    }

    /// Whether a reply is the answer of call `id`.
    pub fn check(&self, reply: &[u8], id: u64) -> Result<(), String> {
        if self.way == Way::There {
            return check_call(reply, |found| (found == id).then(|| self.number.clone())).map(drop);
        }
        check_long(reply, id, &self.encoded, &self.decoded)
    }
}

/// As [`check_call`] for one long text: compares encoded text first, because decoding it
/// would cost more than the server's work.
fn check_long(reply: &[u8], id: u64, encoded: &str, decoded: &str) -> Result<(), String> {
    const OPEN: &[u8] = br#""text":""#;
    let start = memchr::memmem::find(reply, OPEN).map(|at| at + OPEN.len());
    if let Some(start) = start {
        let end = start + encoded.len();
        let same = reply.get(start..end) == Some(encoded.as_bytes()) && reply.get(end) == Some(&b'"');
        if same {
            // The rest is an ordinary short reply.
            let mut short = reply[..start].to_vec();
            short.extend_from_slice(&reply[end..]);
            let found = check_call(&short, |_| Some(String::new()))?;
            return if found == id { Ok(()) } else { Err("another id than was sent".to_owned()) };
        }
    }
    let found = check_call(reply, |_| Some(decoded.to_owned()))?;
    if found == id { Ok(()) } else { Err("another id than was sent".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::reply;

    #[test]
    fn a_long_reply_is_compared_to_its_last_byte() {
        let calls = LongCalls::new(Way::ThereAndBack, 10_000);
        let encoded = &calls.encoded;
        assert_eq!(calls.check(&reply(3, encoded), 3), Ok(()));
        assert!(calls.check(&reply(4, encoded), 3).is_err());
        assert!(calls.check(&reply(3, &encoded[..encoded.len() - 2]), 3).is_err());
        assert_eq!(calls.check(&reply(3, &encoded.replace('ö', "\\u00f6")), 3), Ok(()));
    }

    #[test]
    fn each_way_has_its_call_and_its_answer() {
        let there = LongCalls::new(Way::There, LINE.len());
        assert_eq!(there.check(&reply(1, "86"), 1), Ok(()));
        assert!(there.check(&reply(1, "87"), 1).is_err() && there.check(&reply(2, "86"), 1).is_err());
        let back = LongCalls::new(Way::Back, 2 * LINE.len());
        let call = String::from_utf8(back.call(Era::Legacy, 5)).expect("UTF-8");
        assert!(call.ends_with(r#""name":"repeat","arguments":{"lines":2}}}"#), "{call}");
        assert_eq!(back.check(&reply(5, &back.encoded), 5), Ok(()));
    }
}
