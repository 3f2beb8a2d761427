//! Signing in where the program's `fetch` carries the requests, and tokens that the program
//! verifies. Owns: nothing of its own. Must
//! not know: what a step is.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use mcpbolt::bridge::{
    HostAssertions, HostBearer, HostClientDocuments, HostFlow, HostResourceServer, IncomingHead,
    PendingCheck, TokenCheck, decide_auth,
};
use mcpbolt_proto::protocol::Error;
use napi::bindgen_prelude::{AsyncTask, Object, Uint8Array};
use napi::{Env, Task};
use napi_derive::napi;

use crate::error::{Result, raw, throw};
use crate::number::from_js;

/// The way to a token at one server, step by step; steps and events are JSON text.
#[napi]
pub struct AuthFlow(HostFlow);

#[napi]
impl AuthFlow {
    /// A flow with options and with what is kept.
    #[napi(constructor)]
    pub fn new(options: String, stored: String, saved: Option<String>) -> Result<Self> {
        HostFlow::new(&options, &stored, saved.as_deref()).map(Self).map_err(throw)
    }

    /// Begins; the first step.
    #[napi]
    pub fn start(&self, cause: String) -> Result<String> {
        self.0.start(&cause).map_err(throw)
    }

    /// Goes on with an event; the next step.
    #[napi]
    pub fn take(&self, event: String) -> Result<String> {
        self.0.take(&event).map_err(throw)
    }

    /// Goes on with the answer to a request; the next step.
    #[napi]
    pub fn answered(&self, status: u16, body: Uint8Array) -> String {
        self.0.answered(status, &body)
    }

    /// Notes that the server accepted the token for an operation.
    #[napi]
    pub fn accepted(&self, operation: String) {
        self.0.accepted(&operation);
    }

    /// What the flow found so far.
    #[napi]
    pub fn found(&self) -> String {
        self.0.found()
    }

    /// What the next flow with this server has to know.
    #[napi]
    pub fn save(&self) -> String {
        self.0.save()
    }
}

/// One decision of a flow, for functions that programs call by themselves.
#[napi]
#[allow(unreachable_pub, reason = "the macro wants it")]
pub fn auth_decision(name: String, given: String) -> Result<String> {
    decide_auth(&name, &given).map_err(throw)
}

/// What a server asks of the tokens that its program verifies. A refusal is an error whose data
/// has `error` and `error_description`.
#[napi]
pub struct BearerRules(HostBearer);

#[napi]
impl BearerRules {
    /// From JSON text: `{words, required_scopes, resource, metadata_url}`.
    #[napi(constructor)]
    pub fn new(options: String) -> Result<Self> {
        HostBearer::new(&options).map(Self).map_err(throw)
    }

    /// The token in the value of `Authorization`.
    #[napi]
    pub fn token(&self, authorization: Option<String>) -> Result<String> {
        self.0.token(authorization.as_deref()).map(str::to_owned).map_err(throw)
    }

    /// Throws unless a verified token is good here.
    #[napi]
    pub fn judge(
        &self,
        scopes: Vec<String>,
        expires_at: Option<f64>,
        resource: Option<String>,
    ) -> Result<()> {
        self.0.judge(&scopes, expires_at, resource.as_deref()).map_err(throw)
    }

    /// The answer to a request that is refused, as JSON text.
    #[napi]
    pub fn answer(&self, refused: String) -> Result<String> {
        self.0.answer(&refused).map_err(throw)
    }

    /// The challenge for scopes that one operation needs.
    #[napi]
    pub fn challenge(&self, description: String, scopes: Vec<String>) -> String {
        self.0.challenge(&description, &scopes)
    }
}

/// What a server asks of tokens that the engine verifies.
#[napi]
pub struct ResourceServer {
    server: Arc<HostResourceServer>,
    waiting: Mutex<HashMap<u32, PendingCheck>>,
}

/// A check that waits for an issuer, on a thread of Node's pool.
pub struct Waiting(Arc<HostResourceServer>, Option<PendingCheck>);

impl Task for Waiting {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> napi::Result<String> {
        let ended = || napi::Error::from_reason("there is nothing to wait for");
        let pending = self.1.take().ok_or_else(ended)?;
        let check = self.0.wait(&pending).map_err(|error| napi::Error::from_reason(error.message))?;
        Ok(said(check).unwrap_or_default())
    }

    fn resolve(&mut self, _: Env, text: String) -> napi::Result<String> {
        Ok(text)
    }
}

fn said(check: TokenCheck) -> std::result::Result<String, PendingCheck> {
    match check {
        TokenCheck::Admitted(number) => Ok(number.to_string()),
        TokenCheck::Refused(answer) => Ok(answer),
        TokenCheck::Later(pending) => Err(pending),
    }
}

#[napi]
impl ResourceServer {
    /// From JSON text, with the options of [`HostResourceServer::new`].
    #[napi(constructor)]
    pub fn new(options: String) -> Result<Self> {
        let server = Arc::new(HostResourceServer::new(&options).map_err(throw)?);
        Ok(Self { server, waiting: Mutex::default() })
    }

    /// The path of its metadata, and what is there.
    #[napi]
    pub fn document(&self) -> Vec<String> {
        let (path, text) = self.server.document();
        vec![path.to_owned(), text.to_owned()]
    }

    /// Looks at the head of a request, `{method, target, headers}`: the number of the token's
    /// claims, or a refusal `{status, headers}`, as JSON text. With `-` before it, the number of what has
    /// to be waited for.
    #[napi]
    pub fn check(&self, head: String) -> Result<String> {
        let head = IncomingHead::parse(&raw(head)?).map_err(throw)?;
        Ok(said(self.server.check(head).map_err(throw)?).unwrap_or_else(|pending| {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let number = (1..=u32::MAX).find(|number| !waiting.contains_key(number)).unwrap_or_default();
            waiting.insert(number, pending);
            format!("-{number}")
        }))
    }

    /// Waits for what a check waits for.
    #[napi]
    pub fn wait(&self, number: u32) -> AsyncTask<Waiting> {
        let pending = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).remove(&number);
        AsyncTask::new(Waiting(Arc::clone(&self.server), pending))
    }

    /// What the claims of a number say, as JSON text.
    #[napi]
    pub fn claims(&self, number: f64) -> Option<String> {
        self.server.claims(from_js(number))
    }
}

/// Exchanges assertions of identity providers.
#[napi]
pub struct IdentityAssertions(Arc<HostAssertions>);

/// One exchange, on a thread of Node's pool: it may wait for a provider's keys.
pub struct Redeeming(Arc<HostAssertions>, String);

impl Task for Redeeming {
    type Output = String;
    type JsValue = String;

    fn compute(&mut self) -> napi::Result<String> {
        let redeemed = self.0.redeem(&self.1);
        settled("granted", redeemed.and_then(|now| now.or_else(|pending| pending.wait())))
    }

    fn resolve(&mut self, _: Env, text: String) -> napi::Result<String> {
        Ok(text)
    }
}

/// What came of it under its name, or `{refused}`, as JSON text.
fn settled(name: &str, came: std::result::Result<String, Error>) -> napi::Result<String> {
    came.map(|came| format!("{{\"{name}\":{came}}}")).or_else(|error| match error.data {
        Some(refused) => Ok(serde_json::json!({ "refused": refused }).to_string()),
        None => Err(napi::Error::from_reason(error.message)),
    })
}

#[napi]
impl IdentityAssertions {
    /// From JSON text, with the members of [`HostAssertions::new`].
    #[napi(constructor)]
    pub fn new(rules: String) -> Result<Self> {
        HostAssertions::new(&rules).map(|rules| Self(Arc::new(rules))).map_err(throw)
    }

    /// Begins an exchange, from JSON text as [`HostAssertions::redeem`] reads it: `{granted}` or
    /// `{refused: {error, error_description}}`, as JSON text.
    #[napi]
    pub fn redeem(&self, asked: String) -> AsyncTask<Redeeming> {
        AsyncTask::new(Redeeming(Arc::clone(&self.0), asked))
    }
}

/// Looks up clients whose id is the URL of a document.
#[napi]
pub struct ClientDocuments(HostClientDocuments);

#[napi]
impl ClientDocuments {
    /// From JSON text, with the members of [`HostClientDocuments::new`].
    #[napi(constructor)]
    pub fn new(places: String) -> Result<Self> {
        HostClientDocuments::new(&places).map(Self).map_err(throw)
    }

    /// Looks a client up: `{known: {client, host}}` or `{refused: {error, error_description}}`, as JSON
    /// text. No thread of Node's pool waits for the document.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn client<'env>(&self, env: &'env Env, client_id: String) -> napi::Result<Object<'env>> {
        let (deferred, promise) = env.create_deferred()?;
        let answer = move |came| match settled("known", came) {
            Ok(text) => deferred.resolve(move |_| Ok(text)),
            Err(error) => deferred.reject(error),
        };
        match self.0.client(&client_id) {
            Ok(Ok(known)) => answer(Ok(known)),
            Ok(Err(pending)) => {
                pending.then(answer).map_err(|error| napi::Error::from_reason(error.message))?;
            }
            Err(refused) => answer(Err(refused)),
        }
        Ok(promise)
    }
}
