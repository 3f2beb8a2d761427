//! Who is behind a request.
//!
//! Owns: the principal that a credential hook named, and the sender that quotas count: a
//! principal, else an address. Must not know: what is counted, and what follows.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

/// Who is asking. Anonymous unless a credential hook said otherwise.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Principal(Option<Arc<str>>);

impl Principal {
    /// An anonymous sender.
    pub const ANONYMOUS: Self = Self(None);

    /// A principal by its identifier, as the credential hook knows it.
    pub fn named(id: impl Into<Arc<str>>) -> Self {
        Self(Some(id.into()))
    }

    /// The identifier, unless anonymous.
    pub fn id(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

/// Identifiers of people stay out of logs.
impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Principal(named)" } else { "Principal(anonymous)" })
    }
}

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
