//! Client side of Streamable HTTP, and of HTTP+SSE once the negotiation asks for it.
//!
//! Owns: one POST per message, the streams that answer it, the legacy session id and
//! its loss. Must not know: which era to try (the session's negotiation), what OAuth is.

mod answers;
pub(crate) mod connection;
mod copies;
pub(crate) mod events;
pub(crate) mod exchange;
pub(crate) mod failures;
pub(crate) mod headers;
mod options;
mod post;
mod redirects;
mod repeats;
pub(crate) mod response;
pub(crate) mod sender;
mod session_end;
mod standalone;
mod state;
mod stream;
mod tls;
mod transport;

pub use failures::shown_url;
pub use options::{
    Authorizer, CarriedBody, Carrier, ClientIdentity, HeaderHook, HttpClientOptions, PauseHook, ProxyChoice,
    ReconnectPolicy, RefusedRequest, Verdict, certificates,
};
pub use transport::connect;
