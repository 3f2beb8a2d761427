//! Who may use the server: credentials of a request to a principal.
//!
//! Owns: the hook and two ready forms of it. Must not know: OAuth, which builds on it.

use std::fmt;
use std::future::ready;
use std::sync::Arc;

use mcpbolt_proto::auth::resource_server::{Challenger, TokenRefusal};
use mcpbolt_proto::auth::scope::Scopes;
use sha2::{Digest, Sha256};

use crate::handler::{BoxFuture, Principal, RequestHead, TokenTerms};

/// A refusal of credentials.
///
/// ```
/// use mcpbolt::transport::streamable_http::server::Denied;
///
/// let no_token = Denied::Unauthorized { challenge: Some("Bearer".to_owned()) };
/// let wrong_scope = Denied::Forbidden { challenge: Some("Bearer error=\"insufficient_scope\"".to_owned()) };
/// assert_ne!(no_token, wrong_scope); // 401 and 403
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Denied {
    /// 401: credentials are missing or not valid.
    Unauthorized {
        /// Value of `WWW-Authenticate`.
        challenge: Option<String>,
    },
    /// 403: credentials are valid and do not suffice.
    Forbidden {
        /// Value of `WWW-Authenticate`.
        challenge: Option<String>,
    },
    /// 400: the request says its credentials in a way that cannot be read.
    Unreadable {
        /// Value of `WWW-Authenticate`.
        challenge: Option<String>,
    },
    /// 401: a proof of possession has to repeat this nonce (RFC 9449).
    NonceNeeded {
        /// Value of `WWW-Authenticate`.
        challenge: String,
        /// Value of `DPoP-Nonce`.
        nonce: String,
    },
    /// 503 with `Retry-After`: credentials cannot be checked now, because what they are checked
    /// with does not answer.
    Unavailable,
}

/// Decides who sent a request. Asked for each one, before its body is read, unless a layer
/// in front of the service knows already and left a [`Principal`](crate::handler::Principal)
/// in the extensions of the request.
///
/// ```
/// use mcpbolt::handler::{BoxFuture, Principal, RequestHead};
/// use mcpbolt::transport::streamable_http::server::{Denied, Verifier};
///
/// /// Believes a proxy that has checked already.
/// struct BehindProxy;
///
/// impl Verifier for BehindProxy {
///     fn verify<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Principal, Denied>> {
///         let user = head.headers.get("x-user").and_then(|user| user.to_str().ok());
///         let found = user.map(Principal::named).ok_or(Denied::Unauthorized { challenge: None });
///         Box::pin(async move { found })
///     }
/// }
/// ```
pub trait Verifier: Send + Sync + 'static {
    /// The principal behind the request.
    fn verify<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Principal, Denied>>;

    /// Whether a principal may do what needs these scopes. Asked for requests about a tool,
    /// resource or prompt that names scopes. Unless said otherwise, its token has to have them
    /// all, and a principal without a token has none.
    fn allows(&self, principal: &Principal, needed: &Scopes) -> Result<(), Denied> {
        suffices(principal, needed)
    }

    /// A JSON document that anyone may read at this path, query included, such as protected
    /// resource metadata. Answers GET, in place of whatever else is there.
    fn document(&self, path: &str) -> Option<Arc<str>> {
        let _ = path;
        None
    }
}

/// Whether the token of a principal has all scopes.
pub(crate) fn suffices(principal: &Principal, needed: &Scopes) -> Result<(), Denied> {
    if principal.token().is_some_and(|token| token.scopes.contains_all(needed)) {
        return Ok(());
    }
    let none = TokenTerms::default();
    let terms = principal.terms().unwrap_or(&none);
    let challenger = Challenger {
        metadata_url: terms.metadata_url.as_deref(),
        schemes: &[terms.scheme],
        algs: &terms.algs,
    };
    // All that the request needs, so that the client asks once.
    let challenge = challenger.header(&TokenRefusal::Scope, terms.scheme, &terms.required.union(needed));
    Err(Denied::Forbidden { challenge: Some(challenge) })
}

/// Keys in a header of the program's choice.
///
/// ```
/// use mcpbolt::transport::streamable_http::server::ApiKey;
///
/// let keys = ApiKey::new("x-api-key".parse()?, [("s3cret", "ann"), ("0ther", "bob")]);
/// assert_eq!(format!("{keys:?}"), "ApiKey(x-api-key, 2 keys)"); // keys stay out of logs
/// # Ok::<(), http::header::InvalidHeaderName>(())
/// ```
pub struct ApiKey {
    header: http::HeaderName,
    keys: Keys,
}

impl ApiKey {
    /// Accepts these keys, each with the principal it stands for.
    pub fn new<K: AsRef<str>, P: Into<Arc<str>>>(
        header: http::HeaderName,
        keys: impl IntoIterator<Item = (K, P)>,
    ) -> Self {
        Self { header, keys: Keys::new(keys) }
    }
}

impl Verifier for ApiKey {
    fn verify<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Principal, Denied>> {
        let found = head.headers.get(&self.header).and_then(|key| self.keys.find(key.as_bytes()));
        Box::pin(ready(found.ok_or(Denied::Unauthorized { challenge: None })))
    }
}

/// Fixed bearer tokens in `Authorization`.
///
/// ```
/// use mcpbolt::transport::streamable_http::server::{HttpOptions, StaticBearer};
/// use std::sync::Arc;
///
/// let tokens = StaticBearer::new([("a-long-random-token", "ci")]);
/// let options = HttpOptions { verify: Some(Arc::new(tokens)), ..HttpOptions::default() };
/// # assert!(options.verify.is_some());
/// ```
pub struct StaticBearer {
    keys: Keys,
}

impl StaticBearer {
    /// Accepts these tokens, each with the principal it stands for.
    pub fn new<K: AsRef<str>, P: Into<Arc<str>>>(tokens: impl IntoIterator<Item = (K, P)>) -> Self {
        Self { keys: Keys::new(tokens) }
    }
}

impl Verifier for StaticBearer {
    fn verify<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Principal, Denied>> {
        let token =
            head.headers.get(http::header::AUTHORIZATION).map(http::HeaderValue::as_bytes).and_then(bearer);
        let found = token.and_then(|token| self.keys.find(token));
        let challenge = if token.is_some() { "Bearer error=\"invalid_token\"" } else { "Bearer" };
        Box::pin(ready(found.ok_or_else(|| Denied::Unauthorized { challenge: Some(challenge.to_owned()) })))
    }
}

/// The token of `Bearer <token>`.
fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = value.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"bearer ").then(|| rest.trim_ascii())
}

/// Digests of accepted keys. Comparing digests of equal length, all of them each time,
/// tells a guesser nothing about how close the guess was.
struct Keys(Vec<([u8; 32], Principal)>);

impl Keys {
    fn new<K: AsRef<str>, P: Into<Arc<str>>>(keys: impl IntoIterator<Item = (K, P)>) -> Self {
        let digest = |(key, principal): (K, P)| {
            (Sha256::digest(key.as_ref().as_bytes()).into(), Principal::named(principal))
        };
        Self(keys.into_iter().map(digest).collect())
    }

    fn find(&self, key: &[u8]) -> Option<Principal> {
        let digest: [u8; 32] = Sha256::digest(key).into();
        let mut found = None;
        for (known, principal) in &self.0 {
            let difference = known.iter().zip(&digest).fold(0, |sum, (a, b)| sum | (a ^ b));
            if std::hint::black_box(difference) == 0 {
                found = Some(principal.clone());
            }
        }
        found
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKey({}, {} keys)", self.header, self.keys.0.len())
    }
}

impl fmt::Debug for StaticBearer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StaticBearer({} tokens)", self.keys.0.len())
    }
}
