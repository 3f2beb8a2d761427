//! What a server asks of access tokens, read from JSON.
//!
//! Owns: names and defaults of these options. Must not know: what makes a token good; the service
//! that one of them names is put in where it is asked.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use mcpbolt_proto::protocol::Error;
use serde::Deserialize;
use serde_json::Value;

use crate::auth::{Dpop, Introspection, ResourceServer, ResourceServerBuilder};
use crate::seal::Sealer;

use super::json::service_name;

/// The scopes that each of these stands for as well.
pub(crate) type Implied = BTreeMap<String, Vec<String>>;

/// What a server asks of access tokens.
///
/// `resource`, `issuers`, and what may be left out: `audiences`, `scopes`, `scopes_supported`,
/// `implies`, `name`, `documentation`, `leeway` in seconds, `introspection` (`client_id`,
/// `client_secret`, `endpoint`, `remember`), `dpop` (`required`, `nonces`: secrets),
/// `private_networks`, `verifier` (the host finds out whether a token is genuine: true asks the
/// service `token.verify`, a text the one of that name).
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResourceServerText {
    resource: String,
    issuers: Vec<String>,
    #[serde(default)]
    audiences: Vec<String>,
    #[serde(default)]
    scopes: Vec<String>,
    #[serde(default)]
    scopes_supported: Vec<String>,
    #[serde(default)]
    implies: Implied,
    name: Option<String>,
    documentation: Option<String>,
    leeway: Option<f64>,
    introspection: Option<IntrospectionText>,
    dpop: Option<DpopText>,
    #[serde(default)]
    private_networks: bool,
    #[serde(default)]
    verifier: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IntrospectionText {
    client_id: String,
    client_secret: String,
    endpoint: Option<String>,
    remember: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DpopText {
    #[serde(default)]
    required: bool,
    /// Has clients repeat a nonce. The secrets that seal it, the same on each node; a random one if
    /// the list is empty.
    nonces: Option<Vec<String>>,
}

/// It has secrets, which stay out of logs.
impl fmt::Debug for ResourceServerText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResourceServerText").field("resource", &self.resource).finish_non_exhaustive()
    }
}

impl ResourceServerText {
    /// The service by which the host finds out whether a token is genuine.
    pub(crate) fn verifier(&self) -> Result<Option<String>, Error> {
        if self.verifier.is_null() {
            return Ok(None);
        }
        service_name(&self.verifier, "token.verify")
            .map_err(|_| Error::usage("verifier: it has to be true, false or the name of a service"))
    }

    /// The scopes that a scope stands for as well.
    pub(crate) fn implied(&self) -> &Implied {
        &self.implies
    }

    /// The server, but for the service.
    pub(crate) fn builder(&self) -> Result<ResourceServerBuilder, Error> {
        self.checks(self.rules()?)
    }

    fn rules(&self) -> Result<ResourceServerBuilder, Error> {
        let implies = self.implies.clone();
        let mut server = ResourceServer::builder(&self.resource, self.issuers.clone())
            .audiences(self.audiences.clone())
            .scopes(self.scopes.clone())
            .scopes_supported(self.scopes_supported.clone())
            .private_networks(self.private_networks)
            .implies(move |granted, needed| {
                implies.get(granted).is_some_and(|others| others.iter().any(|other| other == needed))
            });
        if let Some(name) = &self.name {
            server = server.resource_name(name);
        }
        if let Some(page) = &self.documentation {
            server = server.resource_documentation(page);
        }
        if let Some(leeway) = self.leeway {
            server = server.leeway(seconds("leeway", leeway)?);
        }
        Ok(server)
    }

    fn checks(&self, mut server: ResourceServerBuilder) -> Result<ResourceServerBuilder, Error> {
        if let Some(given) = &self.introspection {
            let mut ask = Introspection::new(&given.client_id, &given.client_secret);
            if let Some(endpoint) = &given.endpoint {
                ask = ask.endpoint(endpoint);
            }
            if let Some(time) = given.remember {
                ask = ask.remember(seconds("introspection.remember", time)?);
            }
            server = server.introspection(ask);
        }
        if let Some(given) = &self.dpop {
            let mut dpop = Dpop::new().required(given.required);
            if let Some(secrets) = &given.nonces {
                let random = secrets.is_empty();
                let sealer =
                    if random { Sealer::new_random() } else { Sealer::from_secrets(secrets.clone())? };
                dpop = dpop.nonces(sealer);
            }
            server = server.dpop(dpop);
        }
        Ok(server)
    }
}

fn seconds(what: &str, number: f64) -> Result<Duration, Error> {
    Duration::try_from_secs_f64(number)
        .map_err(|_| Error::usage(format!("{what}: it has to be a number of seconds, 0 or more")))
}
