//! Extensions: identifiers and settings.
//!
//! Owns: what a well-formed declaration is. Must not know: what an extension does.

use super::Error;
use crate::jsonrpc::{RawJson, RawObject};

/// Something of an extension that clients may listen for: a member of the filter of
/// `subscriptions/listen` that holds a list of texts, and the notification that tells of one.
///
/// ```
/// use mcpbolt_proto::protocol::extensions::Topic;
///
/// static DRYING: Topic = Topic {
///     extension: "com.example/colours",
///     member: "colourNames",
///     notification: "notifications/colours/dried",
/// };
/// assert_eq!(DRYING.member, "colourNames");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Topic {
    /// The extension's identifier. A client that did not declare it is refused with -32021.
    pub extension: &'static str,
    /// Name of the member of the filter.
    pub member: &'static str,
    /// Name of the notification.
    pub notification: &'static str,
}

/// Whether `id` names an extension: labels with dots between them, a slash, a name, as
/// in `com.example/notes`.
///
/// ```
/// use mcpbolt_proto::protocol::extensions::is_id;
///
/// assert!(is_id("com.example/notes") && is_id("io.modelcontextprotocol/tasks"));
/// assert!(!is_id("notes") && !is_id("com.example/") && !is_id("/notes"));
/// ```
pub fn is_id(id: &str) -> bool {
    let Some((prefix, name)) = id.split_once('/') else { return false };
    let ends = |text: &str, first: fn(&u8) -> bool| {
        let bytes = text.as_bytes();
        bytes.first().is_some_and(first) && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
    };
    let label = |label: &str| {
        let inner = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        ends(label, u8::is_ascii_alphabetic) && label.bytes().all(inner)
    };
    let inner = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    prefix.split('.').all(label) && ends(name, u8::is_ascii_alphanumeric) && name.bytes().all(inner)
}

/// Whether extensions may be declared so.
///
/// # Errors
/// `Usage`, with the identifier that has no prefix or whose settings are not an object.
pub fn check(extensions: Option<&RawObject>) -> Result<(), Error> {
    for (id, settings) in extensions.into_iter().flat_map(RawObject::iter) {
        if !is_id(id) {
            return Err(Error::usage(format!(
                "extension {id:?} needs a prefix, as in \"com.example/{}\"",
                id.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("name")
            )));
        }
        if !settings.is_object() {
            return Err(Error::usage(format!(
                "the settings of extension {id} must be an object; {{}} for none"
            )));
        }
    }
    Ok(())
}

/// The settings a peer declared an extension with. One that was not declared as the
/// protocol says counts as not declared.
pub(super) fn settings(extensions: Option<&RawObject>, id: &str) -> Option<RawObject> {
    RawObject::parse(extensions?.get(id).filter(|_| is_id(id))?)
}

/// `data.requiredCapabilities` for an extension.
pub(super) fn required(id: &str) -> RawJson {
    let settings = std::iter::once((id.to_owned(), RawJson::empty_object())).collect::<RawObject>();
    std::iter::once(("extensions", settings.to_raw())).collect::<RawObject>().to_raw()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(text: &str) -> RawObject {
        RawObject::parse(&RawJson::parse(text.to_owned()).unwrap()).unwrap()
    }

    #[test]
    fn identifiers_have_a_prefix() {
        for id in ["com.example/x", "a/b", "io.modelcontextprotocol/tasks", "x-y.z/n_1.2-c"] {
            assert!(is_id(id), "{id}");
        }
        for id in
            ["", "x", "/x", "x/", ".a/x", "a./x", "a..b/x", "1a/x", "a-/x", "a/x/y", "a b/x", "a/-x", "a/x "]
        {
            assert!(!is_id(id), "{id}");
        }
    }

    #[test]
    fn settings_are_an_object() {
        assert!(check(None).is_ok());
        assert!(check(Some(&declared(r#"{"com.example/x":{},"com.example/y":{"a":1}}"#))).is_ok());
        let error = check(Some(&declared(r#"{"notes":{}}"#))).unwrap_err();
        assert!(error.message.contains("\"com.example/notes\""), "{}", error.message);
        for settings in ["null", "true", "[]", "1"] {
            let error = check(Some(&declared(&format!(r#"{{"a/b":{settings}}}"#)))).unwrap_err();
            assert!(error.message.contains("a/b"), "{}", error.message);
        }
    }

    #[test]
    fn what_a_peer_declares_wrongly_is_not_declared() {
        let theirs = declared(r#"{"a/b":{"n":1},"a/c":true,"bare":{}}"#);
        assert!(settings(Some(&theirs), "a/b").is_some_and(|s| s.contains("n")));
        for id in ["a/c", "bare", "a/d"] {
            assert!(settings(Some(&theirs), id).is_none(), "{id}");
        }
        assert_eq!(required("a/b").as_str(), r#"{"extensions":{"a/b":{}}}"#);
    }
}
