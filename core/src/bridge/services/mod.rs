//! Services that the host writes and the engine asks.
//!
//! Owns: asking, and one file for each service that a server has. Must not know: calls and
//! requests of peers. The services of the HTTP client are in `http/client_hooks.rs`.

pub(crate) mod access;
pub(crate) mod asks;
pub(crate) mod audit;
pub(crate) mod body_words;
pub(crate) mod event_store;
pub(crate) mod sanitizer;
pub(crate) mod token_verifier;
pub(crate) mod verifier;
