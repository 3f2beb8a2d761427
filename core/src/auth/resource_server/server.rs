//! A resource server at work: what it says to each request.
//!
//! Owns: the way from a request's head to a principal, and refusals with their challenge. Must
//! not know: how a token is found to be genuine.

use std::sync::Arc;

use http::header::AUTHORIZATION;

use mcpbolt_proto::auth::challenge::TokenScheme;
use mcpbolt_proto::auth::resource_server::{
    Presented, ResourceDocument, TokenClaims, TokenRefusal, TokenRules, insufficient_scope, missing,
};
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::auth::secret::Secret;

use crate::auth::flow::now;
use crate::handler::{BoxFuture, Principal, RequestHead};
use crate::transport::streamable_http::server::{Denied, Verifier};

use super::builder::{Implies, Naming};
use super::remembered::{Remembered, digest};
use super::verifier::{CheckedToken, TokenError, TokenVerifier};

/// The [`Verifier`] of a server that wants OAuth access tokens. It takes tokens of the issuers it
/// trusts that are for it and have not expired, answers everything else with the challenge
/// that leads clients to these issuers, and publishes its metadata (RFC 9728).
///
/// Tokens are JWTs (RFC 9068) whose signature is checked with the keys that their issuer
/// publishes, unless [`introspection`](super::ResourceServerBuilder::introspection) or
/// [`verifier`](super::ResourceServerBuilder::verifier) says otherwise. A token that was checked
/// is remembered, by its digest, until it ends, its issuer withdraws a key, or ten minutes are
/// over.
///
/// ```
/// use mcpbolt::auth::ResourceServer;
/// use mcpbolt::transport::streamable_http::server::HttpOptions;
/// use std::sync::Arc;
///
/// let tokens = ResourceServer::builder("https://mcp.example.com/mcp", ["https://login.example.com"]);
/// let options = HttpOptions { verify: Some(Arc::new(tokens.build()?)), ..HttpOptions::default() };
/// # let _ = options;
/// # Ok::<(), mcpbolt::Error>(())
/// ```
pub struct ResourceServer {
    document: ResourceDocument,
    /// The document as it is sent.
    published: Arc<str>,
    rules: TokenRules,
    required: Scopes,
    implies: Implies,
    naming: Option<Naming>,
    verifier: Arc<dyn TokenVerifier>,
    remembered: Remembered,
}

impl ResourceServer {
    pub(super) fn new(
        document: ResourceDocument,
        rules: TokenRules,
        required: Scopes,
        implies: Implies,
        naming: Option<Naming>,
        verifier: Arc<dyn TokenVerifier>,
    ) -> Self {
        let published = serde_json::Value::from(document.members()).to_string().into();
        let remembered = Remembered::default();
        Self { document, published, rules, required, implies, naming, verifier, remembered }
    }

    /// Where its metadata are.
    pub fn metadata_url(&self) -> &str {
        self.document.url()
    }

    /// Who is behind a token, however it came.
    ///
    /// # Errors
    /// [`Denied`] with the status and the challenge to answer with.
    pub async fn authenticate(&self, token: &str) -> Result<Principal, Denied> {
        let name = digest(token);
        let generation = self.verifier.generation();
        if let Some(known) = self.remembered.find(&name, generation) {
            return self.accepted(known);
        }
        let checked = self.verifier.verify(&Secret::new(token)).await;
        let CheckedToken { claims, remember } = checked.map_err(|error| match error {
            TokenError::Invalid(why) => self.denied(&TokenRefusal::Token(why)),
            TokenError::Unavailable => Denied::Unavailable,
        })?;
        let claims = Arc::new(claims);
        let principal = self.accepted(Arc::clone(&claims))?;
        self.remembered.keep(name, generation, &claims, remember);
        Ok(principal)
    }

    /// Judges the claims of a genuine token, for each request anew: time goes on.
    fn accepted(&self, claims: Arc<TokenClaims>) -> Result<Principal, Denied> {
        let deny = |refusal: TokenRefusal| self.denied(&refusal);
        self.rules.judge(&claims, now()).map_err(deny)?;
        if claims.key_thumbprint.is_some() {
            return Err(deny(TokenRefusal::Token("it is bound to a key, which is not supported here")));
        }
        if !missing(&claims.scopes, &self.required, &*self.implies).is_empty() {
            return Err(deny(TokenRefusal::Scope));
        }
        let name = self.name(&claims).ok_or_else(|| deny(TokenRefusal::Token("it does not say for whom")))?;
        Ok(Principal::named(name).with_token(claims))
    }

    fn name(&self, claims: &TokenClaims) -> Option<String> {
        if let Some(naming) = &self.naming {
            return naming(claims);
        }
        let who = claims.subject.as_ref().or(claims.client_id.as_ref())?;
        // One subject of two issuers is two people.
        let several = self.rules.issuers.len() > 1;
        let issuer = claims.issuer.as_deref().filter(|_| several);
        Some(issuer.map_or_else(|| who.clone(), |issuer| format!("{issuer} {who}")))
    }

    fn denied(&self, refusal: &TokenRefusal) -> Denied {
        let challenge = Some(refusal.challenge(Some(self.document.url()), &self.required).to_string());
        match refusal.status() {
            400 => Denied::Unreadable { challenge },
            403 => Denied::Forbidden { challenge },
            _ => Denied::Unauthorized { challenge },
        }
    }
}

impl Verifier for ResourceServer {
    fn verify<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Principal, Denied>> {
        let authorization = head.headers.get(AUTHORIZATION);
        let unreadable = TokenRefusal::Request("Authorization has characters that are not allowed");
        let value = authorization.map(|value| value.to_str().map_err(|_| unreadable)).transpose();
        Box::pin(async move {
            let presented = value.and_then(|value| Presented::read(value, head.uri.query()));
            match presented.map_err(|refusal| self.denied(&refusal))? {
                Presented::Nothing => Err(self.denied(&TokenRefusal::NoToken)),
                Presented::Token { scheme: TokenScheme::Dpop, .. } => {
                    Err(self.denied(&TokenRefusal::Token("send it with the scheme Bearer")))
                }
                Presented::Token { scheme: TokenScheme::Bearer, token } => self.authenticate(token).await,
            }
        })
    }

    fn allows(&self, principal: &Principal, needed: &Scopes) -> Result<(), Denied> {
        let none = Scopes::default();
        let granted = principal.token().map_or(&none, |token| &token.scopes);
        if missing(granted, needed, &*self.implies).is_empty() {
            return Ok(());
        }
        // All that the request needs, so that the client asks once.
        let all = self.required.union(needed);
        Err(Denied::Forbidden {
            challenge: Some(insufficient_scope(Some(self.document.url()), &all).to_string()),
        })
    }

    fn document(&self, path: &str) -> Option<Arc<str>> {
        (path == self.document.path()).then(|| Arc::clone(&self.published))
    }
}

impl std::fmt::Debug for ResourceServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ResourceServer").field("resource", &self.document.resource()).finish_non_exhaustive()
    }
}
