//! Who is behind a request.
//!
//! Owns: the principal that a credential hook named, and the sender that quotas count: a
//! principal, else an address. Must not know: what is counted, and what follows.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use mcpbolt_proto::auth::challenge::TokenScheme;
use mcpbolt_proto::auth::resource_server::TokenClaims;
use mcpbolt_proto::auth::scope::Scopes;

/// Who is asking. Anonymous unless a credential hook said otherwise. Two are the same if their
/// identifiers are, whatever their tokens allow.
///
/// ```
/// use mcpbolt::handler::Principal;
///
/// let ann = Principal::named("ann");
/// assert_eq!(ann.id(), Some("ann"));
/// assert!(ann.token().is_none()); // known by something else than an access token
/// ```
#[derive(Clone, Default)]
pub struct Principal {
    id: Option<Arc<str>>,
    token: Option<Arc<TokenClaims>>,
    #[cfg_attr(not(feature = "http-server"), allow(dead_code, reason = "only servers over HTTP challenge"))]
    terms: Option<Arc<TokenTerms>>,
}

/// How a token was asked for, where the program's own code did so: what a challenge for more
/// scopes says beside them.
#[cfg_attr(not(feature = "http-server"), allow(dead_code, reason = "only servers over HTTP challenge"))]
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct TokenTerms {
    /// How the token is sent.
    pub(crate) scheme: TokenScheme,
    /// The scopes that every request needs.
    pub(crate) required: Scopes,
    /// Where the server's metadata are.
    pub(crate) metadata_url: Option<String>,
    /// The algorithms of proofs, with blanks between them.
    pub(crate) algs: String,
}

impl Principal {
    /// An anonymous sender.
    pub const ANONYMOUS: Self = Self { id: None, token: None, terms: None };

    /// A principal by its identifier, as the credential hook knows it.
    pub fn named(id: impl Into<Arc<str>>) -> Self {
        Self { id: Some(id.into()), token: None, terms: None }
    }

    /// The same, known by an access token that says this.
    #[must_use]
    pub fn with_token(self, claims: Arc<TokenClaims>) -> Self {
        Self { token: Some(claims), ..self }
    }

    /// The same, and how its token was asked for.
    #[cfg(feature = "bridge")]
    #[must_use]
    pub(crate) fn with_terms(self, terms: TokenTerms) -> Self {
        Self { terms: Some(Arc::new(terms)), ..self }
    }

    /// How its token was asked for, where the engine did not do so.
    #[cfg(feature = "http-server")]
    pub(crate) fn terms(&self) -> Option<&TokenTerms> {
        self.terms.as_deref()
    }

    /// The identifier, unless anonymous.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// The same token, for those who keep it.
    #[cfg(feature = "bridge")]
    pub(crate) fn shared_token(&self) -> Option<&Arc<TokenClaims>> {
        self.token.as_ref()
    }

    /// What its access token says: scopes, client, end. `None` where it is known by something
    /// else.
    pub fn token(&self) -> Option<&TokenClaims> {
        self.token.as_deref()
    }
}

impl PartialEq for Principal {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Principal {}

impl Hash for Principal {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

/// Identifiers of people stay out of logs.
impl fmt::Debug for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.id.is_some() { "Principal(named)" } else { "Principal(anonymous)" })
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
