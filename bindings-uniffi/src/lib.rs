//! The boundary's verbs for Kotlin and Swift. The facades, written in those languages,
//! stand on this.
//!
//! JSON text crosses, at most twice per batch: one text of items in, one text of
//! outcomes out. No runtime starts when the library is loaded, nothing in here calls
//! into the host but the continuation of [`inbox::EngineInbox::ready`], and nothing holds
//! an object of the host.
#![allow(clippy::needless_pass_by_value, reason = "arguments arrive as owned values")]

pub mod apps;
pub mod client;
pub mod error;
pub mod hosts;
pub mod http;
pub mod inbox;
#[cfg(feature = "jni")]
mod jni;
mod numbers;
pub mod schema;
pub mod server;
pub mod sign_in;
pub mod skills;
pub mod telemetry;
pub mod template;
pub mod testing;
pub mod transport;

uniffi::setup_scaffolding!("mcpbolt");
