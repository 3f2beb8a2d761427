//! What a resource server can be told.
//!
//! Owns: the options, their defaults, and what is wrong with them. Must not know: how tokens are
//! checked.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::auth::error::AuthError;
use mcpbolt_proto::auth::resource_server::{ResourceDocument, TokenClaims, TokenRules};
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::protocol::Error;

use crate::transport::streamable_http::client::HttpClientOptions;

use super::accepted::{Accepted, Implies, Naming};
use super::introspection::{Introspection, Introspector};
use super::issuer::Issuer;
use super::jwt::JwtVerifier;
use super::proofs::Dpop;
use super::server::ResourceServer;
use super::verifier::TokenVerifier;

/// Options of a [`ResourceServer`]; [`ResourceServer::builder`] makes them.
///
/// ```
/// use mcpbolt::auth::{ResourceServer, ResourceServerBuilder};
///
/// let options: ResourceServerBuilder =
///     ResourceServer::builder("https://mcp.example.com/mcp", ["https://login.example.com"]);
/// let server = options
///     .scopes(["files:read"])
///     .scopes_supported(["files:read", "files:write"])
///     .implies(|granted, needed| granted == "files:write" && needed == "files:read")
///     .resource_name("Files")
///     .build()?;
/// # let _ = server;
/// # Ok::<(), mcpbolt::Error>(())
/// ```
#[must_use]
pub struct ResourceServerBuilder {
    resource: String,
    issuers: Vec<String>,
    audiences: Vec<String>,
    required: Vec<String>,
    supported: Vec<String>,
    name: Option<String>,
    documentation: Option<String>,
    leeway: Duration,
    implies: Implies,
    naming: Option<Naming>,
    http: HttpClientOptions,
    private: bool,
    key_pause: Duration,
    dpop: Option<Dpop>,
    introspection: Option<Introspection>,
    verifier: Option<Arc<dyn TokenVerifier>>,
}

impl ResourceServer {
    /// The server at this URL, as clients know it, and the issuers whose tokens it takes: at
    /// least one.
    pub fn builder<T: Into<String>>(
        resource: impl Into<String>,
        issuers: impl IntoIterator<Item = T>,
    ) -> ResourceServerBuilder {
        ResourceServerBuilder {
            resource: resource.into(),
            issuers: issuers.into_iter().map(Into::into).collect(),
            audiences: Vec::new(),
            required: Vec::new(),
            supported: Vec::new(),
            name: None,
            documentation: None,
            leeway: Duration::from_secs(30),
            implies: Arc::new(|_, _| false),
            naming: None,
            http: HttpClientOptions::default(),
            private: false,
            key_pause: Duration::from_secs(30),
            dpop: None,
            introspection: None,
            verifier: None,
        }
    }
}

impl ResourceServerBuilder {
    /// Scopes that every request needs. None unless set.
    pub fn scopes<T: Into<String>>(mut self, scopes: impl IntoIterator<Item = T>) -> Self {
        self.required = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// The scopes that the metadata name. Those that every request needs, unless set.
    /// `offline_access` is left out: it is between a client and the issuer.
    pub fn scopes_supported<T: Into<String>>(mut self, scopes: impl IntoIterator<Item = T>) -> Self {
        self.supported = scopes.into_iter().map(Into::into).collect();
        self
    }

    /// Whether a granted scope stands for a needed one; each stands for itself.
    pub fn implies(mut self, implies: impl Fn(&str, &str) -> bool + Send + Sync + 'static) -> Self {
        self.implies = Arc::new(implies);
        self
    }

    /// Who is behind a token: the identifier of its principal, to which sessions and states are
    /// bound. `None` refuses the token. Unless set, its subject, else its client; with more than
    /// one issuer, after the issuer and a blank.
    pub fn principal(
        mut self,
        naming: impl Fn(&TokenClaims) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.naming = Some(Arc::new(naming));
        self
    }

    /// More audiences that are this server, for issuers that do not write its URL into tokens.
    pub fn audiences<T: Into<String>>(mut self, audiences: impl IntoIterator<Item = T>) -> Self {
        self.audiences.extend(audiences.into_iter().map(Into::into));
        self
    }

    /// How far clocks may differ. 30 s.
    pub fn leeway(mut self, leeway: Duration) -> Self {
        self.leeway = leeway;
        self
    }

    /// The server's name for people who are asked whether a program may use it.
    pub fn resource_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// A page for developers.
    pub fn resource_documentation(mut self, url: impl Into<String>) -> Self {
        self.documentation = Some(url.into());
        self
    }

    /// Lets clients bind tokens to a key. Off. Drafts of the protocol have it (SEP-1932).
    pub fn dpop(mut self, dpop: Dpop) -> Self {
        self.dpop = Some(dpop);
        self
    }

    /// Asks the issuer about tokens instead of checking signatures (RFC 7662). For one issuer.
    pub fn introspection(mut self, introspection: Introspection) -> Self {
        self.introspection = Some(introspection);
        self
    }

    /// Finds out in another way whether a token is genuine.
    pub fn verifier(mut self, verifier: impl TokenVerifier) -> Self {
        self.verifier = Some(Arc::new(verifier));
        self
    }

    /// How issuers are reached: proxies, certificates, a carrier of the program's own.
    pub fn http(mut self, options: HttpClientOptions) -> Self {
        self.http = options;
        self
    }

    /// Lets the documents of an issuer with a public name be on a private network. Off, so that an
    /// issuer's document cannot point into yours.
    pub fn private_networks(mut self, allowed: bool) -> Self {
        self.private = allowed;
        self
    }

    /// Shortest time between two looks at an issuer's keys, for tokens that name one which is not
    /// known yet, or none and are by none of those that are; and between two at its metadata, where
    /// these could not be had. 30 s.
    pub fn key_pause(mut self, pause: Duration) -> Self {
        self.key_pause = pause;
        self
    }

    /// The server.
    ///
    /// # Errors
    /// `Usage` if the URL or an issuer is not one, none is named, a scope has a space in it or can be
    /// none for another reason, a list of scopes is too long, or introspection is asked for with
    /// several issuers.
    pub fn build(self) -> Result<ResourceServer, Error> {
        let scopes = |list: &[String]| Scopes::of_names(list.iter().map(String::as_str));
        let required = scopes(&self.required)?;
        let unusable = |why: AuthError| Error::usage(why.to_string());
        let mut document = ResourceDocument::new(&self.resource, self.issuers.clone()).map_err(unusable)?;
        let supported = scopes(&self.supported)?;
        document.scopes_supported = if supported.is_empty() { required.clone() } else { supported };
        document.resource_name.clone_from(&self.name);
        document.resource_documentation.clone_from(&self.documentation);
        let mut audiences = vec![document.resource().to_owned()];
        audiences.extend(self.audiences.iter().cloned());
        let mut rules = TokenRules::new(self.issuers.clone(), audiences);
        rules.leeway = self.leeway;
        if self.dpop.as_ref().is_some_and(|dpop| dpop.required) {
            document.more.insert("dpop_bound_access_tokens_required".to_owned(), true.into());
        }
        if self.dpop.is_some() {
            let algs = Dpop::algs();
            let algs: Vec<&str> = algs.split(' ').collect();
            document.more.insert("dpop_signing_alg_values_supported".to_owned(), algs.into());
        }
        let tokens = Accepted::new(rules, self.naming.clone(), self.token_verifier()?);
        Ok(ResourceServer::new(document, tokens, required, self.implies, self.dpop))
    }

    fn token_verifier(&self) -> Result<Arc<dyn TokenVerifier>, Error> {
        let issuer = |name: &String| Issuer::new(name, &self.http, self.private, self.key_pause);
        match (&self.verifier, &self.introspection, &*self.issuers) {
            (Some(own), None, _) => Ok(Arc::clone(own)),
            (Some(_), Some(_), _) => {
                Err(Error::usage("verifier and introspection: choose one way to check tokens"))
            }
            (None, Some(introspection), [one]) => Ok(Arc::new(Introspector {
                options: introspection.clone(),
                issuer: issuer(one)?,
                issuer_name: one.clone(),
            })),
            (None, Some(_), _) => {
                Err(Error::usage("introspection: an opaque token does not say its issuer; name one issuer"))
            }
            (None, None, issuers) => {
                let issuers = issuers.iter().map(|name| Ok((name.clone(), issuer(name)?)));
                let issuers = issuers.collect::<Result<Vec<_>, Error>>()?;
                Ok(Arc::new(JwtVerifier::new(issuers, self.key_pause)))
            }
        }
    }
}

impl std::fmt::Debug for ResourceServerBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ResourceServerBuilder").field("resource", &self.resource).finish_non_exhaustive()
    }
}
