//! The server half: hyper, one endpoint, two eras.
//!
//! Owns: routing, credentials, bodies, the life of sessions and streams. Must not
//! know: methods, tools, what a message says beyond what `mcpbolt_proto::http` asks.

// A refused request ends with its response: the error is not on a hot path.
#![allow(clippy::result_large_err)]

pub(crate) mod body;
mod conduit;
mod elsewhere;
mod fallback;
mod follow;
mod gate;
mod head;
pub(crate) mod intake;
mod journal;
mod listener;
mod live;
mod modern;
mod nodes;
mod options;
mod pace;
pub(crate) mod pipe;
pub(crate) mod quota;
mod replay;
pub(crate) mod reply;
mod service;
mod session;
mod sessions;
mod slot;
mod stateful;
mod stores;
mod verify;

pub use body::HttpBody;
pub use fallback::{Fallback, ForeignBody};
#[cfg(feature = "bridge")]
pub(crate) use listener::unbound;
pub use listener::{HttpServer, bind, serve};
pub(crate) use modern::expects_answer;
pub use options::{HttpOptions, LegacyPaths, MetricsFn, Sessions};
#[cfg(feature = "bridge")]
pub(crate) use quota::Unclaimed;
pub use service::{HttpService, PeerAddress};
pub(crate) use service::{Peer, Shared};
pub use session::{EventRecorder, KeptEvent};
pub(crate) use sessions::{HALF_OPEN_SHARE, SWEEP, new_id};
pub use stores::SessionStores;
pub use verify::{ApiKey, Denied, StaticBearer, Verifier};

pub use mcpbolt_proto::http::{ResponseMode, TrustedProxies};
