//! The phases that get tokens.
//!
//! Owns: which grant is next, the browser's way, what the program supplies, and what
//! follows from a token endpoint's answer. Must not know: how requests look.

use super::find::came;
use super::machine::{Ask, Machine, Next, Phase, Purpose, Then};
use super::options::{Audience, GrantFlow};
use super::step::{Change, Event, Need, Step};
use crate::auth::authorization_request::{AuthorizationRequest, Pending};
use crate::auth::error::{AuthError, Document};
use crate::auth::fetch::Fetch;
use crate::auth::registration::{ClientInformation, ClientOrigin};
use crate::auth::scope::Scopes;
use crate::auth::secret::Secret;
use crate::auth::token::{
    ClientAuthentication, Expected, Grant, Method, Spent, TokenRequest, Tokens, read_tokens, token_type,
};

/// The profile by which a server says that it takes ID-JAG.
const ID_JAG_PROFILE: &str = "urn:ietf:params:oauth:grant-profile:id-jag";

impl Machine {
    /// Goes on to tokens, once server and client are known.
    pub(super) fn obtain(&mut self) -> Next {
        match self.options.grant.clone() {
            GrantFlow::AuthorizationCode if !self.state.refreshed && self.refreshable().is_some() => {
                self.refresh()
            }
            _ if self.state.quiet => Ok(self.send_unexpired()),
            GrantFlow::AuthorizationCode => self.authorize(),
            GrantFlow::ClientCredentials => self.ask(Grant::ClientCredentials, Purpose::Machine),
            GrantFlow::EnterpriseManaged { identity_provider } => {
                let metadata = &self.server()?.metadata;
                let assumed = self.options.compatibility.assume_id_jag;
                if !assumed && !metadata.supports_profile(ID_JAG_PROFILE) {
                    let field = "authorization_grant_profiles_supported";
                    return Err(AuthError::Unsupported { field, missing: ID_JAG_PROFILE });
                }
                match identity_provider {
                    None => {
                        let audience = self.issuer()?.to_owned();
                        let (resource, scopes) = (self.resource.clone(), self.scopes());
                        Ok(self.need(Need::IdJag { audience, resource, scopes }, None))
                    }
                    Some(provider) => {
                        let token_type = provider.subject_token_type;
                        Ok(self.need(Need::SubjectToken { token_type }, None))
                    }
                }
            }
            GrantFlow::WorkloadIdentity => {
                let audience = self.audience(Audience::TokenEndpoint)?;
                Ok(self.need(Need::WorkloadAssertion { audience }, None))
            }
        }
    }

    /// Uses the refresh token.
    pub(super) fn refresh(&mut self) -> Next {
        let (refresh_token, scopes) = match self.refreshable() {
            Some(Tokens { refresh_token: Some(token), scopes, .. }) => (token.clone(), scopes.clone()),
            _ => return self.obtain_anew(),
        };
        self.state.refreshed = true;
        let mut ask = self.request(Grant::RefreshToken { refresh_token }, Purpose::Refresh);
        // Fewer or more scopes than before are not asked for.
        ask.request.scopes = Scopes::default();
        ask.scopes = scopes;
        self.prove(ask)
    }

    fn obtain_anew(&mut self) -> Next {
        self.state.refreshed = true;
        self.obtain()
    }

    fn authorize(&mut self) -> Next {
        let malformed = |field, why| AuthError::Malformed { document: Document::Client, field, why };
        let uris = &self.options.client.redirect_uris;
        let redirect_uri =
            uris.first().cloned().ok_or(malformed("redirect_uris", "it has to name at least one"))?;
        let fresh = self.state.fresh.take().ok_or(AuthError::Unexpected { expected: "a new start" })?;
        let server = self.server()?;
        let issuer = &server.metadata.issuer;
        let verifier = if self.options.loads { fresh.verifier.naming(issuer) } else { fresh.verifier };
        let pending = Pending {
            issuer: server.metadata.issuer.clone(),
            says_issuer: server.metadata.authorization_response_iss_parameter_supported,
            state: fresh.state,
            verifier,
            client_id: self.client()?.client_id.clone(),
            redirect_uri,
            resource: self.resource_parameter(),
            scopes: self.scopes(),
        };
        let request = AuthorizationRequest {
            server: &server.metadata,
            pending: &pending,
            extra: &self.options.extra,
            private_use: self.options.private_use_redirects,
        };
        let pkce = (!server.is_assumed).then_some(self.options.compatibility.pkce);
        let any = self.options.compatibility.any_redirect_uri;
        let url = if any { request.url_of_host(pkce, &self.guard) } else { request.url(pkce, &self.guard) };
        let url = Secret::new(url?);
        let step = Step::Remember(Box::new(pending.clone()));
        // Users who give up must not be asked for ever.
        self.state.counted = None;
        self.state.phase = Phase::Remembering { url, pending: Box::new(pending) };
        Ok(step)
    }

    pub(super) fn open_browser(&mut self, url: Secret, pending: Box<Pending>) -> Step {
        self.state.phase = Phase::Browsing { pending };
        Step::OpenBrowser { url }
    }

    pub(super) fn browser_came_back(&mut self, event: Event, pending: Pending) -> Next {
        let answer = match event {
            Event::Redirected(answer) => answer,
            Event::CodeGiven { verifier, .. } if !verifier.may_be_of(&pending.issuer) => {
                let document = Document::AuthorizationResponse;
                return Err(AuthError::IssuerMismatch { document, expected: pending.issuer });
            }
            Event::CodeGiven { code, verifier } => return self.redeem(code, Pending { verifier, ..pending }),
            Event::GaveUp => return Err(AuthError::GivenUp { what: "the answer of the browser" }),
            _ => return Err(AuthError::Unexpected { expected: "the answer of the browser" }),
        };
        let code = answer.code(&pending, self.options.compatibility.issuer_check)?;
        self.redeem(code, pending)
    }

    fn redeem(&mut self, code: Secret, pending: Pending) -> Next {
        let Pending { verifier, redirect_uri, resource, scopes, .. } = pending;
        let grant = Grant::AuthorizationCode { code, verifier, redirect_uri };
        let request = TokenRequest { grant, resource, scopes: Scopes::default(), extra: Vec::new() };
        self.prove(Ask { request, purpose: Purpose::Code, scopes })
    }

    /// Takes what the program supplied.
    pub(super) fn supplied(&mut self, event: Event, need: &Need, ask: Option<Ask>) -> Next {
        let secret = match event {
            Event::Supplied(secret) if !secret.is_empty() => secret,
            Event::GaveUp | Event::Supplied(_) => return Err(AuthError::GivenUp { what: need.name() }),
            _ => return Err(AuthError::Unexpected { expected: need.name() }),
        };
        match (need, ask) {
            (Need::ClientAssertion { .. }, Some(ask)) => self.post(ask, Some(secret)),
            (Need::SubjectToken { .. }, _) => {
                self.state.subject_token = Some(secret);
                self.exchange_identity()
            }
            _ => self.ask(Grant::JwtBearer { assertion: secret }, Purpose::Machine),
        }
    }

    /// Has the company's identity provider turn the user's token into a grant.
    pub(super) fn exchange_identity(&mut self) -> Next {
        let GrantFlow::EnterpriseManaged { identity_provider: Some(provider) } = self.options.grant.clone()
        else {
            return Err(AuthError::Unexpected { expected: "a new start" });
        };
        let endpoint = provider.token_endpoint.clone().or_else(|| self.state.exchange_at.clone());
        let Some(endpoint) = endpoint else {
            return self.find_identity_provider(&provider.issuer);
        };
        self.state.exchange_at = Some(endpoint);
        let subject_token = self.state.subject_token.take();
        let grant = Grant::TokenExchange {
            subject_token: subject_token.ok_or(AuthError::GivenUp { what: "subject token" })?,
            subject_token_type: provider.subject_token_type.clone(),
            requested_token_type: token_type::ID_JAG.to_owned(),
            audience: self.issuer()?.to_owned(),
        };
        self.ask(grant, Purpose::IdJag)
    }

    fn request(&self, grant: Grant, purpose: Purpose) -> Ask {
        let scopes = self.scopes();
        let resource = self.resource_parameter();
        let request = TokenRequest { grant, resource, scopes: scopes.clone(), extra: Vec::new() };
        Ask { request, purpose, scopes }
    }

    fn ask(&mut self, grant: Grant, purpose: Purpose) -> Next {
        let ask = self.request(grant, purpose);
        self.prove(ask)
    }

    fn need(&mut self, need: Need, ask: Option<Ask>) -> Step {
        self.state.phase = Phase::Supplying { need: need.clone(), ask: ask.map(Box::new) };
        Step::Supply(need)
    }

    /// Sends the request, once the client can prove itself.
    fn prove(&mut self, ask: Ask) -> Next {
        if self.method(&ask)? == Some(Method::PrivateKeyJwt) {
            let client_id = self.asking(ask.purpose)?.client_id.clone();
            let audience = match ask.purpose {
                Purpose::IdJag => self.identity_issuer(),
                _ => self.audience(Audience::Issuer)?,
            };
            return Ok(self.need(Need::ClientAssertion { client_id, audience }, Some(ask)));
        }
        self.post(ask, None)
    }

    fn post(&mut self, ask: Ask, assertion: Option<Secret>) -> Next {
        let proof = match self.method(&ask)? {
            None => ClientAuthentication::Nobody,
            Some(method) => ClientAuthentication::of(self.asking(ask.purpose)?, method, assertion)?,
        };
        let endpoint = self.token_endpoint(ask.purpose)?;
        let fetch = ask.request.fetch(&endpoint, &proof, self.options.compatibility.writing, &self.guard)?;
        self.state.phase = Phase::Requesting { ask: Box::new(ask), sent: Some(Box::new(fetch.clone())) };
        Ok(Step::Fetch(Box::new(fetch)))
    }

    /// How the client proves itself; not at all where the grant says who it is.
    fn method(&self, ask: &Ask) -> Result<Option<Method>, AuthError> {
        if self.options.grant == GrantFlow::WorkloadIdentity || self.options.program_authenticates {
            return Ok(None);
        }
        let supported = match ask.purpose {
            Purpose::IdJag => None,
            _ => self.server()?.metadata.token_endpoint_auth_methods_supported.as_deref(),
        };
        Method::choose(self.asking(ask.purpose)?, supported).map(Some)
    }

    /// The client as it is known to whom is asked.
    fn asking(&self, purpose: Purpose) -> Result<&ClientInformation, AuthError> {
        match &self.options.grant {
            GrantFlow::EnterpriseManaged { identity_provider: Some(provider) }
                if purpose == Purpose::IdJag =>
            {
                Ok(&provider.client)
            }
            _ => self.client(),
        }
    }

    fn token_endpoint(&self, purpose: Purpose) -> Result<String, AuthError> {
        let endpoint = match purpose {
            Purpose::IdJag => self.state.exchange_at.as_ref(),
            _ => self.server()?.metadata.token_endpoint.as_ref(),
        };
        let missing = AuthError::Unsupported { field: "token_endpoint", missing: "an endpoint" };
        endpoint.cloned().ok_or(missing)
    }

    fn identity_issuer(&self) -> String {
        match &self.options.grant {
            GrantFlow::EnterpriseManaged { identity_provider: Some(provider) } => provider.issuer.clone(),
            _ => String::new(),
        }
    }

    fn audience(&self, usual: Audience) -> Result<String, AuthError> {
        match self.options.audience.unwrap_or(usual) {
            Audience::Issuer => Ok(self.issuer()?.to_owned()),
            Audience::TokenEndpoint => self.token_endpoint(Purpose::Machine),
        }
    }

    /// Takes the answer of a token endpoint.
    pub(super) fn tokens_came(&mut self, event: Event, ask: &Ask, sent: Option<Box<Fetch>>) -> Next {
        let answer = came(event, Document::Token)??;
        let request = sent.ok_or(AuthError::Unexpected { expected: "a new start" })?;
        let issued_type = (ask.purpose == Purpose::IdJag).then_some(token_type::ID_JAG);
        let bearer_if_unsaid = self.options.compatibility.bearer_if_unsaid;
        let proved = self.options.proofs && ask.purpose != Purpose::IdJag;
        let expected =
            Expected { request: &request, scopes: &ask.scopes, issued_type, bearer_if_unsaid, proved };
        match read_tokens(&answer, expected, self.now) {
            Ok(tokens) if ask.purpose == Purpose::IdJag => {
                self.ask(Grant::JwtBearer { assertion: tokens.access_token }, Purpose::Machine)
            }
            Ok(tokens) => self.keep_tokens(tokens, ask.purpose),
            Err(why) if self.options.compatibility.refusals_end => {
                let unclear = match &why {
                    AuthError::TokenRefused { refusal, .. } => refusal.is_unclear(),
                    _ => true,
                };
                if ask.purpose == Purpose::Refresh && unclear { self.obtain_anew() } else { Err(why) }
            }
            Err(AuthError::TokenRefused { status, refusal }) => {
                self.tokens_refused(AuthError::TokenRefused { status, refusal }, ask.purpose)
            }
            Err(why) => Err(why),
        }
    }

    fn keep_tokens(&mut self, mut tokens: Tokens, purpose: Purpose) -> Next {
        let issuer = self.issuer()?.to_owned();
        if purpose == Purpose::Refresh && tokens.refresh_token.is_none() {
            // A server that says nothing of it leaves the old one as it is.
            tokens.refresh_token = self.tokens().and_then(|old| old.refresh_token.clone());
        }
        tokens.issuer = Some(issuer.clone());
        tokens.resource = Some(self.resource.clone());
        tokens.client_id = self.state.client.as_ref().map(|client| client.client_id.clone());
        self.stored.tokens = Some(tokens.clone());
        // It may be the same again, and be refused again.
        self.state.counted = None;
        self.state.phase = Phase::StoringTokens;
        Ok(Step::Store(Box::new(Change::Tokens { issuer, tokens })))
    }

    /// What follows from a refusal: a client that the server knows no more registers anew,
    /// a refresh token that is used up leads to the user. So does any other refusal, which may be
    /// a gateway's: the tokens stay, as they may serve later.
    fn tokens_refused(&mut self, why: AuthError, purpose: Purpose) -> Next {
        let AuthError::TokenRefused { refusal, .. } = &why else { return Err(why) };
        let issuer = self.issuer()?.to_owned();
        let dynamic = self.state.client.as_ref().is_some_and(|client| client.origin == ClientOrigin::Dynamic);
        let spent = Spent::by(&refusal.error);
        let (change, then) = match (spent, purpose) {
            (Some(Spent::Client), Purpose::Refresh) if dynamic => {
                (Change::ForgetClient { issuer }, Then::Register)
            }
            (Some(Spent::Client), Purpose::Code) if dynamic => {
                (Change::ForgetClient { issuer }, Then::Fail(why))
            }
            (Some(Spent::Tokens), Purpose::Refresh) => (Change::ForgetTokens { issuer }, Then::Authorize),
            (None, Purpose::Refresh) => return self.obtain_anew(),
            _ => return Err(why),
        };
        if let Change::ForgetClient { issuer } = &change {
            self.forget_client(issuer);
            self.state.client = None;
        }
        self.stored.tokens = None;
        self.state.phase = Phase::Forgetting { then };
        Ok(Step::Store(Box::new(change)))
    }

    pub(super) fn forgotten(&mut self, then: Then) -> Next {
        match then {
            Then::Authorize => self.obtain_anew(),
            Then::Register => self.become_known(),
            Then::Fail(why) => Err(why),
        }
    }
}
