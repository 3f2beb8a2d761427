//! Assertions of identity providers, for an authorization server of the host's.
//!
//! Owns: the exchange as JSON, at once where nobody has to be asked. Must not know: what makes an
//! assertion good.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use mcpbolt_proto::auth::authorization_server::{Granted, Refused};
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::protocol::Error;
use parking_lot::Mutex;
use serde::Deserialize;

use crate::auth::IdentityAssertions;
use crate::handler::BoxFuture;
use crate::store::Stores;

use super::authorization_server::{json_of, thrown};
use super::options::{parsed, read};
use super::resource_server::runtime;

/// Exchanges assertions. A refusal is the data of the error: `{error, error_description}`.
pub struct HostAssertions(Arc<IdentityAssertions>);

/// An exchange that waits for a provider's keys.
pub struct PendingGrant(Mutex<Option<BoxFuture<'static, Result<Granted, Refused>>>>);

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

    /// Begins an exchange, from JSON text: `assertion`, `client_id`, `scope`, `resource`.
    pub fn redeem(&self, asked: &str) -> Result<Result<String, PendingGrant>, Error> {
        let asked: Asked = read("asked", parsed("asked", asked)?)?;
        let assertions = Arc::clone(&self.0);
        let mut task: BoxFuture<'static, _> = Box::pin(async move {
            let (scope, resource) = (asked.scope.as_deref(), asked.resource.as_deref());
            assertions.redeem(&asked.assertion, &asked.client_id, scope, resource).await
        });
        let _inside = runtime()?.enter();
        match task.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(granted) => Ok(Ok(text(granted)?)),
            Poll::Pending => Ok(Err(PendingGrant(Mutex::new(Some(task))))),
        }
    }
}

impl PendingGrant {
    /// Waits, on a thread that may block; what is granted, as JSON text.
    pub fn wait(&self) -> Result<String, Error> {
        let task = self.0.lock().take();
        let task = task.ok_or_else(|| Error::usage("this exchange was waited for before"))?;
        text(runtime()?.block_on(task))
    }
}

fn text(granted: Result<Granted, Refused>) -> Result<String, Error> {
    Ok(json_of(&granted.map_err(|refused| thrown(&refused))?)?.to_string())
}
