//! Request identifiers and other tokens that are a string or an integer.
//!
//! Owns: that an id keeps its JSON type and its spelling. Must not know: whose id it is.

use std::fmt;

use bytestring::ByteString;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use super::RawJson;

/// A string or an integer that keeps its JSON type, and its exact value when it
/// is larger than any machine number. `1` and `"1"` are different.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{Id, RawJson};
///
/// assert_ne!(Id::from(1), Id::from("1"));
/// let huge = RawJson::parse("123456789012345678901234567890")?;
/// assert_eq!(Id::from_raw(&huge).unwrap().to_raw(), huge); // not rounded
/// # Ok::<(), mcpbolt_proto::jsonrpc::RawError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Id {
    /// An integer that fits.
    Number(i64),
    /// An integer beyond 64 bits, as its digits.
    BigNumber(ByteString),
    /// A string.
    String(ByteString),
}

impl Id {
    /// Reads an identifier; `None` for `null`, fractions, objects and the rest.
    pub fn from_raw(raw: &RawJson) -> Option<Self> {
        Self::from_text(raw.as_str())
    }

    /// Reads the JSON text of an identifier.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        match text.as_bytes().first()? {
            b'"' => {
                let inner = text[1..].strip_suffix('"')?;
                if inner.contains('\\') {
                    return serde_json::from_str::<String>(text).ok().map(|s| Self::String(s.into()));
                }
                Some(Self::String(inner.into()))
            }
            b'-' | b'0'..=b'9' if text.bytes().skip(1).all(|b| b.is_ascii_digit()) => {
                Some(text.parse().map_or_else(|_| Self::BigNumber(text.into()), Self::Number))
            }
            _ => None,
        }
    }

    /// The identifier as JSON.
    pub fn to_raw(&self) -> RawJson {
        let mut text = String::new();
        self.push_to(&mut text);
        RawJson::trusted(text.into())
    }

    pub(super) fn push_to(&self, text: &mut String) {
        match self {
            Self::Number(n) => text.push_str(itoa::Buffer::new().format(*n)),
            Self::BigNumber(digits) => text.push_str(digits),
            Self::String(s) => super::escape::push_string(text, s),
        }
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(n) => write!(f, "{n}"),
            Self::BigNumber(s) | Self::String(s) => f.write_str(s),
        }
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(n) => write!(f, "{n}"),
            Self::BigNumber(digits) => f.write_str(digits),
            Self::String(s) => write!(f, "{s:?}"),
        }
    }
}

impl From<i64> for Id {
    fn from(n: i64) -> Self {
        Self::Number(n)
    }
}

impl From<&str> for Id {
    fn from(s: &str) -> Self {
        Self::String(s.into())
    }
}

impl From<String> for Id {
    fn from(s: String) -> Self {
        Self::String(s.into())
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(n) => serializer.serialize_i64(*n),
            Self::BigNumber(_) => self.to_raw().serialize(serializer),
            Self::String(s) => serializer.serialize_str(s),
        }
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        Self::from_raw(&raw).ok_or_else(|| D::Error::custom("expected a string or an integer"))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Id {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "RequestId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "Names a request; progress tokens look alike.",
            "type": ["string", "integer"],
        })
    }
}
