//! Whom a call counts against, and for how long.
//!
//! Owns: the sender behind a request, and the charge for a call that is not answered at
//! once. Must not know: what is counted, and what follows.

use std::any::Any;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use super::{Call, Principal};

/// Who is behind a request: a principal, else an address. Of IPv6 the network counts: one
/// household or machine has all the 2^64 addresses of it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum Sender {
    Principal(Principal),
    V4(Ipv4Addr),
    /// The first half of an address.
    V6(u64),
}

impl Sender {
    pub(crate) fn of(principal: &Principal, peer: Option<SocketAddr>) -> Option<Self> {
        if principal.id().is_some() {
            return Some(Self::Principal(principal.clone()));
        }
        peer.map(|peer| Self::at(peer.ip()))
    }

    pub(crate) fn at(ip: IpAddr) -> Self {
        match ip.to_canonical() {
            IpAddr::V4(ip) => Self::V4(ip),
            IpAddr::V6(ip) => Self::V6((u128::from(ip) >> 64) as u64),
        }
    }
}

/// As a key; not for logs.
impl fmt::Display for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Principal(principal) => write!(f, "p:{}", principal.id().unwrap_or_default()),
            Self::V4(ip) => write!(f, "a:{ip}"),
            Self::V6(network) => write!(f, "a:{}/64", Ipv6Addr::from(u128::from(*network) << 64)),
        }
    }
}

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

impl Call {
    /// It is not answered at once: from here its sender is charged, until its handler ends.
    pub(super) fn charge(&self) {
        let charge = {
            let binding = self.binding.lock();
            let scope = &binding.scope;
            let charge =
                |account: &Account| account.ledger.clone().charge(Sender::of(&scope.principal, account.peer));
            scope.account.as_ref().map(charge)
        };
        if charge.is_some() {
            *self.charge.lock() = charge;
        }
    }

    /// The answer leaves. Of a cancelled call that says nothing about its handler: it is
    /// charged until nobody holds the call any more.
    pub(super) fn answered(&self) {
        if !self.is_cancelled() {
            self.discharge();
        }
    }

    /// Its handler has ended, or waits for a client that may never come back.
    pub(super) fn discharge(&self) {
        let charge = self.charge.lock().take();
        drop(charge);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_is_one_sender() {
        let at = |ip: &str| Sender::at(ip.parse().unwrap()).to_string();
        assert_eq!(at("2001:db8:1:2:3:4:5:6"), "a:2001:db8:1:2::/64");
        assert_eq!(at("2001:db8:1:2::ffff"), at("2001:db8:1:2:3:4:5:6"));
        assert_ne!(at("2001:db8:1:3::1"), at("2001:db8:1:2::1"));
        assert_eq!(at("::ffff:192.0.2.1"), "a:192.0.2.1");
    }
}
