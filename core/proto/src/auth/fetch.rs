//! Requests that the flow has its caller send, and their answers, as data.
//!
//! Owns: what a request is, how large its answer may be and which redirects may be
//! followed, reading JSON. Must not know: HTTP, DNS, what answers mean.

use serde_json::{Map, Value};
use url::form_urlencoded;

use super::error::{AuthError, Document};
use super::secret::Secret;
use crate::policy::discovery::Guard;

/// What a carrier has to hold while it sends a request. Every address a name leads to, and
/// every redirect, is checked with the guard before it is used.
///
/// ```
/// use mcpbolt_proto::auth::fetch::Rules;
/// use mcpbolt_proto::policy::discovery::Guard;
///
/// let guard = Guard::for_server("https", "mcp.example.com");
/// assert_eq!(Rules::document(guard).max_redirects, 5);
/// assert_eq!(Rules::credentials(guard).max_redirects, 0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Longest body that is read; the connection is closed beyond it.
    pub max_bytes: usize,
    /// Most redirects that are followed. Each has to stay within the origin of the request.
    pub max_redirects: u8,
    /// Which schemes and addresses may be connected to.
    pub guard: Guard,
}

impl Rules {
    /// For documents: 256 KiB, and five redirects within the origin.
    pub const fn document(guard: Guard) -> Self {
        Self { max_bytes: 256 * 1024, max_redirects: 5, guard }
    }

    /// For what carries credentials: 256 KiB, and no redirect.
    pub const fn credentials(guard: Guard) -> Self {
        Self { max_bytes: 256 * 1024, max_redirects: 0, guard }
    }
}

/// The body of a request.
///
/// ```
/// use mcpbolt_proto::auth::fetch::Body;
///
/// let body = Body::form([("code", "a b"), ("grant_type", "authorization_code")]);
/// assert_eq!(body.text().expose(), "code=a+b&grant_type=authorization_code");
/// assert_eq!(format!("{body:?}"), "Form(code, grant_type)"); // values stay out of logs
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum Body {
    /// No body: the request is a GET.
    None,
    /// `application/x-www-form-urlencoded`: the request is a POST.
    Form(Vec<(String, Secret)>),
    /// `application/json`: the request is a POST.
    Json(Value),
}

impl Body {
    /// A form of names and values.
    pub fn form<'a>(fields: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        Self::Form(fields.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect())
    }

    /// The `Content-Type` of the body, if there is one.
    pub const fn content_type(&self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Form(_) => Some("application/x-www-form-urlencoded"),
            Self::Json(_) => Some("application/json"),
        }
    }

    /// The body as it is sent.
    pub fn text(&self) -> Secret {
        match self {
            Self::None => Secret::new(""),
            Self::Form(fields) => {
                let mut form = form_urlencoded::Serializer::new(String::new());
                form.extend_pairs(fields.iter().map(|(name, value)| (name, value.expose())));
                Secret::new(form.finish())
            }
            Self::Json(value) => Secret::new(value.to_string()),
        }
    }

    /// A field of a form.
    pub fn field(&self, name: &str) -> Option<&str> {
        let Self::Form(fields) = self else { return None };
        fields.iter().find(|(known, _)| known == name).map(|(_, value)| value.expose())
    }
}

impl std::fmt::Debug for Body {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("None"),
            Self::Form(fields) => {
                let names: Vec<_> = fields.iter().map(|(name, _)| name.as_str()).collect();
                write!(f, "Form({})", names.join(", "))
            }
            Self::Json(_) => f.write_str("Json"),
        }
    }
}

/// One request to send.
///
/// ```
/// use mcpbolt_proto::auth::fetch::{Body, Fetch, Rules};
///
/// let url = "https://a.example.com/.well-known/oauth-authorization-server";
/// let fetch = Fetch::document(url.to_owned(), "2026-07-28", Rules::document(Default::default()));
/// assert_eq!((fetch.method(), &fetch.body), ("GET", &Body::None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetch {
    /// Where it goes. It has been checked; redirects of it have not.
    pub url: String,
    /// Names and values of its headers, `Content-Type` among them.
    pub headers: Vec<(&'static str, Secret)>,
    /// Its body.
    pub body: Body,
    /// What to hold while it is sent.
    pub rules: Rules,
}

impl Fetch {
    /// A request for a document. `revision` is the protocol's, which such requests say.
    pub fn document(url: String, revision: &str, rules: Rules) -> Self {
        let headers = vec![("Accept", "application/json".into()), ("MCP-Protocol-Version", revision.into())];
        Self { url, headers, body: Body::None, rules }
    }

    /// A request with a body.
    pub fn post(url: String, body: Body, rules: Rules) -> Self {
        let mut headers = vec![("Accept", "application/json".into())];
        headers.extend(body.content_type().map(|kind| ("Content-Type", kind.into())));
        Self { url, headers, body, rules }
    }

    /// The request's method.
    pub fn method(&self) -> &'static str {
        if self.body == Body::None { "GET" } else { "POST" }
    }

    /// A header, by its name as it is written here.
    pub fn header(&self, name: &str) -> Option<&Secret> {
        self.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }
}

/// The answer to a request.
///
/// ```
/// use mcpbolt_proto::auth::fetch::Answer;
///
/// let answer = Answer::new(200, r#"{"access_token":"x"}"#);
/// assert_eq!(format!("{answer:?}"), "Answer(200, 20 bytes)");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Answer {
    /// Its status. One of a redirect that was not followed stays as it is.
    pub status: u16,
    /// Its body, as far as it was read.
    pub body: Vec<u8>,
    /// The nonce that the server wants in the next proof of possession (`DPoP-Nonce`).
    pub dpop_nonce: Option<String>,
    /// How long it may be kept (`Cache-Control`).
    pub cache_control: Option<String>,
}

impl Answer {
    /// An answer.
    pub fn new(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self { status, body: body.into(), dpop_nonce: None, cache_control: None }
    }

    /// Whether the server did what was asked.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// Whether the server failed, so that nothing follows from its answer.
    pub fn is_failing(&self) -> bool {
        self.status >= 500 || self.status == 429 || self.status == 408
    }

    /// The JSON object that the body is.
    pub fn object(&self, document: Document, rules: &Rules) -> Result<Map<String, Value>, AuthError> {
        if self.body.len() > rules.max_bytes {
            return Err(AuthError::TooLarge { field: "body", limit: rules.max_bytes });
        }
        let malformed = |why| AuthError::Malformed { document, field: "body", why };
        match serde_json::from_slice(&self.body) {
            Ok(Value::Object(object)) => Ok(object),
            Ok(_) => Err(malformed("it has to be a JSON object")),
            Err(_) => Err(malformed("it is not JSON")),
        }
    }
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Answer({}, {} bytes)", self.status, self.body.len())
    }
}
