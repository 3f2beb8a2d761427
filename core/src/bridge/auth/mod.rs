//! Signing in for hosts that carry HTTP themselves, as the official Python and TypeScript
//! packages do it.
//!
//! Owns: the flow step by step, and single decisions for functions that programs call by
//! themselves; options, steps and events as JSON. Must not know: what is decided, which is
//! the protocol's; HTTP, browsers and stores, which are the host's.

pub(crate) mod assertions;
pub(crate) mod authorization_server;
pub(crate) mod bearer;
pub(crate) mod checks;
pub(crate) mod choices;
pub(crate) mod client_documents;
pub(crate) mod decisions;
pub(crate) mod events;
pub(crate) mod failures;
pub(crate) mod held_key;
pub(crate) mod held_redirect;
pub(crate) mod held_store;
pub(crate) mod host_flow;
pub(crate) mod options;
pub(crate) mod pending;
pub(crate) mod proofs;
pub(crate) mod requests;
pub(crate) mod resource_server;
pub(crate) mod revocation;
pub(crate) mod steps;
