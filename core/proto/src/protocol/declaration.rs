//! What has to be declared for the methods that a side handles or sends.
//!
//! Owns: completing capabilities from the table of methods. Must not know: which side this
//! process is, or where its handlers are.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::jsonrpc::{RawJson, RawObject};

use super::capabilities::{ClientCapabilities, ServerCapabilities};
use super::methods::{self, Capability, Side};

impl ClientCapabilities {
    /// These, and what has to be declared for methods that the client handles or sends. What
    /// was said of a capability stays as it is.
    ///
    /// ```
    /// use mcpbolt_proto::protocol::capabilities::ClientCapabilities;
    ///
    /// let client = ClientCapabilities::default().with_methods(["roots/list"]);
    /// assert!(client.roots.is_some() && client.sampling.is_none());
    /// ```
    #[must_use]
    pub fn with_methods<'a>(self, used: impl IntoIterator<Item = &'a str>) -> Self {
        completed(&self, Side::Client, used).unwrap_or(self)
    }
}

impl ServerCapabilities {
    /// These, and what has to be declared for methods that the server handles or sends. What
    /// was said stays; only a flag without which no request would reach its handler is set in
    /// any case.
    ///
    /// ```
    /// use mcpbolt_proto::protocol::capabilities::ServerCapabilities;
    ///
    /// let used = ["tools/call", "resources/subscribe", "notifications/tools/list_changed"];
    /// let server = ServerCapabilities::default().with_methods(used);
    /// assert_eq!(
    ///     serde_json::to_string(&server)?,
    ///     r#"{"tools":{"listChanged":true},"resources":{"subscribe":true}}"#
    /// );
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn with_methods<'a>(self, used: impl IntoIterator<Item = &'a str>) -> Self {
        completed(&self, Side::Server, used).unwrap_or(self)
    }
}

/// `None` if they cannot be written as JSON.
fn completed<'a, T: Serialize + DeserializeOwned>(
    said: &T,
    side: Side,
    used: impl IntoIterator<Item = &'a str>,
) -> Option<T> {
    let said = RawObject::parse(&RawJson::encode(said).ok()?)?;
    let mut all = said.clone();
    for row in used.into_iter().filter_map(methods::lookup) {
        let Some(capability) = row.capability.filter(|found| found.owner() == Some(side)) else { continue };
        // A client says itself which modes it has, if it says anything.
        if side == Side::Server || !said.contains(capability.path()[0]) {
            declare(&mut all, capability, row.is_request());
        }
    }
    all.to_raw().decode().ok()
}

fn declare(all: &mut RawObject, capability: Capability, is_handled: bool) {
    let [family, members @ ..] = capability.path() else { return };
    let mut own = all.get(family).and_then(RawObject::parse).unwrap_or_default();
    if let [member] = members {
        // Without its flag a handler would get no request. Whether changes are announced is
        // the program's to say.
        let is_needed = is_handled && capability.is_flag();
        // Elicitation without a mode means forms, which another mode must not take away.
        if capability == Capability::ElicitationUrl && all.contains(family) && own.is_empty() {
            own.set("form", RawJson::empty_object());
        }
        if is_needed || !own.contains(member) {
            own.set(*member, capability.value());
        }
    }
    all.set(*family, own.to_raw());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(text: &str, used: &[&str]) -> String {
        let said: ServerCapabilities = RawJson::parse(text.to_owned()).unwrap().decode().unwrap();
        let declared = said.with_methods(used.iter().copied());
        RawJson::encode(&declared).unwrap().as_str().to_owned()
    }

    #[test]
    fn what_a_server_uses_is_declared() {
        let used = ["tools/call", "prompts/list", "completion/complete", "logging/setLevel"];
        let found = r#"{"tools":{},"prompts":{},"logging":{},"completions":{}}"#;
        assert_eq!(server("{}", &used), found);
        assert_eq!(server("{}", &["com.example/own", "ping", "roots/list", "tasks/get"]), "{}");
        let kept = r#"{"tools":{},"com.example/x":1}"#;
        assert_eq!(server(r#"{"com.example/x":1}"#, &["tools/list"]), kept);
    }

    #[test]
    fn handlers_need_their_flag_and_announcements_are_a_choice() {
        let said = r#"{"resources":{"subscribe":false,"listChanged":false}}"#;
        let used = ["resources/subscribe", "notifications/resources/list_changed"];
        assert_eq!(server(said, &used), r#"{"resources":{"subscribe":true,"listChanged":false}}"#);
        let announced = server("{}", &["notifications/tools/list_changed"]);
        assert_eq!(announced, r#"{"tools":{"listChanged":true}}"#);
    }

    #[test]
    fn what_a_client_answers_is_declared() {
        let said: ClientCapabilities = serde_json::from_str(r#"{"sampling":{"tools":{}}}"#).unwrap();
        let used = ["roots/list", "elicitation/create", "notifications/elicitation/complete", "tools/call"];
        let client = said.with_methods(used);
        assert!(client.samples_with_tools() && client.roots.is_some());
        assert!(client.elicits_forms() && client.elicits_urls());
        assert_eq!(client.other.len(), 0);
        let forms: ClientCapabilities = serde_json::from_str(r#"{"elicitation":{"form":{}}}"#).unwrap();
        assert!(!forms.with_methods(used).elicits_urls());
    }
}
