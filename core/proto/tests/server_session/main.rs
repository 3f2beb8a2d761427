//! The server session through its drive contract, named after the requirements.
//! Nothing here sends a byte or waits: time is a number.
#![allow(clippy::needless_pass_by_value)] // a `&` before every `json!` says nothing

mod asking;
mod bench;
mod cancel;
mod close;
mod handshake;
mod legacy;
mod listen;
mod modern;
mod notify;
mod pace;
