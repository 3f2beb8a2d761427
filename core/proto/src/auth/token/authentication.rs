//! How a client proves itself at a token endpoint.
//!
//! Owns: the choice of the method, and what each puts into headers and form. Must not know:
//! how assertions are signed: they come from outside.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use url::form_urlencoded;

use crate::auth::error::AuthError;
use crate::auth::registration::ClientInformation;
use crate::auth::secret::Secret;

const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// The methods, by their names in metadata.
///
/// ```
/// use mcpbolt_proto::auth::registration::ClientInformation;
/// use mcpbolt_proto::auth::token::Method;
///
/// let client = ClientInformation { client_secret: Some("x".into()), ..Default::default() };
/// assert_eq!(Method::choose(&client, None)?, Method::Basic);
/// assert_eq!(Method::choose(&client, Some(&["client_secret_post".into()]))?, Method::Post);
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// `none`: the client says its id only.
    None,
    /// `client_secret_basic`: the secret is in a header.
    Basic,
    /// `client_secret_post`: the secret is in the form.
    Post,
    /// `private_key_jwt`: an assertion that the client signed.
    PrivateKeyJwt,
}

impl Method {
    /// The method's name in metadata.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Basic => "client_secret_basic",
            Self::Post => "client_secret_post",
            Self::PrivateKeyJwt => "private_key_jwt",
        }
    }

    fn named(name: &str) -> Option<Self> {
        [Self::None, Self::Basic, Self::Post, Self::PrivateKeyJwt].into_iter().find(|m| m.name() == name)
    }

    /// The method for a client at a server: what it was registered with, else the safest
    /// that both can. Without a list of the server's, a secret is sent in a header.
    pub fn choose(client: &ClientInformation, supported: Option<&[String]>) -> Result<Self, AuthError> {
        let has_secret = client.client_secret.as_ref().is_some_and(|secret| !secret.is_empty());
        let can = |method: Self| {
            supported.is_none_or(|known| known.is_empty() || known.iter().any(|name| name == method.name()))
        };
        if let Some(name) = client.token_endpoint_auth_method.as_deref() {
            let unknown = "the registered method is not known here; register the client with another";
            let method = Self::named(name).ok_or(AuthError::ClientAuthentication { why: unknown })?;
            if !has_secret && matches!(method, Self::Basic | Self::Post) {
                let why = "the client is registered with a secret; configure its client_secret";
                return Err(AuthError::ClientAuthentication { why });
            }
            return Ok(method);
        }
        let ways = if has_secret { &[Self::Basic, Self::Post][..] } else { &[Self::None][..] };
        // Some servers list fewer methods than they accept: the request is tried anyway.
        Ok(ways.iter().copied().find(|method| can(*method)).unwrap_or(ways[0]))
    }

    /// The method as the official TypeScript package chooses it: the registered one if the
    /// server lists it or lists nothing, else the first it lists of those with a secret.
    pub fn choose_listed(client: &ClientInformation, supported: &[String]) -> Self {
        let has_secret = client.client_secret.is_some();
        let lists = |method: Self| supported.iter().any(|name| name == method.name());
        let registered = client.token_endpoint_auth_method.as_deref().and_then(Self::named);
        let registered = registered.filter(|method| *method != Self::PrivateKeyJwt);
        if let Some(method) = registered.filter(|method| supported.is_empty() || lists(*method)) {
            return method;
        }
        match (has_secret, supported.is_empty()) {
            (false, _) => Self::None,
            (true, true) => Self::Basic,
            (true, false) => {
                let listed = [Self::Basic, Self::Post, Self::None].into_iter().find(|method| lists(*method));
                listed.unwrap_or(Self::Post)
            }
        }
    }
}

/// How id and secret are written into the header of `client_secret_basic`.
///
/// ```
/// use mcpbolt_proto::auth::token::BasicEncoding;
///
/// assert_eq!(BasicEncoding::default(), BasicEncoding::Form);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BasicEncoding {
    /// As in forms, a blank as `+`: what RFC 6749, section 2.3.1, demands.
    #[default]
    Form,
    /// With a blank as `%20`, as the official Python package does.
    Percent,
    /// As they are, as the official TypeScript 1.x package does.
    Raw,
}

/// How requests are written where official packages differ.
///
/// ```
/// use mcpbolt_proto::auth::token::{BasicEncoding, Writing};
///
/// let python = Writing { basic: BasicEncoding::Percent, id_beside_basic: true, ..Writing::default() };
/// assert_ne!(python, Writing::default());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Writing {
    /// How `client_secret_basic` is written.
    pub basic: BasicEncoding,
    /// Whether the form says the client's id although the header does, where the grant is not the
    /// client's own.
    pub id_beside_basic: bool,
    /// Whether the form leaves the client's id to the assertion that proves it.
    pub lone_assertion: bool,
}

/// What proves a client in one request.
///
/// ```
/// use mcpbolt_proto::auth::token::ClientAuthentication;
///
/// let client = ClientAuthentication::Post { client_id: "c".into(), secret: "s".into() };
/// assert_eq!(format!("{client:?}"), "Post { client_id: \"c\", secret: … }");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClientAuthentication {
    /// Nothing, not even an id: the grant says who it is.
    Nobody,
    /// The id of a public client.
    None {
        /// The client's id.
        client_id: String,
    },
    /// Id and secret in a header.
    Basic {
        /// The client's id.
        client_id: String,
        /// The client's secret.
        secret: Secret,
    },
    /// Id and secret in the form.
    Post {
        /// The client's id.
        client_id: String,
        /// The client's secret.
        secret: Secret,
    },
    /// A signed assertion in the form (RFC 7523, section 2.2).
    PrivateKeyJwt {
        /// The client's id.
        client_id: String,
        /// The assertion, signed outside.
        assertion: Secret,
    },
}

impl ClientAuthentication {
    /// What proves a client by a method. An assertion is needed for `private_key_jwt` only.
    pub fn of(
        client: &ClientInformation,
        method: Method,
        assertion: Option<Secret>,
    ) -> Result<Self, AuthError> {
        let client_id = client.client_id.clone();
        let lacks = |why| AuthError::ClientAuthentication { why };
        let secret = || client.client_secret.clone().ok_or(lacks("configure the client_secret it needs"));
        Ok(match method {
            Method::None => Self::None { client_id },
            Method::Basic => Self::Basic { client_id, secret: secret()? },
            Method::Post => Self::Post { client_id, secret: secret()? },
            Method::PrivateKeyJwt => {
                let assertion = assertion.ok_or(lacks("private_key_jwt needs a signed assertion"))?;
                Self::PrivateKeyJwt { client_id, assertion }
            }
        })
    }

    /// The fields that it adds to a form, and the value of the `Authorization` header, if it
    /// needs one.
    pub fn parts(&self, writing: Writing) -> (Vec<(String, Secret)>, Option<Secret>) {
        let mut form = Vec::new();
        let header = self.add(&mut form, writing);
        (form, header)
    }

    /// Adds it to a form; the value of the `Authorization` header, if it needs one.
    pub(super) fn add(&self, form: &mut Vec<(String, Secret)>, writing: Writing) -> Option<Secret> {
        let mut field = |name: &str, value: &Secret| form.push((name.to_owned(), value.clone()));
        let id = |client_id: &String| Secret::new(client_id.as_str());
        match self {
            Self::Nobody => None,
            Self::None { client_id } => {
                field("client_id", &id(client_id));
                None
            }
            Self::Basic { client_id, secret } => {
                if writing.id_beside_basic {
                    field("client_id", &id(client_id));
                }
                Some(basic(client_id, secret.expose(), writing.basic))
            }
            Self::Post { client_id, secret } => {
                field("client_id", &id(client_id));
                field("client_secret", secret);
                None
            }
            Self::PrivateKeyJwt { client_id, assertion } => {
                if !writing.lone_assertion {
                    field("client_id", &id(client_id));
                }
                field("client_assertion_type", &ASSERTION_TYPE.into());
                field("client_assertion", assertion);
                None
            }
        }
    }
}

fn basic(id: &str, secret: &str, encoding: BasicEncoding) -> Secret {
    let encode = |text: &str| -> String {
        let form = || form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        match encoding {
            BasicEncoding::Form => form(),
            // A plus sign of the text itself is `%2B` by now.
            BasicEncoding::Percent => form().replace('+', "%20"),
            BasicEncoding::Raw => text.to_owned(),
        }
    };
    Secret::new(format!("Basic {}", STANDARD.encode(format!("{}:{}", encode(id), encode(secret)))))
}
