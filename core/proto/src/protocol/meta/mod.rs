//! `_meta`: keys, grammar, and what a request's metadata says.
//!
//! Owns: the members that the protocol gives a meaning. Must not know: which message carries
//! them.

mod keys;
mod members;
mod request;

pub use keys::*;
pub use members::Meta;
pub use request::RequestMeta;
