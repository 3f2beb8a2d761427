//! Pure decisions about who may do what, and how often.
//!
//! Owns (from a later milestone on): rate limits, deadlines, access rules, the
//! sampling budget. Must not know: clocks, sockets, sessions. Empty for now; the
//! caps that protect the engine itself are in [`crate::limits`].
