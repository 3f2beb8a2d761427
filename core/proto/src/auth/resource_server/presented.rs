//! The token that a request brings.
//!
//! Owns: the header `Authorization` with the schemes Bearer (RFC 6750) and DPoP (RFC 9449), and
//! that a token in a URL is refused. Must not know: what the token says.

use url::form_urlencoded;

use super::refusal::TokenRefusal;
use crate::auth::challenge::TokenScheme;

/// Longest token that is looked at, in bytes.
pub const MAX_TOKEN: usize = 16 * 1024;

/// What a request brings.
///
/// ```
/// use mcpbolt_proto::auth::challenge::TokenScheme;
/// use mcpbolt_proto::auth::resource_server::{Presented, TokenRefusal};
///
/// let token = Presented::read(Some("bearer mF_9.Bxf-4.JqM"), None)?;
/// assert_eq!(token, Presented::Token { scheme: TokenScheme::Bearer, token: "mF_9.Bxf-4.JqM" });
/// // Other schemes are not ours to read: the client is told which one is.
/// assert_eq!(Presented::read(Some("Basic YTpi"), None)?, Presented::Nothing);
/// // URLs end up in logs.
/// assert!(Presented::read(None, Some("access_token=mF_9")).is_err());
/// # Ok::<(), TokenRefusal>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presented<'a> {
    /// No token.
    Nothing,
    /// A token, not checked yet.
    Token {
        /// How it was sent.
        scheme: TokenScheme,
        /// The token.
        token: &'a str,
    },
}

impl<'a> Presented<'a> {
    /// Reads the value of `Authorization` and the query of the request's URL.
    pub fn read(authorization: Option<&'a str>, query: Option<&str>) -> Result<Self, TokenRefusal> {
        let mut pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        if pairs.any(|(name, _)| name == "access_token") {
            return Err(TokenRefusal::Request("send the token in Authorization, not in the URL"));
        }
        let Some(value) = authorization else { return Ok(Self::Nothing) };
        let Some((scheme, token)) = TokenScheme::of(value) else { return Ok(Self::Nothing) };
        let token = token.trim_matches(' ');
        if token.len() > MAX_TOKEN {
            return Err(TokenRefusal::Request("the token is too long"));
        }
        let body = token.trim_end_matches('=');
        let fits = |b: u8| b.is_ascii_alphanumeric() || b"-._~+/".contains(&b);
        if body.is_empty() || !body.bytes().all(fits) {
            return Err(TokenRefusal::Request("Authorization has no token that can be read"));
        }
        Ok(Self::Token { scheme, token })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_one_token_is_refused() {
        let long = format!("Bearer {}", "a".repeat(MAX_TOKEN + 1));
        for value in ["Bearer", "Bearer ", "Bearer a b", "Bearer a,b", "Bearer \"a\"", "DPoP =", &long] {
            let refused = Presented::read(Some(value), None).unwrap_err();
            assert_eq!(refused.status(), 400, "{}", &value[..value.len().min(20)]);
        }
    }

    #[test]
    fn a_request_without_a_token_is_no_fault() {
        for value in [None, Some("Negotiate abc=="), Some("")] {
            assert_eq!(Presented::read(value, Some("a=b")), Ok(Presented::Nothing));
        }
    }
}
