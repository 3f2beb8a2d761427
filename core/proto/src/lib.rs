//! The sans-IO half of mcpbolt: JSON-RPC, the Model Context Protocol's five
//! revisions in two eras, session state and HTTP rules.
//!
//! Owns: the rules of the protocol, as values and state machines. Must not know: sockets,
//! clocks, threads, entropy, any language but Rust.
//!
//! Nothing here reads a clock, opens a socket, starts a thread or draws a random
//! number: time, identifiers and entropy are parameters. The layers import
//! downwards only: `jsonrpc` → `protocol` → `session`, `http`, `policy`, `auth`.

pub mod auth;
pub mod http;
pub mod jsonrpc;
pub mod limits;
pub mod policy;
pub mod protocol;
pub mod schema_budget;
pub mod session;
pub mod tasks;
pub mod uri_template;
