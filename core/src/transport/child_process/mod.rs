//! A child process on whose standard input and output we speak: the client side of
//! stdio.
//!
//! Owns: starting it in a process group of its own, its byte driver, its standard error,
//! noticing its exit, ending the whole group. Must not know: JSON, MCP, restarts.

mod child;
mod event;
mod group;
mod options;
#[cfg(unix)]
mod unix;
mod watch;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

pub use child::ChildProcess;
pub use event::{ChildEvent, ChildExit};
pub use options::{ChildOptions, EnvPolicy, SpawnError, StderrMode};
