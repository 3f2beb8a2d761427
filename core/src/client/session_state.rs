//! Where a session stands, from its handshake to its end.
//!
//! Owns: the states. Must not know: what leads from one to the next.

use mcpbolt_proto::protocol::Error;

/// Where a session stands.
///
/// ```
/// use mcpbolt::client::{ClientSession, SessionState};
///
/// async fn until_closed(session: &ClientSession) {
///     let mut state = session.watch_state();
///     let closed = |state: &SessionState| matches!(state, SessionState::Closed(_));
///     if let Ok(end) = state.wait_for(closed).await
///         && let SessionState::Closed(reason) = &*end
///     {
///         eprintln!("{reason}");
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum SessionState {
    /// Probe or handshake are under way.
    Connecting,
    /// Calls go out.
    Ready,
    /// The channel was lost; calls wait for the next one.
    Reconnecting,
    /// Over, for this reason.
    Closed(Error),
}
