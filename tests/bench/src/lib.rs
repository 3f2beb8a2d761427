//! What the programs of the benchmark share.
//!
//! Owns: how a contestant is told what to serve, what the tools are called, what a load asks,
//! an issuer of tokens, what callgrind writes, our server, and the loop in which both client contestants make
//! their calls. Must not know: who competes, what is reported.

pub mod ask;
pub mod callgrind;
pub mod client;
pub mod issuer;
pub mod long;
pub mod ours;
pub mod payload;
pub mod process;
pub mod server;
pub mod store;
