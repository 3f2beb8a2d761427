//! Which bodies of a POST are messages, as strict as the official package for TypeScript.
//!
//! Owns: telling the four kinds of messages apart, and what a session needs to know of them before
//! it takes them. Must not know: sessions, methods other than `initialize`.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::policy::norm::HttpRule;
use crate::protocol::methods;

use super::headers::parse_integer;

const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";

/// The kind of a message.
///
/// ```
/// use mcpbolt_proto::http::posted::MessageKind;
///
/// assert_eq!(MessageKind::Result.name(), "result");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageKind {
    /// It has a method and an id.
    Request,
    /// It has a method alone.
    Notification,
    /// It answers with a result.
    Result,
    /// It answers with an error.
    Error,
}

impl MessageKind {
    /// Its name for hosts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Notification => "notification",
            Self::Result => "result",
            Self::Error => "error",
        }
    }
}

/// The messages of one body.
///
/// ```
/// use mcpbolt_proto::http::posted::{MessageKind, Posted};
/// use mcpbolt_proto::policy::norm::HttpRule;
///
/// let posted = Posted::read(r#"[{"jsonrpc":"2.0","id":"a","method":"ping"}]"#, 100).unwrap();
/// assert_eq!(posted.messages, [(MessageKind::Request, Some("\"a\""))]);
/// assert_eq!(Posted::read("{}", 100).unwrap_err(), HttpRule::BodyMessages);
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct Posted<'a> {
    /// The kind of each, and the id of a request as JSON text.
    pub messages: Vec<(MessageKind, Option<&'a str>)>,
    /// The revision that `initialize` asks for, if it is among them.
    pub opening: Option<String>,
    /// Whether they came as an array.
    pub is_batch: bool,
}

impl<'a> Posted<'a> {
    /// Reads a body.
    ///
    /// # Errors
    /// The rule that it breaks: `BodyJson`, `BatchSize` or `BodyMessages`.
    pub fn read(body: &'a str, max_batch: usize) -> Result<Self, HttpRule> {
        let value: &RawValue = serde_json::from_str(body).map_err(|_| HttpRule::BodyJson)?;
        let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(value.get()) else {
            return Self::of(&[value], false).ok_or(HttpRule::BodyMessages);
        };
        if list.len() > max_batch {
            return Err(HttpRule::BatchSize);
        }
        Self::of(&list, true).ok_or(HttpRule::BodyMessages)
    }

    fn of(list: &[&'a RawValue], is_batch: bool) -> Option<Self> {
        let (mut messages, mut opening) = (Vec::with_capacity(list.len()), None);
        for value in list {
            let message = Members::of(value)?;
            messages.push(message.kind()?);
            opening = opening.or_else(|| message.opening());
        }
        Some(Self { messages, opening, is_batch })
    }
}

#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The members of an object. Of equal names the last one counts, as in JavaScript.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'a> Members<'a> {
    fn of(value: &'a RawValue) -> Option<Self> {
        if !value.get().starts_with('{') {
            return None;
        }
        serde_json::from_str(value.get()).ok()
    }

    fn get(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    fn has_only(&self, names: &[&str]) -> bool {
        self.0.iter().all(|(name, _)| names.contains(&&**name))
    }

    fn kind(&self) -> Option<(MessageKind, Option<&'a str>)> {
        if text_of(self.get("jsonrpc")?)? != "2.0" {
            return None;
        }
        let id = self.get("id");
        if self.get("method").is_some_and(is_text) {
            return self.call(id);
        }
        if let Some(result) = self.get("result") {
            let known = id.is_some_and(is_id) && has_good_meta(result);
            return (known && self.has_only(&["jsonrpc", "id", "result"]))
                .then_some((MessageKind::Result, None));
        }
        let known = id.is_none_or(is_id) && self.get("error").is_some_and(is_error);
        (known && self.has_only(&["jsonrpc", "id", "error"])).then_some((MessageKind::Error, None))
    }

    /// What has a method.
    fn call(&self, id: Option<&'a RawValue>) -> Option<(MessageKind, Option<&'a str>)> {
        if !self.get("params").is_none_or(has_good_meta) {
            return None;
        }
        match id {
            None => {
                let known = self.has_only(&["jsonrpc", "method", "params"]);
                known.then_some((MessageKind::Notification, None))
            }
            Some(id) => {
                let known = is_id(id) && self.has_only(&["jsonrpc", "id", "method", "params"]);
                known.then(|| (MessageKind::Request, Some(id.get())))
            }
        }
    }

    /// The revision that it asks for, if it is a complete `initialize`.
    fn opening(&self) -> Option<String> {
        if text_of(self.get("method")?)? != methods::INITIALIZE {
            return None;
        }
        let params = Self::of(self.get("params")?)?;
        Self::of(params.get("capabilities")?)?;
        let client = Self::of(params.get("clientInfo")?)?;
        let known = is_text(client.get("name")?) && is_text(client.get("version")?);
        text_of(params.get("protocolVersion")?).filter(|_| known).map(Cow::into_owned)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(name) = map.next_key::<Text<'de>>()? {
                    members.push((name.0, map.next_value()?));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Reader)
    }
}

fn is_text(value: &RawValue) -> bool {
    value.get().starts_with('"')
}

fn text_of(value: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str::<Text<'_>>(value.get()).ok().map(|text| text.0)
}

/// Whether it is an integer that JavaScript can tell from its neighbours.
fn is_integer(value: &RawValue) -> bool {
    parse_integer(value.get()).is_ok()
}

fn is_id(value: &RawValue) -> bool {
    is_text(value) || is_integer(value)
}

/// Whether it is an object whose metadata, if there are any, are those of the protocol.
fn has_good_meta(value: &RawValue) -> bool {
    let Some(members) = Members::of(value) else { return false };
    let Some(meta) = members.get("_meta") else { return true };
    let Some(meta) = Members::of(meta) else { return false };
    let task_is_good = |task| Members::of(task).is_some_and(|task| task.get("taskId").is_some_and(is_text));
    meta.get("progressToken").is_none_or(is_id) && meta.get(RELATED_TASK).is_none_or(task_is_good)
}

fn is_error(value: &RawValue) -> bool {
    let Some(members) = Members::of(value) else { return false };
    members.get("code").is_some_and(is_integer) && members.get("message").is_some_and(is_text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(message: &str) -> Result<MessageKind, HttpRule> {
        Posted::read(message, 3).map(|posted| posted.messages[0].0)
    }

    #[test]
    fn the_kinds_are_told_apart() {
        for (message, expected) in [
            (r#"{"jsonrpc":"2.0","id":1e2,"method":"ping"}"#, MessageKind::Request),
            (
                r#"{"jsonrpc":"2.0","method":"ping","params":{"_meta":{"progressToken":1}}}"#,
                MessageKind::Notification,
            ),
            (r#"{"jsonrpc":"2.0","id":"x","result":{}}"#, MessageKind::Result),
            (r#"{"jsonrpc":"2.0","error":{"code":1,"message":""}}"#, MessageKind::Error),
        ] {
            assert_eq!(kind(message), Ok(expected), "{message}");
        }
    }

    #[test]
    fn what_is_odd_is_not_a_message() {
        for message in [
            "5",
            r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","x":1}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#,
            r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":true}}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
            r#"[{"jsonrpc":"2.0","method":"ping"},{}]"#,
        ] {
            assert_eq!(kind(message), Err(HttpRule::BodyMessages), "{message}");
        }
        assert_eq!(kind("{"), Err(HttpRule::BodyJson));
        assert_eq!(kind("[1,2,3,4]"), Err(HttpRule::BatchSize));
        assert_eq!(Posted::read("[]", 3).map(|posted| posted.messages.len()), Ok(0));
    }

    #[test]
    fn a_complete_initialize_opens() {
        let open = |params: &str| {
            let text = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{params}}}"#);
            Posted::read(&text, 3).map(|posted| posted.opening)
        };
        let whole = r#"{"protocolVersion":"x","capabilities":{},"clientInfo":{"name":"","version":""}}"#;
        assert_eq!(open(whole), Ok(Some("x".to_owned())));
        assert_eq!(open(r#"{"protocolVersion":"x"}"#), Ok(None));
    }
}
