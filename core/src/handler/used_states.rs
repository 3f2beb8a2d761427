//! The `requestState`s that this process has taken, whichever of its servers did.
//!
//! Owns: the one table, and the clock it goes by: states carry their end as a time of day,
//! since any process with the key may open them. Must not know: how a state is sealed.

use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::Time;
use mcpbolt_proto::session::used_states::{StateId, UsedStates};

/// One for all servers: a program may make a server anew for each request, with the same key.
static USED: Mutex<UsedStates> = Mutex::new(UsedStates::new());

/// Takes a state that this process has not taken yet, and remembers at most `max`.
pub(crate) fn take(state: StateId, max: usize) -> Result<(), Error> {
    USED.lock().take(now(), state, max)
}

/// What tells a state from others: a digest of a text that no other state has, and that has
/// one spelling.
pub(crate) fn id_of(text: &str, expires: Time) -> StateId {
    let digest = Sha256::digest(text);
    let (number, _) = digest.split_first_chunk().expect("32 bytes");
    StateId { number: u128::from_le_bytes(*number), expires }
}

/// The time of day, since 1970.
pub(crate) fn now() -> Time {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
