//! Access: what a request wants to do, and what a verdict makes of it.
//!
//! Owns: the actions of a request and of a list's entries, the verdicts, which error a
//! refusal is. Must not know: who decides, who asks, where lists come from.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Visitor};

use crate::jsonrpc::{ErrorCode, JsonKind, RawJson, RawObject};
use crate::protocol::{Error, ErrorKind, Method, Revision, methods};

/// What a client wants to do.
///
/// ```
/// use mcpbolt_proto::policy::access::Verb;
/// assert_eq!(Verb::Subscribe.name(), "subscribe");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verb {
    /// Call a tool, or a method of an extension.
    Call,
    /// Read a resource.
    Read,
    /// Get a prompt.
    Get,
    /// Complete an argument of a prompt or template.
    Complete,
    /// Hear of changes to a resource.
    Subscribe,
    /// See an entry in a list.
    List,
}

impl Verb {
    /// The word that options and services use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Read => "read",
            Self::Get => "get",
            Self::Complete => "complete",
            Self::Subscribe => "subscribe",
            Self::List => "list",
        }
    }
}

/// What something is.
///
/// ```
/// use mcpbolt_proto::policy::access::ResourceKind;
/// assert_eq!(ResourceKind::Template.name(), "template");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    /// A tool, by its name.
    Tool,
    /// A resource, by its URI.
    Resource,
    /// A resource template, by its text.
    Template,
    /// A prompt, by its name.
    Prompt,
    /// A method of an extension, by its name.
    Method,
}

impl ResourceKind {
    /// The word that options and services use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Resource => "resource",
            Self::Template => "template",
            Self::Prompt => "prompt",
            Self::Method => "method",
        }
    }

    /// What a list method lists, under which member, and by what its entries are known.
    pub fn listed_by(method: &str) -> Option<(Self, &'static str, &'static str)> {
        Some(match method {
            methods::TOOLS_LIST => (Self::Tool, "tools", "name"),
            methods::PROMPTS_LIST => (Self::Prompt, "prompts", "name"),
            methods::RESOURCES_LIST => (Self::Resource, "resources", "uri"),
            methods::RESOURCES_TEMPLATES_LIST => (Self::Template, "resourceTemplates", "uriTemplate"),
            _ => return None,
        })
    }
}

/// One thing that a client wants to do with one resource, tool or prompt.
///
/// ```
/// use mcpbolt_proto::policy::access::{Action, ResourceKind, Verb};
///
/// let action = Action::new(Verb::Call, ResourceKind::Tool, "search");
/// assert_eq!(format!("{action:?}"), "Action(call tool)"); // names stay out of logs
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Action {
    /// What is to be done.
    pub verb: Verb,
    /// With what.
    pub thing: ResourceKind,
    /// Its name, URI or template.
    pub name: String,
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Action({} {})", self.verb.name(), self.thing.name())
    }
}

impl Action {
    /// An action.
    pub fn new(verb: Verb, thing: ResourceKind, name: impl Into<String>) -> Self {
        Self { verb, thing, name: name.into() }
    }

    /// What a request wants to do with one thing. `None` for requests that do nothing of
    /// that sort, and for those whose params are wrong: their handler says so.
    pub fn of(method: &str, params: &RawObject) -> Option<Self> {
        let (verb, thing, member) = match method {
            methods::TOOLS_CALL => (Verb::Call, ResourceKind::Tool, "name"),
            methods::RESOURCES_READ => (Verb::Read, ResourceKind::Resource, "uri"),
            methods::RESOURCES_SUBSCRIBE => (Verb::Subscribe, ResourceKind::Resource, "uri"),
            methods::PROMPTS_GET => (Verb::Get, ResourceKind::Prompt, "name"),
            methods::COMPLETION_COMPLETE => return Self::completion(params),
            _ => return None,
        };
        Some(Self::new(verb, thing, text(params.get(member)?)?))
    }

    /// The same with the row of the method: one that belongs to an extension is called.
    ///
    /// ```
    /// use mcpbolt_proto::jsonrpc::RawObject;
    /// use mcpbolt_proto::policy::access::{Action, ResourceKind, Verb};
    /// use mcpbolt_proto::protocol::{Method, Revision};
    ///
    /// const MIX: Method = Method::extension_request("com.example/colours", "com.example/mix");
    /// let action = Action::of_row(&MIX, Revision::LATEST_MODERN, &RawObject::new());
    /// assert_eq!(action, Some(Action::new(Verb::Call, ResourceKind::Method, "com.example/mix")));
    /// ```
    pub fn of_row(row: &Method, revision: Revision, params: &RawObject) -> Option<Self> {
        let called = || Self::new(Verb::Call, ResourceKind::Method, row.name);
        Self::of(row.name, params).or_else(|| row.extension_in(revision).map(|_| called()))
    }

    /// The same for requests that want several things at once: a listen request names all the
    /// resources whose changes it wants to hear of, and any other request about a resource may
    /// reach the one that [`Action::as_url`] names.
    ///
    /// ```
    /// use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
    /// use mcpbolt_proto::policy::access::{Action, Verb};
    ///
    /// let filter = r#"{"notifications": {"resourceSubscriptions": ["a:1", "a:2"]}}"#;
    /// let params = RawObject::parse(&RawJson::parse(filter).unwrap()).unwrap();
    /// let wanted = Action::all_of("subscriptions/listen", &params);
    /// assert!(wanted.iter().all(|action| action.verb == Verb::Subscribe));
    /// assert_eq!(wanted.len(), 2);
    /// ```
    pub fn all_of(method: &str, params: &RawObject) -> Vec<Self> {
        if method != methods::SUBSCRIPTIONS_LISTEN {
            let wanted = Self::of(method, params);
            let rewritten = wanted.as_ref().and_then(Self::as_url);
            return wanted.into_iter().chain(rewritten).collect();
        }
        let filter = params.get("notifications").and_then(members).unwrap_or_default();
        let uris = filter.get(&Text("resourceSubscriptions".to_owned()));
        let uris = uris.and_then(|uris| uris.decode::<Vec<Text>>().ok()).unwrap_or_default();
        uris.into_iter().map(|Text(uri)| Self::new(Verb::Subscribe, ResourceKind::Resource, uri)).collect()
    }

    /// The same action on the resource that a program finds which reads the URI into the URL type
    /// of its language and looks up what that writes. `None` if it writes the same text.
    ///
    /// ```
    /// use mcpbolt_proto::policy::access::{Action, ResourceKind, Verb};
    ///
    /// let read = |uri| Action::new(Verb::Read, ResourceKind::Resource, uri);
    /// assert_eq!(read("file:///public/../secret").as_url(), Some(read("file:///secret")));
    /// assert_eq!(read("file:///secret").as_url(), None);
    /// ```
    pub fn as_url(&self) -> Option<Self> {
        let is_uri = self.thing == ResourceKind::Resource;
        let url = is_uri.then(|| url_of(&self.name)).flatten().filter(|url| *url != self.name)?;
        Some(Self::new(self.verb, self.thing, url))
    }

    fn completion(params: &RawObject) -> Option<Self> {
        let reference = members(params.get("ref")?)?;
        let member = |name: &'static str| text(reference.get(&Text(name.to_owned()))?);
        match member("type")?.as_str() {
            "ref/prompt" => Some(Self::new(Verb::Complete, ResourceKind::Prompt, member("name")?)),
            "ref/resource" => Some(Self::new(Verb::Complete, ResourceKind::Template, member("uri")?)),
            _ => None,
        }
    }

    /// The refusal of something that does not exist, or is hidden.
    pub fn unknown(&self) -> Error {
        match (self.verb, self.thing) {
            (Verb::Complete, ResourceKind::Template) => {
                Error::invalid_params(format!("no resource template {}", self.name))
            }
            (_, ResourceKind::Tool) => Error::unknown_tool(&self.name),
            (_, ResourceKind::Prompt) => Error::unknown_prompt(&self.name),
            (_, ResourceKind::Method) => Error::method_not_found(&self.name),
            (_, ResourceKind::Resource | ResourceKind::Template) => Error::resource_not_found(&self.name),
        }
    }
}

/// What URL types of programming languages make of a URI: without dot segments, with scheme and
/// host in lower case, and so on. `None` for what they do not read.
///
/// ```
/// use mcpbolt_proto::policy::access::url_of;
/// assert_eq!(url_of("CONFIG://a/%2e%2e/b").as_deref(), Some("config://a/b"));
/// assert_eq!(url_of("no URI"), None);
/// ```
pub fn url_of(uri: &str) -> Option<String> {
    url::Url::parse(uri).ok().map(String::from)
}

/// The value of a JSON string. Programs read strings with half a surrogate pair too, so they
/// must not come to nothing here: there would be no verdict.
fn text(raw: &RawJson) -> Option<String> {
    raw.as_text().map(Cow::into_owned).or_else(|| raw.decode().ok().map(|Text(text)| text))
}

/// The members of an object. Of one that repeats the last counts, as for the parsers of programs.
fn members(raw: &RawJson) -> Option<BTreeMap<Text, RawJson>> {
    raw.decode().ok()
}

/// A JSON string of any kind; what no Rust string can hold is replaced.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl Visitor<'_> for Reader {
            type Value = Text;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.to_owned()))
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Text, E> {
                Ok(Text(String::from_utf8_lossy(bytes).into_owned()))
            }
        }
        deserializer.deserialize_bytes(Reader)
    }
}

/// What is decided.
///
/// ```
/// use mcpbolt_proto::policy::access::Verdict;
/// assert_ne!(Verdict::Hide, Verdict::deny("members only"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It may be done.
    Allow,
    /// As if the thing did not exist: unknown, and in no list.
    Hide,
    /// It may not be done, for this reason, which the client is told. A list shows the
    /// entry.
    Deny(String),
}

impl Verdict {
    /// A refusal with its reason.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny(reason.into())
    }
}

/// 403: something may not be done. Its words are the program's, for the client.
pub fn denied(reason: &str) -> Error {
    let mut error = Error::new(ErrorKind::Peer, format!("denied: {reason}"));
    error.code = ErrorCode(403);
    error.with_data(serde_json::json!({ "reason": "denied" }))
}

/// The actions of seeing the entries of a list, in their order. An entry without a name is
/// one that was not allowed by name.
pub fn listing(thing: ResourceKind, key: &str, entries: &[RawJson]) -> Vec<Action> {
    let name = |entry: &RawJson| RawObject::parse(entry)?.get(key)?.as_string();
    entries.iter().map(|entry| Action::new(Verb::List, thing, name(entry).unwrap_or_default())).collect()
}

/// The entries that are not hidden. One without a verdict is.
pub fn visible<T>(entries: Vec<T>, verdicts: &[Verdict]) -> Vec<T> {
    let shown = verdicts.iter().map(|verdict| *verdict != Verdict::Hide).chain(std::iter::repeat(false));
    entries.into_iter().zip(shown).filter(|(_, shown)| *shown).map(|(entry, _)| entry).collect()
}

/// The entries of a list result, under this member.
pub fn entries(result: &RawObject, member: &str) -> Option<Vec<RawJson>> {
    result.get(member).filter(|list| list.kind() == JsonKind::Array)?.decode().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(method: &str, params: serde_json::Value) -> Option<(Verb, ResourceKind, String)> {
        let params = RawObject::parse(&params.into()).unwrap();
        Action::of(method, &params).map(|action| (action.verb, action.thing, action.name))
    }

    #[test]
    fn each_method_that_names_a_thing_is_an_action() {
        use serde_json::json;
        let found = |verb, thing, name: &str| Some((verb, thing, name.to_owned()));
        assert_eq!(of("tools/call", json!({"name": "a"})), found(Verb::Call, ResourceKind::Tool, "a"));
        assert_eq!(
            of("resources/read", json!({"uri": "a:b"})),
            found(Verb::Read, ResourceKind::Resource, "a:b")
        );
        assert_eq!(
            of("resources/subscribe", json!({"uri": "a:b"})),
            found(Verb::Subscribe, ResourceKind::Resource, "a:b")
        );
        assert_eq!(of("prompts/get", json!({"name": "p"})), found(Verb::Get, ResourceKind::Prompt, "p"));
        let complete = |reference| of("completion/complete", json!({"ref": reference}));
        assert_eq!(
            complete(json!({"type": "ref/prompt", "name": "p"})),
            found(Verb::Complete, ResourceKind::Prompt, "p")
        );
        assert_eq!(
            complete(json!({"type": "ref/resource", "uri": "a:{b}"})),
            found(Verb::Complete, ResourceKind::Template, "a:{b}")
        );
        assert_eq!(of("tools/call", json!({"name": 7})), None);
        assert_eq!(of("tools/list", json!({})), None);
    }

    #[test]
    fn what_only_a_program_can_read_is_decided_too() {
        let of = |method, text: &str| {
            let params = RawObject::parse(&RawJson::parse(text.to_owned()).unwrap()).unwrap();
            Action::of(method, &params).map(|action| action.name)
        };
        for reference in [
            r#"{"type": "ref/prompt", "name": "a", "name": "p"}"#,
            r#"{"type": "ref/prompt", "name": "p", "title": "\ud800", "title": 1, "\ud800": 2}"#,
        ] {
            let params = format!(r#"{{"ref": {reference}}}"#);
            assert_eq!(of("completion/complete", &params).as_deref(), Some("p"), "{reference}");
        }
        let filter = r#"{"resourceSubscriptions": [], "resourceSubscriptions": ["p:1", "\ud800"]}"#;
        let params = RawJson::parse(format!(r#"{{"notifications": {filter}}}"#)).unwrap();
        let wanted = Action::all_of("subscriptions/listen", &RawObject::parse(&params).unwrap());
        assert_eq!(wanted.len(), 2);
        assert!(of("tools/call", r#"{"name": "a\ud800"}"#).is_some_and(|name| name.starts_with('a')));
    }

    #[test]
    fn all_of_a_request_has_both_spellings_of_a_resource() {
        let all = |method, params: serde_json::Value| {
            let params = RawObject::parse(&params.into()).unwrap();
            Action::all_of(method, &params).into_iter().map(|action| action.name).collect::<Vec<_>>()
        };
        let uri = |uri: &str| serde_json::json!({ "uri": uri });
        for method in ["resources/read", "resources/subscribe"] {
            assert_eq!(all(method, uri("A://B/./c")), ["A://B/./c", "a://B/c"]);
            assert_eq!(all(method, uri("a://b/c")), ["a://b/c"]);
            assert_eq!(all(method, uri("none")), ["none"]);
        }
        assert_eq!(all("tools/call", serde_json::json!({"name": "A:b/../c"})), ["A:b/../c"]);
    }

    #[test]
    fn what_has_no_verdict_is_hidden() {
        let verdicts = [Verdict::Allow, Verdict::Hide, Verdict::deny("no")];
        assert_eq!(visible(vec![1, 2, 3, 4], &verdicts), [1, 3]);
    }

    #[test]
    fn a_refusal_has_a_code_of_its_own_in_every_revision() {
        for revision in crate::protocol::Revision::ALL {
            let error = denied("members only").to_wire(revision);
            assert_eq!((error.code.0, error.message.as_str()), (403, "denied: members only"));
        }
    }
}
