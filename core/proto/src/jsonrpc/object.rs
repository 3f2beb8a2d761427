//! [`RawObject`]: an ordered, shallow view of a JSON object.
//!
//! Owns: the order of members, and that a name stands once. Must not know: what any member
//! means.

use bytestring::ByteString;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use super::members::Members;
use super::{RawError, RawJson};

/// An object whose member values stay raw. The only way the engine adds or removes
/// top-level members, so that every other member keeps its bytes and its place.
///
/// ```
/// use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
///
/// let raw = RawJson::parse(r#"{"b":1.0,"a":2}"#)?;
/// let mut object = RawObject::parse(&raw).unwrap();
/// object.put("c", &true)?;
/// object.remove("a");
/// assert_eq!(object.to_raw().as_str(), r#"{"b":1.0,"c":true}"#); // the rest keeps bytes and order
/// # Ok::<(), mcpbolt_proto::jsonrpc::RawError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RawObject(Vec<(ByteString, RawJson)>);

impl RawObject {
    /// What [`RawObject::parse`] takes, in the words of errors.
    pub const WANTED: &'static str = "an object whose member names differ and are valid Unicode";

    /// An object without members.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Reads the members of `raw`. `None` unless it is an object whose names are Unicode and differ.
    pub fn parse(raw: &RawJson) -> Option<Self> {
        // The text is known to be valid JSON: its members only have to be found.
        let members = Members::scan(raw)?;
        if members.any_repeats() {
            return None;
        }
        let mut all = Vec::with_capacity(members.len());
        all.extend(members.shared());
        Some(Self(all))
    }

    /// The value of a member.
    pub fn get(&self, name: &str) -> Option<&RawJson> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, v)| v)
    }

    /// Whether a member exists, `null` included.
    pub fn contains(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Sets a member: in place when it exists, else at the end.
    pub fn set(&mut self, name: impl Into<ByteString>, value: RawJson) {
        let name = name.into();
        match self.0.iter_mut().find(|(n, _)| *n == name) {
            Some((_, old)) => *old = value,
            None => self.0.push((name, value)),
        }
    }

    /// Writes `value` as JSON and sets it.
    pub fn put<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), RawError> {
        self.set(name, RawJson::encode(value)?);
        Ok(())
    }

    /// Removes a member and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<RawJson> {
        let at = self.0.iter().position(|(n, _)| n == name)?;
        Some(self.0.remove(at).1)
    }

    /// The members in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &RawJson)> {
        self.0.iter().map(|(n, v)| (&**n, v))
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no members.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The object as text.
    pub fn to_raw(&self) -> RawJson {
        let size = self.0.iter().map(|(n, v)| n.len() + v.as_str().len() + 4).sum::<usize>() + 2;
        let mut text = String::with_capacity(size);
        text.push('{');
        for (at, (name, value)) in self.0.iter().enumerate() {
            if at > 0 {
                text.push(',');
            }
            super::escape::push_string(&mut text, name);
            text.push(':');
            text.push_str(value.as_str());
        }
        text.push('}');
        RawJson::trusted(text.into())
    }
}

impl Serialize for RawObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_raw().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        Self::parse(&raw).ok_or_else(|| D::Error::custom(format_args!("expected {}", Self::WANTED)))
    }
}

impl<N: Into<ByteString>> FromIterator<(N, RawJson)> for RawObject {
    fn from_iter<I: IntoIterator<Item = (N, RawJson)>>(members: I) -> Self {
        let mut object = Self::new();
        for (name, value) in members {
            object.set(name, value);
        }
        object
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for RawObject {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "JsonObject".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "object", "additionalProperties": true})
    }
}
