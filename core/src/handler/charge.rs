//! The charge for a call that is not answered at once.
//!
//! Owns: where it is counted, and that it is given back when it is dropped. Must not know:
//! calls, what is counted, and what follows.

use std::any::Any;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use super::principal::Sender;

/// What is counted until it is dropped.
pub(crate) type Charge = Box<dyn Any + Send + Sync>;

/// Counts the calls of senders.
pub(crate) trait Ledger: Send + Sync {
    fn charge(self: Arc<Self>, sender: Option<Sender>) -> Charge;
}

/// Where the calls of a request are counted, and what else lives as long as they do.
#[derive(Clone)]
#[cfg_attr(not(feature = "http-server"), allow(dead_code, reason = "only HTTP counts so"))]
pub(crate) struct Account {
    pub(crate) ledger: Arc<dyn Ledger>,
    pub(crate) peer: Option<SocketAddr>,
    /// The place of the request's bytes in a quota.
    pub(crate) bytes: Option<Arc<dyn Any + Send + Sync>>,
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Account")
    }
}
