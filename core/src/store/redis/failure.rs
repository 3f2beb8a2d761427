//! What went wrong at the server, in our words.
//!
//! Owns: the words, and which failures mean that a connection is of no more use. Must not know:
//! what was asked: neither keys nor values are in what it says.

use redis::{RedisError, ServerErrorKind};

use mcpbolt_proto::protocol::{Error, ErrorKind};

/// A failure of the server called `name`.
pub(super) fn failed(name: &str, error: &RedisError) -> Error {
    let what = match error.code() {
        Some("OOM") => "the server has no memory left; give it more, or let what it keeps expire".to_owned(),
        Some("NOAUTH" | "WRONGPASS") => "the server refuses user or password".to_owned(),
        Some("NOPERM") => "the server's rules for this user forbid a command, key or channel".to_owned(),
        Some("READONLY") => "the server takes no writes: it is a replica".to_owned(),
        Some(code) => format!("the server refuses ({code})"),
        None if error.kind() == redis::ErrorKind::AuthenticationFailed => {
            "the server refuses user or password".to_owned()
        }
        None if error.is_timeout() => "the server does not answer in time".to_owned(),
        None if error.is_io_error() => "the server cannot be reached".to_owned(),
        None => format!("{:?}", error.kind()),
    };
    Error::new(ErrorKind::Store, format!("store {name}: {what}"))
}

/// No connection for longer than a command may wait.
pub(super) fn away(name: &str) -> Error {
    Error::new(ErrorKind::Store, format!("store {name}: the server cannot be reached"))
}

/// The store's own thread has ended.
pub(super) fn closed() -> Error {
    Error::new(ErrorKind::Store, "the store is closed")
}

/// Whether another connection is needed: this one is lost, or leads to a server that was
/// demoted.
pub(super) fn is_final(error: &RedisError) -> bool {
    error.is_unrecoverable_error()
        || error.is_timeout()
        || error.kind() == redis::ErrorKind::Server(ServerErrorKind::ReadOnly)
}
