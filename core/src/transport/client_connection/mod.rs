//! One connection of a client to one server.
//!
//! Owns: what the rest of the crate sees of it. Must not know: how bytes travel, what methods
//! mean, who answers the server.

mod connection;
mod future;
mod hooks;
mod incoming;
mod options;
mod outputs;
pub(crate) mod telling;
mod watch;

pub use connection::{ClientConnection, ClientHost, Connector};
pub use future::RequestFuture;
pub use hooks::{Hooks, NoteFn, ProgressFn, ReplyFn};
pub use options::{ClientConnectionOptions, RestartPolicy};
