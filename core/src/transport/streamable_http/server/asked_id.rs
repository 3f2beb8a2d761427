//! Which request the stream of a POST answers, as its event ids say it.
//!
//! Owns: the form of a JSON-RPC id in an event id. Must not know: streams, logs.
//!
//! Who comes back for an answer brings an event id and nothing else. With the request's id in it any node
//! can end the request with an error when the one that ran it is dead.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use mcpbolt_proto::jsonrpc::{Id, Incoming, Message, RawJson};

/// Longer ones are left out: event ids go out with every event, and come back in a header.
const LONGEST: usize = 64;

/// The id of a request, short enough to be in event ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AskedId(Id);

impl AskedId {
    /// Of what a POST carries, if that is one request.
    pub(super) fn of(incoming: &Incoming) -> Option<Self> {
        let Incoming::Single(Message::Request(request)) = incoming else { return None };
        let fits = match &request.id {
            Id::Number(_) => true,
            Id::BigNumber(digits) => digits.len() <= LONGEST,
            Id::String(text) => text.len() <= LONGEST,
        };
        fits.then(|| Self(request.id.clone()))
    }

    /// Reads what `Display` wrote.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let id = match text.strip_prefix('_') {
            Some(coded) => {
                let text = String::from_utf8(URL_SAFE_NO_PAD.decode(coded).ok()?).ok()?;
                Id::String(text.into())
            }
            None => Id::from_raw(&RawJson::parse(text.to_owned().into_bytes()).ok()?)?,
        };
        Some(Self(id)).filter(|asked| asked.to_string() == text)
    }

    pub(super) fn id(&self) -> &Id {
        &self.0
    }
}

impl fmt::Display for AskedId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Id::Number(number) => write!(f, "{number}"),
            Id::BigNumber(digits) => f.write_str(digits),
            Id::String(text) => write!(f, "_{}", URL_SAFE_NO_PAD.encode(text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_all_kinds_survive() {
        for id in ["7", "-7", "123456789012345678901234567890", r#""a.b c""#, r#""7""#, r#""""#] {
            let id = Id::from_raw(&RawJson::parse(id.to_owned().into_bytes()).unwrap()).unwrap();
            let text = AskedId(id.clone()).to_string();
            assert!(text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'.'), "{text}");
            assert_eq!(AskedId::parse(&text), Some(AskedId(id)), "{text}");
        }
        for text in ["", "x", "\"7\"", "1.5", "07", " 7", "_*", "null"] {
            assert_eq!(AskedId::parse(text), None, "{text}");
        }
    }
}
