//! Credentials in messages, taken out before a message is written down.
//!
//! Owns: the names and schemes by which a credential is known, and the pointers that a person
//! gives. Must not know: where messages come from, what they are written to.

use serde_json::{Map, Value};

/// Names whose values are never written, wherever they stand. Compared without case,
/// `-` and `_`.
const SECRETS: [&str; 20] = [
    "accesstoken",
    "apikey",
    "assertion",
    "authorization",
    "authtoken",
    "bearer",
    "clientassertion",
    "clientsecret",
    "codeverifier",
    "cookie",
    "idtoken",
    "mcpsessionid",
    "password",
    "privatekey",
    "proxyauthorization",
    "refreshtoken",
    "requeststate",
    "secret",
    "setcookie",
    "token",
];

/// Schemes of credentials: text that begins so is never written.
const SCHEMES: [&str; 3] = ["bearer ", "basic ", "dpop "];

/// What stands in the place of a credential.
const BLANK: &str = "[redacted]";

/// Takes credentials out of JSON messages: values of members whose name says that they are one
/// (`password`, `api_key`, `accessToken`, …), texts that begin with a scheme of credentials
/// (`Bearer …`), and what JSON pointers lead to. An object under `properties` is the schema of
/// a member, and is kept.
///
/// ```
/// use mcpbolt::observe::Redactor;
///
/// let redactor = Redactor::new(["/params/arguments/pin".to_owned()]).unwrap();
/// let told = redactor.text(r#"{"params":{"arguments":{"pin":7,"password":"hush","city":"Bern"}}}"#);
/// assert!(told.contains("Bern") && !told.contains("hush") && !told.contains('7'));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Redactor {
    pointers: Vec<String>,
}

impl Redactor {
    /// A redactor for the usual names, and for what these JSON pointers (RFC 6901) lead to.
    ///
    /// # Errors
    /// The pointer that does not begin with `/`.
    pub fn new(pointers: impl IntoIterator<Item = String>) -> Result<Self, String> {
        let pointers: Vec<String> = pointers.into_iter().collect();
        match pointers.iter().find(|pointer| !pointer.starts_with('/')) {
            Some(wrong) => Err(wrong.clone()),
            None => Ok(Self { pointers }),
        }
    }

    /// For pointers that were not looked at: those that are none lead nowhere.
    pub(super) fn lenient(pointers: Vec<String>) -> Self {
        Self { pointers }
    }

    /// The pointers that were given.
    pub fn pointers(&self) -> &[String] {
        &self.pointers
    }

    /// A message without credentials. One that has none stays as it is, character for
    /// character, and so does text that is not JSON.
    pub fn text(&self, text: &str) -> String {
        let Ok(mut message) = serde_json::from_str::<Value>(text) else { return text.to_owned() };
        if self.message(&mut message) { message.to_string() } else { text.to_owned() }
    }

    /// Takes credentials out of a message; whether there were any.
    pub fn message(&self, message: &mut Value) -> bool {
        let mut changed = blank_secrets(message);
        for pointer in &self.pointers {
            if let Some(found) = message.pointer_mut(pointer) {
                changed |= blank(found);
            }
        }
        changed
    }
}

fn blank(value: &mut Value) -> bool {
    let is_new = value != BLANK;
    *value = BLANK.into();
    is_new
}

fn blank_secrets(value: &mut Value) -> bool {
    match value {
        Value::Object(members) => blank_members(members, false),
        Value::Array(items) => items.iter_mut().fold(false, |changed, item| changed | blank_secrets(item)),
        Value::String(text) if begins_with_scheme(text) => blank(value),
        _ => false,
    }
}

/// `described` says that the members are schemas of members with these names.
fn blank_members(members: &mut Map<String, Value>, described: bool) -> bool {
    let mut changed = false;
    for (name, value) in members {
        let is_schema = described && value.is_object();
        changed |= match value {
            Value::Null => false,
            value if is_secret(name) && !is_schema => blank(value),
            Value::Object(inner) => blank_members(inner, name == "properties" && !described),
            value => blank_secrets(value),
        };
    }
    changed
}

fn is_secret(name: &str) -> bool {
    let plain = || name.bytes().filter(|b| !matches!(b, b'-' | b'_')).map(|b| b.to_ascii_lowercase());
    SECRETS.iter().any(|secret| secret.bytes().eq(plain()))
}

fn begins_with_scheme(text: &str) -> bool {
    let begins = |scheme: &&str| text.get(..scheme.len()).is_some_and(|t| t.eq_ignore_ascii_case(scheme));
    SCHEMES.iter().any(begins)
}
