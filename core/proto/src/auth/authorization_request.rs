//! The URL that the user's browser opens, and what has to be kept until it comes back.
//!
//! Owns: the parameters of an authorization request. Must not know: browsers, what the
//! answer is.

use serde::{Deserialize, Serialize};
use url::Url;

use super::endpoint;
use super::error::AuthError;
use super::metadata::AuthorizationServerMetadata;
use super::pkce::{self, Verifier};
use super::scope::{OFFLINE_ACCESS, Scopes};
use super::secret::Secret;
use crate::policy::discovery::Guard;

/// What is kept while the user is away. It is stored before the browser opens, so that the
/// answer is judged by what was asked, never by what the answer says.
///
/// ```
/// use mcpbolt_proto::auth::authorization_request::Pending;
/// use mcpbolt_proto::auth::pkce::Verifier;
///
/// let pending = Pending {
///     issuer: "https://a.example.com".into(),
///     says_issuer: true,
///     state: "af0ifjsldkj".into(),
///     verifier: Verifier::new(&[7; 32]),
///     client_id: "s6BhdRkqt3".into(),
///     redirect_uri: "http://localhost:3000/callback".into(),
///     resource: Some("https://mcp.example.com".into()),
///     scopes: Default::default(),
/// };
/// assert!(!format!("{pending:?}").contains("af0ifjsldkj"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    /// Who is asked, as an exact text.
    pub issuer: String,
    /// Whether it promises to say its issuer in the answer (RFC 9207).
    pub says_issuer: bool,
    /// What the answer has to repeat.
    pub state: Secret,
    /// What proves that the code was asked for by this client.
    pub verifier: Verifier,
    /// Which client asked.
    pub client_id: String,
    /// Where the browser comes back to.
    pub redirect_uri: String,
    /// Which server the token is for.
    pub resource: Option<String>,
    /// What was asked for.
    pub scopes: Scopes,
}

/// What an authorization request is made of besides what is kept.
///
/// ```
/// use mcpbolt_proto::auth::authorization_request::{AuthorizationRequest, Pending};
/// use mcpbolt_proto::auth::metadata::AuthorizationServerMetadata;
/// use mcpbolt_proto::auth::pkce::{Policy, Verifier};
///
/// # let pending = Pending {
/// #     issuer: "https://a.example.com".into(), says_issuer: true, state: "x".into(),
/// #     verifier: Verifier::new(&[7; 32]), client_id: "c".into(),
/// #     redirect_uri: "http://localhost:3000/callback".into(), resource: None, scopes: Default::default(),
/// # };
/// let server = AuthorizationServerMetadata {
///     authorization_endpoint: Some("https://a.example.com/authorize".into()),
///     code_challenge_methods_supported: Some(vec!["S256".into()]),
///     ..Default::default()
/// };
/// let request = AuthorizationRequest { server: &server, pending: &pending, extra: &[], private_use: false };
/// let url = request.url(Some(Policy::Listed), &Default::default())?;
/// assert!(url.starts_with("https://a.example.com/authorize?response_type=code&client_id=c&"));
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct AuthorizationRequest<'a> {
    /// What the authorization server says of itself.
    pub server: &'a AuthorizationServerMetadata,
    /// What is kept.
    pub pending: &'a Pending,
    /// Parameters of the program's own; those of the flow cannot be replaced.
    pub extra: &'a [(String, String)],
    /// Whether redirect URIs may have a scheme of the app's own.
    pub private_use: bool,
}

impl AuthorizationRequest<'_> {
    /// The URL to open. Refused are servers that do not say that they check PKCE (`None`
    /// leaves that out, for servers without metadata), that give no codes, or whose
    /// endpoint may not be used.
    pub fn url(&self, pkce: Option<pkce::Policy>, guard: &Guard) -> Result<String, AuthError> {
        endpoint::check_redirect_uri(&self.pending.redirect_uri, self.private_use)?;
        self.url_of_host(pkce, guard)
    }

    /// The same for hosts whose programs answer for their redirect URI themselves, which may be
    /// of any scheme.
    pub fn url_of_host(&self, pkce: Option<pkce::Policy>, guard: &Guard) -> Result<String, AuthError> {
        let field = "authorization_endpoint";
        let missing = AuthError::Unsupported { field, missing: "an endpoint" };
        let mut url =
            endpoint::check(field, self.server.authorization_endpoint.as_deref().ok_or(missing)?, guard)?;
        if let Some(policy) = pkce {
            policy.check(self.server.code_challenge_methods_supported.as_deref())?;
        }
        let types = self.server.response_types_supported.as_deref();
        if types.is_some_and(|types| types.iter().all(|kind| kind != "code")) {
            return Err(AuthError::Unsupported { field: "response_types_supported", missing: "code" });
        }
        let parameters = self.parameters();
        let ours = |name: &str| parameters.iter().any(|(known, _)| *known == name);
        // The endpoint's own query stays, but says nothing in our place.
        let kept: Vec<(String, String)> =
            url.query_pairs().filter(|(name, _)| !ours(name)).map(|(n, v)| (n.into(), v.into())).collect();
        let extra = self.extra.iter().filter(|(name, _)| !ours(name) && name != "request_uri");
        set_query(
            &mut url,
            kept.iter().map(pair).chain(parameters.iter().map(|(n, v)| (*n, v.as_str()))),
            extra.map(pair),
        );
        Ok(url.into())
    }

    fn parameters(&self) -> Vec<(&'static str, String)> {
        let pending = self.pending;
        let mut all = vec![
            ("response_type", "code".to_owned()),
            ("client_id", pending.client_id.clone()),
            ("redirect_uri", pending.redirect_uri.clone()),
            ("state", pending.state.expose().to_owned()),
            ("code_challenge", pending.verifier.challenge()),
            ("code_challenge_method", pkce::S256.to_owned()),
        ];
        // A host's program may leave it out.
        all.retain(|(name, value)| *name != "state" || !value.is_empty());
        all.extend(pending.resource.clone().map(|resource| ("resource", resource)));
        if !pending.scopes.is_empty() {
            all.push(("scope", pending.scopes.to_string()));
        }
        if pending.scopes.contains(OFFLINE_ACCESS) {
            // OpenID providers give it only to users who were asked.
            all.push(("prompt", "consent".to_owned()));
        }
        all
    }
}

fn pair((name, value): &(String, String)) -> (&str, &str) {
    (name, value)
}

fn set_query<'a>(
    url: &mut Url,
    first: impl Iterator<Item = (&'a str, &'a str)>,
    then: impl Iterator<Item = (&'a str, &'a str)>,
) {
    url.query_pairs_mut().clear().extend_pairs(first).extend_pairs(then);
}
