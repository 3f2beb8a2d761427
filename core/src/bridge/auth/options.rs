//! What a host says of a flow, read from JSON.
//!
//! Owns: the options, what the host kept, and how the official 1.x packages differ. Must not
//! know: what a flow does with it.

use std::collections::BTreeMap;

use mcpbolt_proto::auth::discovery::{IssuerMatch, ResourceMatch};
use mcpbolt_proto::auth::flow::{
    Audience, Compatibility, DefaultEndpoints, FailureEnds, GrantFlow, IdentityProvider, KnownServer,
    NamedResource, Options, ResourceParameter, Stored,
};
use mcpbolt_proto::auth::metadata::{AuthorizationServerMetadata, ClientMetadata, ProtectedResourceMetadata};
use mcpbolt_proto::auth::pkce;
use mcpbolt_proto::auth::registration::{ClientInformation, ClientOrigin, Unbound};
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::auth::token::{BasicEncoding, Tokens, Writing};
use mcpbolt_proto::protocol::{Error, Revision};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::failures::thrown;

/// Reads JSON of a host; the message names what is wrong.
pub(crate) fn read<T: for<'a> Deserialize<'a>>(what: &str, value: Value) -> Result<T, Error> {
    serde_json::from_value(value).map_err(|why| Error::usage(format!("{what}: {why}")))
}

/// JSON text of a host.
pub(crate) fn parsed(what: &str, text: &str) -> Result<Value, Error> {
    serde_json::from_str(text).map_err(|why| Error::usage(format!("{what}: {why}")))
}

/// The package that a host stands in for, where it decides otherwise than the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Like {
    /// None: as the specification has it.
    #[default]
    Specification,
    /// The official Python package, 1.x.
    Python,
    /// The official Python package, 2.x.
    Python2,
    /// The official TypeScript package, 1.x.
    Typescript,
    /// The official TypeScript packages, 2.x.
    Typescript2,
}

impl Like {
    pub(crate) fn is_typescript(self) -> bool {
        matches!(self, Self::Typescript | Self::Typescript2)
    }

    pub(crate) fn compatibility(self) -> Compatibility {
        let official = Compatibility {
            resource: ResourceMatch::Within,
            issuer: IssuerMatch::OriginSlash,
            pkce: pkce::Policy::UnlessDenied,
            unbound: Unbound::Bind,
            default_endpoints: DefaultEndpoints::Always,
            resource_parameter: ResourceParameter::WithMetadata,
            narrow_registration: true,
            ..Compatibility::default()
        };
        let python = Compatibility {
            writing: Writing { basic: BasicEncoding::Percent, id_beside_basic: true, ..Writing::default() },
            all_of_server_scopes: true,
            ask_user_when_refused: true,
            bearer_if_unsaid: true,
            late_issuer: true,
            default_endpoints: DefaultEndpoints::AtServer,
            failure_ends: FailureEnds::Always,
            ..official
        };
        match self {
            Self::Specification => Compatibility::default(),
            Self::Python => Compatibility { narrow_step_up: true, ..python },
            Self::Python2 => Compatibility {
                writing: Writing { lone_assertion: true, ..python.writing },
                leave_method: true,
                ..python
            },
            // Programs do not say by which name they came, so none is less safe than another.
            Self::Typescript | Self::Typescript2 => Compatibility {
                writing: Writing { basic: BasicEncoding::Raw, ..Writing::default() },
                unbound: Unbound::Bind,
                narrow_registration: true,
                default_endpoints: DefaultEndpoints::Published,
                origin_as_issuer: true,
                failure_ends: match self {
                    Self::Typescript => FailureEnds::Always,
                    _ => FailureEnds::ButGateways,
                },
                offline_as_said: true,
                any_redirect_uri: true,
                anyone_registers: true,
                refusals_end: true,
                ..Compatibility::default()
            },
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Grant {
    AuthorizationCode,
    ClientCredentials,
    IdJag,
    WorkloadIdentity,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum EndpointsWord {
    Never,
    OldServers,
    Always,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum AudienceWord {
    Issuer,
    TokenEndpoint,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ResourceWord {
    #[default]
    Usual,
    Nothing,
    This(String),
}

impl ResourceWord {
    pub(crate) fn named(self) -> NamedResource {
        match self {
            Self::Usual => NamedResource::Usual,
            Self::Nothing => NamedResource::Nothing,
            Self::This(resource) => NamedResource::This(resource),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Provider {
    issuer: String,
    token_endpoint: Option<String>,
    client: ClientInformation,
    subject_token_type: String,
}

/// The options of one flow.
#[allow(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlowOptions {
    /// Needed unless the engine fills it in, which knows it by the connection.
    #[serde(default)]
    server_url: String,
    #[serde(default)]
    client: ClientMetadata,
    client_metadata_url: Option<String>,
    grant: Option<Grant>,
    identity_provider: Option<Provider>,
    issuer: Option<String>,
    #[serde(default)]
    skip_resource: bool,
    /// Whether the program checks `resource` of the resource's metadata itself.
    #[serde(default)]
    any_resource: bool,
    /// Whether metadata may name another issuer than was asked.
    #[serde(default)]
    any_issuer: bool,
    scope: Option<String>,
    #[serde(default)]
    extra: BTreeMap<String, String>,
    #[serde(default)]
    private_networks: bool,
    #[serde(default)]
    private_use_redirects: bool,
    #[serde(default)]
    program_authenticates: bool,
    #[serde(default)]
    resource: ResourceWord,
    audience: Option<AudienceWord>,
    max_step_ups: Option<u8>,
    #[serde(default)]
    like: Like,
    default_endpoints: Option<EndpointsWord>,
    /// Whether a configured client without an issuer is used at the first that is found.
    bind_clients: Option<bool>,
    #[serde(default)]
    assume_id_jag: bool,
    /// Whether token requests go with proofs of possession.
    #[serde(default)]
    proofs: bool,
    /// Whether the host is asked what it keeps once the authorization server is found.
    #[serde(default)]
    loads: bool,
    /// The revision that the refused request was of: some have the server named in any case.
    revision: Option<String>,
}

impl FlowOptions {
    pub(crate) fn options(self) -> Result<Options, Error> {
        let provider = self.identity_provider.map(|provider| {
            Box::new(IdentityProvider {
                issuer: provider.issuer,
                token_endpoint: provider.token_endpoint,
                client: provider.client,
                subject_token_type: provider.subject_token_type,
            })
        });
        let grant = match self.grant {
            None | Some(Grant::AuthorizationCode) => GrantFlow::AuthorizationCode,
            Some(Grant::ClientCredentials) => GrantFlow::ClientCredentials,
            Some(Grant::IdJag) => GrantFlow::EnterpriseManaged { identity_provider: provider },
            Some(Grant::WorkloadIdentity) => GrantFlow::WorkloadIdentity,
        };
        let mut compatibility = self.like.compatibility();
        compatibility.assume_id_jag |= self.assume_id_jag;
        if let Some(word) = self.default_endpoints {
            compatibility.default_endpoints = match word {
                EndpointsWord::Never => DefaultEndpoints::Never,
                EndpointsWord::OldServers => DefaultEndpoints::OldServers,
                EndpointsWord::Always => DefaultEndpoints::Always,
            };
        }
        if self.any_resource {
            compatibility.resource = ResourceMatch::Any;
        }
        if self.any_issuer {
            compatibility.issuer = IssuerMatch::Any;
        }
        if let Some(bind) = self.bind_clients {
            compatibility.unbound = if bind { Unbound::Bind } else { Unbound::Refuse };
        }
        if self.revision.as_deref().is_some_and(names_the_resource) {
            compatibility.resource_parameter = ResourceParameter::Always;
        }
        let defaults = Options::new("");
        Ok(Options {
            server_url: self.server_url,
            client: self.client,
            client_metadata_url: self.client_metadata_url,
            grant,
            issuer: self.issuer,
            skip_resource: self.skip_resource,
            scopes: scopes(self.scope.as_deref())?,
            extra: self.extra.into_iter().collect(),
            private_networks: self.private_networks,
            private_use_redirects: self.private_use_redirects,
            max_step_ups: self.max_step_ups.unwrap_or(defaults.max_step_ups),
            program_authenticates: self.program_authenticates,
            resource: self.resource.named(),
            audience: self.audience.map(|word| match word {
                AudienceWord::Issuer => Audience::Issuer,
                AudienceWord::TokenEndpoint => Audience::TokenEndpoint,
            }),
            proofs: self.proofs,
            loads: self.loads,
            compatibility,
        })
    }
}

/// Scopes that a program names.
pub(crate) fn scopes(text: Option<&str>) -> Result<Option<Scopes>, Error> {
    text.map(|text| Scopes::parse("scope", text)).transpose().map_err(thrown)
}

fn names_the_resource(revision: &str) -> bool {
    Revision::parse(revision).is_some_and(|revision| revision.features().resource_indicators)
}

/// What a host kept.
#[derive(Debug, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct HostStored {
    clients: Vec<HostClient>,
    tokens: Option<HostTokens>,
    server: Option<HostServerMetadata>,
    /// What the resource said of itself, where it is not asked again.
    resource: Option<Map<String, Value>>,
}

/// A client as an authorization server described it. Without `origin` it registered by itself
/// if its issuer is noted.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct HostClient {
    origin: Option<ClientOrigin>,
    #[serde(flatten)]
    client: ClientInformation,
}

impl HostClient {
    pub(crate) fn client(self, metadata_url: Option<&str>) -> ClientInformation {
        let document = metadata_url == Some(self.client.client_id.as_str());
        // A document is good everywhere.
        let issuer = self.client.issuer.filter(|_| !document);
        let usual = if issuer.is_some() { ClientOrigin::Dynamic } else { ClientOrigin::PreRegistered };
        ClientInformation { origin: self.origin.unwrap_or(usual), issuer, ..self.client }
    }
}

/// Tokens with their scopes as text.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HostTokens {
    access_token: Secret,
    refresh_token: Option<Secret>,
    /// Seconds since 1970.
    expires_at: Option<f64>,
    scope: Option<String>,
    issuer: Option<String>,
    client_id: Option<String>,
}

impl HostTokens {
    pub(crate) fn tokens(self) -> Result<Tokens, Error> {
        let scopes = Scopes::parse("scope", self.scope.as_deref().unwrap_or_default());
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts of floats saturate
        let expires_at = self.expires_at.map(|seconds| seconds as u64);
        Ok(Tokens {
            access_token: self.access_token,
            refresh_token: self.refresh_token,
            expires_at,
            scopes: scopes.map_err(thrown)?,
            issuer: self.issuer,
            client_id: self.client_id,
            ..Tokens::default()
        })
    }
}

/// An authorization server's metadata as they came, and those of the resource that named it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HostServerMetadata {
    metadata: Map<String, Value>,
    resource: Option<Map<String, Value>>,
    #[serde(default)]
    is_assumed: bool,
}

impl HostServerMetadata {
    fn server(self) -> Result<KnownServer, Error> {
        let mut metadata = AuthorizationServerMetadata::read(&self.metadata).map_err(thrown)?;
        if self.is_assumed {
            metadata = AuthorizationServerMetadata::assumed(&metadata.issuer);
        }
        Ok(KnownServer { metadata, is_assumed: self.is_assumed, resource: resource(self.resource)? })
    }
}

fn resource(object: Option<Map<String, Value>>) -> Result<Option<ProtectedResourceMetadata>, Error> {
    object.map(|object| ProtectedResourceMetadata::read(&object)).transpose().map_err(thrown)
}

impl HostStored {
    pub(crate) fn stored(self, metadata_url: Option<&str>) -> Result<Stored, Error> {
        Ok(Stored {
            clients: self.clients.into_iter().map(|client| client.client(metadata_url)).collect(),
            tokens: self.tokens.map(HostTokens::tokens).transpose()?,
            server: self.server.map(HostServerMetadata::server).transpose()?,
            resource: resource(self.resource)?,
        })
    }
}

/// Metadata as they came, for decisions that need them.
pub(crate) fn server_metadata(
    object: Option<&Map<String, Value>>,
) -> Result<AuthorizationServerMetadata, Error> {
    object.map_or_else(
        || Ok(AuthorizationServerMetadata::default()),
        |object| AuthorizationServerMetadata::read(object).map_err(thrown),
    )
}
