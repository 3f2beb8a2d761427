//! A resource server at work: what it says to each request.
//!
//! Owns: the way from a request's head to a principal, and refusals with their challenge. Must
//! not know: how a token or a proof is found to be genuine.

use std::sync::Arc;

use http::HeaderValue;
use http::header::AUTHORIZATION;
use url::Url;

use mcpbolt_proto::auth::challenge::TokenScheme;
use mcpbolt_proto::auth::resource_server::{
    Challenger, Presented, ProofRules, ResourceDocument, TokenClaims, TokenRefusal, missing,
};
use mcpbolt_proto::auth::scope::Scopes;

use crate::auth::time::now;
use crate::handler::{BoxFuture, Principal, RequestHead};
use crate::transport::streamable_http::server::{Denied, Verifier};

use super::accepted::{Accepted, Implies, NotAccepted};
use super::proofs::Dpop;

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
    tokens: Accepted,
    required: Scopes,
    implies: Implies,
    dpop: Option<Dpop>,
    schemes: Vec<TokenScheme>,
    algs: String,
}

impl ResourceServer {
    pub(super) fn new(
        document: ResourceDocument,
        tokens: Accepted,
        required: Scopes,
        implies: Implies,
        dpop: Option<Dpop>,
    ) -> Self {
        let published = serde_json::Value::from(document.members()).to_string().into();
        let schemes = match &dpop {
            None => vec![TokenScheme::Bearer],
            Some(dpop) if dpop.required => vec![TokenScheme::Dpop],
            Some(_) => vec![TokenScheme::Bearer, TokenScheme::Dpop],
        };
        Self { document, published, tokens, required, implies, dpop, schemes, algs: Dpop::algs() }
    }

    /// Where its metadata are.
    pub fn metadata_url(&self) -> &str {
        self.document.url()
    }

    /// The scopes that every request needs.
    #[cfg(feature = "bridge")]
    pub(crate) fn required(&self) -> &Scopes {
        &self.required
    }

    /// The URL that tokens are for.
    #[cfg(feature = "bridge")]
    pub(crate) fn resource(&self) -> &str {
        self.document.resource()
    }

    /// The path of its metadata, and what is there.
    #[cfg(feature = "bridge")]
    pub(crate) fn published(&self) -> (&str, &str) {
        (self.document.path(), &self.published)
    }

    /// Who is behind a token.
    #[cfg(feature = "bridge")]
    pub(crate) fn name(&self, claims: &TokenClaims) -> Option<String> {
        self.tokens.name(claims)
    }

    async fn admitted(&self, head: &RequestHead) -> Result<Principal, Denied> {
        let value = head.headers.get(AUTHORIZATION).map(HeaderValue::to_str).transpose();
        let value =
            value.map_err(|_| TokenRefusal::Request("Authorization has characters that no token has"));
        let presented = value.and_then(|value| Presented::read(value, head.uri.query()));
        let (scheme, token) = match presented {
            Ok(Presented::Token { scheme, token }) => (scheme, token),
            Ok(Presented::Nothing) => return Err(self.denied(&TokenRefusal::NoToken, self.schemes[0])),
            Err(refusal) => return Err(self.denied(&refusal, self.schemes[0])),
        };
        let claims = self.tokens.claims(token).await.map_err(|why| match why {
            NotAccepted::Refused(refusal) => self.denied(&refusal, scheme),
            NotAccepted::Unavailable => Denied::Unavailable,
        })?;
        self.possessed(head, scheme, token, &claims).await?;
        if !missing(&claims.scopes, &self.required, &*self.implies).is_empty() {
            return Err(self.denied(&TokenRefusal::Scope, scheme));
        }
        let nobody = || self.denied(&TokenRefusal::Token("it does not say for whom"), scheme);
        let name = self.tokens.name(&claims).ok_or_else(nobody)?;
        Ok(Principal::named(name).with_token(claims))
    }

    /// Whether who sent a token may have it: one that is bound to a key needs a proof.
    async fn possessed(
        &self,
        head: &RequestHead,
        scheme: TokenScheme,
        token: &str,
        claims: &TokenClaims,
    ) -> Result<(), Denied> {
        let denied = |refusal: TokenRefusal| Err(self.denied(&refusal, scheme));
        let (dpop, bound) = match (&self.dpop, claims.key_thumbprint.as_deref(), scheme) {
            (_, None, TokenScheme::Bearer) if !self.requires_proofs() => return Ok(()),
            (None, _, TokenScheme::Dpop) => {
                return denied(TokenRefusal::Token("proofs are not taken here; send it as Bearer"));
            }
            (None, Some(_), _) => {
                return denied(TokenRefusal::Token("it is bound to a key, and proofs are not taken here"));
            }
            (_, None, _) => return denied(TokenRefusal::Token("it is not bound to a key")),
            (Some(_), Some(_), TokenScheme::Bearer) => {
                return denied(TokenRefusal::Token("it is bound to a key; send it as DPoP, with a proof"));
            }
            (Some(dpop), Some(bound), TokenScheme::Dpop) => (dpop, bound),
        };
        let mut proofs = head.headers.get_all("dpop").iter();
        let (Some(proof), None) = (proofs.next().and_then(|proof| proof.to_str().ok()), proofs.next()) else {
            return denied(TokenRefusal::Proof("send one proof in the header DPoP"));
        };
        let rules = ProofRules {
            method: head.method.as_str(),
            url: &self.url_of(head),
            token,
            key_thumbprint: Some(bound),
            now: now(),
        };
        match dpop.check(proof, rules).await {
            Some(Ok(())) => Ok(()),
            Some(Err(refusal)) => denied(refusal),
            None => Err(Denied::Unavailable),
        }
    }

    fn requires_proofs(&self) -> bool {
        self.dpop.as_ref().is_some_and(|dpop| dpop.required)
    }

    /// The URL of a request as clients know it: that of this server; at another path, such as the
    /// one for messages of 2024-11-05, with the path of the request.
    fn url_of(&self, head: &RequestHead) -> String {
        let Ok(mut url) = Url::parse(self.document.resource()) else { return String::new() };
        // A proxy may take the front of a path away.
        if !url.path().ends_with(head.uri.path()) {
            url.set_path(head.uri.path());
        }
        url.into()
    }

    fn denied(&self, refusal: &TokenRefusal, sent: TokenScheme) -> Denied {
        let header = self.challenger().header(refusal, sent, &self.required);
        match (refusal, refusal.status()) {
            (TokenRefusal::Nonce, _) => {
                let nonce = self.dpop.as_ref().and_then(|dpop| dpop.nonce(now())).unwrap_or_default();
                Denied::NonceNeeded { challenge: header, nonce }
            }
            (_, 400) => Denied::Unreadable { challenge: Some(header) },
            (_, 403) => Denied::Forbidden { challenge: Some(header) },
            _ => Denied::Unauthorized { challenge: Some(header) },
        }
    }

    fn challenger(&self) -> Challenger<'_> {
        Challenger { metadata_url: Some(self.document.url()), schemes: &self.schemes, algs: &self.algs }
    }
}

impl Verifier for ResourceServer {
    fn verify<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Principal, Denied>> {
        Box::pin(self.admitted(head))
    }

    fn allows(&self, principal: &Principal, needed: &Scopes) -> Result<(), Denied> {
        let none = Scopes::default();
        let token = principal.token();
        let granted = token.map_or(&none, |token| &token.scopes);
        if missing(granted, needed, &*self.implies).is_empty() {
            return Ok(());
        }
        let bound = token.is_some_and(|token| token.key_thumbprint.is_some());
        let sent = if bound { TokenScheme::Dpop } else { TokenScheme::Bearer };
        // All that the request needs, so that the client asks once.
        let all = self.required.union(needed);
        let challenge = self.challenger().header(&TokenRefusal::Scope, sent, &all);
        Err(Denied::Forbidden { challenge: Some(challenge) })
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
