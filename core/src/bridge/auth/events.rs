//! What a host tells a flow, read from JSON.
//!
//! Owns: causes and events by their names. Must not know: steps.

use mcpbolt_proto::auth::flow::{Cause, Event, Loaded};
use mcpbolt_proto::auth::metadata::ClientMetadata;
use mcpbolt_proto::auth::pkce::Verifier;
use mcpbolt_proto::auth::redirect::RedirectAnswer;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::protocol::Error;
use serde::Deserialize;

use super::failures::thrown;
use super::options::{HostClient, HostTokens, ResourceWord, scopes};

/// Why a flow begins: `"request"`, `{"authorize": {…}}`, or `{"refused": {…}}`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HostCause {
    Request,
    Authorize {
        #[serde(default)]
        refresh: bool,
        scope: Option<String>,
        place: Option<String>,
    },
    Refused {
        status: u16,
        #[serde(default)]
        challenges: Vec<String>,
        /// The access token that was sent.
        sent: Option<Secret>,
        #[serde(default)]
        operation: String,
    },
}

impl HostCause {
    pub(crate) fn cause(self) -> Result<Cause, Error> {
        Ok(match self {
            Self::Request => Cause::Request,
            Self::Authorize { refresh, scope, place } => {
                Cause::Authorize { refresh, scopes: scopes(scope.as_deref())?, place }
            }
            Self::Refused { status, challenges, sent, operation } => {
                Cause::Refused { status, challenges, sent, operation }
            }
        })
    }
}

/// What happened: `"done"`, `{"supplied": "…"}`, …
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HostEvent {
    Done,
    GaveUp,
    Unreachable,
    /// The URL that the browser came back to.
    CameBackTo(String),
    /// What a callback was given. Without `whole` it may have been given less than came.
    Redirected {
        code: Option<Secret>,
        state: Option<Secret>,
        iss: Option<String>,
        #[serde(default)]
        whole: bool,
    },
    CodeGiven {
        code: Secret,
        code_verifier: Verifier,
    },
    ClientGiven(Box<HostClient>),
    /// What is kept for the authorization server that was found.
    Loaded {
        #[serde(default)]
        clients: Vec<HostClient>,
        tokens: Option<HostTokens>,
        #[serde(default)]
        resource: ResourceWord,
    },
    Supplied(Secret),
    RegisterAs(Box<ClientMetadata>),
}

impl HostEvent {
    pub(crate) fn event(self) -> Result<Event, Error> {
        Ok(match self {
            Self::Done => Event::Done,
            Self::GaveUp => Event::GaveUp,
            Self::Unreachable => Event::Unreachable,
            Self::CameBackTo(url) => Event::Redirected(RedirectAnswer::from_url(&url).map_err(thrown)?),
            Self::Redirected { code, state, iss, whole } => {
                let code = code.unwrap_or_else(|| Secret::new(""));
                let answer = RedirectAnswer::of_code(code, state, iss);
                Event::Redirected(if whole { answer } else { answer.seen_in_part() })
            }
            Self::CodeGiven { code, code_verifier: verifier } => Event::CodeGiven { code, verifier },
            Self::ClientGiven(client) => Event::ClientGiven(client.client(None)),
            Self::Loaded { clients, tokens, resource } => Event::Loaded(Box::new(Loaded {
                clients: clients.into_iter().map(|client| client.client(None)).collect(),
                tokens: tokens.map(HostTokens::tokens).transpose()?,
                resource: resource.named(),
            })),
            Self::Supplied(secret) => Event::Supplied(secret),
            Self::RegisterAs(metadata) => Event::RegisterAs(metadata),
        })
    }
}
