//! Whose words are kept, where the official packages differ.
//!
//! Owns: their names. Must not know: what is decided.

use serde::Deserialize;

/// The official package whose order, words and statuses a server's authorization keeps.
///
/// ```
/// use mcpbolt_proto::auth::words::Words;
///
/// assert!(Words::Python2.is_python());
/// assert!(!Words::TypeScript.is_python());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Words {
    /// The Python package, 1.x.
    Python,
    /// The Python package, 2.x.
    Python2,
    /// The TypeScript package, 1.x.
    TypeScript,
    /// The TypeScript packages, 2.x. Their authorization server is that of 1.x.
    TypeScript2,
}

impl Words {
    /// Whether it is one of the Python packages.
    pub const fn is_python(self) -> bool {
        matches!(self, Self::Python | Self::Python2)
    }
}
