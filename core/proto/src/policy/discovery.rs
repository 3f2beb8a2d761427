//! Which addresses a client may follow when a server tells it where to look.
//!
//! Owns: the scheme rule and the table of address ranges. Must not know: DNS, sockets,
//! redirects; the code that connects checks every address a name leads to, right before use,
//! and every redirect again.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Why an address is not followed.
///
/// ```
/// use mcpbolt_proto::policy::discovery::{Guard, Unsafe};
///
/// assert_eq!(Guard::default().scheme("http", "example.com"), Err(Unsafe::NotHttps));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsafe {
    /// Neither `https` nor loopback.
    #[error("only https is followed, and http on this machine")]
    NotHttps,
    /// A scheme other than HTTP and HTTPS.
    #[error("only http and https can be followed")]
    Scheme,
    /// An address of this machine, but the server is elsewhere.
    #[error("a server elsewhere points at this machine")]
    Loopback,
    /// Private, link-local, shared, or otherwise not for the public.
    #[error("the address is not a public one")]
    NotPublic,
}

/// What may be followed. The default is what a server out on the internet may ask for.
///
/// ```
/// use mcpbolt_proto::policy::discovery::Guard;
///
/// let guard = Guard::for_server("https", "mcp.example.com");
/// assert!(guard.scheme("https", "login.example.com").is_ok());
/// assert!(guard.address("93.184.216.34".parse()?).is_ok());
/// assert!(guard.address("169.254.169.254".parse()?).is_err());
///
/// let local = Guard::for_server("http", "localhost");
/// assert!(local.scheme("http", "127.0.0.1").is_ok());
/// # Ok::<(), std::net::AddrParseError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Guard {
    /// Whether addresses of this machine may be followed.
    pub loopback: bool,
    /// Whether private networks may be followed: for companies that know their own.
    pub private: bool,
}

impl Guard {
    /// The guard for what a server at this URL says. A server on this machine may point
    /// at this machine, a server elsewhere may not.
    pub fn for_server(scheme: &str, host: &str) -> Self {
        Self { loopback: matches!(scheme, "http" | "https") && is_loopback_host(host), private: false }
    }

    /// Whether a URL of this scheme and host may be followed at all. Names are not
    /// resolved; check each address they lead to with [`Guard::address`].
    pub fn scheme(&self, scheme: &str, host: &str) -> Result<(), Unsafe> {
        match scheme {
            "https" => {}
            "http" if is_loopback_host(host) => {}
            "http" => return Err(Unsafe::NotHttps),
            _ => return Err(Unsafe::Scheme),
        }
        if is_loopback_host(host) && !self.loopback {
            return Err(Unsafe::Loopback);
        }
        literal(host).map_or(Ok(()), |address| self.address(address))
    }

    /// Whether an address may be connected to.
    pub fn address(&self, address: IpAddr) -> Result<(), Unsafe> {
        match class(address) {
            Class::Public => Ok(()),
            Class::Loopback if self.loopback => Ok(()),
            Class::Loopback => Err(Unsafe::Loopback),
            Class::Private if self.private => Ok(()),
            Class::Private | Class::Never => Err(Unsafe::NotPublic),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Public,
    Loopback,
    /// Networks that a company may own.
    Private,
    /// Not for any server: link-local (cloud metadata), multicast, documentation, …
    Never,
}

/// Ranges of IPv4 that are not public, by the registry of special-purpose addresses.
const V4: [(Ipv4Addr, u32, Class); 16] = [
    (Ipv4Addr::UNSPECIFIED, 8, Class::Never),
    (Ipv4Addr::new(10, 0, 0, 0), 8, Class::Private),
    (Ipv4Addr::new(100, 64, 0, 0), 10, Class::Private),
    (Ipv4Addr::new(127, 0, 0, 0), 8, Class::Loopback),
    (Ipv4Addr::new(169, 254, 0, 0), 16, Class::Never),
    (Ipv4Addr::new(172, 16, 0, 0), 12, Class::Private),
    (Ipv4Addr::new(192, 0, 0, 0), 24, Class::Never),
    (Ipv4Addr::new(192, 0, 2, 0), 24, Class::Never),
    (Ipv4Addr::new(192, 88, 99, 0), 24, Class::Never),
    (Ipv4Addr::new(192, 168, 0, 0), 16, Class::Private),
    (Ipv4Addr::new(198, 18, 0, 0), 15, Class::Never),
    (Ipv4Addr::new(198, 51, 100, 0), 24, Class::Never),
    (Ipv4Addr::new(203, 0, 113, 0), 24, Class::Never),
    (Ipv4Addr::new(224, 0, 0, 0), 4, Class::Never),
    (Ipv4Addr::new(240, 0, 0, 0), 4, Class::Never),
    (Ipv4Addr::BROADCAST, 32, Class::Never),
];

fn class(address: IpAddr) -> Class {
    match address.to_canonical() {
        IpAddr::V4(v4) => class_v4(v4),
        IpAddr::V6(v6) => class_v6(v6),
    }
}

fn class_v4(address: Ipv4Addr) -> Class {
    let within = |net: Ipv4Addr, bits: u32| (address.to_bits() ^ net.to_bits()) >> (32 - bits) == 0;
    V4.iter().find(|(net, bits, _)| within(*net, *bits)).map_or(Class::Public, |(.., class)| *class)
}

/// Only 2000::/3 is given out to the public. What carries an IPv4 address inside is as
/// that address.
fn class_v6(address: Ipv6Addr) -> Class {
    let [a, b, c, ..] = address.segments();
    let bits = address.to_bits();
    #[allow(clippy::cast_possible_truncation)] // the 32 bits wanted
    let inner = |shift: u32| Class::strictest(class_v4(Ipv4Addr::from_bits((bits >> shift) as u32)));
    match (a, b, c) {
        _ if address.is_loopback() => Class::Loopback,
        (0x64, 0xff9b, 0) if bits >> 32 == 0x0064_ff9b_0000_0000_0000_0000 => inner(0),
        (0x2002, ..) => inner(80),
        (0x2001, 0 | 2..=0x1ff | 0xdb8, _) | (0x3fff, 0..=0xfff, _) => Class::Never,
        (0xfc00..=0xfdff, ..) => Class::Private,
        (0x2000..=0x3fff, ..) => Class::Public,
        _ => Class::Never,
    }
}

impl Class {
    /// A tunnel to this machine or a private network is nothing a server may ask for.
    fn strictest(self) -> Self {
        if self == Self::Public { Self::Public } else { Self::Never }
    }
}

/// Whether the host of a URL is this machine: `localhost`, a name under it, or a loopback
/// address. Names are not looked up.
///
/// ```
/// use mcpbolt_proto::policy::discovery::is_loopback_host;
///
/// assert!(is_loopback_host("localhost") && is_loopback_host("127.0.0.2") && is_loopback_host("[::1]"));
/// assert!(!is_loopback_host("localhost.example.com"));
/// ```
pub fn is_loopback_host(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    host.eq_ignore_ascii_case("localhost")
        || host.to_ascii_lowercase().ends_with(".localhost")
        || literal(host).is_some_and(|address| class(address) == Class::Loopback)
}

/// The address a host is, when it is not a name.
fn literal(host: &str) -> Option<IpAddr> {
    let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
    bare.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(guard: Guard, text: &str) -> Result<(), Unsafe> {
        guard.address(text.parse().expect(text))
    }

    #[test]
    fn only_public_addresses_are_followed() {
        let guard = Guard::for_server("https", "mcp.example.com");
        for public in ["93.184.216.34", "8.8.8.8", "172.32.0.1", "2606:4700::1111", "64:ff9b::808:808"] {
            assert_eq!(address(guard, public), Ok(()), "{public}");
        }
        for private in [
            "10.0.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "100.64.0.1",
            "169.254.169.254",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "fe80::1",
            "fd00::1",
            "::",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "2002:a00:1::",
            "2001:db8::1",
            "2001::1",
            "ff02::1",
        ] {
            assert_eq!(address(guard, private), Err(Unsafe::NotPublic), "{private}");
        }
        for loopback in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(address(guard, loopback), Err(Unsafe::Loopback), "{loopback}");
        }
    }

    #[test]
    fn https_or_this_machine() {
        let public = Guard::for_server("https", "mcp.example.com");
        assert_eq!(public.scheme("https", "login.example.com"), Ok(()));
        assert_eq!(public.scheme("http", "login.example.com"), Err(Unsafe::NotHttps));
        assert_eq!(public.scheme("file", ""), Err(Unsafe::Scheme));
        assert_eq!(public.scheme("gopher", "example.com"), Err(Unsafe::Scheme));
        assert_eq!(public.scheme("https", "localhost"), Err(Unsafe::Loopback));
        assert_eq!(public.scheme("https", "a.LOCALHOST."), Err(Unsafe::Loopback));
        assert_eq!(public.scheme("https", "192.168.0.1"), Err(Unsafe::NotPublic));
        assert_eq!(public.scheme("https", "[fd00::1]"), Err(Unsafe::NotPublic));
        let local = Guard::for_server("http", "127.0.0.1");
        assert_eq!(local.scheme("http", "localhost"), Ok(()));
        assert_eq!(local.scheme("http", "[::1]"), Ok(()));
        assert_eq!(local.scheme("http", "example.com"), Err(Unsafe::NotHttps));
    }

    #[test]
    fn private_networks_are_opened_by_name_only() {
        let company = Guard { private: true, ..Guard::default() };
        assert_eq!(address(company, "10.1.2.3"), Ok(()));
        assert_eq!(address(company, "fd00::1"), Ok(()));
        assert_eq!(address(company, "169.254.169.254"), Err(Unsafe::NotPublic));
        assert_eq!(address(company, "127.0.0.1"), Err(Unsafe::Loopback));
    }
}
