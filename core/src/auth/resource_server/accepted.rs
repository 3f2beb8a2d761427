//! From a token to claims that are good here.
//!
//! Owns: the order of checks, what is remembered, the name of a token's principal. Must not
//! know: requests, schemes, challenges.

use std::sync::Arc;

use mcpbolt_proto::auth::resource_server::{TokenClaims, TokenRefusal, TokenRules};
use mcpbolt_proto::auth::secret::Secret;

use crate::auth::time::now;

use super::remembered::{Remembered, digest};
use super::verifier::{CheckedToken, TokenError, TokenVerifier};

/// Whether a granted scope stands for a needed one.
pub(super) type Implies = Arc<dyn Fn(&str, &str) -> bool + Send + Sync>;
/// Who is behind a token.
pub(super) type Naming = Arc<dyn Fn(&TokenClaims) -> Option<String> + Send + Sync>;

/// The tokens that one server takes.
pub(super) struct Accepted {
    rules: TokenRules,
    naming: Option<Naming>,
    verifier: Arc<dyn TokenVerifier>,
    remembered: Remembered,
}

/// Why there are no claims.
pub(super) enum NotAccepted {
    Refused(TokenRefusal),
    /// It cannot be found out now.
    Unavailable,
}

impl Accepted {
    pub(super) fn new(rules: TokenRules, naming: Option<Naming>, verifier: Arc<dyn TokenVerifier>) -> Self {
        Self { rules, naming, verifier, remembered: Remembered::default() }
    }

    /// What a token says. Whether it is genuine is remembered; whether it is good is judged for
    /// each request anew, for time goes on.
    pub(super) async fn claims(&self, token: &str) -> Result<Arc<TokenClaims>, NotAccepted> {
        let (name, generation) = (digest(token), self.verifier.generation());
        let claims = if let Some(known) = self.remembered.find(&name, generation) {
            known
        } else {
            let checked = self.verifier.verify(&Secret::new(token)).await;
            let CheckedToken { claims, remember } = checked.map_err(|error| match error {
                TokenError::Invalid(why) => NotAccepted::Refused(TokenRefusal::Token(why)),
                TokenError::Unavailable => NotAccepted::Unavailable,
            })?;
            let claims = Arc::new(claims);
            self.remembered.keep(name, generation, &claims, remember);
            claims
        };
        self.rules.judge(&claims, now()).map_err(NotAccepted::Refused)?;
        Ok(claims)
    }

    /// Who is behind a token.
    pub(super) fn name(&self, claims: &TokenClaims) -> Option<String> {
        if let Some(naming) = &self.naming {
            return naming(claims);
        }
        let who = claims.subject.as_ref().or(claims.client_id.as_ref())?;
        // One subject of two issuers is two people.
        let several = self.rules.issuers.len() > 1;
        let issuer = claims.issuer.as_deref().filter(|_| several);
        Some(issuer.map_or_else(|| who.clone(), |issuer| format!("{issuer} {who}")))
    }
}
