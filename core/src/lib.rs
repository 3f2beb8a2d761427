//! The Model Context Protocol engine: servers and clients of every revision, over
//! stdio and HTTP.
//!
//! Layers import downwards only: `handler`, `store`, `seal`, `schema` → `transport`
//! → `server`, `client`, `auth` → `bridge`.

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
pub mod transport;

pub use mcpbolt_proto::http::Guard;
pub use mcpbolt_proto::jsonrpc::{Id, JsonKind, RawJson, RawObject};
pub use mcpbolt_proto::limits::Limits;
pub use mcpbolt_proto::protocol::wire::{CacheHint, CacheScope};
pub use mcpbolt_proto::protocol::{Era, Error, ErrorKind, Revision, capabilities, meta, methods, types};
pub use mcpbolt_proto::{jsonrpc, policy, protocol, session};
