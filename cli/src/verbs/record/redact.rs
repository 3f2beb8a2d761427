//! What is left out of recordings.
//!
//! Owns: names of members that hold credentials, and the pointers that a person gives. Must not
//! know: where messages come from.

use serde_json::Value;

use crate::exit::Failure;

/// What stands in its place.
const GONE: &str = "[redacted]";
/// Members whose text is left out wherever they are; compared without case, `_` and `-`.
const NAMES: [&str; 13] = [
    "accesstoken",
    "apikey",
    "authorization",
    "authtoken",
    "bearer",
    "clientsecret",
    "cookie",
    "idtoken",
    "password",
    "privatekey",
    "refreshtoken",
    "secret",
    "token",
];

/// Takes credentials out of messages.
#[derive(Debug, Clone, Default)]
pub(in crate::verbs) struct Redact {
    pointers: Vec<String>,
}

impl Redact {
    /// With these JSON pointers into messages, besides the usual names.
    pub(super) fn new(pointers: Vec<String>) -> Result<Self, Failure> {
        match pointers.iter().find(|pointer| !pointer.starts_with('/')) {
            Some(wrong) => Err(Failure::usage(format!("--redact {wrong}: no JSON pointer"))
                .remedy("write /params/arguments/password")),
            None => Ok(Self { pointers }),
        }
    }

    pub(super) fn pointers(&self) -> &[String] {
        &self.pointers
    }

    /// The message without credentials; one that has none stays as it is, character for
    /// character.
    pub(super) fn text(&self, text: &str) -> String {
        let Ok(mut message) = serde_json::from_str::<Value>(text) else { return text.to_owned() };
        if self.message(&mut message) { message.to_string() } else { text.to_owned() }
    }

    /// Takes them out of a message; whether there were any.
    pub(in crate::verbs) fn message(&self, message: &mut Value) -> bool {
        let mut changed = by_name(message);
        for pointer in &self.pointers {
            if let Some(found) = message.pointer_mut(pointer) {
                *found = GONE.into();
                changed = true;
            }
        }
        changed
    }
}

fn by_name(value: &mut Value) -> bool {
    match value {
        Value::Array(items) => {
            let mut changed = false;
            for item in items {
                changed |= by_name(item);
            }
            changed
        }
        Value::Object(members) => {
            let mut changed = false;
            for (name, member) in members.iter_mut() {
                if member.is_string() && is_secret(name) {
                    *member = GONE.into();
                    changed = true;
                } else {
                    changed |= by_name(member);
                }
            }
            changed
        }
        _ => false,
    }
}

fn is_secret(name: &str) -> bool {
    let flat: String =
        name.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect();
    NAMES.contains(&flat.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_go_and_the_rest_stays_as_it_is() {
        let redact = Redact::new(vec!["/params/note".to_owned()]).expect("a pointer");
        let odd = r#"{"a" : 1.0,  "progressToken":"t", "\u0061b":[ ]}"#;
        assert_eq!(redact.text(odd), odd);
        assert_eq!(
            redact.text(r#"{"params":{"note":[1],"x":[{"API_Key":"k","token":7}]}}"#),
            r#"{"params":{"note":"[redacted]","x":[{"API_Key":"[redacted]","token":7}]}}"#
        );
        assert!(Redact::new(vec!["params".to_owned()]).is_err());
    }
}
