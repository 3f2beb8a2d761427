//! What a program decides about its authorization.
//!
//! Owns: the options and their defaults, which are what the specification demands; where
//! the official 1.x packages do otherwise, [`Compatibility`] says so. Must not know: what
//! the flow does with them.

use crate::auth::discovery::{IssuerMatch, ResourceMatch};
use crate::auth::endpoint;
use crate::auth::error::AuthError;
use crate::auth::metadata::ClientMetadata;
use crate::auth::pkce;
use crate::auth::redirect::IssuerCheck;
use crate::auth::registration::{ClientInformation, Unbound};
use crate::auth::scope::Scopes;
use crate::auth::token::Writing;
use crate::policy::discovery::Guard;

/// For whom a client asks for tokens.
///
/// ```
/// use mcpbolt_proto::auth::flow::{GrantFlow, Options};
///
/// let options = Options { grant: GrantFlow::ClientCredentials, ..Options::new("https://mcp.example.com") };
/// assert_ne!(options.grant, GrantFlow::AuthorizationCode);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum GrantFlow {
    /// For a user, who agrees in a browser.
    #[default]
    AuthorizationCode,
    /// For itself.
    ClientCredentials,
    /// For a user whose company's identity provider speaks for (ID-JAG).
    EnterpriseManaged {
        /// Where an ID token or refresh token of the user becomes the grant. Without, the
        /// program brings the grant itself.
        identity_provider: Option<Box<IdentityProvider>>,
    },
    /// For itself, known by an assertion of the platform it runs on. It follows a draft.
    WorkloadIdentity,
}

/// A company's identity provider.
///
/// ```
/// use mcpbolt_proto::auth::flow::IdentityProvider;
/// use mcpbolt_proto::auth::registration::ClientInformation;
/// use mcpbolt_proto::auth::token::token_type;
///
/// let provider = IdentityProvider {
///     issuer: "https://login.company.example".into(),
///     token_endpoint: None, // found by the issuer
///     client: ClientInformation::pre_registered("app", "https://login.company.example"),
///     subject_token_type: token_type::ID_TOKEN.into(),
/// };
/// assert!(provider.client.client_secret.is_none());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdentityProvider {
    /// Who it is.
    pub issuer: String,
    /// Where tokens are exchanged; found by the issuer if it is not given.
    pub token_endpoint: Option<String>,
    /// The client as the provider knows it.
    pub client: ClientInformation,
    /// What the program gives: an ID token or a refresh token.
    pub subject_token_type: String,
}

/// For whom signed assertions are made: their `aud`.
///
/// ```
/// use mcpbolt_proto::auth::flow::Audience;
///
/// assert_ne!(Audience::Issuer, Audience::TokenEndpoint);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// The issuer of the authorization server.
    Issuer,
    /// The URL of its token endpoint.
    TokenEndpoint,
}

/// Whether the endpoints of 2025-03-26 may be assumed where metadata are missing.
///
/// ```
/// use mcpbolt_proto::auth::flow::DefaultEndpoints;
///
/// assert_eq!(DefaultEndpoints::default(), DefaultEndpoints::Never);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DefaultEndpoints {
    /// No: it would be a guess.
    #[default]
    Never,
    /// For a server that publishes no metadata of a protected resource: it may be its own
    /// authorization server, as 2025-03-26 has it.
    OldServers,
    /// No, but such a server may publish what an authorization server does.
    Published,
    /// For an authorization server without metadata as well.
    Always,
    /// The same, at the origin of the MCP server, which then stands for whichever
    /// authorization server lacks something, as in the official 1.x Python package.
    AtServer,
}

/// Which failures of a place that may have metadata end the search for them. Where some do, metadata
/// of another issuer do as well.
///
/// ```
/// use mcpbolt_proto::auth::flow::FailureEnds;
///
/// assert!(FailureEnds::ButGateways.ends(503) && !FailureEnds::ButGateways.ends(502));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FailureEnds {
    /// None: the next place is looked at.
    #[default]
    Never,
    /// All but 502: a gateway speaks for itself there, not for the server.
    ButGateways,
    /// All.
    Always,
}

impl FailureEnds {
    /// Whether an answer that says that the server fails ends the search.
    pub fn ends(self, status: u16) -> bool {
        match self {
            Self::Never => false,
            Self::ButGateways => status != 502,
            Self::Always => true,
        }
    }
}

/// When requests say which server a token is for.
///
/// ```
/// use mcpbolt_proto::auth::flow::ResourceParameter;
///
/// assert_eq!(ResourceParameter::default(), ResourceParameter::Always);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ResourceParameter {
    /// Always, as revisions from 2025-06-18 demand.
    #[default]
    Always,
    /// If the server publishes metadata: others may be too old to know the parameter.
    WithMetadata,
}

/// Which server requests say a token is for.
///
/// ```
/// use mcpbolt_proto::auth::flow::NamedResource;
///
/// assert_eq!(NamedResource::default(), NamedResource::Usual);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum NamedResource {
    /// As the server publishes it, else its URL.
    #[default]
    Usual,
    /// None.
    Nothing,
    /// One that the program chose.
    This(String),
}

/// Where the official 1.x packages do otherwise than the specification's last revision. The
/// defaults are the specification's.
///
/// ```
/// use mcpbolt_proto::auth::discovery::ResourceMatch;
/// use mcpbolt_proto::auth::flow::Compatibility;
///
/// let official = Compatibility { resource: ResourceMatch::Within, ..Compatibility::default() };
/// assert_ne!(official, Compatibility::default());
/// ```
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Compatibility {
    /// What `resource` of a resource's metadata has to be.
    pub resource: ResourceMatch,
    /// How issuers of documents are compared. That of the browser's answer is always
    /// compared letter by letter.
    pub issuer: IssuerMatch,
    /// What a server has to say of PKCE.
    pub pkce: pkce::Policy,
    /// Whether a missing `iss` is noticed.
    pub issuer_check: IssuerCheck,
    /// What becomes of a configured client without an issuer.
    pub unbound: Unbound,
    /// How token requests are written.
    pub writing: Writing,
    /// Whether endpoints may be assumed.
    pub default_endpoints: DefaultEndpoints,
    /// Whether a server without metadata of a resource that can be read is asked like any
    /// authorization server: for OpenID's document as well, and whoever named it may have
    /// written a slash after its origin.
    pub origin_as_issuer: bool,
    /// Which failing places end a search.
    pub failure_ends: FailureEnds,
    /// Whether `offline_access` is asked for wherever it is said.
    pub offline_as_said: bool,
    /// When requests have `resource`.
    pub resource_parameter: ResourceParameter,
    /// Whether all that the authorization server supports is asked for if nobody names
    /// scopes.
    pub all_of_server_scopes: bool,
    /// Whether a configured issuer is compared with that of the metadata which were found, in
    /// place of those that the resource names.
    pub late_issuer: bool,
    /// Whether a token whose kind is not said is a bearer token.
    pub bearer_if_unsaid: bool,
    /// Whether more scopes are asked for without those that were granted before.
    pub narrow_step_up: bool,
    /// Whether a refused token leads to the user at once, without trying to refresh it.
    pub ask_user_when_refused: bool,
    /// Whether a server takes ID-JAG although its metadata do not say so.
    pub assume_id_jag: bool,
    /// Whether a registration names the scopes of this flow alone, and not all that the resource
    /// lists.
    pub narrow_registration: bool,
    /// Whether a registration leaves it to the server how the client proves itself, if the client
    /// does not say.
    pub leave_method: bool,
    /// Whether redirect URIs may be of any scheme: the program answers for them.
    pub any_redirect_uri: bool,
    /// Whether clients register that act for nobody.
    pub anyone_registers: bool,
    /// Whether a flow ends when credentials are refused, for its caller to forget them and begin
    /// anew. A refresh that fails without saying why leads to the user.
    pub refusals_end: bool,
}

/// The options of a flow.
///
/// ```
/// use mcpbolt_proto::auth::flow::Options;
/// use mcpbolt_proto::auth::metadata::ClientMetadata;
///
/// let options = Options {
///     client: ClientMetadata {
///         client_name: Some("Example".into()),
///         redirect_uris: vec!["http://localhost:3000/callback".into()],
///         ..ClientMetadata::default()
///     },
///     ..Options::new("https://mcp.example.com/mcp")
/// };
/// assert_eq!(options.max_step_ups, 3);
/// ```
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The server's endpoint.
    pub server_url: String,
    /// What the client says of itself. Its first redirect URI is used.
    pub client: ClientMetadata,
    /// Where it publishes that: its id at servers that read such documents.
    pub client_metadata_url: Option<String>,
    /// For whom it asks.
    pub grant: GrantFlow,
    /// The only authorization server that may be asked; the server names it if this is
    /// `None`.
    pub issuer: Option<String>,
    /// Whether that server is asked without looking at what the resource says.
    pub skip_resource: bool,
    /// What to ask for where neither a challenge nor the server's metadata name scopes.
    pub scopes: Option<Scopes>,
    /// Further parameters of the authorization request.
    pub extra: Vec<(String, String)>,
    /// Whether documents and endpoints may be in private networks.
    pub private_networks: bool,
    /// Whether redirect URIs may have a scheme of the app's own.
    pub private_use_redirects: bool,
    /// How often one operation may ask for more scopes.
    pub max_step_ups: u8,
    /// Whether the program adds to token requests what proves the client.
    pub program_authenticates: bool,
    /// Which server requests say the token is for.
    pub resource: NamedResource,
    /// For whom assertions are made: the issuer, and the token endpoint for workload
    /// identity, if this is `None`.
    pub audience: Option<Audience>,
    /// Whether token requests go with proofs of possession, so that tokens may be bound to a key
    /// (DPoP, RFC 9449). It follows a draft.
    pub proofs: bool,
    /// Whether the caller looks up what it keeps for an authorization server once that is found
    /// ([`Step::Load`](super::Step::Load)). It keeps no more than the verifier while the user is
    /// away, so the verifier tells whose the code is.
    pub loads: bool,
    /// Where the official 1.x packages do otherwise.
    pub compatibility: Compatibility,
}

impl Options {
    /// The specification's defaults for a server.
    pub fn new(server_url: impl Into<String>) -> Self {
        Self {
            server_url: server_url.into(),
            client: ClientMetadata::default(),
            client_metadata_url: None,
            grant: GrantFlow::default(),
            issuer: None,
            skip_resource: false,
            scopes: None,
            extra: Vec::new(),
            private_networks: false,
            private_use_redirects: false,
            max_step_ups: 3,
            program_authenticates: false,
            resource: NamedResource::default(),
            audience: None,
            proofs: false,
            loads: false,
            compatibility: Compatibility::default(),
        }
    }

    /// Which addresses documents and endpoints may have.
    pub fn guard(&self) -> Result<Guard, AuthError> {
        let guard = endpoint::guard_for(&endpoint::read("server URL", &self.server_url)?);
        Ok(Guard { private: guard.private || self.private_networks, ..guard })
    }
}
