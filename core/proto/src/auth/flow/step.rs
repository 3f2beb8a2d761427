//! What goes into a flow and what comes out of it.
//!
//! Owns: causes, events, steps, and what is kept between flows. Must not know: which step
//! follows which event.

use serde::{Deserialize, Serialize};

use super::options::NamedResource;
use crate::auth::authorization_request::Pending;
use crate::auth::error::AuthError;
use crate::auth::fetch::{Answer, Fetch};
use crate::auth::metadata::{AuthorizationServerMetadata, ClientMetadata, ProtectedResourceMetadata};
use crate::auth::pkce::Verifier;
use crate::auth::redirect::RedirectAnswer;
use crate::auth::registration::ClientInformation;
use crate::auth::scope::Scopes;
use crate::auth::secret::Secret;
use crate::auth::token::Tokens;

/// Why a flow begins.
///
/// ```
/// use mcpbolt_proto::auth::flow::Cause;
///
/// let cause = Cause::Refused {
///     status: 401,
///     challenges: vec!["Bearer scope=\"files:read\"".into()],
///     sent: None,
///     operation: "tools/call read_file".into(),
/// };
/// assert_ne!(cause, Cause::Request);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// A request is about to be sent.
    Request,
    /// The program wants new tokens, whatever there is: nothing is searched for if the
    /// authorization server is known.
    Authorize {
        /// Whether refreshing those that there are is good enough.
        refresh: bool,
        /// What is asked for, if the program was told.
        scopes: Option<Scopes>,
        /// Where the metadata of the resource are, if the program was told.
        place: Option<String>,
    },
    /// A request was refused.
    Refused {
        /// The status: 401 or 403.
        status: u16,
        /// The values of the `WWW-Authenticate` headers.
        challenges: Vec<String>,
        /// The access token that was sent, if any.
        sent: Option<Secret>,
        /// What the request does: the bound on asking for more is kept for each of these.
        operation: String,
    },
}

/// What the caller tells a flow, each in answer to a step.
///
/// ```
/// use mcpbolt_proto::auth::fetch::Answer;
/// use mcpbolt_proto::auth::flow::Event;
///
/// let event = Event::Answered(Answer::new(404, ""));
/// assert_ne!(event, Event::Unreachable);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The answer to a `Fetch`.
    Answered(Answer),
    /// There was none: no connection, no permission, no time left.
    Unreachable,
    /// What a `Store` or `Remember` asked for is done.
    Done,
    /// What the browser came back with.
    Redirected(RedirectAnswer),
    /// A code that the program got in a way of its own, in place of what the browser came back
    /// with, and the verifier that it was asked for with.
    CodeGiven {
        /// The code.
        code: Secret,
        /// The verifier.
        verifier: Verifier,
    },
    /// What the user registered, in answer to `AskUserForClient`.
    ClientGiven(ClientInformation),
    /// What the caller keeps, in answer to `Load`.
    Loaded(Box<Loaded>),
    /// What was needed: an assertion or a token.
    Supplied(Secret),
    /// Other metadata, to register with after a registration was refused.
    RegisterAs(Box<ClientMetadata>),
    /// The user or the program gave up.
    GaveUp,
}

/// What a caller keeps for an authorization server.
///
/// ```
/// use mcpbolt_proto::auth::flow::{Loaded, NamedResource};
///
/// assert_eq!(Loaded::default().resource, NamedResource::Usual);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Loaded {
    /// Clients, also of others.
    pub clients: Vec<ClientInformation>,
    /// Tokens for the server.
    pub tokens: Option<Tokens>,
    /// Which server requests say the token is for.
    pub resource: NamedResource,
}

/// Something secret that the program has to supply.
///
/// ```
/// use mcpbolt_proto::auth::flow::Need;
///
/// let need = Need::SubjectToken { token_type: "urn:ietf:params:oauth:token-type:id_token".into() };
/// assert_eq!(need.name(), "subject token");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Need {
    /// An assertion signed with the client's key: `iss` and `sub` are its id.
    ClientAssertion {
        /// The client's id.
        client_id: String,
        /// Its `aud`.
        audience: String,
    },
    /// An identity assertion of the company's provider (ID-JAG).
    IdJag {
        /// The authorization server that shall take it.
        audience: String,
        /// The server that the token will be for.
        resource: String,
        /// What the token should be good for.
        scopes: Scopes,
    },
    /// The user's token of the company's provider.
    SubjectToken {
        /// What kind of token.
        token_type: String,
    },
    /// An assertion of the platform that the program runs on.
    WorkloadAssertion {
        /// Its `aud`.
        audience: String,
    },
}

impl Need {
    /// What it is, in words.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ClientAssertion { .. } => "client assertion",
            Self::IdJag { .. } => "identity assertion",
            Self::SubjectToken { .. } => "subject token",
            Self::WorkloadAssertion { .. } => "workload assertion",
        }
    }
}

/// Something to keep or to forget. Everything belongs to an issuer.
///
/// ```
/// use mcpbolt_proto::auth::flow::Change;
///
/// let change = Change::ForgetTokens { issuer: "https://a.example.com".into() };
/// assert!(format!("{change:?}").contains("https://a.example.com"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Keep a client; it replaces one of the same issuer.
    Client {
        /// Whose it is.
        issuer: String,
        /// The client.
        client: ClientInformation,
    },
    /// Keep tokens; they replace those of the same issuer and server.
    Tokens {
        /// Whose they are.
        issuer: String,
        /// The tokens.
        tokens: Tokens,
    },
    /// Forget a client and its tokens: the issuer knows it no more.
    ForgetClient {
        /// Whose they were.
        issuer: String,
    },
    /// Forget tokens: they are good for nothing any more.
    ForgetTokens {
        /// Whose they were.
        issuer: String,
    },
}

/// What the caller has to do next. Each step but `Send` and `Fail` is answered with an
/// [`Event`].
///
/// ```
/// use std::time::Duration;
/// use mcpbolt_proto::auth::flow::{Cause, Flow, Options, Random, Step, Stored};
///
/// let mut flow = Flow::new(Options::new("https://mcp.example.com"), Stored::default())?;
/// // Nothing is known yet: the request goes out as it is, and the server says what it wants.
/// let step = flow.start(Cause::Request, Duration::from_secs(1_700_000_000), &Random::new([7; 64]));
/// assert_eq!(step, Step::Send { authorization: None });
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Send a request to an authorization server, or for a document.
    Fetch(Box<Fetch>),
    /// Keep this until the browser comes back, with the flow itself if the program may end
    /// meanwhile; then say `Done`. The browser opens only after that.
    Remember(Box<Pending>),
    /// Open this URL in the user's browser, without a shell.
    OpenBrowser {
        /// The URL, with `state` in it.
        url: Secret,
    },
    /// Look up what is kept for this authorization server.
    Load {
        /// Whose.
        issuer: String,
        /// Which server requests will say the token is for, unless the caller chooses.
        resource: Option<String>,
    },
    /// Ask the user to register the client by hand.
    AskUserForClient {
        /// Where.
        issuer: String,
        /// What to say there.
        metadata: Box<ClientMetadata>,
    },
    /// Supply something secret.
    Supply(Need),
    /// Keep or forget something; then say `Done`.
    Store(Box<Change>),
    /// Send the program's request with this value of `Authorization`, or without one. The
    /// flow is over.
    Send {
        /// The header's value.
        authorization: Option<Secret>,
    },
    /// There is no token. The flow is over; after a refused registration it may go on with
    /// `RegisterAs`.
    Fail(AuthError),
}

/// An authorization server that was found.
///
/// ```
/// use mcpbolt_proto::auth::flow::KnownServer;
/// use mcpbolt_proto::auth::metadata::AuthorizationServerMetadata;
///
/// let server = KnownServer {
///     metadata: AuthorizationServerMetadata::assumed("https://mcp.example.com"),
///     is_assumed: true,
///     resource: None,
/// };
/// assert_eq!(server.metadata.token_endpoint.as_deref(), Some("https://mcp.example.com/token"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownServer {
    /// What it says of itself.
    pub metadata: AuthorizationServerMetadata,
    /// Whether it said nothing, and its endpoints are those of 2025-03-26.
    pub is_assumed: bool,
    /// What the resource says of itself.
    pub resource: Option<ProtectedResourceMetadata>,
}

/// What earlier flows left behind, and what the program configured.
///
/// ```
/// use mcpbolt_proto::auth::flow::Stored;
/// use mcpbolt_proto::auth::registration::ClientInformation;
///
/// let client = ClientInformation::pre_registered("s6BhdRkqt3", "https://a.example.com");
/// let stored = Stored { clients: vec![client], ..Stored::default() };
/// assert!(stored.tokens.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Stored {
    /// Clients of any issuer.
    pub clients: Vec<ClientInformation>,
    /// Tokens for the server.
    pub tokens: Option<Tokens>,
    /// Where they came from, so that they can be refreshed without searching again.
    pub server: Option<KnownServer>,
    /// What the resource said of itself, for a flow that does not look at it again
    /// ([`skip_resource`](super::Options::skip_resource)).
    pub resource: Option<ProtectedResourceMetadata>,
}
