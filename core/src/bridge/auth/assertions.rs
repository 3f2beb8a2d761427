//! Assertions of identity providers, for an authorization server of the host's.
//!
//! Owns: the exchange as JSON, at once where nobody has to be asked. Must not know: what makes an
//! assertion good.

use std::sync::Arc;

use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;
use serde::Deserialize;

use crate::auth::IdentityAssertions;
use crate::store::Stores;

use super::authorization_server::told;
use super::options::{parsed, read};
use super::pending::{PendingText, runtime};

/// Exchanges assertions. A refusal is the data of the error: `{error, error_description}`.
pub struct HostAssertions(Arc<IdentityAssertions>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    assertion: String,
    client_id: String,
    scope: Option<String>,
    resource: Option<String>,
}

impl HostAssertions {
    /// From JSON text: `issuers`, `audience`, `resources`, and what may be left out: `algorithms`,
    /// `scopes`, `leeway` in seconds; `stores`, where it is noted which came, by a name as a server's
    /// stores have it, in memory without.
    pub fn new(rules: &str) -> Result<Self, Error> {
        let mut rules = parsed("rules", rules)?;
        let stores = rules.as_object_mut().and_then(|rules| rules.remove("stores"));
        let assertions = IdentityAssertions::new(read("rules", rules)?)?;
        let name: Option<String> = read("stores", stores.unwrap_or_default())?;
        let Some(name) = name else { return Ok(Self(Arc::new(assertions))) };
        let _inside = runtime()?.enter();
        let stores = Stores::open(&name, &Limits::default())?;
        Ok(Self(Arc::new(assertions.replays(stores.table))))
    }

    /// Begins an exchange, from JSON text: `assertion`, `client_id`, `scope`, `resource`. What is
    /// granted, as JSON text, or what waits for a provider's keys.
    pub fn redeem(&self, asked: &str) -> Result<Result<String, PendingText>, Error> {
        let asked: Asked = read("asked", parsed("asked", asked)?)?;
        let assertions = Arc::clone(&self.0);
        PendingText::begin_text(async move {
            let (scope, resource) = (asked.scope.as_deref(), asked.resource.as_deref());
            told(assertions.redeem(&asked.assertion, &asked.client_id, scope, resource).await.as_ref())
        })
    }
}
