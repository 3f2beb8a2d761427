//! [`RawJson`]: the only raw JSON type of the engine.
//!
//! Owns: what may be one: a single value, UTF-8, of bounded depth, without line breaks.
//! Must not know: what the value means.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;
use bytestring::ByteString;
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde::ser::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::scan;

/// Deepest nesting a raw value may have, unless a caller says otherwise.
pub(super) const MAX_DEPTH: usize = 128;

/// One JSON value as text: valid JSON, UTF-8, at most 128 levels deep and
/// **free of line breaks**, so that it can be spliced into a stdio line or an SSE
/// event without forging a message boundary. Cloning shares the bytes.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{JsonKind, RawJson};
///
/// let value = RawJson::parse("{\n  \"price\": 1.0\n}")?;
/// assert!(!value.as_str().contains('\n')); // safe to splice into a line
/// assert_eq!(value.kind(), JsonKind::Object);
/// assert_eq!(value.decode::<serde_json::Value>().unwrap()["price"], 1.0);
/// # Ok::<(), mcpbolt_proto::jsonrpc::RawError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RawJson(ByteString);

/// Why a text cannot be a [`RawJson`]. Never quotes the text.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{RawError, RawJson};
///
/// assert_eq!(RawJson::parse(b"\"\xff\"".to_vec()), Err(RawError::NotUtf8));
/// assert_eq!(RawJson::parse_within("[[1]]", 1), Err(RawError::TooDeep { limit: 1 }));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RawError {
    /// Not UTF-8.
    #[error("JSON text is not valid UTF-8")]
    NotUtf8,
    /// Not one JSON value.
    #[error("not valid JSON at line {line}, column {column}")]
    Syntax {
        /// Line of the fault, from 1.
        line: usize,
        /// Column of the fault, from 1.
        column: usize,
    },
    /// Nested more deeply than allowed.
    #[error("JSON nests deeper than {limit} levels")]
    TooDeep {
        /// The limit that was passed.
        limit: usize,
    },
    /// A Rust value that cannot be written as JSON.
    #[error("value cannot be written as JSON: {0}")]
    Unencodable(String),
}

/// The type of a JSON value, told from its first character.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{JsonKind, RawJson};
///
/// assert_eq!(RawJson::null().kind(), JsonKind::Null);
/// assert_eq!(RawJson::from(serde_json::json!([1, 2])).kind(), JsonKind::Array);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonKind {
    /// `{…}`
    Object,
    /// `[…]`
    Array,
    /// `"…"`
    String,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`.
    Null,
}

impl RawJson {
    /// Takes one JSON value from bytes of any origin.
    pub fn parse(bytes: impl Into<Bytes>) -> Result<Self, RawError> {
        Self::parse_within(bytes, MAX_DEPTH)
    }

    /// As [`RawJson::parse`], with another depth limit.
    pub fn parse_within(bytes: impl Into<Bytes>, max_depth: usize) -> Result<Self, RawError> {
        let text = clean(bytes.into(), max_depth)?;
        let value: &RawValue = serde_json::from_str(&text).map_err(|e| RawError::syntax(&e))?;
        Ok(Self(text.slice_ref(value.get())))
    }

    /// Writes a Rust value as JSON.
    pub fn encode<T: Serialize + ?Sized>(value: &T) -> Result<Self, RawError> {
        let text = serde_json::to_string(value).map_err(|e| RawError::Unencodable(e.to_string()))?;
        if scan::has_line_break(text.as_bytes()) || scan::is_deeper(text.as_bytes(), MAX_DEPTH) {
            return Self::parse(text);
        }
        Ok(Self(text.into()))
    }

    /// For text that this crate wrote or already checked.
    pub(crate) fn trusted(text: ByteString) -> Self {
        debug_assert!(!scan::has_line_break(text.as_bytes()), "raw JSON with a line break");
        Self(text)
    }

    /// Its text.
    pub(crate) fn into_text(self) -> ByteString {
        self.0
    }

    /// Whether nobody else has the text: it can be written on without a copy.
    pub(crate) fn is_unshared(&self) -> bool {
        self.0.as_bytes().is_unique()
    }

    /// A part of `text` that serde_json has validated and [`clean`] has scanned.
    pub(crate) fn slice_of(text: &ByteString, value: &RawValue) -> Self {
        Self(text.slice_ref(value.get()))
    }

    /// The value `null`.
    pub fn null() -> Self {
        Self(ByteString::from_static("null"))
    }

    /// The value `{}`.
    pub fn empty_object() -> Self {
        Self(ByteString::from_static("{}"))
    }

    /// The text, without line breaks.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The text with its shared storage.
    pub fn text(&self) -> &ByteString {
        &self.0
    }

    /// What kind of value this is.
    pub fn kind(&self) -> JsonKind {
        match self.0.as_bytes().first() {
            Some(b'{') => JsonKind::Object,
            Some(b'[') => JsonKind::Array,
            Some(b'"') => JsonKind::String,
            Some(b't' | b'f') => JsonKind::Bool,
            Some(b'n') => JsonKind::Null,
            _ => JsonKind::Number,
        }
    }

    /// Whether this is an object.
    pub fn is_object(&self) -> bool {
        self.kind() == JsonKind::Object
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        self.kind() == JsonKind::Null
    }

    /// Reads the value as a Rust type.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.0)
    }

    /// Reads the value as a Rust type that borrows from it.
    pub fn decode_borrowed<'a, T: Deserialize<'a>>(&'a self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.0)
    }

    /// The value of a JSON string, `None` for any other kind.
    pub fn as_string(&self) -> Option<String> {
        self.as_text().map(Cow::into_owned)
    }

    /// As [`RawJson::as_string`], without a copy where no escapes stand in it.
    ///
    /// ```
    /// use mcpbolt_proto::jsonrpc::RawJson;
    /// use std::borrow::Cow;
    ///
    /// let plain = RawJson::parse(r#""echo""#)?;
    /// assert!(matches!(plain.as_text(), Some(Cow::Borrowed("echo"))));
    /// assert_eq!(RawJson::parse(r#""a\nb""#)?.as_text().as_deref(), Some("a\nb"));
    /// # Ok::<(), mcpbolt_proto::jsonrpc::RawError>(())
    /// ```
    pub fn as_text(&self) -> Option<Cow<'_, str>> {
        let inner = self.0.strip_prefix('"')?.strip_suffix('"')?;
        if memchr::memchr(b'\\', inner.as_bytes()).is_some() {
            return self.decode().ok().map(Cow::Owned);
        }
        Some(Cow::Borrowed(inner))
    }
}

/// Checks UTF-8 and depth, and removes line breaks between tokens.
pub(super) fn clean(bytes: Bytes, max_depth: usize) -> Result<ByteString, RawError> {
    clean_or_keep(bytes, max_depth).map_err(|(error, _)| error)
}

/// As [`clean`]; a text that is too deep comes back.
pub(super) fn clean_or_keep(bytes: Bytes, max_depth: usize) -> Result<ByteString, (RawError, Bytes)> {
    let bytes = if scan::has_line_break(&bytes) {
        let mut copy = bytes.to_vec();
        scan::blank_line_breaks(&mut copy);
        Bytes::from(copy)
    } else {
        bytes
    };
    if scan::is_deeper(&bytes, max_depth) {
        return Err((RawError::TooDeep { limit: max_depth }, bytes));
    }
    ByteString::try_from(bytes).map_err(|_| (RawError::NotUtf8, Bytes::new()))
}

impl RawError {
    pub(super) fn syntax(error: &serde_json::Error) -> Self {
        Self::Syntax { line: error.line(), column: error.column() }
    }
}

/// Shows kind and size only: payloads never reach logs.
impl fmt::Debug for RawJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RawJson({:?}, {} bytes)", self.kind(), self.0.len())
    }
}

impl Serialize for RawJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Box::<RawValue>::deserialize(deserializer)?;
        let text: Box<str> = value.into();
        clean(Bytes::from(text.into_string()), MAX_DEPTH).map(Self).map_err(serde::de::Error::custom)
    }
}

impl From<&serde_json::Value> for RawJson {
    fn from(value: &serde_json::Value) -> Self {
        Self::trusted(value.to_string().into())
    }
}

impl From<serde_json::Value> for RawJson {
    fn from(value: serde_json::Value) -> Self {
        Self::from(&value)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for RawJson {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "JsonValue".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!(true)
    }
}
