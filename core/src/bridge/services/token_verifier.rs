//! Whether an access token is genuine, found out by the host: the service `token.verify`, or
//! what the option names.
//!
//! Owns: what the service is given, how its answer is read. Must not know: what claims have to
//! be.

use std::sync::Arc;
use std::time::Duration;

use mcpbolt_proto::auth::resource_server::TokenClaims;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::auth::{CheckedToken, TokenError, TokenVerifier};
use crate::bridge::queue::inbox::Inbox;
use crate::handler::BoxFuture;

/// Asks the host about a token: the service is given `{"token": text}` and answers `{"claims":
/// object, "remember": seconds}`, of which the second may be left out (0), or null for a token that
/// is not genuine.
pub(crate) struct AskTokenVerifier(pub(crate) Arc<Inbox>, pub(crate) String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    claims: Map<String, Value>,
    #[serde(default)]
    remember: f64,
}

impl TokenVerifier for AskTokenVerifier {
    fn verify<'a>(&'a self, token: &'a Secret) -> BoxFuture<'a, Result<CheckedToken, TokenError>> {
        let answer = self.0.ask_host(&self.1, json!({"token": token.expose()}).into());
        Box::pin(async move { checked(answer.await) })
    }
}

fn checked(answer: Result<RawJson, Error>) -> Result<CheckedToken, TokenError> {
    // Where the host fails, nobody knows whether the token is genuine.
    let answer = answer.map_err(|_| TokenError::Unavailable)?;
    if answer.is_null() {
        return Err(TokenError::Invalid("it is not known here"));
    }
    let answer: Answer = answer.decode().map_err(|_| TokenError::Unavailable)?;
    let claims =
        TokenClaims::read(answer.claims).map_err(|_| TokenError::Invalid("a claim has a wrong type"))?;
    let remember = Duration::try_from_secs_f64(answer.remember).map_err(|_| TokenError::Unavailable)?;
    Ok(CheckedToken { claims, remember })
}
