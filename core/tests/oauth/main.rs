//! Clients sign in: a server that wants tokens, an authorization server that checks what it is
//! given, and a browser without a window, all on sockets of this process.
#![cfg(feature = "http-client")]

mod attacks;
mod authorization_server;
mod bound_tokens;
mod canary;
mod hosts;
mod loopback;
mod proofs;
mod resource_server;
mod sharing;
mod signing_in;
mod signing_out;
mod stores;
mod world;
