//! One byte driver for standard input and output, and for any other pair of byte
//! channels, in every language.
//!
//! Owns: the reader thread, writes that never block the caller, the bounded queue
//! behind them, private copies of the process's own handles. Must not know: JSON, MCP,
//! sessions. A line is one frame without its line break.
//!
//! No channel is ever switched to non-blocking mode: that switch belongs to the open
//! file description, which the parent process or the user's terminal shares.

mod driver;
mod fork;
mod handles;
mod options;
mod reader;
mod signal;
mod spin;
#[cfg(unix)]
mod unix;
mod waited;
#[cfg(windows)]
mod windows;
mod write_queue;
mod writer;
mod writer_thread;

pub use driver::Driver;
pub use fork::forked;
pub use handles::StdioHandles;
pub use options::{DriverOptions, Pause};
pub use reader::{EndReason, InputEvent, Reader, ReaderOptions};
#[cfg(unix)]
use unix as system;
#[cfg(unix)]
pub use unix::Channel;
#[cfg(windows)]
use windows as system;
#[cfg(windows)]
pub use windows::Channel;
pub use writer::{Flush, WriteOutcome, Writer};
