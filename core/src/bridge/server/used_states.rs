//! States that hosts seal themselves, taken once as the engine's own are.
//!
//! Owns: the entry for hosts. Must not know: what is in a state.

use std::time::Duration;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::used_states::used_or_expired;

use crate::handler::used_states as used;

/// Takes a state that the host opened and found good: once in this process. `number` is
/// text that no other state has; `expires` are seconds since 1970.
///
/// # Errors
/// `InvalidParams` if it was taken already, or has expired.
pub fn take_state(number: &str, expires: f64) -> Result<(), Error> {
    let expires = Duration::try_from_secs_f64(expires).map_err(|_| used_or_expired())?;
    used::take(used::id_of(number, expires), Limits::default().used_states)
}
