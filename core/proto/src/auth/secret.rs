//! Text that must not be seen: tokens, codes, verifiers, client secrets.
//!
//! Owns: hiding it from `Debug`, and comparing it. Must not know: what it is for, where it
//! is kept.

use serde::{Deserialize, Serialize};

/// Text that prints as `…`. Its serialised form is the plain text, for stores that keep it
/// confidential: protect the file that it is written to.
///
/// ```
/// use mcpbolt_proto::auth::secret::Secret;
///
/// let token = Secret::new("mF_9.Bxf-4.JqM");
/// assert_eq!(format!("{token:?}"), "…");
/// assert_eq!(token.expose(), "mF_9.Bxf-4.JqM");
/// ```
#[derive(Clone, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// Hides a text.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, for the request it belongs in. It must not reach a log, an error or a URL
    /// that is shown.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Whether the text is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl PartialEq for Secret {
    /// Compares in a time that depends on the lengths only, so that a peer cannot guess a
    /// `state` letter by letter.
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (self.0.as_bytes(), other.0.as_bytes());
        let difference = a.iter().zip(b).fold(0, |seen, (x, y)| seen | (x ^ y));
        a.len() == b.len() && std::hint::black_box(difference) == 0
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}
