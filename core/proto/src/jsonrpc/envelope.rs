//! The outermost object of a message, its member values untouched.
//!
//! Owns: which members a message has. Must not know: what stands in them.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// The six members JSON-RPC knows, raw. A member that is `null` is present.
#[derive(Default)]
pub(super) struct Envelope<'a> {
    pub(super) jsonrpc: Option<&'a RawValue>,
    pub(super) id: Option<&'a RawValue>,
    pub(super) method: Option<&'a RawValue>,
    pub(super) params: Option<&'a RawValue>,
    pub(super) result: Option<&'a RawValue>,
    pub(super) error: Option<&'a RawValue>,
    /// A name occurs twice, known or not. Parsers disagree about which one counts.
    pub(super) duplicate: bool,
}

impl<'a> Envelope<'a> {
    fn slot(&mut self, name: &str) -> Option<&mut Option<&'a RawValue>> {
        Some(match name {
            "jsonrpc" => &mut self.jsonrpc,
            "id" => &mut self.id,
            "method" => &mut self.method,
            "params" => &mut self.params,
            "result" => &mut self.result,
            "error" => &mut self.error,
            _ => return None,
        })
    }
}

impl<'de> Deserialize<'de> for Envelope<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Members)
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Envelope<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a message object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut envelope = Envelope::default();
        let mut unknown = Vec::new();
        while let Some(Name(name)) = map.next_key()? {
            let Some(slot) = envelope.slot(&name) else {
                map.next_value::<IgnoredAny>()?;
                unknown.push(name);
                continue;
            };
            let repeated = slot.replace(map.next_value()?).is_some();
            envelope.duplicate |= repeated;
        }
        envelope.duplicate |= has_duplicates(unknown);
        Ok(envelope)
    }
}

/// Whether a name occurs twice. Sorted, because a peer chooses how many there are.
pub(super) fn has_duplicates<N: Ord>(mut names: Vec<N>) -> bool {
    if names.len() <= 8 {
        return names.iter().enumerate().any(|(at, name)| names[..at].contains(name));
    }
    names.sort_unstable();
    names.windows(2).any(|pair| pair[0] == pair[1])
}

/// A member name, borrowed unless it was written with escapes.
#[derive(Deserialize)]
pub(super) struct Name<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

/// The elements of a batch. Beyond `limit` elements are counted no further and not
/// kept, so that a body of millions of `0,` costs no more memory than its text.
pub(super) enum Elements<'a> {
    Within(Vec<&'a RawValue>),
    TooMany,
}

/// Reads the elements of an array.
pub(super) struct ElementsUpTo(pub(super) usize);

impl<'de> serde::de::DeserializeSeed<'de> for ElementsUpTo {
    type Value = Elements<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for ElementsUpTo {
    type Value = Elements<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of messages")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut parts = Vec::new();
        while let Some(part) = seq.next_element::<&'de RawValue>()? {
            if parts.len() == self.0 {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                return Ok(Elements::TooMany);
            }
            parts.push(part);
        }
        Ok(Elements::Within(parts))
    }
}
