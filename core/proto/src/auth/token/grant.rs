//! What a client gives for tokens.
//!
//! Owns: the grants as forms. Must not know: how the client proves itself, what comes back.

use serde::{Deserialize, Serialize};

use super::authentication::{ClientAuthentication, Writing};
use crate::auth::endpoint;
use crate::auth::error::AuthError;
use crate::auth::fetch::{Body, Fetch, Rules};
use crate::auth::pkce::Verifier;
use crate::auth::scope::Scopes;
use crate::auth::secret::Secret;
use crate::policy::discovery::Guard;

/// Names of kinds of tokens in token exchanges (RFC 8693).
pub mod token_type {
    /// An ID token of OpenID Connect.
    pub const ID_TOKEN: &str = "urn:ietf:params:oauth:token-type:id_token";
    /// A refresh token.
    pub const REFRESH_TOKEN: &str = "urn:ietf:params:oauth:token-type:refresh_token";
    /// An identity assertion that an authorization server takes as a grant.
    pub const ID_JAG: &str = "urn:ietf:params:oauth:token-type:id-jag";
}

/// What is given for tokens.
///
/// ```
/// use mcpbolt_proto::auth::token::Grant;
///
/// let grant = Grant::RefreshToken { refresh_token: "tGzv3JOkF0XG5Qx2TlKWIA".into() };
/// assert_eq!(grant.name(), "refresh_token");
/// assert!(!format!("{grant:?}").contains("tGzv3"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Grant {
    /// A code that the browser brought.
    AuthorizationCode {
        /// The code.
        code: Secret,
        /// What proves that this client asked for it.
        verifier: Verifier,
        /// Where the browser came back to.
        redirect_uri: String,
    },
    /// A refresh token.
    RefreshToken {
        /// The token.
        refresh_token: Secret,
    },
    /// The client's own credentials.
    ClientCredentials,
    /// Another token (RFC 8693): from an identity provider, the grant for another server.
    TokenExchange {
        /// The token that is given.
        subject_token: Secret,
        /// What kind it is.
        subject_token_type: String,
        /// What kind is wanted.
        requested_token_type: String,
        /// The issuer that shall take it.
        audience: String,
    },
    /// An assertion that somebody signed (RFC 7523, section 2.1).
    JwtBearer {
        /// The assertion.
        assertion: Secret,
    },
}

impl Grant {
    /// The value of `grant_type`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::AuthorizationCode { .. } => "authorization_code",
            Self::RefreshToken { .. } => "refresh_token",
            Self::ClientCredentials => "client_credentials",
            Self::TokenExchange { .. } => "urn:ietf:params:oauth:grant-type:token-exchange",
            Self::JwtBearer { .. } => "urn:ietf:params:oauth:grant-type:jwt-bearer",
        }
    }

    fn fields(&self) -> Vec<(String, Secret)> {
        let field = |name: &str, value: &str| (name.to_owned(), Secret::new(value));
        let mut form = vec![field("grant_type", self.name())];
        match self {
            Self::AuthorizationCode { code, verifier, redirect_uri } => form.extend([
                field("code", code.expose()),
                field("code_verifier", verifier.secret().expose()),
                field("redirect_uri", redirect_uri),
            ]),
            Self::RefreshToken { refresh_token } => {
                form.push(field("refresh_token", refresh_token.expose()));
            }
            Self::ClientCredentials => {}
            Self::TokenExchange { subject_token, subject_token_type, requested_token_type, audience } => {
                form.extend([
                    field("subject_token", subject_token.expose()),
                    field("subject_token_type", subject_token_type),
                    field("requested_token_type", requested_token_type),
                    field("audience", audience),
                ]);
            }
            Self::JwtBearer { assertion } => form.push(field("assertion", assertion.expose())),
        }
        form
    }
}

/// A request for tokens.
///
/// ```
/// use mcpbolt_proto::auth::token::{ClientAuthentication, Grant, TokenRequest, Writing};
///
/// let request = TokenRequest {
///     grant: Grant::RefreshToken { refresh_token: "r".into() },
///     resource: Some("https://mcp.example.com".into()),
///     scopes: Default::default(),
///     extra: Vec::new(),
/// };
/// let client = ClientAuthentication::None { client_id: "c".into() };
/// let fetch = request.fetch("https://a.example.com/token", &client, Writing::default(), &Default::default())?;
/// assert_eq!(fetch.body.field("resource"), Some("https://mcp.example.com"));
/// assert!(!fetch.url.contains('?')); // nothing secret is in the URL
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenRequest {
    /// What is given.
    pub grant: Grant,
    /// The server that the token is for.
    pub resource: Option<String>,
    /// What it should be good for; none leaves it to the server.
    pub scopes: Scopes,
    /// Fields of the program's own; those of the grant cannot be replaced.
    pub extra: Vec<(String, Secret)>,
}

impl TokenRequest {
    /// The request to send to a token endpoint, which has to be HTTPS or on this machine.
    pub fn fetch(
        &self,
        token_endpoint: &str,
        client: &ClientAuthentication,
        writing: Writing,
        guard: &Guard,
    ) -> Result<Fetch, AuthError> {
        let url = endpoint::check("token_endpoint", token_endpoint, guard)?;
        let mut form = self.grant.fields();
        if !self.scopes.is_empty() {
            form.push(("scope".to_owned(), Secret::new(self.scopes.to_string())));
        }
        form.extend(self.resource.as_deref().map(|resource| ("resource".to_owned(), resource.into())));
        let is_own = matches!(self.grant, Grant::ClientCredentials);
        let id_beside_basic = writing.id_beside_basic && !is_own;
        let header = client.add(&mut form, Writing { id_beside_basic, ..writing });
        for (name, value) in &self.extra {
            if form.iter().all(|(known, _)| known != name) {
                form.push((name.clone(), value.clone()));
            }
        }
        let mut fetch = Fetch::post(url.into(), Body::Form(form), Rules::credentials(*guard));
        fetch.headers.extend(header.map(|value| ("Authorization", value)));
        Ok(fetch)
    }
}
