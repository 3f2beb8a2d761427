//! A server that wants tokens, in a web server of the host's.
//!
//! Owns: its options as JSON, the answer to one request, which claims the host has seen. Must not
//! know: what makes a token good.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mcpbolt_proto::auth::resource_server::TokenClaims;
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::protocol::{Error, ErrorKind};
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::auth::{Dpop, Introspection, ResourceServer};
use crate::bridge::boundary::fork_guard::ForkGuard;
use crate::bridge::http::incoming_head::IncomingHead;
use crate::handler::{BoxFuture, Principal, RequestHead};
use crate::seal::Sealer;
use crate::transport::streamable_http::server::{Denied, Verifier as _};

use super::options::{parsed, read};

/// Most tokens whose claims have a number at a time.
const NUMBERED: usize = 20_000;

/// What a server asks of tokens that the engine verifies.
pub struct HostResourceServer {
    server: Arc<ResourceServer>,
    told: Mutex<Told>,
    implies: Arc<Implied>,
}

/// The scopes that each of these stands for as well.
type Implied = BTreeMap<String, Vec<String>>;

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
pub struct PendingCheck(Mutex<Option<BoxFuture<'static, Result<Principal, Denied>>>>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
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

impl HostResourceServer {
    /// From JSON text: `resource`, `issuers`, and what may be left out: `audiences`, `scopes`,
    /// `scopes_supported`, `implies`, `name`, `documentation`, `leeway` in seconds,
    /// `introspection` (`client_id`, `client_secret`, `endpoint`, `remember`), `dpop` (`required`,
    /// `nonces`: secrets), `private_networks`.
    pub fn new(options: &str) -> Result<Self, Error> {
        let mut text: Text = read("options", parsed("options", options)?)?;
        let implies = Arc::new(std::mem::take(&mut text.implies));
        let server = Arc::new(built(text, Arc::clone(&implies))?);
        Ok(Self { server, told: Mutex::default(), implies })
    }

    /// The document by which clients find the issuer, and its path.
    pub fn document(&self) -> (&str, &str) {
        self.server.published()
    }

    /// Looks at the head of a request. What was found out before is said at once.
    pub fn check(&self, head: IncomingHead) -> Result<TokenCheck, Error> {
        let head = RequestHead { method: head.method, uri: head.target, headers: head.headers };
        let server = Arc::clone(&self.server);
        let mut task: BoxFuture<'static, _> = Box::pin(async move { server.verify(&head).await });
        let _inside = runtime()?.enter();
        Ok(match task.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(verdict) => self.said(verdict),
            Poll::Pending => TokenCheck::Later(PendingCheck(Mutex::new(Some(task)))),
        })
    }

    /// Waits for what a check waits for, on a thread that may block.
    pub fn wait(&self, pending: &PendingCheck) -> Result<TokenCheck, Error> {
        let task = pending.0.lock().take();
        let task = task.ok_or_else(|| Error::usage("this check was waited for before"))?;
        Ok(self.said(runtime()?.block_on(task)))
    }

    /// Whether the claims of this number grant what one operation needs; the challenge if not.
    pub fn allows(&self, number: u64, scopes: &[String]) -> Result<Option<String>, Error> {
        let needed = Scopes::from_list("scopes", scopes.iter().map(String::as_str))?;
        let claims = self.told.lock().find(number);
        let principal = claims.map_or(Principal::ANONYMOUS, |claims| Principal::named("").with_token(claims));
        Ok(match self.server.allows(&principal, &needed) {
            Ok(()) => None,
            Err(denied) => Some(refusal(&denied).to_string()),
        })
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

fn built(text: Text, implies: Arc<Implied>) -> Result<ResourceServer, Error> {
    let mut server = ResourceServer::builder(text.resource, text.issuers)
        .audiences(text.audiences)
        .scopes(text.scopes)
        .scopes_supported(text.scopes_supported)
        .private_networks(text.private_networks);
    server = server.implies(move |granted, needed| {
        implies.get(granted).is_some_and(|others| others.iter().any(|other| other == needed))
    });
    if let Some(name) = text.name {
        server = server.resource_name(name);
    }
    if let Some(page) = text.documentation {
        server = server.resource_documentation(page);
    }
    if let Some(leeway) = text.leeway {
        server = server.leeway(seconds("leeway", leeway)?);
    }
    if let Some(given) = text.introspection {
        let mut ask = Introspection::new(given.client_id, given.client_secret);
        if let Some(endpoint) = given.endpoint {
            ask = ask.endpoint(endpoint);
        }
        if let Some(time) = given.remember {
            ask = ask.remember(seconds("introspection.remember", time)?);
        }
        server = server.introspection(ask);
    }
    if let Some(given) = text.dpop {
        let mut dpop = Dpop::new().required(given.required);
        if let Some(secrets) = given.nonces {
            let random = secrets.is_empty();
            dpop = dpop.nonces(if random { Sealer::new_random() } else { Sealer::from_secrets(secrets)? });
        }
        server = server.dpop(dpop);
    }
    server.build()
}

fn seconds(what: &str, number: f64) -> Result<Duration, Error> {
    Duration::try_from_secs_f64(number)
        .map_err(|_| Error::usage(format!("{what}: it has to be a number of seconds, 0 or more")))
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

/// For the questions to issuers, which are few: one thread, begun with the first of them, and
/// another one in a forked child, which has none of its parent's.
pub(super) fn runtime() -> Result<&'static Runtime, Error> {
    static RUNTIME: Mutex<Option<(ForkGuard, &'static Runtime)>> = Mutex::new(None);
    let mut known = RUNTIME.lock();
    if let Some((process, runtime)) = *known
        && process.check().is_ok()
    {
        return Ok(runtime);
    }
    let made = Builder::new_multi_thread().worker_threads(1).thread_name("mcpbolt-auth").enable_all().build();
    let made =
        made.map_err(|_| Error::new(ErrorKind::Internal, "no thread for authorization can be begun"))?;
    // For as long as the process lives.
    let runtime: &'static Runtime = Box::leak(Box::new(made));
    *known = Some((ForkGuard::default(), runtime));
    Ok(runtime)
}
