//! The server half: hyper, one endpoint, two eras.
//!
//! Owns: routing, credentials, bodies, the life of sessions and streams.
//! Must not know: methods, tools, what a message says beyond what `mcpbolt_proto::http` asks.

// A refused request ends with its response: the error is not on a hot path.
#![allow(clippy::result_large_err)]

pub(crate) mod admission;
mod asked_id;
pub(crate) mod body;
mod body_words;
pub(crate) mod endpoint;
mod fallback;
mod guard;
mod head;
mod http2_streams;
mod in_flight;
mod io_timeouts;
mod journal;
mod listener;
mod log_follower;
mod modern;
mod node_messages;
mod nodes;
mod options;
mod parts;
pub(crate) mod peer;
pub(crate) mod pipe;
mod post_answer;
mod probes;
pub(crate) mod quota;
pub(crate) mod rate_limit;
mod replay;
pub(crate) mod reply;
mod resident;
mod rules;
mod scopes;
mod service;
mod session;
mod session_end;
mod session_stores;
mod sessions;
mod stateful;
mod takeover;
#[cfg(feature = "bridge")]
mod unclaimed;
mod verify;

pub use body::HttpBody;
pub use body_words::BodyWords;
pub use fallback::{Fallback, ForeignBody};
pub use listener::{HttpServer, bind, serve};
#[cfg(feature = "bridge")]
pub(crate) use listener::{listen, unbound};
pub(crate) use modern::expects_answer;
pub use options::{HttpOptions, LegacyPaths, MetricsFn, Sessions};
pub(crate) use peer::Peer;
pub use peer::PeerAddress;
#[cfg(feature = "bridge")]
pub(crate) use scopes::needed as needed_scopes;
pub use service::HttpService;
pub use session::{EventRecorder, KeptEvent};
pub use session_stores::SessionStores;
pub(crate) use sessions::{HALF_OPEN_SHARE, SWEEP, new_id};
#[cfg(feature = "bridge")]
pub(crate) use unclaimed::Unclaimed;
#[cfg(feature = "bridge")]
pub(crate) use verify::suffices;
pub use verify::{ApiKey, Denied, StaticBearer, Verifier};

pub use mcpbolt_proto::http::{ResponseMode, TrustedProxies};
