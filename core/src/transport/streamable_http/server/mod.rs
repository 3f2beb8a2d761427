//! The server half: hyper, one endpoint, two eras.
//!
//! Owns: routing, credentials, bodies, the life of sessions and streams. Must not
//! know: methods, tools, what a message says beyond what `mcpbolt_proto::http` asks.

// A refused request ends with its response: the error is not on a hot path.
#![allow(clippy::result_large_err)]

pub(crate) mod body;
mod conduit;
mod fallback;
mod listener;
mod live;
mod modern;
mod options;
pub(crate) mod pipe;
mod replay;
pub(crate) mod reply;
mod service;
mod session;
mod sessions;
mod slot;
mod stateful;
mod verify;

pub use body::HttpBody;
pub use fallback::{Fallback, ForeignBody};
pub use listener::{HttpServer, bind, serve};
pub use options::{HttpOptions, LegacyPaths, MetricsFn, Sessions};
pub use service::{HttpService, PeerAddress};
pub(crate) use service::{Peer, Shared};
pub(crate) use sessions::new_id;
pub use verify::{ApiKey, Denied, StaticBearer, Verifier};

pub use mcpbolt_proto::http::ResponseMode;
