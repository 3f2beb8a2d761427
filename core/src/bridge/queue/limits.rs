//! How much may wait for a host.
//!
//! Owns: the two bounds and their defaults. Must not know: what is done beyond them.

/// Caps of an inbox: what may wait for the host. Beyond them new requests are answered
/// `Overloaded` and notifications are dropped; all else is always taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InboxLimits {
    /// Most items.
    pub max_items: usize,
    /// Most bytes of payload.
    pub max_bytes: usize,
}

impl Default for InboxLimits {
    fn default() -> Self {
        Self { max_items: 10_000, max_bytes: 64 << 20 }
    }
}
