//! What goes wrong on the way to a token.
//!
//! Owns: the kinds, each with the field it is about and the remedy, and the words of a
//! server that may be shown. Must not know: secrets, and what an unverified answer said;
//! neither ever gets into an error.

use super::secret::Secret;
use crate::protocol::{Error, ErrorKind};

/// Most characters of a server's own words that are shown.
const MAX_WORDS: usize = 300;

/// A document that servers publish, or an answer of theirs, by its name in messages.
///
/// ```
/// use mcpbolt_proto::auth::error::Document;
///
/// assert_eq!(Document::ProtectedResource.to_string(), "protected resource metadata");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Document {
    /// What a resource says of itself (RFC 9728).
    ProtectedResource,
    /// What an authorization server says of itself (RFC 8414, OpenID Connect).
    AuthorizationServer,
    /// What a client says of itself (RFC 7591, client id metadata documents).
    Client,
    /// The answer to a dynamic registration.
    Registration,
    /// The answer of a token endpoint.
    Token,
    /// What an authorization server says of a token (RFC 7662).
    Introspection,
    /// The public keys of an authorization server (RFC 7517).
    KeySet,
    /// What the browser comes back with.
    AuthorizationResponse,
}

impl std::fmt::Display for Document {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::ProtectedResource => "protected resource metadata",
            Self::AuthorizationServer => "authorization server metadata",
            Self::Client => "client metadata",
            Self::Registration => "registration answer",
            Self::Token => "token answer",
            Self::Introspection => "introspection answer",
            Self::KeySet => "key set",
            Self::AuthorizationResponse => "authorization response",
        })
    }
}

/// What an authorization server said when it refused: its error code, and its own words as
/// far as they may be shown. Control characters are gone, secrets that were sent to the
/// server are blotted out, and the rest is cut after 300 characters.
///
/// ```
/// use mcpbolt_proto::auth::error::Refusal;
/// use mcpbolt_proto::auth::secret::Secret;
///
/// let code = Secret::new("SplxlOBe");
/// let refusal = Refusal::new("invalid_grant", Some("code SplxlOBe\nis used up"), &[&code]);
/// assert_eq!(refusal.to_string(), "invalid_grant: code … is used up");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The error code, such as `invalid_grant`.
    pub error: String,
    /// The server's words for people.
    pub description: Option<String>,
}

impl Refusal {
    /// What may be shown of an error code and a description. `sent` are the secrets that
    /// the server was given and may repeat.
    pub fn new(error: &str, description: Option<&str>, sent: &[&Secret]) -> Self {
        Self {
            error: showable(error, sent),
            description: description.map(|text| showable(text, sent)).filter(|text| !text.is_empty()),
        }
    }

    /// Whether it says no more than that something went wrong.
    pub fn is_unclear(&self) -> bool {
        matches!(self.error.as_str(), "no error code" | "server_error")
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.error)?;
        self.description.as_ref().map_or(Ok(()), |description| write!(f, ": {description}"))
    }
}

fn showable(text: &str, sent: &[&Secret]) -> String {
    let mut text = text.to_owned();
    for secret in sent.iter().filter(|secret| !secret.is_empty()) {
        text = text.replace(secret.expose(), "…");
    }
    text.chars().take(MAX_WORDS).map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Why there is no token. Each message names the field and what to do about it.
///
/// ```
/// use mcpbolt_proto::auth::error::AuthError;
///
/// let error = AuthError::NoPkce;
/// assert!(error.to_string().contains("code_challenge_methods_supported"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AuthError {
    /// A URL that may not be used.
    #[error("{field}: {why}")]
    Url {
        /// Which URL.
        field: &'static str,
        /// What is wrong with it, and what it should be.
        why: &'static str,
    },
    /// A document or an answer lacks something, or has it wrong.
    #[error("{document}: {field}: {why}")]
    Malformed {
        /// In which.
        document: Document,
        /// The member.
        field: &'static str,
        /// What is wrong with it, and what it should be.
        why: &'static str,
    },
    /// Longer than is taken.
    #[error("{field}: more than {limit}, which is the limit; the server should send less")]
    TooLarge {
        /// What is too large.
        field: &'static str,
        /// The most that is taken, in bytes or entries.
        limit: usize,
    },
    /// A server that should have answered failed or could not be reached.
    #[error("{document}: the server is failing{}; try again later", status_words(*.status))]
    Unavailable {
        /// What was asked for.
        document: Document,
        /// The status of its answer, if there was one.
        status: Option<u16>,
    },
    /// The server asks for a token, and says nowhere whose.
    #[error(
        "the server publishes no protected resource metadata (RFC 9728); its operator has to, or the fallback of 2025-03-26 has to be allowed"
    )]
    NoResourceMetadata,
    /// The resource names an authorization server that publishes no metadata.
    #[error(
        "the authorization server {issuer} publishes no metadata, neither RFC 8414 nor OpenID Connect; its operator has to"
    )]
    NoServerMetadata {
        /// Whose metadata were looked for.
        issuer: String,
    },
    /// The metadata are another resource's.
    #[error(
        "protected resource metadata: resource: it is not {expected}; the server's operator has to correct it"
    )]
    ResourceMismatch {
        /// The resource whose metadata were asked for.
        expected: String,
    },
    /// Something came from another authorization server than the one that was asked.
    #[error("{document}: issuer: it is not {expected}; nothing of the document or answer was used")]
    IssuerMismatch {
        /// Where it was seen.
        document: Document,
        /// Who it has to be.
        expected: String,
    },
    /// The authorization server cannot be asked the way this client asks.
    #[error("authorization server metadata: {field}: {missing} is not in it; this client needs it")]
    Unsupported {
        /// The list of what the server can do.
        field: &'static str,
        /// What it lacks.
        missing: &'static str,
    },
    /// The authorization server does not say that it checks PKCE.
    #[error(
        "authorization server metadata: code_challenge_methods_supported: S256 is not in it, so that codes could be stolen; the authorization server has to support PKCE and say so"
    )]
    NoPkce,
    /// Nobody knows this client at the authorization server, and it cannot register.
    #[error(
        "no client id for {issuer}: register the client there by hand and configure its client_id, or give the URL of a client id metadata document"
    )]
    NoClient {
        /// The authorization server.
        issuer: String,
    },
    /// The configured client belongs to another authorization server.
    #[error(
        "client_id: it is registered at {bound} and is not shown to {current}; configure a client for {current}"
    )]
    ClientBoundElsewhere {
        /// Where it is registered.
        bound: String,
        /// Which authorization server is asked.
        current: String,
    },
    /// Nobody said to which authorization server the configured client belongs.
    #[error("client_id: name its issuer, so that its credentials are sent to no other authorization server")]
    ClientUnbound,
    /// The client's secret has ended, and it was not this client that registered.
    #[error("client_secret: it has expired; get a new one from {issuer}")]
    ClientSecretExpired {
        /// Whose secret.
        issuer: String,
    },
    /// The authorization server does not register this client.
    #[error("registration refused with status {status}: {refusal}; change the client metadata and try again")]
    RegistrationRefused {
        /// The status of the answer.
        status: u16,
        /// What the server said.
        refusal: Refusal,
    },
    /// The client cannot prove itself the way it should.
    #[error("token_endpoint_auth_method: {why}")]
    ClientAuthentication {
        /// What is missing, and what to do.
        why: &'static str,
    },
    /// More scopes were asked for, and it did not help.
    #[error(
        "scope: {operation} is still refused after asking for more; the user or the authorization server does not grant what it needs"
    )]
    StepUpExhausted {
        /// The operation that needs more.
        operation: String,
    },
    /// The server refuses fresh tokens.
    #[error(
        "the server refuses tokens that were just issued for it; its operator has to check which issuer and audience it accepts"
    )]
    StillUnauthorized,
    /// The answer of the server has nothing to do with authorization.
    #[error("status {status}: more authorization would not help")]
    NotAboutAuthorization {
        /// The status of the answer.
        status: u16,
    },
    /// The browser came back with the answer to another request.
    #[error("authorization response: state: it belongs to another request; begin again")]
    StateMismatch,
    /// The user or the authorization server said no.
    #[error("authorization refused: {refusal}")]
    AuthorizationRefused {
        /// What the server said, which was verified to be the one that was asked.
        refusal: Refusal,
    },
    /// The token endpoint said no.
    #[error("token refused with status {status}: {refusal}")]
    TokenRefused {
        /// The status of the answer.
        status: u16,
        /// What the server said.
        refusal: Refusal,
    },
    /// The user gave up, or what the program should have supplied did not come.
    #[error("given up: {what} did not come")]
    GivenUp {
        /// What was waited for.
        what: &'static str,
    },
    /// The caller's event is not an answer to the last step.
    #[error("this event does not answer the step before it; {expected} was expected")]
    Unexpected {
        /// What was waited for.
        expected: &'static str,
    },
    /// A saved flow that cannot be read.
    #[error("saved flow: it cannot be read; forget it and begin again")]
    SavedFlow,
}

fn status_words(status: Option<u16>) -> String {
    status.map_or_else(|| " or cannot be reached".to_owned(), |status| format!(" (status {status})"))
}

impl AuthError {
    /// Whether the same thing may work later without anybody changing anything.
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::Unavailable { .. })
    }
}

/// For callers that have one kind of error for everything. The message stays as it is.
impl From<AuthError> for Error {
    fn from(error: AuthError) -> Self {
        let kind = match &error {
            AuthError::Unavailable { .. } => ErrorKind::Transport,
            AuthError::StepUpExhausted { .. } | AuthError::NotAboutAuthorization { status: 403 } => {
                ErrorKind::Forbidden
            }
            AuthError::ClientBoundElsewhere { .. }
            | AuthError::ClientUnbound
            | AuthError::ClientAuthentication { .. } => ErrorKind::Usage,
            _ => ErrorKind::Unauthorized,
        };
        Self::new(kind, error.to_string())
    }
}
