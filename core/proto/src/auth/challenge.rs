//! What a server demands when it refuses a request: `WWW-Authenticate`.
//!
//! Owns: the grammar of RFC 9110, section 11.6.1, and the parameters of the schemes Bearer
//! (RFC 6750, RFC 9728) and DPoP (RFC 9449). Must not know: what is done about a demand.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Most bytes of all headers together that are read; a header beyond is left out.
const MAX_TEXT: usize = 16 * 1024;
/// Most challenges that are kept.
const MAX_CHALLENGES: usize = 16;
/// Most parameters of one challenge that are kept.
const MAX_PARAMETERS: usize = 32;

/// One challenge: a scheme, and either one opaque text or parameters.
///
/// ```
/// use mcpbolt_proto::auth::challenge::Challenge;
///
/// let found = Challenge::parse(["Negotiate abc==, Bearer scope=\"a, b\", error=invalid_token"]);
/// assert_eq!(found[0].token68.as_deref(), Some("abc=="));
/// assert_eq!(found[1].parameter("scope"), Some("a, b"));
/// assert_eq!(found[1].to_string(), r#"Bearer scope="a, b", error="invalid_token""#);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Challenge {
    /// The scheme as it was written. Compare it with [`Challenge::is`].
    pub scheme: String,
    /// The opaque text of schemes such as Negotiate.
    pub token68: Option<String>,
    /// Names in lower case and values without quotes, each name once.
    pub parameters: Vec<(String, String)>,
}

impl Challenge {
    /// The challenges of all `WWW-Authenticate` headers of an answer. What the grammar does
    /// not allow is skipped: a header is never a reason to fail. Of a parameter that is said
    /// twice the first counts, and one with control characters does not.
    pub fn parse<'a>(headers: impl IntoIterator<Item = &'a str>) -> Vec<Self> {
        let (mut found, mut room) = (Vec::new(), MAX_TEXT);
        for header in headers {
            if header.len() <= room {
                room -= header.len();
                Scanner { rest: header }.challenges(&mut found);
            }
        }
        found.truncate(MAX_CHALLENGES);
        found
    }

    /// Whether this is the scheme, in any case.
    pub fn is(&self, scheme: &str) -> bool {
        self.scheme.eq_ignore_ascii_case(scheme)
    }

    /// A parameter, by its name in lower case.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn add(&mut self, name: &str, value: String) {
        let name = name.to_ascii_lowercase();
        let bad = value.chars().any(|c| c.is_control() && c != '\t');
        if !bad && self.parameters.len() < MAX_PARAMETERS && self.parameter(&name).is_none() {
            self.parameters.push((name, value));
        }
    }
}

impl fmt::Display for Challenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.scheme)?;
        if let Some(token) = &self.token68 {
            return write!(f, " {token}");
        }
        for (index, (name, value)) in self.parameters.iter().enumerate() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            write!(f, "{} {name}=\"{value}\"", if index == 0 { "" } else { "," })?;
        }
        Ok(())
    }
}

/// What a scheme for tokens demands.
///
/// ```
/// use mcpbolt_proto::auth::challenge::{Challenge, Demand, TokenScheme};
///
/// let header = r#"Basic realm="x", Bearer error="insufficient_scope", scope="files:write""#;
/// let demand = Demand::of(&Challenge::parse([header])).unwrap();
/// assert_eq!(demand.scheme, TokenScheme::Bearer);
/// assert!(demand.wants_more_scope());
/// assert_eq!(demand.scope.as_deref(), Some("files:write"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// How the token has to be sent.
    pub scheme: TokenScheme,
    /// Where the metadata of the resource are (RFC 9728). Not checked yet.
    pub resource_metadata: Option<String>,
    /// The scopes that the request needs, with blanks between them.
    pub scope: Option<String>,
    /// Why the token did not do: `invalid_token`, `insufficient_scope`, …
    pub error: Option<String>,
    /// The same for people. It is the server's text: show it as such or not at all.
    pub error_description: Option<String>,
    /// The algorithms that proofs may be signed with, with blanks between them (DPoP).
    pub algs: Option<String>,
}

/// How a token is sent.
///
/// ```
/// use mcpbolt_proto::auth::challenge::TokenScheme;
///
/// assert_eq!(TokenScheme::Dpop.name(), "DPoP");
/// assert_eq!(TokenScheme::of("bearer t0k"), Some((TokenScheme::Bearer, "t0k")));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TokenScheme {
    /// Having the token is enough to use it (RFC 6750).
    #[default]
    Bearer,
    /// The sender proves that it has a key (RFC 9449).
    Dpop,
}

impl TokenScheme {
    /// The scheme's name as it is sent.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bearer => "Bearer",
            Self::Dpop => "DPoP",
        }
    }

    /// The scheme of a value of `Authorization`, if it is one of these, and what stands behind it.
    pub fn of(authorization: &str) -> Option<(Self, &str)> {
        let (name, rest) = authorization.split_once(' ').unwrap_or((authorization, ""));
        let named = |scheme: &Self| scheme.name().eq_ignore_ascii_case(name);
        [Self::Bearer, Self::Dpop].into_iter().find(named).map(|scheme| (scheme, rest))
    }
}

impl Demand {
    /// What the challenges of an answer demand: the first about bearer tokens that says
    /// something, else the first about DPoP. Parameters of challenges are never mixed.
    pub fn of(challenges: &[Challenge]) -> Option<Self> {
        let first = |scheme: TokenScheme| {
            let mut ours = challenges.iter().filter(|challenge| challenge.is(scheme.name()));
            let found =
                ours.clone().find(|challenge| !challenge.parameters.is_empty()).or_else(|| ours.next());
            found.map(|challenge| (scheme, challenge))
        };
        let (scheme, challenge) = first(TokenScheme::Bearer).or_else(|| first(TokenScheme::Dpop))?;
        let text = |name: &str| challenge.parameter(name).filter(|v| !v.is_empty()).map(str::to_owned);
        Some(Self {
            scheme,
            resource_metadata: text("resource_metadata"),
            scope: text("scope"),
            error: text("error"),
            error_description: text("error_description"),
            algs: text("algs"),
        })
    }

    /// Whether the token is good for less than the request needs.
    pub fn wants_more_scope(&self) -> bool {
        self.error.as_deref() == Some("insufficient_scope")
    }

    /// Whether the proof has to be sent again with the server's nonce.
    pub fn wants_dpop_nonce(&self) -> bool {
        self.error.as_deref() == Some("use_dpop_nonce")
    }
}

struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    fn challenges(&mut self, found: &mut Vec<Challenge>) {
        // Parameters before any scheme belong to nothing.
        let mut current: Option<Challenge> = None;
        loop {
            self.skip(|c| c == ',' || is_blank(c));
            if self.rest.is_empty() || found.len() >= MAX_CHALLENGES {
                break;
            }
            let word = self.take(is_token);
            if word.is_empty() {
                self.skip_broken();
                continue;
            }
            if self.peek_past_blanks() == Some('=') {
                let value = self.value();
                // A challenge has an opaque text or parameters, never both.
                let open = current.as_mut().filter(|challenge| challenge.token68.is_none());
                if let (Some(challenge), Some(value)) = (open, value) {
                    challenge.add(word, value);
                }
            } else {
                found.extend(current.take());
                let token68 = self.token68();
                current = Some(Challenge { scheme: word.to_owned(), token68, parameters: Vec::new() });
            }
        }
        found.extend(current);
    }

    /// The value after `=`; nothing if a quoted one has no end.
    fn value(&mut self) -> Option<String> {
        self.skip(is_blank);
        self.rest = &self.rest[1..];
        self.skip(is_blank);
        let Some(quoted) = self.rest.strip_prefix('"') else {
            // Some servers do not quote URLs, which the grammar would have them do.
            return Some(self.take(|c| c != ',' && !is_blank(c)).to_owned());
        };
        let (mut value, mut escaped) = (String::new(), false);
        for (at, c) in quoted.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => {
                    escaped = true;
                    continue;
                }
                '"' => {
                    self.rest = &quoted[at + 1..];
                    return Some(value);
                }
                _ => {}
            }
            value.push(c);
        }
        self.rest = "";
        None
    }

    /// The opaque text after a scheme, if that is what follows up to the next comma.
    fn token68(&mut self) -> Option<String> {
        let text = self.rest.trim_start_matches(is_blank);
        let end = text.find(',').unwrap_or(text.len());
        let token = text[..end].trim_end_matches(is_blank);
        let body = token.trim_end_matches('=');
        let fits = |c: char| c.is_ascii_alphanumeric() || "-._~+/".contains(c);
        if text.len() == self.rest.len() || body.is_empty() || !body.chars().all(fits) {
            return None;
        }
        self.rest = &text[end..];
        Some(token.to_owned())
    }

    /// Goes past what is neither a token nor a comma; quoted text goes as a whole.
    fn skip_broken(&mut self) {
        if let Some(quoted) = self.rest.strip_prefix('"') {
            self.rest = quoted.find('"').map_or("", |end| &quoted[end + 1..]);
        } else {
            let first = self.rest.chars().next().map_or(0, char::len_utf8);
            self.rest = &self.rest[first..];
        }
    }

    fn peek_past_blanks(&self) -> Option<char> {
        self.rest.trim_start_matches(is_blank).chars().next()
    }

    fn skip(&mut self, skipped: impl Fn(char) -> bool) {
        self.rest = self.rest.trim_start_matches(skipped);
    }

    fn take(&mut self, taken: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !taken(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }
}

fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t'
}

fn is_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c)
}
