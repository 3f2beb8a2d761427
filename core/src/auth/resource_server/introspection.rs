//! Tokens that only their issuer can read (RFC 7662).
//!
//! Owns: asking it. Must not know: what claims have to be.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::auth::error::{AuthError, Document};
use mcpbolt_proto::auth::registration::ClientInformation;
use mcpbolt_proto::auth::resource_server::TokenClaims;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::auth::token::{ClientAuthentication, Method, introspection_request, read_introspection};
use mcpbolt_proto::protocol::Error;

use crate::handler::BoxFuture;

use super::issuer::Issuer;
use super::jwt::sentence;
use super::verifier::{CheckedToken, TokenError, TokenVerifier};

/// How a resource server asks its authorization server about tokens.
///
/// ```
/// use mcpbolt::auth::{Introspection, ResourceServer};
/// use std::time::Duration;
///
/// let ask = Introspection::new("mcp-server", "s3cret").remember(Duration::from_secs(10));
/// let server = ResourceServer::builder("https://mcp.example.com/mcp", ["https://login.example.com"]);
/// let server = server.introspection(ask).build()?;
/// # let _ = server;
/// # Ok::<(), mcpbolt::Error>(())
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Introspection {
    client_id: String,
    secret: Secret,
    endpoint: Option<String>,
    remember: Duration,
}

impl Introspection {
    /// The id and secret by which this server proves itself to its authorization server. They are
    /// sent to its `introspection_endpoint`.
    pub fn new(client_id: impl Into<String>, secret: impl Into<String>) -> Self {
        Self {
            client_id: client_id.into(),
            secret: Secret::new(secret),
            endpoint: None,
            remember: Duration::from_secs(30),
        }
    }

    /// The endpoint, where the authorization server's metadata do not say it.
    pub fn endpoint(mut self, url: impl Into<String>) -> Self {
        self.endpoint = Some(url.into());
        self
    }

    /// How long an answer holds: a token that is revoked is refused after this time at the
    /// latest. 30 s; zero asks for each request.
    pub fn remember(mut self, time: Duration) -> Self {
        self.remember = time;
        self
    }
}

/// Asks one issuer.
pub(super) struct Introspector {
    pub(super) options: Introspection,
    pub(super) issuer: Arc<Issuer>,
    pub(super) issuer_name: String,
}

impl Introspector {
    async fn ask(&self, token: &Secret) -> Result<Result<TokenClaims, TokenError>, Error> {
        let metadata = self.issuer.metadata().await;
        let (said, methods) = match (&metadata, &self.options.endpoint) {
            (Ok(metadata), _) => (
                metadata.introspection_endpoint.clone(),
                metadata.token_endpoint_auth_methods_supported.as_deref(),
            ),
            (Err(_), Some(_)) => (None, None),
            (Err(error), None) => return Err(error.clone()),
        };
        let missing = AuthError::Malformed {
            document: Document::AuthorizationServer,
            field: "introspection_endpoint",
            why: "it is missing; say it with Introspection::endpoint",
        };
        let endpoint = self.options.endpoint.clone().or(said).ok_or(missing)?;
        let client = ClientInformation {
            client_secret: Some(self.options.secret.clone()),
            ..ClientInformation::pre_registered(&self.options.client_id, &self.issuer_name)
        };
        let method = Method::choose(&client, methods)?;
        let proof = ClientAuthentication::of(&client, method, None)?;
        let fetch = introspection_request(&endpoint, token, &proof, self.issuer.guard())?;
        let answer = self.issuer.send(&fetch).await?;
        Ok(read_introspection(&answer, &fetch.rules)?.map_err(|refusal| sentence(&refusal)))
    }

    async fn checked(&self, token: &Secret) -> Result<CheckedToken, TokenError> {
        let mut claims = self.ask(token).await.unwrap_or_else(|error| {
            tracing::warn!(target: "mcpbolt::security", reason = %error.message, "a token cannot be asked about");
            Err(TokenError::Unavailable)
        })?;
        // Whom was asked is known; what else may be left out of the answer is not made up.
        claims.issuer.get_or_insert_with(|| self.issuer_name.clone());
        Ok(CheckedToken { claims, remember: self.options.remember })
    }
}

impl TokenVerifier for Introspector {
    fn verify<'a>(&'a self, token: &'a Secret) -> BoxFuture<'a, Result<CheckedToken, TokenError>> {
        Box::pin(self.checked(token))
    }
}
