//! How messages stand in the bytes that a host feeds.
//!
//! Owns: the two ways. Must not know: who cuts the bytes apart.

/// How messages stand in the bytes that a host feeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Framing {
    /// Each time one whole message is fed.
    #[default]
    Message,
    /// Messages are lines; what is fed may be cut anywhere.
    Lines,
}
