//! What a resource server answers to a request that it does not take.
//!
//! Owns: statuses and error codes of RFC 6750, section 3.1, and RFC 9449, section 7, and the
//! challenges. Must not know: why a token is refused beyond one sentence, which never repeats
//! anything of the token.

use crate::auth::challenge::{Challenge, TokenScheme};
use crate::auth::scope::{OFFLINE_ACCESS, Scopes};

/// Why a request is not taken.
///
/// ```
/// use mcpbolt_proto::auth::resource_server::TokenRefusal;
///
/// assert_eq!(TokenRefusal::NoToken.status(), 401);
/// assert_eq!(TokenRefusal::Scope.error_code(), Some("insufficient_scope"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenRefusal {
    /// The request brings no token: 401, without an error code.
    #[error("a token is needed")]
    NoToken,
    /// The token cannot be read from the request: 400, `invalid_request`.
    #[error("{0}")]
    Request(&'static str),
    /// The token is not good here: 401, `invalid_token`.
    #[error("the token is not accepted: {0}")]
    Token(&'static str),
    /// The proof beside the token is missing or wrong: 401, `invalid_dpop_proof`. Drafts of the
    /// protocol have it (SEP-1932).
    #[error("the proof is not accepted: {0}")]
    Proof(&'static str),
    /// The proof has to repeat the server's nonce: 401, `use_dpop_nonce`. Drafts of the protocol
    /// have it (SEP-1932).
    #[error("the proof has to repeat the nonce of this answer")]
    Nonce,
    /// The token is good for less than the operation needs: 403, `insufficient_scope`.
    #[error("the token lacks a scope that this needs")]
    Scope,
}

impl TokenRefusal {
    /// The status of the response.
    pub const fn status(&self) -> u16 {
        match self {
            Self::NoToken | Self::Token(_) | Self::Proof(_) | Self::Nonce => 401,
            Self::Request(_) => 400,
            Self::Scope => 403,
        }
    }

    /// The error code, if there is one.
    pub const fn error_code(&self) -> Option<&'static str> {
        match self {
            Self::NoToken => None,
            Self::Request(_) => Some("invalid_request"),
            Self::Token(_) => Some("invalid_token"),
            Self::Proof(_) => Some("invalid_dpop_proof"),
            Self::Nonce => Some("use_dpop_nonce"),
            Self::Scope => Some("insufficient_scope"),
        }
    }
}

/// Writes the challenges of one server.
///
/// ```
/// use mcpbolt_proto::auth::challenge::TokenScheme;
/// use mcpbolt_proto::auth::resource_server::{Challenger, TokenRefusal};
/// use mcpbolt_proto::auth::scope::Scopes;
///
/// let about = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";
/// let challenger = Challenger { metadata_url: Some(about), schemes: &[TokenScheme::Bearer], algs: "" };
/// let scopes = Scopes::parse("scope", "files:read")?;
/// let header = challenger.header(&TokenRefusal::NoToken, TokenScheme::Bearer, &scopes);
/// assert_eq!(header, format!("Bearer resource_metadata=\"{about}\", scope=\"files:read\""));
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Challenger<'a> {
    /// Where the server's metadata are.
    pub metadata_url: Option<&'a str>,
    /// The schemes that the server takes, each with a challenge of its own.
    pub schemes: &'a [TokenScheme],
    /// The algorithms that proofs may be signed with, with blanks between them.
    pub algs: &'a str,
}

impl Challenger<'_> {
    /// The value of `WWW-Authenticate`. `sent` is the scheme that the request came with: its
    /// challenge says what was wrong. `scopes` are all that the request needs, so that the client
    /// asks once; `offline_access` is never told: it is between a client and the issuer.
    pub fn header(&self, refusal: &TokenRefusal, sent: TokenScheme, scopes: &Scopes) -> String {
        let one =
            |scheme: &TokenScheme| self.challenge(refusal, *scheme, *scheme == sent, scopes).to_string();
        let all: Vec<String> = self.schemes.iter().map(one).collect();
        all.join(", ")
    }

    fn challenge(
        &self,
        refusal: &TokenRefusal,
        scheme: TokenScheme,
        is_sent: bool,
        scopes: &Scopes,
    ) -> Challenge {
        let mut parameters = Vec::new();
        let mut add = |name: &str, value: &str| parameters.push((name.to_owned(), value.to_owned()));
        if let Some(code) = refusal.error_code().filter(|_| is_sent) {
            add("error", code);
            add("error_description", &refusal.to_string());
        }
        if let Some(url) = self.metadata_url {
            add("resource_metadata", url);
        }
        let scopes = scopes.without(OFFLINE_ACCESS);
        if !scopes.is_empty() {
            add("scope", &scopes.to_string());
        }
        if scheme == TokenScheme::Dpop {
            add("algs", self.algs);
        }
        Challenge { scheme: scheme.name().to_owned(), token68: None, parameters }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::challenge::Demand;

    #[test]
    fn only_the_scheme_that_was_sent_hears_what_was_wrong() {
        let schemes = [TokenScheme::Bearer, TokenScheme::Dpop];
        let challenger = Challenger { metadata_url: None, schemes: &schemes, algs: "ES256" };
        let header = challenger.header(&TokenRefusal::Nonce, TokenScheme::Dpop, &Scopes::default());
        let read = Challenge::parse([header.as_str()]);
        assert_eq!((read[0].parameter("error"), read[1].parameter("algs")), (None, Some("ES256")));
        assert!(Demand::of(&read[1..]).unwrap().wants_dpop_nonce());
    }
}
