//! Assertions of an identity provider: grants for this server that a company's provider issued
//! (ID-JAG, the extension for enterprise-managed authorization).
//!
//! Owns: which kinds and algorithms are looked at, and what the claims have to be for whom. Must
//! not know: whether a signature is genuine, which assertions were seen before.
//!
//! ```
//! use mcpbolt_proto::auth::authorization_server::{AssertionRules, Granted};
//! use serde_json::json;
//! use std::time::Duration;
//!
//! let rules = AssertionRules {
//!     issuers: vec!["https://idp.example".into()],
//!     audience: "https://login.example".into(),
//!     resources: vec!["https://mcp.example/mcp".into()],
//!     algorithms: vec!["ES256".into()],
//!     scopes: None,
//!     leeway: 30,
//! };
//! let header = json!({"typ": "oauth-id-jag+jwt", "alg": "ES256"});
//! rules.check_header(header.as_object().unwrap())?;
//! let claims = json!({
//!     "iss": "https://idp.example", "sub": "ann", "aud": "https://login.example",
//!     "client_id": "editor", "resource": "https://mcp.example/mcp", "scope": "files:read mail",
//!     "jti": "1", "iat": 1_000, "exp": 1_060,
//! });
//! let granted: Granted = rules.judge(claims.as_object().unwrap().clone(), "editor", Some("files:read"), None, Duration::from_secs(1_000))?;
//! assert_eq!(granted.scopes, ["files:read"]);
//! # Ok::<(), mcpbolt_proto::auth::authorization_server::Refused>(())
//! ```

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::refused::Refused;
use crate::auth::endpoint;
use crate::auth::resource_server::TokenClaims;

/// What an assertion says that it is.
const KIND: &str = "oauth-id-jag+jwt";
/// What signatures may be made with unless a server says otherwise: asymmetric keys only, for a
/// shared secret would let every client be its own provider.
const ALGORITHMS: [&str; 9] =
    ["ES256", "ES384", "EdDSA", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512"];

/// What a server takes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssertionRules {
    /// The identity providers that are trusted, as exact texts.
    pub issuers: Vec<String>,
    /// This server's issuer identifier: the only audience.
    pub audience: String,
    /// The servers that tokens are issued for.
    pub resources: Vec<String>,
    /// What signatures may be made with; those of asymmetric keys that are known, if empty.
    #[serde(default)]
    pub algorithms: Vec<String>,
    /// The scopes that this server grants; those of the assertion, if missing.
    #[serde(default)]
    pub scopes: Option<Vec<String>>,
    /// How far clocks may differ, in seconds.
    #[serde(default = "usual_leeway")]
    pub leeway: u64,
}

const fn usual_leeway() -> u64 {
    30
}

/// What an assertion grants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Granted {
    /// The identity provider.
    pub issuer: String,
    /// The user.
    pub subject: String,
    /// The client that may have a token.
    pub client_id: String,
    /// What the token may be for: of the assertion, the request and this server what all have.
    pub scopes: Vec<String>,
    /// The server that the token is for, and no other.
    pub resource: String,
    /// The assertion's id, which may not come again until `replay_until`.
    pub id: String,
    /// Until when the id has to be remembered, in seconds since 1970.
    pub replay_until: u64,
}

impl AssertionRules {
    /// Checks the head of an assertion, before anything is verified with it.
    ///
    /// # Errors
    /// `invalid_grant` for another kind of token, or an algorithm that is not allowed.
    pub fn check_header(&self, header: &Map<String, Value>) -> Result<(), Refused> {
        let text = |name: &str| header.get(name).and_then(Value::as_str).unwrap_or_default();
        let kind = text("typ").to_ascii_lowercase();
        if kind.strip_prefix("application/").unwrap_or(&kind) != KIND {
            return Err(refused("it is not an identity assertion: its typ is another"));
        }
        if header.contains_key("crit") {
            return Err(refused("it demands an extension that is not known here"));
        }
        let algorithm = text("alg");
        let chosen = self.algorithms.is_empty() || self.algorithms.iter().any(|allowed| allowed == algorithm);
        if chosen && ALGORITHMS.contains(&algorithm) {
            return Ok(());
        }
        Err(refused("its signature algorithm is not allowed"))
    }

    /// Judges the claims of a genuine assertion that `client_id` presents, now, in time since
    /// 1970. Audience and resource are a pair: both have to be right, for a grant for this server
    /// that names another resource is not ours to redeem. `scope` and `resource` are what the
    /// request asks for.
    ///
    /// # Errors
    /// `invalid_grant`, or `invalid_target` for a resource that the assertion does not name.
    pub fn judge(
        &self,
        claims: Map<String, Value>,
        client_id: &str,
        scope: Option<&str>,
        resource: Option<&str>,
        now: Duration,
    ) -> Result<Granted, Refused> {
        let named = claims.get("resource").cloned();
        let read = TokenClaims::read(claims).map_err(|_| refused("its claims cannot be read"))?;
        let need = |claim: Option<String>, why| claim.ok_or_else(|| refused(why));
        let issuer = need(read.issuer, "it does not say its issuer")?;
        if !self.issuers.contains(&issuer) {
            return Err(refused("it is from an issuer that is not trusted here"));
        }
        if read.audiences != [self.audience.as_str()] {
            return Err(refused("it is for another authorization server"));
        }
        let subject = need(read.subject, "it does not say for whom it is")?;
        let id = need(read.id, "it has no jti")?;
        if read.client_id.as_deref() != Some(client_id) {
            return Err(refused("it is for another client"));
        }
        let replay_until = self.in_time(read.expires_at, read.issued_at, read.not_before, now)?;
        let bound = self.bound_to(named.as_ref())?;
        if resource.is_some_and(|asked| !same(asked, &bound)) {
            return Err(Refused::new("invalid_target", "the assertion is for another resource"));
        }
        let wanted: Option<Vec<&str>> = scope.map(|scope| scope.split_whitespace().collect());
        let ours = |scope: &&str| {
            wanted.as_ref().is_none_or(|wanted| wanted.contains(scope))
                && self.scopes.as_ref().is_none_or(|known| known.iter().any(|one| one == scope))
        };
        let scopes = read.scopes.iter().filter(ours).map(str::to_owned).collect();
        Ok(Granted {
            issuer,
            subject,
            client_id: client_id.to_owned(),
            scopes,
            resource: bound,
            id,
            replay_until,
        })
    }

    fn in_time(
        &self,
        end: Option<u64>,
        made: Option<u64>,
        from: Option<u64>,
        now: Duration,
    ) -> Result<u64, Refused> {
        let now = now.as_secs();
        let end = end.ok_or_else(|| refused("it has no end"))?.saturating_add(self.leeway);
        if end <= now {
            return Err(refused("it has expired"));
        }
        if made.is_none() {
            return Err(refused("it does not say when it was made"));
        }
        let future = |time: Option<u64>| time.is_some_and(|time| time > now.saturating_add(self.leeway));
        if future(made) || future(from) {
            return Err(refused("it is not good yet"));
        }
        Ok(end)
    }

    /// The one resource that an assertion names, if it is of this server.
    fn bound_to(&self, named: Option<&Value>) -> Result<String, Refused> {
        let one = match named {
            Some(Value::String(one)) => Some(one.as_str()),
            Some(Value::Array(all)) if all.len() == 1 => all[0].as_str(),
            // Left out, it can only be meant for the one server there is.
            None if self.resources.len() == 1 => Some(self.resources[0].as_str()),
            _ => None,
        };
        let one = one.ok_or_else(|| refused("it does not name one resource"))?;
        let ours = self.resources.iter().find(|ours| same(ours, one));
        ours.cloned().ok_or_else(|| refused("it is for another resource"))
    }
}

/// Whether two URLs name one resource.
fn same(one: &str, other: &str) -> bool {
    one == other || endpoint::resource(one).is_ok_and(|one| endpoint::resource(other).ok() == Some(one))
}

fn refused(why: &str) -> Refused {
    Refused::new("invalid_grant", format!("the assertion is not accepted: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn rules() -> AssertionRules {
        AssertionRules {
            issuers: vec!["https://idp.example".into()],
            audience: "https://as.example".into(),
            resources: vec!["https://r.example/mcp".into()],
            algorithms: Vec::new(),
            scopes: Some(vec!["read".into(), "write".into()]),
            leeway: 30,
        }
    }

    fn judged(change: impl FnOnce(&mut Map<String, Value>)) -> Result<Granted, String> {
        let claims = json!({
            "iss": "https://idp.example", "sub": "ann", "aud": "https://as.example", "client_id": "c",
            "resource": "https://r.example/mcp", "scope": "read admin", "jti": "j", "iat": 1000, "exp": 1060,
        });
        let Value::Object(mut claims) = claims else { unreachable!() };
        change(&mut claims);
        rules().judge(claims, "c", None, None, Duration::from_secs(1000)).map_err(|refused| refused.error)
    }

    #[test]
    fn one_that_is_good_grants_what_everybody_allows() {
        let granted = judged(|_| {}).unwrap();
        assert_eq!((granted.scopes, granted.replay_until), (vec!["read".to_owned()], 1090));
        for value in [json!(["https://R.example:443/mcp"]), Value::Null] {
            let granted = judged(|claims| {
                if value.is_null() {
                    claims.remove("resource");
                } else {
                    claims.insert("resource".into(), value.clone());
                }
            });
            assert_eq!(granted.unwrap().resource, "https://r.example/mcp");
        }
    }

    #[test]
    fn one_for_somebody_else_is_refused() {
        for (name, value) in [
            ("iss", json!("https://other.example")),
            ("sub", Value::Null),
            ("aud", json!("https://r.example/mcp")),
            ("aud", json!(["https://as.example", "https://evil.example"])),
            ("client_id", json!("other")),
            ("resource", json!("https://r.example/other")),
            ("resource", json!(["https://r.example/mcp", "https://x.example"])),
            ("jti", Value::Null),
            ("exp", json!(970)),
            ("exp", Value::Null),
            ("iat", json!(1031)),
            ("iat", Value::Null),
            ("nbf", json!(1031)),
        ] {
            let refused = judged(|claims| drop(claims.insert(name.into(), value.clone())));
            assert_eq!(refused.unwrap_err(), "invalid_grant", "{name} {value}");
        }
    }

    #[test]
    fn only_asymmetric_algorithms_of_assertions_are_looked_at() {
        for (kind, alg, good) in [
            ("oauth-id-jag+jwt", "RS256", true),
            ("application/oauth-id-jag+jwt", "EdDSA", true),
            ("oauth-id-jag+jwt", "none", false),
            ("oauth-id-jag+jwt", "HS256", false),
            ("at+jwt", "RS256", false),
        ] {
            let header = json!({"typ": kind, "alg": alg});
            assert_eq!(rules().check_header(header.as_object().unwrap()).is_ok(), good, "{kind} {alg}");
        }
        let listed = AssertionRules { algorithms: vec!["HS256".into(), "ES256".into()], ..rules() };
        for (alg, good) in [("HS256", false), ("ES256", true), ("RS256", false)] {
            let header = json!({"typ": KIND, "alg": alg});
            assert_eq!(listed.check_header(header.as_object().unwrap()).is_ok(), good, "{alg}");
        }
    }
}
