//! What a token says: the claims of RFC 9068, which the answer of RFC 7662 has as well.
//!
//! Owns: their types. Must not know: whether they are true, and what they have to be.

use serde_json::{Map, Value};

use super::refusal::TokenRefusal;
use crate::auth::scope::Scopes;

/// Most audiences of one token.
const MAX_AUDIENCES: usize = 64;

/// The claims of an access token.
///
/// ```
/// use mcpbolt_proto::auth::resource_server::TokenClaims;
///
/// let claims = serde_json::json!({
///     "iss": "https://login.example.com", "sub": "ann", "client_id": "editor",
///     "aud": "https://mcp.example.com/mcp", "exp": 1_900_000_000, "scope": "files:read",
/// });
/// let claims = TokenClaims::read(claims.as_object().unwrap().clone())?;
/// assert_eq!(claims.subject.as_deref(), Some("ann"));
/// assert_eq!(claims.audiences, ["https://mcp.example.com/mcp"]);
/// assert!(claims.scopes.contains("files:read"));
/// # Ok::<(), mcpbolt_proto::auth::resource_server::TokenRefusal>(())
/// ```
#[derive(Clone, Default, PartialEq)]
pub struct TokenClaims {
    /// Who made the token (`iss`).
    pub issuer: Option<String>,
    /// Whom it stands for (`sub`): a user, or the client itself.
    pub subject: Option<String>,
    /// The client that was given it (`client_id`, else `azp`).
    pub client_id: Option<String>,
    /// For whom it is (`aud`).
    pub audiences: Vec<String>,
    /// What may be done with it (`scope`, or `scp` where that is missing).
    pub scopes: Scopes,
    /// From when on it is void (`exp`), in seconds since 1970.
    pub expires_at: Option<u64>,
    /// From when on it is good (`nbf`), in seconds since 1970.
    pub not_before: Option<u64>,
    /// When it was made (`iat`), in seconds since 1970.
    pub issued_at: Option<u64>,
    /// Its own id (`jti`).
    pub id: Option<String>,
    /// The thumbprint of the key it is bound to (`cnf.jkt`, RFC 9449).
    pub key_thumbprint: Option<String>,
    /// All claims as they were.
    pub all: Map<String, Value>,
}

impl TokenClaims {
    /// Reads claims. One of the wrong type makes the token invalid.
    pub fn read(all: Map<String, Value>) -> Result<Self, TokenRefusal> {
        let bound = match present(&all, "cnf") {
            None => None,
            Some(Value::Object(confirmation)) => text(confirmation, "jkt")?,
            Some(_) => return Err(TokenRefusal::Token("cnf has to be an object")),
        };
        let client_id = text(&all, "client_id")?;
        Ok(Self {
            issuer: text(&all, "iss")?,
            subject: text(&all, "sub")?,
            client_id: client_id.map_or_else(|| text(&all, "azp"), |id| Ok(Some(id)))?,
            audiences: audiences(&all)?,
            scopes: scopes(&all)?,
            expires_at: seconds(&all, "exp")?,
            not_before: seconds(&all, "nbf")?,
            issued_at: seconds(&all, "iat")?,
            id: text(&all, "jti")?,
            key_thumbprint: bound,
            all,
        })
    }
}

/// Claims are about people: none is shown.
impl std::fmt::Debug for TokenClaims {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TokenClaims({} claims)", self.all.len())
    }
}

fn present<'a>(all: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    all.get(name).filter(|value| !value.is_null())
}

fn text(all: &Map<String, Value>, name: &str) -> Result<Option<String>, TokenRefusal> {
    match present(all, name) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone()).filter(|text| !text.is_empty())),
        Some(_) => Err(TokenRefusal::Token("a claim has to be a string and is not")),
    }
}

/// A `NumericDate`: seconds, which may have a fraction.
fn seconds(all: &Map<String, Value>, name: &str) -> Result<Option<u64>, TokenRefusal> {
    let wrong = TokenRefusal::Token("a time has to be a number of seconds and is not");
    match present(all, name) {
        None => Ok(None),
        Some(Value::Number(number)) => {
            let whole = number.as_u64().or_else(|| {
                let seconds = number.as_f64().filter(|seconds| (0.0..1e15).contains(seconds))?;
                // Within the bounds above nothing is lost but the fraction.
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
                Some(seconds as u64)
            });
            whole.map(Some).ok_or(wrong)
        }
        Some(_) => Err(wrong),
    }
}

/// One audience, or a list of them.
fn audiences(all: &Map<String, Value>) -> Result<Vec<String>, TokenRefusal> {
    let wrong = TokenRefusal::Token("aud has to be a string or a list of strings");
    match present(all, "aud") {
        None => Ok(Vec::new()),
        Some(Value::String(one)) => Ok(vec![one.clone()]),
        Some(Value::Array(list)) if list.len() <= MAX_AUDIENCES => {
            list.iter().map(|one| one.as_str().map(str::to_owned).ok_or_else(|| wrong.clone())).collect()
        }
        Some(_) => Err(wrong),
    }
}

/// Scopes with blanks between them; some servers write a list, or call the claim `scp`.
fn scopes(all: &Map<String, Value>) -> Result<Scopes, TokenRefusal> {
    let read = match present(all, "scope").or_else(|| present(all, "scp")) {
        None => return Ok(Scopes::default()),
        Some(Value::String(text)) => Scopes::parse("scope", text),
        Some(Value::Array(list)) => Scopes::from_list("scope", list.iter().filter_map(Value::as_str)),
        Some(_) => return Err(TokenRefusal::Token("scope has to be a string")),
    };
    read.map_err(|_| TokenRefusal::Token("it has too many scopes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(claims: Value) -> Result<TokenClaims, TokenRefusal> {
        let Value::Object(claims) = claims else { unreachable!() };
        TokenClaims::read(claims)
    }

    #[test]
    fn what_servers_write_in_other_ways() {
        let claims = read(json!({"aud": ["a", "b"], "scp": ["x", "y"], "azp": "app", "exp": 12.9})).unwrap();
        assert_eq!((claims.audiences.len(), claims.scopes.to_string().as_str()), (2, "x y"));
        assert_eq!((claims.client_id.as_deref(), claims.expires_at), (Some("app"), Some(12)));
        let bound = read(json!({"cnf": {"jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"}})).unwrap();
        assert!(bound.key_thumbprint.is_some());
        assert_eq!(format!("{bound:?}"), "TokenClaims(1 claims)");
    }

    #[test]
    fn a_claim_of_the_wrong_type_spoils_the_token() {
        let wrong = [
            json!({"iss": 1}),
            json!({"aud": [1]}),
            json!({"aud": {}}),
            json!({"exp": "12"}),
            json!({"exp": -1}),
            json!({"nbf": 1e300}),
            json!({"scope": 1}),
            json!({"cnf": "x"}),
            json!({"aud": vec!["a"; MAX_AUDIENCES + 1]}),
        ];
        for claims in wrong {
            assert_eq!(read(claims.clone()).unwrap_err().status(), 401, "{claims}");
        }
    }
}
