//! Where an HTTP request came from.
//!
//! Owns: the peer's address, as a host may hand it in, and the view of its connection.
//! Must not know: credentials, or what was asked.

use std::net::SocketAddr;
use std::sync::Arc;

use super::io_timeouts::Watch;

/// The peer's address, to be put into the extensions of a request by hosts that run
/// their own listener.
///
/// ```
/// use mcpbolt::transport::streamable_http::server::PeerAddress;
/// use std::net::SocketAddr;
///
/// /// In the host's own listener, before the request is passed on.
/// fn note_peer<B>(request: &mut http::Request<B>, peer: SocketAddr) {
///     request.extensions_mut().insert(PeerAddress(peer));
/// }
/// # note_peer(&mut http::Request::new(()), ([127, 0, 0, 1], 80).into());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeerAddress(pub SocketAddr);

/// Where a request came from.
#[derive(Clone, Default)]
pub(crate) struct Peer {
    pub(crate) address: Option<SocketAddr>,
    pub(crate) watch: Option<Arc<dyn Watch>>,
}
