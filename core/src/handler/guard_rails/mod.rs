//! The guard rails around every call of every handler: rate limits, deadlines,
//! concurrency, access.
//!
//! Owns: what they are made of, for the rest of the crate. Must not know: how a decision is
//! made (`policy` does), sockets, registries. Off, they cost one branch.

mod access;
mod admit;
mod authorize;
mod bounds;
mod list_filter;
mod listing;
mod options;
mod rate_limit;
mod state;

pub use authorize::{Asker, Authorize, Verdicts};
pub use listing::Listing;
pub use options::GuardRailOptions;
pub(crate) use state::GuardRails;
pub(super) use state::Guarded;
