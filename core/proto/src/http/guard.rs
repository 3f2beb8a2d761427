//! The Host and Origin guard.
//!
//! Owns: which hosts and origins a server answers, as a pure decision. A browser
//! page of another site, or one that rebound its own name to our address, is told
//! by exactly these two headers. Must not know: sockets, authentication.

use super::headers::HeaderLookup;

/// Hosts and origins a server answers.
///
/// ```
/// use mcpbolt_proto::http::HeaderLookup::{Absent, One};
/// use mcpbolt_proto::http::{Guard, Refusal};
///
/// let guard = Guard::loopback().allow_origin("https://app.example.com")?;
/// assert_eq!(guard.check(One("localhost:3000"), Absent), Ok(()));
/// assert_eq!(guard.check(One("evil.example.com"), Absent), Err(Refusal::Host));
/// # Ok::<(), mcpbolt_proto::http::guard::BadPattern>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Guard {
    hosts: Vec<Pattern>,
    origins: Vec<Pattern>,
}

/// Why a request is refused. The answer is 403 (400 for [`Refusal::HostMissing`]).
///
/// ```
/// use mcpbolt_proto::http::HeaderLookup::{Absent, One};
/// use mcpbolt_proto::http::{Guard, Refusal};
///
/// let refused = Guard::loopback().check(One("localhost"), One("https://evil.example.com"));
/// assert_eq!(refused, Err(Refusal::Origin));
/// assert_eq!(Refusal::Origin.status(), 403);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// No `Host` header, or more than one.
    #[error("exactly one Host header is required")]
    HostMissing,
    /// The `Host` is not one of ours.
    #[error("this Host is not allowed")]
    Host,
    /// The `Origin` is not allowed.
    #[error("this Origin is not allowed")]
    Origin,
}

impl Refusal {
    /// The HTTP status to answer with.
    pub const fn status(self) -> u16 {
        match self {
            Self::HostMissing => 400,
            Self::Host | Self::Origin => 403,
        }
    }
}

/// A pattern that is neither `*` nor an origin or host, wildcards included.
///
/// ```
/// use mcpbolt_proto::http::Guard;
/// use mcpbolt_proto::http::guard::BadPattern;
///
/// assert_eq!(Guard::closed().allow_origin("not an origin").unwrap_err(), BadPattern);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a valid host or origin pattern")]
pub struct BadPattern;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    Any,
    /// The literal origin `null` of sandboxed pages and files.
    Null,
    Authority {
        scheme: Part<String>,
        host: Part<String>,
        port: Part<Option<u16>>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part<T> {
    Any,
    Is(T),
    /// Any name below this one (hosts only).
    Below(T),
}

const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

impl Guard {
    /// For servers on a loopback address: its three names, any port, any scheme.
    pub fn loopback() -> Self {
        let local = || {
            LOOPBACK.map(|host| Pattern::Authority {
                scheme: Part::Any,
                host: Part::Is(host.to_owned()),
                port: Part::Any,
            })
        };
        Self { hosts: local().into(), origins: local().into() }
    }

    /// For servers that others reach: any host, and no origin until one is allowed.
    pub fn public() -> Self {
        Self { hosts: vec![Pattern::Any], origins: Vec::new() }
    }

    /// The default for an address: [`Guard::loopback`] or [`Guard::public`].
    pub fn for_address(address: std::net::IpAddr) -> Self {
        if address.is_loopback() { Self::loopback() } else { Self::public() }
    }

    /// A guard that lets everything pass: for hosts that check themselves.
    pub fn off() -> Self {
        Self { hosts: vec![Pattern::Any], origins: vec![Pattern::Any] }
    }

    /// A guard that lets nothing pass until hosts and origins are allowed.
    pub fn closed() -> Self {
        Self::default()
    }

    /// Allows a host: `example.com`, `example.com:8080`, `example.com:*`,
    /// `*.example.com`, `[::1]:*` or `*`. Without a port, the standard ones.
    pub fn allow_host(mut self, pattern: &str) -> Result<Self, BadPattern> {
        let pattern = match pattern {
            "*" => Pattern::Any,
            _ => Pattern::authority(Part::Any, pattern)?,
        };
        self.hosts.push(pattern);
        Ok(self)
    }

    /// Allows an origin: `https://example.com`, `http://localhost:*`,
    /// `*://example.com:8080`, `https://*.example.com`, `null` or `*`.
    pub fn allow_origin(mut self, pattern: &str) -> Result<Self, BadPattern> {
        let pattern = match pattern {
            "*" => Pattern::Any,
            "null" => Pattern::Null,
            _ => {
                let (scheme, authority) = pattern.split_once("://").ok_or(BadPattern)?;
                let scheme = match scheme {
                    "*" => Part::Any,
                    _ if is_scheme(scheme) => Part::Is(scheme.to_ascii_lowercase()),
                    _ => return Err(BadPattern),
                };
                Pattern::authority(scheme, authority)?
            }
        };
        self.origins.push(pattern);
        Ok(self)
    }

    /// Decides on one request. `host` is the `Host` header, or the authority of an
    /// HTTP/2 request.
    pub fn check(&self, host: HeaderLookup<'_>, origin: HeaderLookup<'_>) -> Result<(), Refusal> {
        if !self.hosts.contains(&Pattern::Any) {
            let host = host.one().ok_or(Refusal::HostMissing)?;
            let found = Authority::parse("", host).ok_or(Refusal::Host)?;
            if !self.hosts.iter().any(|pattern| pattern.matches(&found)) {
                return Err(Refusal::Host);
            }
        }
        match origin {
            HeaderLookup::Absent => Ok(()),
            HeaderLookup::One(origin) if self.allows_origin(origin) => Ok(()),
            _ => Err(Refusal::Origin),
        }
    }

    /// Whether pages of this origin may talk to us.
    pub fn allows_origin(&self, origin: &str) -> bool {
        if self.any_origin() {
            return true;
        }
        if origin == "null" {
            return self.origins.contains(&Pattern::Null);
        }
        let found = origin.split_once("://").and_then(|(scheme, rest)| Authority::parse(scheme, rest));
        found.is_some_and(|found| self.origins.iter().any(|pattern| pattern.matches(&found)))
    }

    /// Whether every origin is allowed.
    pub fn any_origin(&self) -> bool {
        self.origins.contains(&Pattern::Any)
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
}

impl Pattern {
    fn authority(scheme: Part<String>, text: &str) -> Result<Self, BadPattern> {
        let (text, any_port) = text.strip_suffix(":*").map_or((text, false), |host| (host, true));
        let (text, below) = text.strip_prefix("*.").map_or((text, false), |host| (host, true));
        let found = Authority::parse("", text).ok_or(BadPattern)?;
        let host = found.host.to_ascii_lowercase();
        let host = if below { Part::Below(host) } else { Part::Is(host) };
        let port = if any_port { Part::Any } else { Part::Is(found.port) };
        Ok(Self::Authority { scheme, host, port })
    }

    fn matches(&self, found: &Authority<'_>) -> bool {
        let Self::Authority { scheme, host, port } = self else { return *self == Self::Any };
        let scheme_fits = match scheme {
            Part::Is(scheme) => found.scheme.eq_ignore_ascii_case(scheme),
            _ => true,
        };
        let host_fits = match host {
            Part::Any => true,
            Part::Is(host) => found.host.eq_ignore_ascii_case(host),
            Part::Below(parent) => found.is_below(parent),
        };
        let port_fits = match port {
            Part::Is(port) => found.is_port(*port),
            _ => true,
        };
        scheme_fits && host_fits && port_fits
    }
}

/// Host and port as they were written, which is in any case.
struct Authority<'a> {
    /// Empty for a `Host` header.
    scheme: &'a str,
    /// Without a final dot; IPv6 with its brackets.
    host: &'a str,
    port: Option<u16>,
}

impl<'a> Authority<'a> {
    fn parse(scheme: &'a str, text: &'a str) -> Option<Self> {
        let end_of_v6 = if text.starts_with('[') { text.find(']')? + 1 } else { 0 };
        let (host, port) = match text.bytes().skip(end_of_v6).position(|byte| byte == b':') {
            Some(rest) => {
                let (host, port) = (&text[..end_of_v6 + rest], &text[end_of_v6 + rest + 1..]);
                let digits = !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
                (host, Some(port.parse::<u16>().ok().filter(|_| digits)?))
            }
            None => (text, None),
        };
        let valid = if end_of_v6 > 0 {
            host.len() == end_of_v6 && host[1..end_of_v6 - 1].parse::<std::net::Ipv6Addr>().is_ok()
        } else {
            host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'))
        };
        let host = host.strip_suffix('.').unwrap_or(host);
        (valid && !host.is_empty()).then_some(Self { scheme, host, port })
    }

    /// Whether the host is a name below another one.
    fn is_below(&self, parent: &str) -> bool {
        let at = self.host.len().checked_sub(parent.len()).filter(|at| *at > 1);
        at.and_then(|at| self.host.split_at_checked(at))
            .is_some_and(|(sub, end)| sub.ends_with('.') && end.eq_ignore_ascii_case(parent))
    }

    /// Whether the port is the wanted one; no port stands for the scheme's own.
    fn is_port(&self, wanted: Option<u16>) -> bool {
        let standard: &[u16] = match self.scheme {
            "" => &[80, 443],
            scheme if scheme.eq_ignore_ascii_case("http") => &[80],
            scheme if scheme.eq_ignore_ascii_case("https") => &[443],
            _ => &[],
        };
        match (wanted, self.port) {
            (a, b) if a == b => true,
            (None, Some(port)) | (Some(port), None) => standard.contains(&port),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::HeaderLookup::{Absent, Many, One};
    use super::*;

    #[test]
    fn loopback_knows_its_three_names() {
        let guard = Guard::loopback();
        for host in ["localhost", "LOCALHOST:3000", "127.0.0.1:1", "[::1]", "[::1]:65535", "localhost."] {
            assert_eq!(guard.check(One(host), Absent), Ok(()), "{host}");
        }
        for origin in
            ["http://localhost", "https://localhost:5173", "http://127.0.0.1:8", "http://[::1]:3000"]
        {
            assert_eq!(guard.check(One("localhost:3000"), One(origin)), Ok(()), "{origin}");
        }
    }

    #[test]
    fn foreign_names_are_refused() {
        let guard = Guard::loopback();
        for host in [
            "evil.example.com",
            "localhost.evil.com",
            "127.0.0.1.evil.com",
            "localhost:80:80",
            "evil@localhost",
            "localhost:99999",
            "localhost:+1",
            "localhost:",
            "[::1",
            "[::1]x",
            "[::2]",
            "",
            "local host",
        ] {
            assert_eq!(guard.check(One(host), Absent), Err(Refusal::Host), "{host}");
        }
        for origin in
            ["http://evil.example.com", "null", "localhost", "http://localhost/", "http://a@localhost", ""]
        {
            assert_eq!(guard.check(One("localhost"), One(origin)), Err(Refusal::Origin), "{origin}");
        }
        assert_eq!(guard.check(One("localhost"), Many), Err(Refusal::Origin));
        assert_eq!(guard.check(Absent, Absent), Err(Refusal::HostMissing));
        assert_eq!(guard.check(Many, Absent), Err(Refusal::HostMissing));
        assert_eq!((Refusal::Host.status(), Refusal::HostMissing.status()), (403, 400));
    }

    #[test]
    fn configured_patterns() {
        let guard = Guard::closed()
            .allow_host("api.example.com")
            .and_then(|g| g.allow_host("*.example.org:*"))
            .and_then(|g| g.allow_origin("https://app.example.com"))
            .and_then(|g| g.allow_origin("http://localhost:*"))
            .and_then(|g| g.allow_origin("https://*.example.org"))
            .and_then(|g| g.allow_origin("null"))
            .unwrap();
        let host = |host| guard.check(One(host), Absent).is_ok();
        assert!(host("api.example.com") && host("API.example.com:443") && host("a.b.example.org:9"));
        assert!(!host("api.example.com:8080") && !host("example.org") && !host(".example.org"));
        assert!(!host("evilexample.org") && !host("localhost"));
        let origin = |origin| guard.allows_origin(origin);
        assert!(origin("https://app.example.com") && origin("https://app.example.com:443") && origin("null"));
        assert!(origin("http://localhost:1") && origin("https://x.example.org"));
        assert!(!origin("http://app.example.com") && !origin("https://app.example.com:8443"));
        assert!(!origin("https://localhost:1") && !origin("https://example.org"));
    }

    #[test]
    fn bad_patterns_are_errors() {
        for pattern in ["", "a b", "http://", "example.com/x", "*.", "a:b", "**"] {
            assert_eq!(Guard::closed().allow_host(pattern), Err(BadPattern), "{pattern}");
        }
        for pattern in ["example.com", "://x", "1http://x", "http://x/", "http://*"] {
            assert_eq!(Guard::closed().allow_origin(pattern), Err(BadPattern), "{pattern}");
        }
    }

    #[test]
    fn defaults_by_address() {
        let public = Guard::for_address([0, 0, 0, 0].into());
        assert_eq!(public.check(One("any.example"), Absent), Ok(()));
        assert_eq!(public.check(One("any.example"), One("http://any.example")), Err(Refusal::Origin));
        assert_eq!(Guard::for_address([127, 0, 0, 9].into()), Guard::loopback());
        assert_eq!(Guard::off().check(Absent, One("null")), Ok(()));
    }
}
