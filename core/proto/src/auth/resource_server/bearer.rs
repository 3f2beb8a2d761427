//! Bearer tokens in front of a server of the official packages, whose program verifies them.
//!
//! Owns: reading the header, what a verified token has to be, and statuses, challenges and
//! bodies of refusals, each as the package has it. Must not know: how a token is verified. The
//! engine's own servers decide by [`TokenRules`](super::TokenRules).

use serde::Deserialize;
use serde_json::Map;
use url::Url;

use crate::auth::authorization_server::{Answer, Refused};
use crate::auth::words::Words;

/// What a server asks of tokens.
///
/// ```
/// use mcpbolt_proto::auth::resource_server::BearerRules;
///
/// let rules = r#"{"words": "typescript", "required_scopes": ["notes"]}"#;
/// let rules: BearerRules = serde_json::from_str(rules)?;
/// assert_eq!(rules.token(Some("bearer t")).unwrap(), "t");
/// let refused = rules.judge(&["mail"], Some(2e9), None, 1e9).unwrap_err();
/// assert_eq!(rules.answer(&refused).status, 403);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BearerRules {
    /// Whose words.
    pub words: Words,
    /// The scopes that a token must have, all of them.
    #[serde(default)]
    pub required_scopes: Vec<String>,
    /// The only resource that tokens may be issued for; any, if missing.
    #[serde(default)]
    pub resource: Option<String>,
    /// Where the resource's metadata are.
    #[serde(default)]
    pub metadata_url: Option<String>,
}

impl BearerRules {
    /// The token of a request.
    ///
    /// # Errors
    /// `invalid_token` if there is none.
    pub fn token<'a>(&self, authorization: Option<&'a str>) -> Result<&'a str, Refused> {
        let header = authorization.filter(|header| !header.is_empty());
        let (scheme, rest) = header.and_then(|header| header.split_once(' ')).unwrap_or_default();
        let is_bearer = scheme.eq_ignore_ascii_case("bearer");
        if self.words.is_python() {
            return is_bearer.then_some(rest).ok_or_else(|| invalid("Authentication required"));
        }
        let token = rest.split(' ').next().filter(|token| is_bearer && !token.is_empty());
        token.ok_or_else(|| {
            invalid(match header {
                None => "Missing Authorization header",
                Some(_) => "Invalid Authorization header format, expected 'Bearer TOKEN'",
            })
        })
    }

    /// Whether a verified token is good here, at a time in seconds since 1970. In Python scopes
    /// are looked at later, by [`missing_scope`](Self::missing_scope).
    ///
    /// # Errors
    /// `invalid_token`, `insufficient_scope`; in Python `invalid_target` for another resource.
    pub fn judge(
        &self,
        scopes: &[impl AsRef<str>],
        expires_at: Option<f64>,
        resource: Option<&str>,
        now: f64,
    ) -> Result<(), Refused> {
        if self.words.is_python() {
            if expires_at.is_some_and(|end| end != 0.0 && end < now.floor()) {
                return Err(invalid("Token has expired"));
            }
            if !self.is_for_us(resource) {
                return Err(Refused::new("invalid_target", "Token was not issued for this resource"));
            }
            return Ok(());
        }
        if !self.is_for_us(resource) {
            return Err(invalid("Token was not issued for this resource"));
        }
        if self.first_missing(scopes).is_some() {
            return Err(Refused::new("insufficient_scope", "Insufficient scope"));
        }
        match expires_at.filter(|end| !end.is_nan()) {
            None => Err(invalid("Token has no expiration time")),
            Some(end) if end < now => Err(invalid("Token has expired")),
            Some(_) => Ok(()),
        }
    }

    /// The refusal for the first required scope that is not among those granted.
    pub fn missing_scope(&self, granted: &[impl AsRef<str>]) -> Option<Refused> {
        let missing = self.first_missing(granted)?;
        Some(Refused::new("insufficient_scope", format!("Required scope: {missing}")))
    }

    fn first_missing(&self, granted: &[impl AsRef<str>]) -> Option<&str> {
        let has = |scope: &&String| !granted.iter().any(|one| one.as_ref() == **scope);
        self.required_scopes.iter().find(has).map(String::as_str)
    }

    fn is_for_us(&self, resource: Option<&str>) -> bool {
        let Some(ours) = &self.resource else { return true };
        let Some(named) = resource else { return false };
        if self.words.is_python() {
            // As URLs: case of the host, default ports and a final slash do not matter.
            let read = |text: &str| {
                let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
                Some(without_slash(url.as_str()).to_owned())
            };
            return read(named).is_some_and(|named| read(ours) == Some(named));
        }
        let comparable = |text: &'_ str| without_slash(text.split('#').next().unwrap_or_default()).to_owned();
        comparable(named) == comparable(ours)
    }

    /// The answer to a request that is refused.
    pub fn answer(&self, refused: &Refused) -> Answer {
        let status = match &*refused.error {
            "invalid_token" => 401,
            "insufficient_scope" => 403,
            "server_error" => 500,
            _ => 400,
        };
        let mut headers = Map::new();
        if matches!(status, 401 | 403) {
            headers
                .insert("WWW-Authenticate".to_owned(), self.challenge(refused, &self.required_scopes).into());
        }
        Answer { status, headers, body: refused.body() }
    }

    /// The challenge of a refusal; `scopes` are all that the request needs.
    pub fn challenge(&self, refused: &Refused, scopes: &[String]) -> String {
        let description = refused.description.as_deref().unwrap_or_default();
        let mut parts = vec![("error", refused.error.clone()), ("error_description", description.to_owned())];
        if !self.words.is_python() && !scopes.is_empty() {
            parts.push(("scope", scopes.join(" ")));
        }
        if let Some(url) = self.metadata_url.as_ref().filter(|url| !url.is_empty()) {
            parts.push(("resource_metadata", url.clone()));
        }
        let part = |(name, value): (&str, String)| format!("{name}=\"{}\"", self.quoted(&value));
        format!("Bearer {}", parts.into_iter().map(part).collect::<Vec<_>>().join(", "))
    }

    /// A value between quotes. Only the packages of 2.x in TypeScript escape what may not stand
    /// there; all others keep a line break out, which would be a header of its own.
    fn quoted(&self, value: &str) -> String {
        let escape = |c: char| match c {
            '\\' | '"' if self.words == Words::TypeScript2 => vec!['\\', c],
            ' '..='~' => vec![c],
            '\r' | '\n' => vec![' '],
            _ if self.words == Words::TypeScript2 => vec![' '],
            _ => vec![c],
        };
        value.chars().flat_map(escape).collect()
    }
}

fn invalid(description: &str) -> Refused {
    Refused::new("invalid_token", description)
}

fn without_slash(text: &str) -> &str {
    text.strip_suffix('/').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(words: Words) -> BearerRules {
        BearerRules {
            words,
            required_scopes: vec!["a".into()],
            resource: Some("https://R.example/mcp".into()),
            metadata_url: Some("https://r.example/x".into()),
        }
    }

    #[test]
    fn each_package_looks_in_its_own_order() {
        let now = 1_000.5;
        for (words, scopes, end, resource, error) in [
            (Words::Python, &["b"][..], Some(1_000.0), Some("https://r.example:443/mcp/"), None),
            (Words::Python, &[], Some(999.0), None, Some("invalid_token")),
            (Words::Python, &[], None, Some("nonsense"), Some("invalid_target")),
            (Words::TypeScript, &["b"], None, Some("https://R.example/mcp/#x"), Some("insufficient_scope")),
            (Words::TypeScript, &["a"], None, Some("https://R.example/mcp"), Some("invalid_token")),
            (Words::TypeScript, &["a"], Some(1_000.0), Some("https://R.example/mcp"), Some("invalid_token")),
            (Words::TypeScript, &["a"], Some(1_001.0), Some("https://R.example/mcp"), None),
        ] {
            let refused = rules(words).judge(scopes, end, resource, now).err().map(|refused| refused.error);
            assert_eq!(refused.as_deref(), error, "{words:?} {scopes:?} {end:?} {resource:?}");
        }
    }

    #[test]
    fn no_text_of_a_program_becomes_a_header() {
        let refused = Refused::new("invalid_token", "a\r\nX: \"y\"");
        let header = |words| rules(words).challenge(&refused, &[]);
        assert!(!header(Words::TypeScript).contains('\n'));
        assert!(header(Words::TypeScript2).contains("a  X: \\\"y\\\""));
    }
}
