//! The program `mcpbolt`, run as people and scripts run it: in pipes and in a terminal, against
//! servers that are real programs, and against scripted ones where a server has to be wrong.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

mod asking;
#[path = "../../../core/tests/oauth/authorization_server.rs"]
mod authorization_server;
mod bridging;
mod bridging_changes;
mod bridging_sessions;
mod calling;
mod checking;
mod documents;
mod golden;
mod inspecting;
mod installing;
#[cfg(target_os = "linux")]
mod languages;
mod listening;
mod looking;
mod measuring;
#[cfg(target_os = "linux")]
mod pictures;
mod program;
#[path = "../../../core/tests/oauth/proofs.rs"]
mod proofs;
mod recording;
mod replaying;
#[path = "../../../core/tests/oauth/resource_server.rs"]
mod resource_server;
#[cfg(target_os = "linux")]
mod screen;
mod scripted;
mod serving;
mod signing_in;
#[cfg(target_os = "linux")]
mod terminal;
#[cfg(target_os = "linux")]
mod tour;
mod watching;
/// The authorization server that the engine's own tests sign in at.
#[allow(dead_code, reason = "shared with other tests")]
#[path = "../../../core/tests/oauth/world.rs"]
mod world;
