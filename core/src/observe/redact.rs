//! Credentials in messages, taken out before a message is written down.
//!
//! Owns: the names and schemes by which a credential is known, and the pointers that a person
//! gives. Must not know: where messages come from, what they are written to.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{IgnoredAny, Visitor};
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

    /// A message without credentials, and else as it is, character for character. Of text that is
    /// not JSON nothing is told if it has quotes: what they are around cannot be known.
    pub fn text(&self, text: &str) -> String {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        // By its tokens: there are messages that no `Value` holds, and members that it would hide,
        // since another one with the same name comes after them.
        if serde_json::from_str::<IgnoredAny>(body).is_ok() {
            Walk::new(text, text.len() - body.len()).without_credentials(&self.pointers)
        } else if text.contains('"') {
            BLANK.to_owned()
        } else {
            text.to_owned()
        }
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

/// A walk through the tokens of text that is JSON.
struct Walk<'a> {
    text: &'a str,
    at: usize,
    /// What is told of the text, and how much of it that is.
    told: String,
    taken: usize,
    inside: Vec<Inside<'a>>,
}

/// An object or an array that the walk is in.
struct Inside<'a> {
    is_object: bool,
    /// Whether its members are schemas of members with these names.
    is_described: bool,
    /// Whether the next string is the name of a member.
    wants_name: bool,
    /// The name of the member.
    name: Cow<'a, str>,
    /// The number of the element.
    number: usize,
}

impl Inside<'_> {
    /// Whether this part of a pointer leads to what the walk is at.
    fn is_at(&self, part: &str) -> bool {
        if self.is_object { self.name == part } else { self.number.to_string() == part }
    }
}

impl<'a> Walk<'a> {
    fn new(text: &'a str, at: usize) -> Self {
        Self { text, at, told: String::with_capacity(text.len()), taken: 0, inside: Vec::new() }
    }

    fn without_credentials(mut self, pointers: &[String]) -> String {
        let paths: Vec<Vec<String>> = pointers.iter().filter_map(|pointer| path(pointer)).collect();
        while let Some(byte) = self.text.as_bytes().get(self.at) {
            self.step(*byte, &paths);
        }
        self.told + &self.text[self.taken..]
    }

    fn step(&mut self, byte: u8, paths: &[Vec<String>]) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b':' => self.at += 1,
            b'}' | b']' => {
                self.inside.pop();
                self.at += 1;
            }
            b',' => {
                if let Some(inside) = self.inside.last_mut() {
                    inside.number += 1;
                    inside.wants_name = inside.is_object;
                }
                self.at += 1;
            }
            _ => self.token(byte, paths),
        }
    }

    /// A name, a value that is not told, or the beginning of one.
    fn token(&mut self, byte: u8, paths: &[Vec<String>]) {
        if let Some(inside) = self.inside.last_mut().filter(|inside| inside.wants_name) {
            let end = value_end(self.text.as_bytes(), self.at);
            inside.wants_name = false;
            inside.name = decoded(&self.text[self.at..end]);
            self.at = end;
        } else if self.is_credential(byte, paths) {
            self.told.push_str(&self.text[self.taken..self.at]);
            self.told.push('"');
            self.told.push_str(BLANK);
            self.told.push('"');
            self.at = value_end(self.text.as_bytes(), self.at);
            self.taken = self.at;
        } else if matches!(byte, b'{' | b'[') {
            let is_object = byte == b'{';
            let describes = |outer: &Inside<'_>| {
                is_object && outer.is_object && outer.name == "properties" && !outer.is_described
            };
            let is_described = self.inside.last().is_some_and(describes);
            let (name, number) = (Cow::Borrowed(""), 0);
            self.inside.push(Inside { is_object, is_described, wants_name: is_object, name, number });
            self.at += 1;
        } else {
            self.at = value_end(self.text.as_bytes(), self.at);
        }
    }

    /// Whether the value that begins here, with this byte, is one.
    fn is_credential(&self, byte: u8, paths: &[Vec<String>]) -> bool {
        let leads_here = |path: &Vec<String>| {
            path.len() == self.inside.len()
                && self.inside.iter().zip(path).all(|(inside, part)| inside.is_at(part))
        };
        let is_named = |inside: &Inside<'_>| {
            let is_schema = inside.is_described && byte == b'{';
            inside.is_object && is_secret(&inside.name) && !is_schema && byte != b'n'
        };
        let text = || &self.text[self.at..value_end(self.text.as_bytes(), self.at)];
        paths.iter().any(leads_here)
            || self.inside.last().is_some_and(is_named)
            || (byte == b'"' && begins_with_scheme(&decoded(text())))
    }
}

/// The parts of a pointer; none if it is no pointer.
fn path(pointer: &str) -> Option<Vec<String>> {
    let mut parts = pointer.split('/');
    let plain = |part: &str| part.replace("~1", "/").replace("~0", "~");
    parts.next().filter(|first| first.is_empty()).map(|_| parts.map(plain).collect())
}

/// Where the value ends that begins here.
fn value_end(json: &[u8], begin: usize) -> usize {
    let (mut at, mut depth) = (begin, 0_usize);
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => at = string_end(json, at),
            b'{' | b'[' => (at, depth) = (at + 1, depth + 1),
            b'}' | b']' => (at, depth) = (at + 1, depth.saturating_sub(1)),
            _ if depth > 0 => at += 1,
            _ => {
                let ends = |byte: &u8| b",]} \t\r\n".contains(byte);
                return json[at..].iter().position(ends).map_or(json.len(), |after| at + after);
            }
        }
        if depth == 0 {
            return at;
        }
    }
    json.len()
}

/// Where the string ends that begins here.
fn string_end(json: &[u8], begin: usize) -> usize {
    let mut at = begin + 1;
    while let Some(byte) = json.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    json.len()
}

/// What a string of JSON says. A surrogate without its half is some other character.
fn decoded(string: &str) -> Cow<'_, str> {
    struct Bytes;
    impl Visitor<'_> for Bytes {
        type Value = Vec<u8>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string")
        }

        fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }
    }
    let plain = string.trim_matches('"');
    if !plain.contains('\\') {
        return Cow::Borrowed(plain);
    }
    let bytes = serde_json::Deserializer::from_str(string).deserialize_bytes(Bytes);
    bytes.map_or(Cow::Borrowed(plain), |bytes| String::from_utf8_lossy(&bytes).into_owned().into())
}
