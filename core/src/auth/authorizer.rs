//! Gives the requests to one server their token.
//!
//! Owns: that one flow runs for any number of requests, that it goes on when a request is
//! given up, and that the token goes to this server only. Must not know: how a flow is run,
//! what a request says.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue, Uri};
use parking_lot::Mutex;
use tokio::sync::oneshot;
use url::Url;

use mcpbolt_proto::auth::challenge::{Challenge, TokenScheme};
use mcpbolt_proto::auth::dpop::is_for_nonce;
use mcpbolt_proto::auth::endpoint;
use mcpbolt_proto::auth::error::AuthError;
use mcpbolt_proto::auth::flow::Cause;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::auth::token::{Tokens, needs_refresh};
use mcpbolt_proto::protocol::Error;

use crate::handler::{BoxFuture, RequestHead, Spawner};
use crate::transport::streamable_http::client::{Authorizer, HttpClientOptions, RefusedRequest, Verdict};

use super::dpop_key::{DpopKey, PROOF};
use super::fetch::Fetcher;
use super::flow::{Failure, Outcome, Runner};
use super::settings::Settings;
use super::time::now;

/// Most operations whose success is remembered for the next flow.
const MAX_ACCEPTED: usize = 256;

/// The authorizer of one server, for all transports to it.
pub(super) struct ServerAuthorizer {
    shared: Arc<Shared>,
    spawner: Spawner,
}

struct Shared {
    origin: url::Origin,
    /// What tokens are bound to.
    key: Option<DpopKey>,
    /// Whose turn it is to run a flow.
    runner: tokio::sync::Mutex<Runner>,
    /// What requests are given; nothing before the store was read.
    current: Mutex<Option<Current>>,
    failures: Mutex<Failures>,
    /// Whether something was refused since operations were last noted.
    refused: AtomicBool,
    accepted: Mutex<BTreeSet<String>>,
}

struct Current {
    tokens: Option<Tokens>,
    authorization: Option<HeaderValue>,
}

/// How many flows failed, and how the last one did: requests that waited for it fail with it
/// instead of asking the user again.
#[derive(Default)]
struct Failures {
    count: u64,
    last: Option<Failure>,
}

impl ServerAuthorizer {
    /// Fails with `Usage` if an option is wrong for this server.
    pub(super) fn new(
        mut settings: Settings,
        server: &Url,
        options: &HttpClientOptions,
    ) -> Result<Self, Error> {
        server.as_str().clone_into(&mut settings.flow.server_url);
        let wrong = |why: AuthError| Error::usage(format!("signing in cannot work: {why}"));
        let name = endpoint::resource(server.as_str()).map_err(wrong)?;
        let shared = Shared {
            origin: server.origin(),
            key: settings.dpop.clone(),
            runner: tokio::sync::Mutex::new(Runner::new(settings, Fetcher::new(options), name)?),
            current: Mutex::new(None),
            failures: Mutex::default(),
            refused: AtomicBool::new(false),
            accepted: Mutex::default(),
        };
        Ok(Self { shared: Arc::new(shared), spawner: options.spawner.clone() })
    }

    /// Forgets the tokens and has them revoked, once no flow runs.
    pub(super) async fn sign_out(&self) -> Result<(), Error> {
        let runner = self.shared.runner.lock().await;
        *self.shared.current.lock() = Some(Current { tokens: None, authorization: None });
        runner.sign_out().await.map_err(told)
    }

    /// Runs a flow, or waits for the one that runs. It is a task of its own: a request that is
    /// given up must not lose a refresh token that was just replaced, or the user's answer.
    async fn run(&self, cause: Cause) -> Result<Option<HeaderValue>, Failure> {
        let seen = self.shared.failures.lock().count;
        let (tell, told) = oneshot::channel();
        let shared = Arc::clone(&self.shared);
        self.spawner.spawn(async move { shared.take_turn(cause, seen, tell).await });
        told.await.unwrap_or_else(|_| Err(Failure::Local(Error::closed())))
    }
}

impl Shared {
    async fn take_turn(
        &self,
        cause: Cause,
        seen: u64,
        tell: oneshot::Sender<Result<Option<HeaderValue>, Failure>>,
    ) {
        let mut runner = self.runner.lock().await;
        let failed = {
            let failures = self.failures.lock();
            failures.last.clone().filter(|_| failures.count != seen)
        };
        if tell.is_closed() {
            return;
        }
        let outcome = match failed {
            Some(failure) => Err(failure),
            None => self.flow(&mut runner, cause).await,
        };
        drop(runner);
        let _ = tell.send(outcome);
    }

    async fn flow(&self, runner: &mut Runner, cause: Cause) -> Result<Option<HeaderValue>, Failure> {
        let accepted = std::mem::take(&mut *self.accepted.lock());
        self.refused.store(cause != Cause::Request, Ordering::Relaxed);
        match runner.run(cause, accepted.into_iter().collect()).await.and_then(current) {
            Ok(current) => {
                let authorization = current.authorization.clone();
                *self.current.lock() = Some(current);
                Ok(authorization)
            }
            Err(failure) => {
                if !failure.is_of_one_request() {
                    let mut failures = self.failures.lock();
                    failures.count += 1;
                    failures.last = Some(failure.clone());
                }
                Err(failure)
            }
        }
    }

    /// What can be sent without a flow; else why one has to run.
    fn ready(&self) -> Result<Option<HeaderValue>, Cause> {
        let current = self.current.lock();
        let current = current.as_ref().ok_or(Cause::Request)?;
        let now = now();
        let usable = |tokens: &Tokens| !needs_refresh(tokens, now) && !tokens.is_expired(now);
        let ready = current.tokens.as_ref().is_none_or(usable);
        if ready { Ok(current.authorization.clone()) } else { Err(Cause::Request) }
    }

    /// Whether a request goes to the server that the token is for.
    fn is_ours(&self, uri: &Uri) -> bool {
        Url::parse(&uri.to_string()).is_ok_and(|url| url.origin() == self.origin)
    }
}

fn current(outcome: Outcome) -> Result<Current, Failure> {
    let value = outcome.authorization.map(|secret| HeaderValue::from_str(secret.expose())).transpose();
    let mut authorization = value.map_err(|_| Error::protocol("the token cannot be sent in a header"))?;
    if let Some(value) = &mut authorization {
        value.set_sensitive(true);
    }
    Ok(Current { tokens: outcome.tokens, authorization })
}

/// The access token in a request, and how it is sent.
fn sent(head: &RequestHead) -> Option<(TokenScheme, &str)> {
    TokenScheme::of(head.headers.get(AUTHORIZATION)?.to_str().ok()?)
}

impl Authorizer for ServerAuthorizer {
    fn authorize<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Option<HeaderValue>, Error>> {
        Box::pin(async move {
            if !self.shared.is_ours(&head.uri) {
                return Ok(None);
            }
            match self.shared.ready() {
                Ok(ready) => Ok(ready),
                Err(cause) => self.run(cause).await.map_err(told),
            }
        })
    }

    fn prove(&self, head: &RequestHead) -> Result<Option<HeaderValue>, Error> {
        let (Some(key), Some((TokenScheme::Dpop, token))) = (&self.shared.key, sent(head)) else {
            return Ok(None);
        };
        let proof = key.proof(head.method.as_str(), &head.uri.to_string(), Some(token))?;
        HeaderValue::from_str(proof.expose()).map(Some).map_err(|_| Error::protocol("a proof is no header"))
    }

    fn answered(&self, head: &RequestHead, headers: &HeaderMap) {
        if let Some(key) = self.shared.key.as_ref().filter(|_| self.shared.is_ours(&head.uri)) {
            key.note(&head.uri.to_string(), headers);
        }
    }

    fn challenged<'a>(&'a self, refused: RefusedRequest<'a>) -> BoxFuture<'a, Result<Verdict, Error>> {
        Box::pin(async move {
            if !self.shared.is_ours(&refused.head.uri) {
                return Ok(Verdict::GiveUp);
            }
            let texts: Vec<&str> =
                refused.challenges.iter().filter_map(|value| value.to_str().ok()).collect();
            let proved = refused.head.headers.contains_key(PROOF);
            if proved && is_for_nonce(&Challenge::parse(texts.iter().copied())) {
                return Ok(Verdict::Retry);
            }
            let cause = Cause::Refused {
                status: refused.status.as_u16(),
                challenges: texts.into_iter().map(str::to_owned).collect(),
                sent: sent(refused.head).map(|(_, token)| Secret::new(token)),
                operation: refused.operation.to_owned(),
            };
            match self.run(cause).await {
                Ok(Some(_)) => Ok(Verdict::Retry),
                Ok(None) | Err(Failure::Flow(AuthError::NotAboutAuthorization { .. })) => Ok(Verdict::GiveUp),
                Err(failure) => Err(told(failure)),
            }
        })
    }

    fn accepted(&self, head: &RequestHead, operation: &str) {
        if self.shared.refused.load(Ordering::Relaxed) && head.headers.contains_key(AUTHORIZATION) {
            let mut accepted = self.shared.accepted.lock();
            if accepted.len() < MAX_ACCEPTED {
                accepted.insert(operation.to_owned());
            }
        }
    }
}

fn told(failure: Failure) -> Error {
    let error = match failure {
        Failure::Flow(error) => Error::from(error),
        Failure::Local(error) => error,
    };
    Error::new(error.kind, format!("signing in: {}", error.message))
}
