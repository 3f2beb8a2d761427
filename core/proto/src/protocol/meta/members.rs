//! Open metadata, as any message may carry it.
//!
//! Owns: reading and setting a member. Must not know: which keys there are.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::jsonrpc::{RawError, RawObject};

/// Open metadata: any member survives, in order.
///
/// ```
/// use mcpbolt_proto::protocol::meta::Meta;
///
/// let meta = Meta::new().with("progressToken", "import-7").with("com.example/tenant", &42);
/// assert_eq!(meta.get::<u64>("com.example/tenant"), Some(42));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Meta(pub RawObject);

impl Meta {
    /// No metadata.
    pub const fn new() -> Self {
        Self(RawObject::new())
    }

    /// Reads one member; `None` if absent or of another type.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        self.0.get(key)?.decode().ok()
    }

    /// Sets one member.
    pub fn insert<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), RawError> {
        self.0.put(key, value)
    }

    /// The same metadata with one more member; a value that is not JSON is left out.
    #[must_use]
    pub fn with<T: Serialize + ?Sized>(mut self, key: &str, value: &T) -> Self {
        let _ = self.insert(key, value);
        self
    }
}
