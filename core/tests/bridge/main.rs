//! The boundary as a binding sees it.

mod calls;
mod client;
mod client_child;
mod driver;
mod engine;
mod http;
mod inbox;
mod peer;
mod workers;
