//! How a driver reads and writes.
//!
//! Owns: the options and their defaults. Must not know: what holds them.

use std::time::Duration;

/// How a [`Driver`](super::Driver) reads and writes.
///
/// ```
/// use mcpbolt::transport::stdio::DriverOptions;
///
/// let options = DriverOptions { watch_parent: true, ..DriverOptions::default() };
/// assert_eq!(options.max_line_bytes, 64 << 20);
/// ```
#[derive(Clone, Debug)]
pub struct DriverOptions {
    /// The longest line taken, in bytes without its line feed. 64 MiB.
    pub max_line_bytes: usize,
    /// How many bytes may wait for the peer to read before writes are `Full`. 16 MiB.
    pub max_queued_bytes: usize,
    /// When nothing is read because too much waits to be written. Never.
    pub pause: Option<Pause>,
    /// End when the parent process is gone, even if someone else still holds the other
    /// end of the input. Off; Unix only.
    pub watch_parent: bool,
    /// How long the reading thread looks for input before it sleeps; see
    /// [`ReaderOptions::spin`](super::ReaderOptions::spin). Zero: it sleeps at once.
    pub spin: Duration,
}

impl Default for DriverOptions {
    fn default() -> Self {
        Self {
            max_line_bytes: 64 * 1024 * 1024,
            max_queued_bytes: 16 * 1024 * 1024,
            pause: None,
            watch_parent: false,
            spin: Duration::ZERO,
        }
    }
}

/// Reading waits for writing: a peer that takes nothing is not asked for more.
///
/// ```
/// use mcpbolt::transport::stdio::{DriverOptions, Pause};
/// use std::time::Duration;
///
/// let pause = Pause { bytes: 64 << 20, patience: Duration::from_secs(30) };
/// let options = DriverOptions { pause: Some(pause), ..DriverOptions::default() };
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pause {
    /// Nothing is read once more bytes than this wait to be written, until half of that
    /// is left.
    pub bytes: usize,
    /// How long the peer may take nothing meanwhile; then reading ends with
    /// [`EndReason::Untaken`](super::EndReason::Untaken).
    pub patience: Duration,
}
