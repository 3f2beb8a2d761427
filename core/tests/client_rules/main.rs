//! What a client promises its program: reviews, budgets, memory, limits, what it tells.
#![cfg(all(feature = "http-client", feature = "http-server"))]

mod alive;
mod deprecations;
mod eras;
mod events;
mod hearing;
mod kept;
mod limits;
mod review;
mod sampling;
mod stats;
mod support;
mod trace_context;

#[cfg(unix)]
mod child;

#[path = "../http_client_support/mod.rs"]
mod http;
