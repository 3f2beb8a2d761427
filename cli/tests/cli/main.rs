//! The program `mcpbolt`, run as people and scripts run it: in pipes and in a terminal, against
//! servers that are real programs, and against scripted ones where a server has to be wrong.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "tests")]

mod asking;
mod calling;
mod checking;
mod documents;
mod golden;
mod inspecting;
mod languages;
mod looking;
mod measuring;
mod program;
mod recording;
mod scripted;
mod serving;
#[cfg(target_os = "linux")]
mod terminal;
mod watching;
