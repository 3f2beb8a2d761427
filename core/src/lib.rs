//! The Model Context Protocol engine: servers and clients of every revision, over
//! stdio and HTTP.
//!
//! Features: `http-server`, `http-client`, `schema-validation` and `file-store` are on by default;
//! without them the crate speaks stdio, memory and transports of the program's own, and stands on
//! a third fewer crates. `opentelemetry` opens spans of calls.
//!
//! Layers import downwards only: `handler`, `store`, `seal`, `schema` → `transport`, `tasks`
//! → `server`, `client`, `auth` → `bridge`.
//!
//! Owns: the names under which programs find the parts. Must not know: any language but Rust.

#[cfg(feature = "http-client")]
pub mod auth;
#[cfg(feature = "bridge")]
#[doc(hidden)]
pub mod bridge;
pub mod client;
pub mod handler;
pub mod observe;
pub mod schema;
pub mod seal;
pub mod server;
pub mod store;
mod tasks;
pub mod transport;

pub use mcpbolt_proto::http::{Guard, ParamHeaders};
pub use mcpbolt_proto::jsonrpc::{Id, JsonKind, RawJson, RawObject};
pub use mcpbolt_proto::limits::Limits;
pub use mcpbolt_proto::protocol::wire::{CacheHint, CacheScope};
pub use mcpbolt_proto::protocol::{Era, Error, ErrorKind, Revision, capabilities, meta, methods, types};
pub use mcpbolt_proto::{jsonrpc, policy, protocol, session};
