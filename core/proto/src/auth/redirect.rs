//! What the browser comes back with.
//!
//! Owns: reading it, and judging it by what was kept: `state`, then `iss` (RFC 9207), on
//! success and on error alike. Must not know: how it was received, what a code is exchanged
//! for.

use url::{Url, form_urlencoded};

use super::authorization_request::Pending;
use super::error::{AuthError, Document, Refusal};
use super::secret::Secret;

/// Longest answer that is read, in bytes.
const MAX_ANSWER: usize = 16 * 1024;
const DOCUMENT: Document = Document::AuthorizationResponse;

/// The answer to an authorization request, unjudged. Nothing of it is shown by `Debug`.
///
/// ```
/// use mcpbolt_proto::auth::redirect::RedirectAnswer;
///
/// let answer = RedirectAnswer::from_query("code=SplxlOBe&state=xyz&iss=https%3A%2F%2Fa.example.com")?;
/// assert_eq!(format!("{answer:?}"), "RedirectAnswer(…)");
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct RedirectAnswer {
    code: Option<Secret>,
    state: Option<Secret>,
    issuer: Option<String>,
    error: Option<String>,
    description: Option<String>,
    /// Whether `iss` may have been there without being seen.
    partial: bool,
}

/// Whether the caller sees everything that the browser brings.
///
/// ```
/// use mcpbolt_proto::auth::redirect::IssuerCheck;
///
/// assert_eq!(IssuerCheck::default(), IssuerCheck::Required);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum IssuerCheck {
    /// It does: a server that promised to say its issuer has to.
    #[default]
    Required,
    /// It may not, like callbacks of official 1.x packages that return code and state only.
    /// An issuer that is there is compared all the same.
    WhenSeen,
}

impl IssuerCheck {
    /// Whether the issuer of an answer is the expected one, letter by letter. `promised` says
    /// that the server always names it.
    pub fn holds(self, issuer: Option<&str>, expected: &str, promised: bool) -> bool {
        issuer.map_or(!promised || self == Self::WhenSeen, |issuer| issuer == expected)
    }
}

impl RedirectAnswer {
    /// Reads the query of the URL that the browser came back to, or the body of a form.
    /// A parameter that is there twice is refused.
    pub fn from_query(query: &str) -> Result<Self, AuthError> {
        if query.len() > MAX_ANSWER {
            return Err(AuthError::TooLarge { field: "authorization response", limit: MAX_ANSWER });
        }
        let pairs: Vec<_> = form_urlencoded::parse(query.trim_start_matches('?').as_bytes()).collect();
        let one = |field: &'static str| -> Result<Option<String>, AuthError> {
            let mut values = pairs.iter().filter(|(name, _)| name == field).map(|(_, value)| value);
            let first = values.next();
            if values.next().is_some() {
                return Err(AuthError::Malformed { document: DOCUMENT, field, why: "it is there twice" });
            }
            Ok(first.map(ToString::to_string))
        };
        Ok(Self {
            code: one("code")?.map(Secret::new),
            state: one("state")?.map(Secret::new),
            issuer: one("iss")?,
            error: one("error")?,
            description: one("error_description")?,
            partial: false,
        })
    }

    /// Reads the URL that the browser came back to.
    pub fn from_url(url: &str) -> Result<Self, AuthError> {
        let url = Url::parse(url).map_err(|_| AuthError::Url {
            field: "redirect_uri",
            why: "the answer is not an absolute URL",
        })?;
        Self::from_query(url.query().unwrap_or_default())
    }

    /// The answer as a query again, for hosts that hand it on as text.
    ///
    /// ```
    /// use mcpbolt_proto::auth::redirect::RedirectAnswer;
    ///
    /// let answer = RedirectAnswer::from_query("iss=https%3A%2F%2Fa.example.com&code=x&other=1")?;
    /// assert_eq!(answer.query().expose(), "code=x&iss=https%3A%2F%2Fa.example.com");
    /// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
    /// ```
    pub fn query(&self) -> Secret {
        let fields = [
            ("code", self.code.as_ref().map(Secret::expose)),
            ("state", self.state.as_ref().map(Secret::expose)),
            ("iss", self.issuer.as_deref()),
            ("error", self.error.as_deref()),
            ("error_description", self.description.as_deref()),
        ];
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(fields.into_iter().filter_map(|(name, value)| Some((name, value?))));
        Secret::new(query.finish())
    }

    /// What a callback of a program has in its hands.
    pub fn of_code(code: Secret, state: Option<Secret>, issuer: Option<String>) -> Self {
        Self { code: Some(code), state, issuer, ..Self::default() }
    }

    /// The same, from a callback that is given code and state only, like those of the official
    /// 1.x packages: that `iss` is missing says nothing.
    #[must_use]
    pub fn seen_in_part(self) -> Self {
        Self { partial: true, ..self }
    }

    /// The code, if this is the answer to what was asked, from whom it was asked. Issuers are
    /// compared letter by letter. After a mismatch nothing of the answer is in the error;
    /// an error of the server is told only once it is known to be the server's.
    ///
    /// ```
    /// # use mcpbolt_proto::auth::authorization_request::Pending;
    /// # use mcpbolt_proto::auth::pkce::Verifier;
    /// use mcpbolt_proto::auth::redirect::{IssuerCheck, RedirectAnswer};
    ///
    /// # let pending = Pending {
    /// #     issuer: "https://a.example.com".into(), says_issuer: true, state: "xyz".into(),
    /// #     verifier: Verifier::new(&[7; 32]), client_id: "c".into(),
    /// #     redirect_uri: "http://localhost/cb".into(), resource: None, scopes: Default::default(),
    /// # };
    /// let answer = RedirectAnswer::from_query("error=access_denied&state=xyz&iss=https://evil.example.com")?;
    /// let error = answer.code(&pending, IssuerCheck::Required).unwrap_err();
    /// assert!(error.to_string().contains("issuer") && !error.to_string().contains("denied"));
    /// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
    /// ```
    pub fn code(self, pending: &Pending, check: IssuerCheck) -> Result<Secret, AuthError> {
        if self.state.as_ref() != Some(&pending.state) {
            return Err(AuthError::StateMismatch);
        }
        let promised = pending.says_issuer && !self.partial;
        if !check.holds(self.issuer.as_deref(), &pending.issuer, promised) {
            return Err(AuthError::IssuerMismatch { document: DOCUMENT, expected: pending.issuer.clone() });
        }
        if let Some(error) = &self.error {
            let sent = [&pending.state, pending.verifier.secret()];
            let refusal = Refusal::new(error, self.description.as_deref(), &sent);
            return Err(AuthError::AuthorizationRefused { refusal });
        }
        let code = self.code.filter(|code| !code.is_empty());
        code.ok_or(AuthError::Malformed { document: DOCUMENT, field: "code", why: "it is missing" })
    }
}

impl std::fmt::Debug for RedirectAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RedirectAnswer(…)")
    }
}
