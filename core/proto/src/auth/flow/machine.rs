//! The state of a flow.
//!
//! Owns: the phases and what each waits for, what is known so far, and small questions about
//! it. Must not know: which phase follows which; that is in the files of the phases.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::options::{GrantFlow, NamedResource, Options, ResourceParameter};
use super::step::{KnownServer, Need, Step, Stored};
use crate::auth::authorization_request::Pending;
use crate::auth::discovery::{Place, is_same_issuer};
use crate::auth::endpoint;
use crate::auth::error::AuthError;
use crate::auth::fetch::Fetch;
use crate::auth::metadata::ProtectedResourceMetadata;
use crate::auth::pkce::Verifier;
use crate::auth::registration::ClientInformation;
use crate::auth::scope::{Known, Scopes, StepUps};
use crate::auth::secret::Secret;
use crate::auth::token::{TokenRequest, Tokens};
use crate::policy::discovery::Guard;

/// What follows from an event.
pub(super) type Next = Result<Step, AuthError>;

/// What the flow waits for.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) enum Phase {
    /// Nothing.
    #[default]
    Idle,
    /// The metadata of the resource.
    FindResource(ResourceSearch),
    /// The metadata of an authorization server.
    FindServer(Box<ServerSearch>),
    /// What the caller keeps.
    Loading,
    /// The answer to a registration, or other metadata after a refusal.
    Registering,
    /// The user's word.
    AskingUser,
    /// A client to be kept.
    StoringClient,
    /// What is kept for the browser's way back.
    Remembering { url: Secret, pending: Box<Pending> },
    /// The browser.
    Browsing { pending: Box<Pending> },
    /// Something of the program's, and the request it is for.
    Supplying { need: Need, ask: Option<Box<Ask>> },
    /// Tokens.
    Requesting {
        ask: Box<Ask>,
        #[serde(skip)]
        sent: Option<Box<Fetch>>,
    },
    /// Tokens to be kept.
    StoringTokens,
    /// Something to be forgotten.
    Forgetting {
        #[serde(skip)]
        then: Then,
    },
}

/// Where the metadata of the resource are looked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ResourceSearch {
    pub(super) places: Vec<Place>,
    /// The place that was asked.
    pub(super) at: usize,
    /// What is told if nothing is found.
    #[serde(skip)]
    pub(super) problem: Option<AuthError>,
}

/// Where the metadata of an authorization server are looked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ServerSearch {
    pub(super) role: Role,
    pub(super) issuer: String,
    /// The metadata of the resource that named it.
    pub(super) resource: Option<ProtectedResourceMetadata>,
    pub(super) places: Vec<String>,
    /// The place that was asked.
    pub(super) at: usize,
    /// What is told if nothing is found.
    #[serde(skip)]
    pub(super) problem: Option<AuthError>,
}

/// Whose metadata are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Role {
    /// The authorization server that the resource names.
    Named,
    /// The resource itself, as in 2025-03-26.
    Itself,
    /// The company's identity provider.
    IdentityProvider,
}

/// What happens after something was forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Then {
    /// The user is asked for new tokens.
    #[default]
    Authorize,
    /// The client registers anew.
    Register,
    /// The flow fails.
    Fail(AuthError),
}

/// A request for tokens, and what they are for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Ask {
    pub(super) request: TokenRequest,
    pub(super) purpose: Purpose,
    /// What the tokens are good for if the server does not say.
    pub(super) scopes: Scopes,
}

/// What a request for tokens is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Purpose {
    /// Tokens for a code.
    Code,
    /// Tokens for a refresh token.
    Refresh,
    /// Tokens without a user.
    Machine,
    /// An identity assertion, to get tokens with.
    IdJag,
}

/// What was drawn at random for one authorization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fresh {
    pub(super) verifier: Verifier,
    pub(super) state: Secret,
}

/// All that has to survive while the user is away.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct State {
    pub(super) phase: Phase,
    pub(super) server: Option<KnownServer>,
    pub(super) client: Option<ClientInformation>,
    pub(super) fresh: Option<Fresh>,
    /// What the challenge of this flow named.
    pub(super) challenge: Option<Scopes>,
    /// The union of a step-up: it is asked for as it is.
    pub(super) step_up: Option<Scopes>,
    /// Whether no request was refused yet: then the user is not asked for anything.
    pub(super) quiet: bool,
    /// Whether refreshing was tried, or would not help.
    pub(super) refreshed: bool,
    /// The token endpoint of the identity provider, once it is found.
    pub(super) exchange_at: Option<String>,
    /// The user's token of the identity provider, until it is exchanged.
    pub(super) subject_token: Option<Secret>,
    pub(super) step_ups: StepUps,
    /// Tokens in a row that the server refused.
    pub(super) refused: u8,
    /// The one that was counted last, until something came of that: new tokens, or a way to the user.
    pub(super) counted: Option<Secret>,
}

/// Options, what is kept, and the state.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Machine {
    pub(super) options: Options,
    pub(super) stored: Stored,
    pub(super) guard: Guard,
    /// The server's canonical URL.
    pub(super) resource: String,
    pub(super) state: State,
    /// The time since 1970, as the caller said it last.
    pub(super) now: Duration,
}

impl Machine {
    pub(super) fn new(options: Options, stored: Stored, state: State) -> Result<Self, AuthError> {
        let guard = options.guard()?;
        let resource = endpoint::resource(&options.server_url)?;
        Ok(Self { options, stored, guard, resource, state, now: Duration::ZERO })
    }

    /// The tokens that may be sent to the server.
    pub(super) fn tokens(&self) -> Option<&Tokens> {
        self.stored.tokens.as_ref().filter(|tokens| {
            let ours = tokens.resource.as_ref().is_none_or(|resource| *resource == self.resource);
            ours && !tokens.access_token.is_empty()
        })
    }

    /// The tokens that the authorization server which was found can refresh.
    pub(super) fn refreshable(&self) -> Option<&Tokens> {
        let issuer = self.issuer().ok()?;
        let client = self.state.client.as_ref()?;
        self.tokens().filter(|tokens| {
            let same_issuer = tokens.issuer.as_deref().is_none_or(|of| is_same_issuer(of, issuer));
            let same_client = tokens.client_id.as_ref().is_none_or(|id| *id == client.client_id);
            tokens.refresh_token.is_some() && same_issuer && same_client
        })
    }

    pub(super) fn server(&self) -> Result<&KnownServer, AuthError> {
        self.state.server.as_ref().ok_or(AuthError::Unexpected { expected: "a new start" })
    }

    pub(super) fn issuer(&self) -> Result<&str, AuthError> {
        Ok(&self.server()?.metadata.issuer)
    }

    pub(super) fn client(&self) -> Result<&ClientInformation, AuthError> {
        self.state.client.as_ref().ok_or(AuthError::Unexpected { expected: "a new start" })
    }

    /// `resource` as requests say it: as the server publishes it, since some authorization
    /// servers compare letter by letter.
    pub(super) fn resource_parameter(&self) -> Option<String> {
        match &self.options.resource {
            NamedResource::Usual => {}
            NamedResource::Nothing => return None,
            NamedResource::This(resource) => return Some(resource.clone()),
        }
        let published = self.state.server.as_ref().and_then(|server| server.resource.as_ref());
        match (published, self.options.compatibility.resource_parameter) {
            (Some(metadata), _) => Some(metadata.resource.clone()),
            (None, ResourceParameter::Always) => Some(self.resource.clone()),
            (None, ResourceParameter::WithMetadata) => None,
        }
    }

    /// The scopes to ask for.
    pub(super) fn scopes(&self) -> Scopes {
        if let Some(all) = &self.state.step_up {
            return all.clone();
        }
        let server = self.state.server.as_ref();
        let resource = server.and_then(|server| server.resource.as_ref());
        let known = Known {
            challenge: self.state.challenge.as_ref(),
            resource: resource.and_then(|metadata| metadata.scopes_supported.as_ref()),
            server: server.and_then(|server| server.metadata.scopes_supported.as_ref()),
            configured: self.options.scopes.as_ref(),
            all_of_server: self.options.compatibility.all_of_server_scopes,
            // Only with a user is there somebody who may be away.
            refreshable: self.options.grant == GrantFlow::AuthorizationCode
                && self.options.client.wants_refresh(),
        };
        if self.options.compatibility.offline_as_said { known.as_said() } else { known.choose() }
    }

    /// Ends the flow with the tokens that there are, if they have not ended.
    pub(super) fn send_unexpired(&mut self) -> Step {
        if self.tokens().is_some_and(|tokens| tokens.is_expired(self.now)) {
            self.state.phase = Phase::Idle;
            return Step::Send { authorization: None };
        }
        self.send()
    }

    /// Ends the flow with the tokens that there are.
    pub(super) fn send(&mut self) -> Step {
        self.state.phase = Phase::Idle;
        Step::Send { authorization: self.tokens().map(Tokens::authorization) }
    }
}
