//! Bearer tokens that the host verifies.
//!
//! Owns: the rules of one server, read once, so that a request that is not refused costs no
//! JSON. Must not know: what is decided.

use mcpbolt_proto::auth::authorization_server::Refused;
use mcpbolt_proto::auth::resource_server::BearerRules;
use mcpbolt_proto::protocol::Error;

use super::authorization_server::{thrown, told};
use super::host_flow::now;
use super::options::{parsed, read};

/// What one server asks of the tokens that its program verifies. A refusal is the data of the
/// error: `{error, error_description}`.
pub struct HostBearer(BearerRules);

impl HostBearer {
    /// From JSON text: `{words, required_scopes, resource, metadata_url}`.
    pub fn new(options: &str) -> Result<Self, Error> {
        read("options", parsed("options", options)?).map(Self)
    }

    /// The token of a request, from its `Authorization`.
    pub fn token<'a>(&self, authorization: Option<&'a str>) -> Result<&'a str, Error> {
        self.0.token(authorization).map_err(|refused| thrown(&refused))
    }

    /// Whether a verified token is good here.
    pub fn judge(
        &self,
        scopes: &[impl AsRef<str>],
        expires_at: Option<f64>,
        resource: Option<&str>,
    ) -> Result<(), Error> {
        let judged = self.0.judge(scopes, expires_at, resource, now().as_secs_f64());
        judged.map_err(|refused| thrown(&refused))
    }

    /// Whether all required scopes are granted, where that is looked at by itself.
    pub fn demand_scopes(&self, granted: &[impl AsRef<str>]) -> Result<(), Error> {
        self.0.missing_scope(granted).map_or(Ok(()), |refused| Err(thrown(&refused)))
    }

    /// The answer to a request that is refused: `{status, headers, body}`, as JSON text.
    pub fn answer(&self, refused: &str) -> Result<String, Error> {
        let refused: Refused = read("refused", parsed("refused", refused)?)?;
        told(Ok(&self.0.answer(&refused)))
    }

    /// The challenge for scopes that one operation needs.
    pub fn challenge(&self, description: &str, scopes: &[String]) -> String {
        self.0.challenge(&Refused::new("insufficient_scope", description), scopes)
    }
}
