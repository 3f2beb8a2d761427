//! Forked children of this process.
//!
//! Owns: telling a child from its parent, for the price of reading a number.
//! Must not know: who forks, or what is written.

use std::sync::atomic::{AtomicU32, Ordering};

static FORKS: AtomicU32 = AtomicU32::new(0);

/// Says that this process is a forked child: drivers made before write nothing any more,
/// because the channels, and the threads that listen on them, are its parent's. To be called in
/// the child; the languages' packages do.
///
/// ```
/// use mcpbolt::server::Server;
///
/// // In the child, before anything else: its parent's client must not hear of it.
/// mcpbolt::transport::stdio::forked();
/// let server = Server::builder("of-the-child", "1.0").build(); // what is made now works
/// # drop(server);
/// ```
pub fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// The process that something was made in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Home(u32);

impl Home {
    pub(super) fn here() -> Self {
        Self(FORKS.load(Ordering::Relaxed))
    }

    pub(super) fn is_here(self) -> bool {
        self == Self::here()
    }
}
