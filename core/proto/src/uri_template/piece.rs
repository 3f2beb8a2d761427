//! What a pattern consists of: texts, and places of values.
//!
//! Owns: what is said of a value's place. Must not know: how a URI is matched.

use serde::Deserialize;

/// A part of a pattern.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum Piece {
    Text(String),
    Value(Slot),
}

/// Where a value stands.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Slot {
    pub(super) name: String,
    /// Characters that a value cannot have.
    #[serde(default)]
    pub(super) stops: String,
    #[serde(default)]
    pub(super) kind: Kind,
    /// What stands before each item of a spanning list; without it, it is no list.
    #[serde(default)]
    pub(super) between: Option<char>,
    /// Each item of that list comes with the name.
    #[serde(default)]
    pub(super) named: bool,
}

/// What a value may look like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Kind {
    /// A text.
    #[default]
    Plain,
    /// Commas may stand between items, none of which is empty. Longest first only.
    List,
    /// `=value` or nothing; the name stands before. Both ends only.
    Bare,
    /// It takes what the others leave over. Both ends only.
    Spanning,
}
