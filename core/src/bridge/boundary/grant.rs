//! What the token of a request allows, where the host has verified it.
//!
//! Owns: its shape, and what the engine makes of it. Must not know: how a token is verified, what
//! needs which scope.

use std::sync::Arc;

use serde::Deserialize;

use mcpbolt_proto::auth::challenge::TokenScheme;
use mcpbolt_proto::auth::resource_server::TokenClaims;
use mcpbolt_proto::auth::scope::Scopes;

use crate::auth::Dpop;
use crate::handler::{Principal, TokenTerms};

/// What the token of a request allows, and what a challenge for more says beside the scopes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grant {
    /// The scopes that it has, those that they stand for among them.
    pub scopes: Vec<String>,
    /// The scopes that every request needs.
    #[serde(default)]
    pub required: Vec<String>,
    /// Where the server's metadata are.
    #[serde(default)]
    pub metadata_url: Option<String>,
}

impl Grant {
    /// The principal with a token that allows this. What can be no scopes allows nothing.
    pub(crate) fn onto(&self, principal: Principal, scheme: TokenScheme) -> Principal {
        let claims = TokenClaims { scopes: read(&self.scopes), ..TokenClaims::default() };
        let algs = if scheme == TokenScheme::Dpop { Dpop::algs() } else { String::new() };
        let (required, metadata_url) = (read(&self.required), self.metadata_url.clone());
        let terms = TokenTerms { scheme, required, metadata_url, algs };
        principal.with_token(Arc::new(claims)).with_terms(terms)
    }
}

fn read(names: &[String]) -> Scopes {
    Scopes::from_list("scopes", names.iter().map(String::as_str)).unwrap_or_default()
}
