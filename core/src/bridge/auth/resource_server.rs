//! A server that wants tokens, in a web server of the host's.
//!
//! Owns: the answer to one request, which claims the host has seen. Must not
//! know: what makes a token good.

use std::collections::HashMap;
use std::sync::Arc;

use mcpbolt_proto::auth::resource_server::TokenClaims;
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::protocol::Error;
use parking_lot::Mutex;
use serde_json::{Value, json};

use crate::auth::ResourceServer;
use crate::bridge::http::incoming_head::IncomingHead;
use crate::bridge::options::resource_server::{Implied, ResourceServerText};
use crate::handler::{Principal, RequestHead};
use crate::transport::streamable_http::server::{Denied, Verifier as _};

use super::options::{parsed, read};
use super::pending::Pending;

/// Most tokens whose claims have a number at a time.
const NUMBERED: usize = 20_000;

/// What a server asks of tokens that the engine verifies.
pub struct HostResourceServer {
    server: Arc<ResourceServer>,
    told: Mutex<Told>,
    implies: Implied,
}

/// The numbers of claims, by which a host finds what it made of them. As many again are kept
/// that were told before, so that none is gone before the host has read it.
#[derive(Default)]
struct Told {
    last: u64,
    numbers: HashMap<usize, u64>,
    claims: HashMap<u64, Arc<TokenClaims>>,
    before: HashMap<u64, Arc<TokenClaims>>,
}

/// What is said to a request.
pub enum TokenCheck {
    /// It may pass. The number stands for the claims of its token: the same as long as they are
    /// remembered.
    Admitted(u64),
    /// It is refused: `{status, headers}` as JSON text.
    Refused(String),
    /// The issuer has to be asked first.
    Later(PendingCheck),
}

/// A check that waits for an issuer.
pub type PendingCheck = Pending<Result<Principal, Denied>>;

impl HostResourceServer {
    /// From JSON text: `resource`, `issuers`, and what may be left out: `audiences`, `scopes`,
    /// `scopes_supported`, `implies`, `name`, `documentation`, `leeway` in seconds,
    /// `introspection` (`client_id`, `client_secret`, `endpoint`, `remember`), `dpop` (`required`,
    /// `nonces`: secrets), `private_networks`.
    pub fn new(options: &str) -> Result<Self, Error> {
        let text: ResourceServerText = read("options", parsed("options", options)?)?;
        if text.verifier()?.is_some() {
            return Err(Error::usage(
                "verifier: only a listener of the engine's own asks the host about tokens",
            ));
        }
        let server = Arc::new(text.builder()?.build()?);
        Ok(Self { server, told: Mutex::default(), implies: text.implied().clone() })
    }

    /// The document by which clients find the issuer, and its path.
    pub fn document(&self) -> (&str, &str) {
        self.server.published()
    }

    /// Looks at the head of a request. What was found out before is said at once.
    pub fn check(&self, head: IncomingHead) -> Result<TokenCheck, Error> {
        let head = RequestHead { method: head.method, uri: head.target, headers: head.headers, peer: None };
        let server = Arc::clone(&self.server);
        let begun = Pending::begin(async move { server.verify(&head).await })?;
        Ok(begun.map_or_else(TokenCheck::Later, |verdict| self.said(verdict)))
    }

    /// Waits for what a check waits for, on a thread that may block.
    pub fn wait(&self, pending: &PendingCheck) -> Result<TokenCheck, Error> {
        Ok(self.said(pending.outcome()?))
    }

    /// What the claims of this number say, as JSON text: `principal`, `client_id`, `subject`,
    /// `scopes`, `expires_at`, all `claims`, and the `grant` that mounts are told of. `None` once
    /// they are forgotten.
    pub fn claims(&self, number: u64) -> Option<String> {
        let claims = self.told.lock().find(number)?;
        let text = json!({
            "principal": self.server.name(&claims),
            "client_id": claims.client_id,
            "subject": claims.subject,
            "issuer": claims.issuer,
            "scopes": claims.scopes.iter().collect::<Vec<_>>(),
            "grant": self.grant(&claims.scopes),
            "expires_at": claims.expires_at,
            "resource": self.server.resource(),
            "claims": claims.all,
        });
        Some(text.to_string())
    }

    /// What a token with these scopes allows, as a mount is told of it.
    fn grant(&self, scopes: &Scopes) -> Value {
        let others = scopes.iter().filter_map(|scope| self.implies.get(scope)).flatten();
        let allowed: Vec<&str> = scopes.iter().chain(others.map(String::as_str)).collect();
        let required: Vec<&str> = self.server.required().iter().collect();
        json!({"scopes": allowed, "required": required, "metadata_url": self.server.metadata_url()})
    }

    fn said(&self, verdict: Result<Principal, Denied>) -> TokenCheck {
        match verdict {
            Ok(principal) => TokenCheck::Admitted(
                principal.shared_token().map_or(0, |claims| self.told.lock().number(claims)),
            ),
            Err(denied) => TokenCheck::Refused(refusal(&denied).to_string()),
        }
    }
}

impl Told {
    fn number(&mut self, claims: &Arc<TokenClaims>) -> u64 {
        // They are kept, so that no other claims come to lie at this address.
        let address = Arc::as_ptr(claims).addr();
        if let Some(known) = self.numbers.get(&address) {
            return *known;
        }
        if self.numbers.len() >= NUMBERED {
            self.numbers.clear();
            self.before = std::mem::take(&mut self.claims);
        }
        self.last += 1;
        self.numbers.insert(address, self.last);
        self.claims.insert(self.last, Arc::clone(claims));
        self.last
    }

    fn find(&self, number: u64) -> Option<Arc<TokenClaims>> {
        self.claims.get(&number).or_else(|| self.before.get(&number)).cloned()
    }
}

fn refusal(denied: &Denied) -> Value {
    let challenged = |status: u16, challenge: &Option<String>| {
        let headers = challenge.iter().map(|text| ("WWW-Authenticate".to_owned(), text.as_str().into()));
        json!({"status": status, "headers": headers.collect::<serde_json::Map<_, Value>>()})
    };
    match denied {
        Denied::Unauthorized { challenge } => challenged(401, challenge),
        Denied::Forbidden { challenge } => challenged(403, challenge),
        Denied::Unreadable { challenge } => challenged(400, challenge),
        Denied::NonceNeeded { challenge, nonce } => {
            json!({"status": 401, "headers": {"WWW-Authenticate": challenge, "DPoP-Nonce": nonce}})
        }
        Denied::Unavailable => json!({"status": 503, "headers": {"Retry-After": "1"}}),
    }
}
