//! The server session through its drive contract, named after the requirements.
//! Nothing here sends a byte or waits: time is a number.

mod asking;
mod bench;
mod cancel;
mod close;
mod handshake;
mod legacy;
mod listen;
mod modern;
mod notify;
