//! Assertions of identity providers that a client exchanges for a token (ID-JAG).
//!
//! Owns: the order of checks: kind and algorithm, signature by a key of the provider, claims, and
//! that no assertion comes twice. Must not know: what is right in each, who the client is, how the
//! token is made.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::{Map, Value};

use mcpbolt_proto::auth::authorization_server::{AssertionRules, Granted, Refused};
use mcpbolt_proto::protocol::Error;

use crate::auth::time::now;
use crate::store::{Condition, MemoryTable, Table, hashed};
use crate::transport::streamable_http::client::HttpClientOptions;

use super::issuer::Issuer;
use super::jwt::{JwtVerifier, part, split};
use super::verifier::TokenError;

/// What assertions say that they are.
const KINDS: [&str; 2] = ["oauth-id-jag+jwt", "application/oauth-id-jag+jwt"];
/// Most assertions that are remembered in memory, and their bytes.
const MEMORY: (usize, usize) = (100_000, 32 << 20);
/// Shortest time between two looks at a provider's keys, or at its metadata.
const PAUSE: Duration = Duration::from_secs(30);

/// Exchanges assertions of identity providers, for an authorization server.
///
/// ```
/// use mcpbolt::auth::{AssertionRules, IdentityAssertions};
///
/// let assertions = IdentityAssertions::new(AssertionRules {
///     issuers: vec!["https://idp.example.com".into()],
///     audience: "https://login.example.com".into(),
///     resources: vec!["https://mcp.example.com/mcp".into()],
///     algorithms: Vec::new(),
///     scopes: None,
///     leeway: 30,
/// })?;
/// # let _ = assertions;
/// # Ok::<(), mcpbolt::Error>(())
/// ```
pub struct IdentityAssertions {
    rules: AssertionRules,
    keys: JwtVerifier,
    seen: Arc<dyn Table>,
}

impl IdentityAssertions {
    /// For the providers that the rules name, whose keys their metadata lead to.
    ///
    /// # Errors
    /// `Usage` if one of them is no URL.
    pub fn new(rules: AssertionRules) -> Result<Self, Error> {
        let options = HttpClientOptions::default();
        let issuer = |name: &String| Ok((name.clone(), Issuer::new(name, &options, false, PAUSE)?));
        let issuers = rules.issuers.iter().map(issuer).collect::<Result<Vec<_>, Error>>()?;
        let (entries, bytes) = MEMORY;
        let seen = Arc::new(MemoryTable::new(entries, bytes));
        Ok(Self { rules, keys: JwtVerifier::new(issuers, PAUSE), seen })
    }

    /// Where it is noted which assertions came: one table for all nodes of a fleet. In memory
    /// unless set.
    #[must_use]
    pub fn replays(mut self, table: Arc<dyn Table>) -> Self {
        self.seen = table;
        self
    }

    /// What an assertion grants to the client that has proved itself by `client_id`. `scope` and
    /// `resource` are what its request asks for.
    ///
    /// # Errors
    /// `invalid_grant` for one that is not good or came before, `invalid_target` for another
    /// resource, `temporarily_unavailable` if it cannot be found out now.
    pub async fn redeem(
        &self,
        assertion: &str,
        client_id: &str,
        scope: Option<&str>,
        resource: Option<&str>,
    ) -> Result<Granted, Refused> {
        let head = split(assertion).and_then(|(head, _)| part::<Map<String, Value>>(head).ok());
        self.rules.check_header(&head.ok_or_else(|| refused("it is not a signed assertion"))?)?;
        let genuine = self.keys.genuine(assertion, &KINDS).await;
        let (claims, _) = genuine.map_err(|error| match error {
            TokenError::Invalid(why) => refused(why),
            TokenError::Unavailable => unavailable(),
        })?;
        let now = now();
        let granted = self.rules.judge(claims, client_id, scope, resource, now)?;
        let name = format!("id-jag:{}", hashed(&format!("{} {}", granted.issuer, granted.id)));
        let time = Duration::from_secs(granted.replay_until.saturating_sub(now.as_secs()) + 1);
        match self.seen.put(&name, Bytes::new(), Condition::Absent, Some(time)).await {
            Ok(Some(_)) => Ok(granted),
            Ok(None) => Err(refused("it was used before")),
            Err(_) => Err(unavailable()),
        }
    }
}

impl std::fmt::Debug for IdentityAssertions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IdentityAssertions").field("rules", &self.rules).finish_non_exhaustive()
    }
}

fn refused(why: &str) -> Refused {
    Refused::new("invalid_grant", format!("the assertion is not accepted: {why}"))
}

fn unavailable() -> Refused {
    Refused::new("temporarily_unavailable", "the assertion cannot be checked now; try again later")
}
