//! Whom a server believes when they say for whom they speak.
//!
//! Owns: networks as text, and the way from `Forwarded` and `X-Forwarded-For` to the
//! address of the last hop that is not a proxy of ours. Must not know: sockets, what
//! the address is used for.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// A text that is neither an address nor a network.
///
/// ```
/// use mcpbolt_proto::http::TrustedProxies;
/// use mcpbolt_proto::http::proxies::NoNetwork;
///
/// assert_eq!(TrustedProxies::new(["proxy"]), Err(NoNetwork("proxy".to_owned())));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither an address (10.0.0.5) nor a network (10.0.0.0/8)")]
pub struct NoNetwork(pub String);

/// The proxies in front of a server. Only what they say of a request's sender is
/// believed; from other peers the headers mean nothing.
///
/// ```
/// use mcpbolt_proto::http::TrustedProxies;
///
/// let proxies = TrustedProxies::new(["10.0.0.0/8"])?;
/// let sender = |peer: &str, said: &str| proxies.sender(peer.parse().unwrap(), &[], &[said]).to_string();
/// assert_eq!(sender("10.0.0.1", "1.1.1.1, 203.0.113.7, 10.0.0.2"), "203.0.113.7");
/// assert_eq!(sender("203.0.113.7", "1.1.1.1"), "203.0.113.7"); // not one of ours
/// # Ok::<(), mcpbolt_proto::http::proxies::NoNetwork>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrustedProxies(Vec<Network>);

#[derive(Clone, Copy, PartialEq, Eq)]
struct Network {
    /// IPv4 as IPv6.
    base: u128,
    mask: u128,
}

fn bits(ip: IpAddr) -> u128 {
    let ip = match ip {
        IpAddr::V4(ip) => ip.to_ipv6_mapped(),
        IpAddr::V6(ip) => ip,
    };
    u128::from(ip)
}

impl Network {
    fn parse(text: &str) -> Option<Self> {
        let (address, length) =
            text.split_once('/').map_or((text, None), |(address, length)| (address, Some(length)));
        let address: IpAddr = address.parse().ok()?;
        let (most, before) = if address.is_ipv4() { (32, 96) } else { (128, 0) };
        let length = length.map_or(Some(most), |length| length.parse::<u32>().ok())?;
        if length > most {
            return None;
        }
        let mask = u128::MAX.checked_shl(128 - before - length).unwrap_or(0);
        Some(Self { base: bits(address) & mask, mask })
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", Ipv6Addr::from(self.base).to_canonical(), self.mask.leading_ones())
    }
}

impl TrustedProxies {
    /// Reads addresses and networks.
    ///
    /// # Errors
    /// The text that is neither.
    pub fn new<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Result<Self, NoNetwork> {
        let read = |text: T| {
            let text = text.as_ref().trim();
            Network::parse(text).ok_or_else(|| NoNetwork(text.to_owned()))
        };
        texts.into_iter().map(read).collect::<Result<_, _>>().map(Self)
    }

    /// Whether no proxy is trusted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this address is a proxy of ours.
    pub fn contains(&self, ip: IpAddr) -> bool {
        let bits = bits(ip);
        self.0.iter().any(|network| bits & network.mask == network.base)
    }

    /// The last hop that is not a proxy of ours. `forwarded` and `x_forwarded_for` are
    /// the values of these headers in the order of the head. Where both are there and
    /// disagree, one is the client's invention, and neither is believed.
    pub fn sender(&self, peer: IpAddr, forwarded: &[&str], x_forwarded_for: &[&str]) -> IpAddr {
        let standard = (!forwarded.is_empty()).then(|| self.walk(peer, forwarded, named));
        let custom = (!x_forwarded_for.is_empty()).then(|| self.walk(peer, x_forwarded_for, address));
        match (standard, custom) {
            (Some(one), Some(other)) if one != other => peer,
            (one, other) => one.or(other).unwrap_or(peer),
        }
    }

    /// From our own side of the way: what a hop said counts as long as it is ours.
    fn walk(&self, peer: IpAddr, values: &[&str], read: fn(&str) -> Option<IpAddr>) -> IpAddr {
        let mut sender = peer;
        for hop in values.iter().rev().flat_map(|value| value.rsplit(',')) {
            if !self.contains(sender) {
                break;
            }
            let Some(ip) = read(hop) else { break };
            sender = ip;
        }
        sender
    }
}

/// `for=` of one element of `Forwarded` (RFC 7239).
fn named(element: &str) -> Option<IpAddr> {
    let pairs = element.split(';').filter_map(|pair| pair.split_once('='));
    let mut names = pairs.filter(|(name, _)| name.trim().eq_ignore_ascii_case("for"));
    address(names.next()?.1.trim().trim_matches('"'))
}

/// An address with or without a port, the way proxies write it.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let ip = bare.parse().or_else(|_| text.parse().map(|address: SocketAddr| address.ip())).ok()?;
    Some(IpAddr::to_canonical(&ip))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxies() -> TrustedProxies {
        TrustedProxies::new(["10.0.0.0/8", "127.0.0.1", "2001:db8::/32"]).unwrap()
    }

    fn sender(peer: &str, forwarded: &[&str], custom: &[&str]) -> String {
        proxies().sender(peer.parse().unwrap(), forwarded, custom).to_string()
    }

    #[test]
    fn networks() {
        let all = proxies();
        for (ip, ours) in [
            ("10.255.0.1", true),
            ("::ffff:10.1.1.1", true),
            ("11.0.0.1", false),
            ("127.0.0.1", true),
            ("127.0.0.2", false),
            ("2001:db8:ffff::1", true),
            ("2001:db9::1", false),
        ] {
            assert_eq!(all.contains(ip.parse().unwrap()), ours, "{ip}");
        }
        assert!(TrustedProxies::new(["0.0.0.0/0"]).unwrap().contains("9.9.9.9".parse().unwrap()));
        assert!(TrustedProxies::new(["::/0"]).unwrap().contains("9.9.9.9".parse().unwrap()));
        for wrong in ["", "10.0.0.0/33", "::/129", "10.0.0/8", "proxy", "10.0.0.0/-1"] {
            assert_eq!(TrustedProxies::new([wrong]), Err(NoNetwork(wrong.to_owned())));
        }
    }

    #[test]
    fn the_last_hop_that_is_not_ours_counts() {
        assert_eq!(sender("10.0.0.1", &[], &["6.6.6.6, 203.0.113.7"]), "203.0.113.7");
        assert_eq!(sender("10.0.0.1", &[], &["6.6.6.6", "203.0.113.7:4711, 10.2.2.2"]), "203.0.113.7");
        assert_eq!(
            sender("10.0.0.1", &[r#"for=6.6.6.6, For="203.0.113.7:80";proto=https"#], &[]),
            "203.0.113.7"
        );
        assert_eq!(sender("2001:db8::1", &[r#"for="[2001:db9::7]:4711""#], &[]), "2001:db9::7");
        // All ours: the first of them asked.
        assert_eq!(sender("10.0.0.1", &[], &["10.3.3.3, 10.2.2.2"]), "10.3.3.3");
    }

    #[test]
    fn strangers_and_riddles_are_not_believed() {
        assert_eq!(sender("203.0.113.7", &["for=1.1.1.1"], &["1.1.1.1"]), "203.0.113.7");
        assert_eq!(sender("127.0.0.2", &[], &["1.1.1.1"]), "127.0.0.2");
        assert_eq!(sender("10.0.0.1", &[], &["1.1.1.1, unknown"]), "10.0.0.1");
        assert_eq!(sender("10.0.0.1", &["for=_hidden"], &[]), "10.0.0.1");
        assert_eq!(sender("10.0.0.1", &["proto=https"], &[]), "10.0.0.1");
        // One header is the proxy's, the other the client's invention.
        assert_eq!(sender("10.0.0.1", &["for=1.1.1.1"], &["203.0.113.7"]), "10.0.0.1");
        assert_eq!(sender("10.0.0.1", &["for=203.0.113.7"], &["203.0.113.7"]), "203.0.113.7");
        // A quote that never ends changes nothing behind it.
        assert_eq!(sender("10.0.0.1", &["for=\"6.6.6.6, for=203.0.113.7"], &[]), "203.0.113.7");
    }
}
