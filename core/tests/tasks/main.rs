//! Tasks, through servers and clients: who is given one, how it goes on, asks, ends and is
//! found again, and who may ask for it.
#![cfg(all(feature = "http-client", feature = "http-server", feature = "file-store"))]

mod bounds;
mod client;
mod experimental;
mod experimental_owners;
mod input;
mod lifecycle;
mod listening;
mod nodes;
mod outages;
mod owners;
mod restart;
mod stopping;
mod world;

#[path = "../peer/mod.rs"]
mod peer;
#[path = "../watched_stores/mod.rs"]
mod watched_stores;
