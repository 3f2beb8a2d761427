//! How bytes travel, and the connection that ties a session to them.
//!
//! Owns: stdio, child processes, HTTP, in-memory pairs, the engine's timer. Must not
//! know: tools, resources, prompts.

pub mod child_process;
pub mod client;
pub mod connection;
pub mod custom;
pub mod lines;
mod link;
pub mod memory;
pub mod signals;
pub mod stdio;
pub mod stdio_server;
pub mod timer;
