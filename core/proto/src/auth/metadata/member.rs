//! Members of JSON documents.
//!
//! Owns: reading texts, lists and flags, naming the member that is wrong. `null` is as good
//! as nothing. Must not know: which document needs which member.

use serde_json::{Map, Value};

use crate::auth::error::{AuthError, Document};
use crate::auth::scope::Scopes;

/// Most entries of a list.
const MAX_ENTRIES: usize = 1000;
/// Longest text of one member, in bytes.
const MAX_TEXT: usize = 8 * 1024;

/// The members of one document.
#[derive(Clone, Copy)]
pub(in crate::auth) struct Members<'a> {
    pub(in crate::auth) document: Document,
    pub(in crate::auth) object: &'a Map<String, Value>,
}

impl<'a> Members<'a> {
    pub(in crate::auth) fn malformed(self, field: &'static str, why: &'static str) -> AuthError {
        AuthError::Malformed { document: self.document, field, why }
    }

    /// A member that is there.
    pub(in crate::auth) fn get(self, field: &str) -> Option<&'a Value> {
        self.object.get(field).filter(|value| !value.is_null())
    }

    /// A text, if there is one.
    pub(in crate::auth) fn text(self, field: &'static str) -> Result<Option<String>, AuthError> {
        match self.get(field) {
            None => Ok(None),
            Some(Value::String(text)) if text.len() > MAX_TEXT => {
                Err(AuthError::TooLarge { field, limit: MAX_TEXT })
            }
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(self.malformed(field, "it has to be a string")),
        }
    }

    /// A text that has to be there.
    pub(in crate::auth) fn required(self, field: &'static str) -> Result<String, AuthError> {
        let text = self.text(field)?.filter(|text| !text.is_empty());
        text.ok_or_else(|| self.malformed(field, "it is missing"))
    }

    /// A text that nothing depends on: what is wrong is as good as missing.
    pub(in crate::auth) fn hint(self, field: &'static str) -> Option<String> {
        self.text(field).ok().flatten()
    }

    /// A list of texts, if there is one. Entries that are not texts are left out.
    pub(in crate::auth) fn list(self, field: &'static str) -> Result<Option<Vec<String>>, AuthError> {
        match self.get(field) {
            None => Ok(None),
            Some(Value::Array(list)) if list.len() > MAX_ENTRIES => {
                Err(AuthError::TooLarge { field, limit: MAX_ENTRIES })
            }
            Some(Value::Array(list)) => {
                Ok(Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect()))
            }
            Some(_) => Err(self.malformed(field, "it has to be a list of strings")),
        }
    }

    /// A list of scopes, if there is one.
    pub(in crate::auth) fn scopes(self, field: &'static str) -> Result<Option<Scopes>, AuthError> {
        let list = self.list(field)?;
        list.map(|list| Scopes::from_list(field, list.iter().map(String::as_str))).transpose()
    }

    /// A flag; `false` if it is missing.
    pub(in crate::auth) fn flag(self, field: &'static str) -> Result<bool, AuthError> {
        match self.get(field) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(self.malformed(field, "it has to be true or false")),
        }
    }
}

/// Refuses a text that would end a header or change a form when it is sent: only printable
/// ASCII is taken, and blanks where `blanks` says so.
pub(in crate::auth) fn check_text(
    document: Document,
    field: &'static str,
    text: &str,
    blanks: bool,
) -> Result<(), AuthError> {
    if text.len() > MAX_TEXT * 4 {
        return Err(AuthError::TooLarge { field, limit: MAX_TEXT * 4 });
    }
    if text.is_empty() {
        return Err(AuthError::Malformed { document, field, why: "it is empty" });
    }
    if !text.bytes().all(|b| b.is_ascii_graphic() || (blanks && b == b' ')) {
        return Err(AuthError::Malformed { document, field, why: "it has to be printable ASCII" });
    }
    Ok(())
}
