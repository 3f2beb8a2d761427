//! How messages stand in the bytes that a host feeds.
//!
//! Owns: the two ways. Must not know: who cuts the bytes apart.

/// How messages stand in the bytes that are fed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Framing {
    /// One whole message each time.
    #[default]
    Message,
    /// Lines, cut anywhere.
    Lines,
}
