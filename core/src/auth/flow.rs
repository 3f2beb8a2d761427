//! One flow, from its cause to a token or an error.
//!
//! Owns: doing what each step says, and what is written down when. Must not know: which step
//! comes next, who waits for the token.

use futures_util::FutureExt as _;

use mcpbolt_proto::auth::dpop::wants_nonce;
use mcpbolt_proto::auth::error::{AuthError, Document};
use mcpbolt_proto::auth::fetch::{Answer, Fetch};
use mcpbolt_proto::auth::flow::{Cause, Event, Flow, GrantFlow, Need, Options, Random, Step, Stored};
use mcpbolt_proto::auth::metadata::{AuthorizationServerMetadata, ClientMetadata};
use mcpbolt_proto::auth::registration::ClientInformation;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::auth::token::{
    ClientAuthentication, Method, Tokens, needs_refresh, read_revocation, revocation_requests,
};
use mcpbolt_proto::protocol::{Error, ErrorKind};

use super::dpop_key::DpopKey;
use super::fetch::Fetcher;
use super::redirect::Listening;
use super::settings::Settings;
use super::store::Credentials;
use super::time::now;

/// Why a flow brought no token.
#[derive(Debug, Clone)]
pub(super) enum Failure {
    /// The flow says so.
    Flow(AuthError),
    /// Something the flow needed could not be done.
    Local(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Local(error)
    }
}

impl Failure {
    /// Whether it concerns the one request only, so that others need not fail with it.
    pub(super) fn is_of_one_request(&self) -> bool {
        let own = |error: &AuthError| {
            matches!(error, AuthError::StepUpExhausted { .. } | AuthError::NotAboutAuthorization { .. })
        };
        matches!(self, Self::Flow(error) if own(error))
    }
}

/// Runs flows for one server, one after the other.
pub(super) struct Runner {
    settings: Settings,
    fetcher: Fetcher,
    /// The canonical URL of the server, by which stores know it.
    server: String,
    /// What outlasts a flow, such as how often more was asked for.
    saved: Secret,
}

/// What a flow leaves for the requests.
pub(super) struct Outcome {
    pub(super) authorization: Option<Secret>,
    /// What is kept now.
    pub(super) tokens: Option<Tokens>,
}

/// How an attempt ends that does not fail.
enum Ending {
    Sends(Outcome),
    /// It takes the user, and there is no place for their answer. What is kept is as it was left.
    NeedsUser(Box<Credentials>),
}

impl Runner {
    /// Fails if an option is wrong.
    pub(super) fn new(settings: Settings, fetcher: Fetcher, server: String) -> Result<Self, Error> {
        let saved = Flow::new(settings.flow.clone(), Stored::default())?.save();
        Ok(Self { settings, fetcher, server, saved })
    }

    /// Goes from a cause to a token. `accepted` are operations that succeeded meanwhile.
    pub(super) async fn run(&mut self, cause: Cause, accepted: Vec<String>) -> Result<Outcome, Failure> {
        let store = self.settings.store.clone();
        let mut kept = store.load(&self.server).await?;
        let stale = kept.tokens.as_ref().is_some_and(|tokens| needs_refresh(tokens, now()));
        let lock =
            if stale || cause != Cause::Request { Some(store.lock(&self.server).await?) } else { None };
        if lock.is_some() {
            // Another program may have got new tokens while this one waited.
            kept = store.load(&self.server).await?;
        }
        let listening = self.place(&cause, &kept).await?;
        let ending = match self.attempt(cause.clone(), &accepted, Box::new(kept), listening).await? {
            Ending::NeedsUser(kept) => {
                let ready = self.settings.redirect.listen().await?;
                self.attempt(cause, &accepted, kept, Some(ready)).await?
            }
            ending @ Ending::Sends(_) => ending,
        };
        drop(lock);
        match ending {
            Ending::Sends(outcome) => Ok(outcome),
            Ending::NeedsUser(_) => Err(Error::closed().into()),
        }
    }

    /// Where the answer of the user comes to, if the cause may lead to them. Where a refresh token
    /// may do, only a place that is free: others may be signing in there.
    async fn place(&self, cause: &Cause, kept: &Credentials) -> Result<Option<Box<dyn Listening>>, Error> {
        if !self.may_need_user(cause) {
            return Ok(None);
        }
        let ready = self.settings.redirect.listen();
        if kept.tokens.as_ref().is_none_or(|tokens| tokens.refresh_token.is_none()) {
            return ready.await.map(Some);
        }
        Ok(ready.now_or_never().and_then(Result::ok))
    }

    fn may_need_user(&self, cause: &Cause) -> bool {
        *cause != Cause::Request && self.settings.flow.grant == GrantFlow::AuthorizationCode
    }

    /// One way from the cause to a token. What the flow remembers stays as it was if it is to be
    /// gone again with the user.
    async fn attempt(
        &mut self,
        cause: Cause,
        accepted: &[String],
        kept: Box<Credentials>,
        listening: Option<Box<dyn Listening>>,
    ) -> Result<Ending, Failure> {
        let mut options = self.settings.flow.clone();
        let may_need_user = self.may_need_user(&cause);
        if may_need_user {
            options.client.redirect_uris =
                listening.iter().map(|ready| ready.redirect_uri().to_owned()).collect();
        }
        let mut flow = self.resumed(options, &kept)?;
        for operation in accepted {
            flow.accepted(operation);
        }
        let step = flow.start(cause, now(), &random()?);
        let alone = may_need_user && listening.is_none();
        let mut run = Run { runner: self, flow, kept, listening, alone, network: None };
        let ending = run.steps(step).await;
        let saved = run.flow.save();
        if !matches!(ending, Ok(Ending::NeedsUser(_))) {
            self.saved = saved;
        }
        ending
    }

    /// Forgets the tokens of the server, then has the authorization server revoke them. What is
    /// kept of the client stays.
    pub(super) async fn sign_out(&self) -> Result<(), Failure> {
        let store = self.settings.store.clone();
        let lock = store.lock(&self.server).await?;
        let mut kept = store.load(&self.server).await?;
        let Some(tokens) = kept.tokens.take() else { return Ok(()) };
        kept.pending_authorization = None;
        store.save(&self.server, &kept).await?;
        drop(lock);
        for request in self.revocations(&kept, &tokens).await? {
            let answer = self.fetcher.fetch(&request).await?;
            read_revocation(&answer).map_err(Failure::Flow)?;
        }
        Ok(())
    }

    /// The requests that revoke tokens; none where the authorization server takes none.
    async fn revocations(&self, kept: &Credentials, tokens: &Tokens) -> Result<Vec<Fetch>, Failure> {
        let server = kept.authorization_server.as_ref().map(|server| &server.metadata);
        let Some((server, endpoint)) =
            server.and_then(|server| server.revocation_endpoint.as_deref().map(|at| (server, at)))
        else {
            return Ok(Vec::new());
        };
        let mut clients = self.settings.clients.iter().chain(&kept.client_registrations);
        let known = clients.find(|client| Some(&client.client_id) == tokens.client_id.as_ref());
        let document = tokens.client_id.as_deref().map(ClientInformation::of_document);
        let proof = match (known.cloned(), document) {
            (Some(client), _) | (None, Some(Ok(client))) => self.proof(&client, server).await?,
            _ => ClientAuthentication::Nobody,
        };
        let options = &self.settings.flow;
        let guard = Options { server_url: self.server.clone(), ..options.clone() }.guard();
        let (guard, writing) = (guard.map_err(Failure::Flow)?, options.compatibility.writing);
        revocation_requests(endpoint, tokens, &proof, writing, &guard).map_err(Failure::Flow)
    }

    async fn proof(
        &self,
        client: &ClientInformation,
        server: &AuthorizationServerMetadata,
    ) -> Result<ClientAuthentication, Failure> {
        let supported = server.token_endpoint_auth_methods_supported.as_deref();
        let method = Method::choose(client, supported).map_err(Failure::Flow)?;
        let need =
            Need::ClientAssertion { client_id: client.client_id.clone(), audience: server.issuer.clone() };
        let assertion = match &self.settings.supplier {
            Some(supplier) if method == Method::PrivateKeyJwt => supplier.supply(&need).await?,
            _ => None,
        };
        ClientAuthentication::of(client, method, assertion).map_err(Failure::Flow)
    }

    /// Sends a request. One that goes with a proof is sent once more where the server wants its
    /// nonce in it.
    async fn fetched(&self, fetch: &Fetch, wants_proof: bool) -> Result<Answer, Error> {
        let Some(key) = self.settings.dpop.as_ref().filter(|_| wants_proof) else {
            return self.fetcher.fetch(fetch).await;
        };
        let answer = self.proved(fetch, key).await?;
        if wants_nonce(&answer) { self.proved(fetch, key).await } else { Ok(answer) }
    }

    async fn proved(&self, fetch: &Fetch, key: &DpopKey) -> Result<Answer, Error> {
        let mut fetch = fetch.clone();
        fetch.headers.push(("DPoP", key.proof(fetch.method(), &fetch.url, None)?));
        let answer = self.fetcher.fetch(&fetch).await?;
        if let Some(nonce) = &answer.dpop_nonce {
            key.note_nonce(&fetch.url, nonce);
        }
        Ok(answer)
    }

    fn resumed(&self, options: Options, kept: &Credentials) -> Result<Flow, Failure> {
        let clients = self.settings.clients.iter().chain(&kept.client_registrations).cloned().collect();
        let stored = Stored {
            clients,
            tokens: kept.tokens.clone(),
            server: kept.authorization_server.clone(),
            resource: None,
        };
        Flow::resume(options, stored, &self.saved).map_err(Failure::Flow)
    }
}

/// 64 bytes that nobody can guess.
fn random() -> Result<Random, Error> {
    let mut bytes = [0; 64];
    getrandom::fill(&mut bytes)
        .map_err(|_| Error::new(ErrorKind::Internal, "the system has no random bytes"))?;
    Ok(Random::new(bytes))
}

/// A flow under way.
struct Run<'a> {
    runner: &'a Runner,
    flow: Flow,
    kept: Box<Credentials>,
    listening: Option<Box<dyn Listening>>,
    /// Whether it ends where the user is needed.
    alone: bool,
    /// Why the last request had no answer.
    network: Option<Error>,
}

impl Run<'_> {
    async fn steps(&mut self, mut step: Step) -> Result<Ending, Failure> {
        loop {
            if self.alone && self.needs_user(&step) {
                return Ok(Ending::NeedsUser(std::mem::take(&mut self.kept)));
            }
            let event = match step {
                Step::Send { authorization } => {
                    return Ok(Ending::Sends(Outcome { authorization, tokens: self.kept.tokens.clone() }));
                }
                Step::Fail(error) => return Err(self.failed(error)),
                Step::Fetch(fetch) => match self.runner.fetched(&fetch, self.flow.wants_proof()).await {
                    Ok(answer) => Event::Answered(answer),
                    Err(why) => {
                        let kind = why.kind;
                        tracing::debug!(target: "mcpbolt::security", ?kind, "no answer on the way to a token");
                        self.network = Some(why);
                        Event::Unreachable
                    }
                },
                Step::Remember(pending) => {
                    self.kept.pending_authorization = Some(*pending);
                    self.save().await?
                }
                Step::OpenBrowser { url } => self.browse(url).await?,
                Step::AskUserForClient { issuer, metadata } => self.client(&issuer, &metadata).await?,
                Step::Supply(need) => self.supply(&need).await?,
                // All that is kept is given before.
                Step::Load { .. } => Event::GaveUp,
                Step::Store(change) => {
                    self.kept.apply(*change);
                    self.kept.authorization_server = self.flow.server().cloned();
                    self.save().await?
                }
            };
            step = self.flow.take(event, now());
        }
    }

    /// Whether a step leads to the user, or fails because their answer would have no place.
    fn needs_user(&self, step: &Step) -> bool {
        match step {
            Step::Fetch(_) => self.flow.asked() == Some(Document::Registration),
            Step::AskUserForClient { .. }
            | Step::Fail(AuthError::Malformed {
                document: Document::Client, field: "redirect_uris", ..
            }) => true,
            _ => false,
        }
    }

    async fn save(&self) -> Result<Event, Failure> {
        self.runner.settings.store.save(&self.runner.server, &self.kept).await?;
        Ok(Event::Done)
    }

    /// The user's way to the authorization server and back.
    async fn browse(&mut self, url: Secret) -> Result<Event, Failure> {
        let listening = self.listening.take().ok_or_else(Error::closed)?;
        tracing::info!(target: "mcpbolt::security", "a user is asked to sign in");
        let came = tokio::time::timeout(self.runner.settings.patience, listening.visit(url)).await;
        self.kept.pending_authorization = None;
        self.save().await?;
        Ok(match came {
            Ok(answer) => Event::Redirected(answer?),
            Err(_) => Event::GaveUp,
        })
    }

    async fn client(&self, issuer: &str, metadata: &ClientMetadata) -> Result<Event, Failure> {
        let Some(supplier) = &self.runner.settings.supplier else { return Ok(Event::GaveUp) };
        Ok(supplier.register_by_hand(issuer, metadata).await?.map_or(Event::GaveUp, Event::ClientGiven))
    }

    async fn supply(&self, need: &Need) -> Result<Event, Failure> {
        let Some(supplier) = &self.runner.settings.supplier else { return Ok(Event::GaveUp) };
        Ok(supplier.supply(need).await?.map_or(Event::GaveUp, Event::Supplied))
    }

    /// Where nobody answered, why not says more.
    fn failed(&mut self, error: AuthError) -> Failure {
        match (&error, self.network.take()) {
            (AuthError::Unavailable { document, status: None }, Some(why)) => {
                let message = format!("{document}: {}", why.message);
                Failure::Local(Error::new(why.kind, message))
            }
            _ => Failure::Flow(error),
        }
    }
}
