//! Servers that want tokens: an issuer with keys of its own, a server that trusts it, and
//! requests with every kind of token, on sockets of this process.
#![cfg(all(feature = "http-client", feature = "http-server"))]

mod assertions;
mod attacks;
mod dpop;
mod introspection;
mod issuer;
mod keys;
mod scopes;
mod support;
mod tokens;
