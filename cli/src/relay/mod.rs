//! A server that stands for another one: what clients say goes to it, and what it says goes to
//! them, whatever each of them speaks and over what.
//!
//! Rooms import downwards only: `outbox` → `upstream` → `asking`, `listening` → `standing` →
//! `sessions` → `handler`.
//!
//! Owns: which message belongs to whom. Must not know: command lines, addresses, terminals.

mod asking;
mod handler;
mod listening;
mod outbox;
mod sessions;
mod standing;
mod upstream;

pub(crate) use handler::Relay;
pub(crate) use sessions::Reaching;
