//! What claims have to be, so that a token is good here.
//!
//! Owns: issuer, audience, times, and which scopes are missing. Must not know: where claims come
//! from; that they are genuine has been found out before.

use std::time::Duration;

use super::claims::TokenClaims;
use super::refusal::TokenRefusal;
use crate::auth::endpoint;
use crate::auth::scope::Scopes;

/// The rules of one resource server.
///
/// ```
/// use mcpbolt_proto::auth::resource_server::{TokenClaims, TokenRefusal, TokenRules};
/// use std::time::Duration;
///
/// let rules = TokenRules::new(["https://login.example.com"], ["https://mcp.example.com/mcp"]);
/// let claims = serde_json::json!({
///     "iss": "https://login.example.com", "aud": "https://api.example.com", "exp": 1_900_000_000,
/// });
/// let claims = TokenClaims::read(claims.as_object().unwrap().clone())?;
/// let refused = rules.judge(&claims, Duration::from_secs(1_800_000_000)).unwrap_err();
/// assert_eq!(refused, TokenRefusal::Token("it is for another audience"));
/// # Ok::<(), TokenRefusal>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRules {
    /// The issuers whose tokens are taken, as exact texts.
    pub issuers: Vec<String>,
    /// How far clocks may differ. 30 s.
    pub leeway: Duration,
    audiences: Vec<Audience>,
}

/// One audience of this server: as it was given, and as the URL that it is, read once.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Audience {
    given: String,
    url: Option<String>,
}

impl TokenRules {
    /// Rules for tokens of these issuers: one of these audiences has to be among theirs.
    pub fn new<T: Into<String>, U: Into<String>>(
        issuers: impl IntoIterator<Item = T>,
        audiences: impl IntoIterator<Item = U>,
    ) -> Self {
        Self {
            issuers: issuers.into_iter().map(Into::into).collect(),
            leeway: Duration::from_secs(30),
            audiences: audiences.into_iter().map(|audience| Audience::of(audience.into())).collect(),
        }
    }

    /// Whether the claims of a genuine token make it good now, in time since 1970.
    pub fn judge(&self, claims: &TokenClaims, now: Duration) -> Result<(), TokenRefusal> {
        let known = |issuer: &String| self.issuers.contains(issuer);
        if !claims.issuer.as_ref().is_some_and(known) {
            return Err(TokenRefusal::Token("it is from an issuer that is not trusted here"));
        }
        if !claims.audiences.iter().any(|audience| self.is_for_us(audience)) {
            return Err(TokenRefusal::Token("it is for another audience"));
        }
        let (now, leeway) = (now.as_secs(), self.leeway.as_secs());
        let Some(expires_at) = claims.expires_at else {
            return Err(TokenRefusal::Token("it has no end"));
        };
        if expires_at.saturating_add(leeway) <= now {
            return Err(TokenRefusal::Token("it has expired"));
        }
        let future = |time: Option<u64>| time.is_some_and(|time| time > now.saturating_add(leeway));
        if future(claims.not_before) || future(claims.issued_at) {
            return Err(TokenRefusal::Token("it is not good yet"));
        }
        Ok(())
    }

    /// Audiences that differ only in how one URL is written are the same.
    fn is_for_us(&self, audience: &str) -> bool {
        self.audiences.iter().any(|ours| ours.given == audience)
            || endpoint::resource(audience)
                .is_ok_and(|url| self.audiences.iter().any(|ours| ours.url.as_ref() == Some(&url)))
    }
}

impl Audience {
    fn of(given: String) -> Self {
        Self { url: endpoint::resource(&given).ok(), given }
    }
}

/// The scopes that an operation needs and a token lacks. `implies` says whether a granted scope
/// stands for a needed one, as `files:write` may stand for `files:read`; a scope always stands
/// for itself.
///
/// ```
/// use mcpbolt_proto::auth::resource_server::missing;
/// use mcpbolt_proto::auth::scope::Scopes;
///
/// let granted = Scopes::parse("scope", "admin mail")?;
/// let needed = Scopes::parse("scope", "files:read files:write")?;
/// assert_eq!(missing(&granted, &needed, |_, _| false), needed);
/// assert!(missing(&granted, &needed, |granted, _| granted == "admin").is_empty());
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[must_use]
pub fn missing(granted: &Scopes, needed: &Scopes, implies: impl Fn(&str, &str) -> bool) -> Scopes {
    let met = |scope: &str| granted.iter().any(|have| have == scope || implies(have, scope));
    needed.iter().filter(|scope| met(scope)).fold(needed.clone(), |left, scope| left.without(scope))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    const NOW: u64 = 1_000_000;

    fn judged(change: impl FnOnce(&mut serde_json::Map<String, Value>)) -> Result<(), TokenRefusal> {
        let mut claims = json!({"iss": "https://a.example", "aud": "https://r.example/mcp", "exp": NOW + 60});
        change(claims.as_object_mut().unwrap());
        let Value::Object(claims) = claims else { unreachable!() };
        let rules = TokenRules::new(["https://a.example"], ["https://r.example/mcp"]);
        rules.judge(&TokenClaims::read(claims)?, Duration::from_secs(NOW))
    }

    #[test]
    fn tokens_that_are_good() {
        assert_eq!(judged(|_| {}), Ok(()));
        for (name, value) in [
            ("aud", json!(["https://other.example", "https://r.example/mcp"])),
            ("aud", json!("HTTPS://R.example:443/mcp")),
            ("exp", json!(NOW - 29)),
            ("nbf", json!(NOW + 30)),
            ("iat", json!(NOW + 30)),
        ] {
            assert_eq!(
                judged(|claims| drop(claims.insert(name.into(), value.clone()))),
                Ok(()),
                "{name} {value}"
            );
        }
    }

    #[test]
    fn tokens_that_are_not() {
        for (name, value) in [
            ("iss", json!("https://a.example/")),
            ("iss", Value::Null),
            ("aud", json!("https://r.example")),
            ("aud", json!([])),
            ("aud", Value::Null),
            ("exp", json!(NOW - 30)),
            ("exp", Value::Null),
            ("nbf", json!(NOW + 31)),
            ("iat", json!(NOW + 31)),
        ] {
            let refused = judged(|claims| drop(claims.insert(name.into(), value.clone())));
            assert_eq!(refused.unwrap_err().status(), 401, "{name} {value}");
        }
    }
}
