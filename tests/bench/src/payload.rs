//! The requests that load generators send and the replies they accept.

use std::borrow::Cow;

use serde::Deserialize;

/// The newest revision of the legacy era.
pub const LEGACY: &str = "2025-11-25";
/// The revision of the modern era.
pub const MODERN: &str = "2026-07-28";

/// Which handshake and envelope a load uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Era {
    /// `initialize`, bare params.
    Legacy,
    /// No handshake, `_meta` in each request.
    Modern,
}

/// The `_meta` member of modern params of a client with these capabilities, with the comma before it.
macro_rules! meta {
    ($capabilities:literal) => {
        concat!(
            r#","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":"#,
            $capabilities,
            r#","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"}}"#
        )
    };
}
pub(crate) use meta;

impl Era {
    /// The `_meta` member of modern params, with the comma before it.
    fn meta(self) -> &'static str {
        match self {
            Self::Legacy => "",
            Self::Modern => meta!("{}"),
        }
    }

    /// The value of `MCP-Protocol-Version`.
    pub fn version(self) -> &'static str {
        match self {
            Self::Legacy => LEGACY,
            Self::Modern => MODERN,
        }
    }
}

/// The text that call `id` sends and expects back.
pub fn text(id: u64) -> String {
    format!("call {id} says: the quick brown fox")
}

/// Appends `tools/call` of `echo`; `text` must be encoded already.
pub fn push_call(out: &mut Vec<u8>, era: Era, id: u64, text: &str) {
    push_call_of(out, era, id, "echo", &["{\"text\":\"", text, "\"}"]);
}

/// Appends `tools/call` of any tool; the arguments are in pieces.
pub fn push_call_of(out: &mut Vec<u8>, era: Era, id: u64, tool: &str, arguments: &[&str]) {
    use std::io::Write as _;
    let _ = write!(
        out,
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":"#
    );
    arguments.iter().for_each(|part| out.extend_from_slice(part.as_bytes()));
    let _ = write!(out, "{}}}}}", era.meta());
}

/// `tools/list`.
pub fn list(era: Era, id: u64) -> String {
    let params = match era {
        Era::Legacy => String::new(),
        Era::Modern => format!(r#","params":{{{}}}"#, &era.meta()[1..]),
    };
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"{params}}}"#)
}

/// `subscriptions/listen`, for changes of the list of tools.
pub fn listen(id: u64) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"subscriptions/listen","params":{{"notifications":{{"toolsListChanged":true}}{}}}}}"#,
        Era::Modern.meta()
    )
}

/// The first request of an era: `initialize` or `server/discover`.
pub fn opening(era: Era) -> String {
    match era {
        Era::Legacy => format!(
            r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"protocolVersion":"{LEGACY}","capabilities":{{}},"clientInfo":{{"name":"bench","version":"1"}}}}}}"#
        ),
        Era::Modern => {
            format!(
                r#"{{"jsonrpc":"2.0","id":0,"method":"server/discover","params":{{{}}}}}"#,
                &era.meta()[1..]
            )
        }
    }
}

/// What ends the legacy handshake.
pub const INITIALIZED: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;

#[derive(Deserialize)]
struct Reply<'a> {
    id: u64,
    #[serde(borrow)]
    result: Option<Called<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Called<'a> {
    #[serde(borrow)]
    content: Vec<Block<'a>>,
    #[serde(default)]
    is_error: bool,
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow)]
    text: Cow<'a, str>,
}

/// The id of an echoed call, if the reply is one and `expected` is the text it carries.
/// `expected` is decoded text.
pub fn check_call(reply: &[u8], expected: impl FnOnce(u64) -> Option<String>) -> Result<u64, String> {
    let wrong = |what: &str| Err(format!("{what}: {}", excerpt(reply)));
    let Ok(parsed) = serde_json::from_slice::<Reply<'_>>(reply) else {
        return wrong("not the reply of a call");
    };
    match parsed.result {
        Some(Called { content, is_error: false }) if content.len() == 1 => {
            let Some(text) = expected(parsed.id) else { return wrong("an id nobody waits for") };
            if content[0].text == text { Ok(parsed.id) } else { wrong("another text than was sent") }
        }
        _ => wrong("not one block of text"),
    }
}

#[derive(Deserialize)]
struct Listed {
    id: u64,
    result: Option<Tools>,
}

#[derive(Deserialize)]
struct Tools {
    tools: Vec<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Acknowledged<'a> {
    method: &'a str,
    params: Heard,
}

#[derive(Deserialize)]
struct Heard {
    notifications: Changes,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Changes {
    tools_list_changed: bool,
}

/// Whether a listen stream begins as it must.
pub fn check_listening(message: &[u8]) -> Result<(), String> {
    match serde_json::from_slice(message) {
        Ok(Acknowledged {
            method: "notifications/subscriptions/acknowledged",
            params: Heard { notifications: Changes { tools_list_changed: true } },
        }) => Ok(()),
        _ => Err(format!("the stream does not begin as it must: {}", excerpt(message))),
    }
}

/// Whether a reply lists that many tools.
pub fn check_list(reply: &[u8], id: u64, count: usize) -> Result<(), String> {
    match serde_json::from_slice::<Listed>(reply) {
        Ok(Listed { id: found, result: Some(result) }) if found == id && result.tools.len() == count => {
            Ok(())
        }
        _ => Err(format!("not a list of {count} tools: {}", excerpt(reply))),
    }
}

#[derive(Deserialize)]
struct Opened<'a> {
    id: u64,
    #[serde(borrow)]
    result: Option<&'a serde_json::value::RawValue>,
}

/// Whether the opening was answered with a result.
pub fn check_opening(reply: &[u8]) -> Result<(), String> {
    match serde_json::from_slice::<Opened<'_>>(reply) {
        Ok(Opened { id: 0, result: Some(result) }) if result.get().contains("capabilities") => Ok(()),
        _ => Err(format!("the opening was refused: {}", excerpt(reply))),
    }
}

/// The start of a reply, for messages.
pub fn excerpt(reply: &[u8]) -> String {
    String::from_utf8_lossy(&reply[..reply.len().min(200)]).into_owned()
}

/// The answer of a call with this text as its result.
#[cfg(test)]
pub(crate) fn reply(id: u64, text: &str) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#)
        .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_must_carry_the_text_of_its_call() {
        assert_eq!(check_call(&reply(7, &text(7)), |id| Some(text(id))), Ok(7));
        assert!(check_call(&reply(7, &text(8)), |id| Some(text(id))).is_err());
        assert!(check_call(&reply(7, &text(7)), |_| None).is_err());
        assert!(
            check_call(br#"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"no"}}"#, |id| Some(text(id)))
                .is_err()
        );
    }

    #[test]
    fn a_failed_tool_is_no_reply() {
        let failed =
            br#"{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"x"}]}}"#;
        assert!(check_call(failed, |_| Some("x".to_owned())).is_err());
    }

    #[test]
    fn a_stream_must_be_about_what_was_asked_for() {
        let begins = |changes: &str| {
            let params = format!(r#"{{"_meta":{{}},"notifications":{changes}}}"#);
            let method = "notifications/subscriptions/acknowledged";
            let message = format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{params}}}"#);
            check_listening(message.as_bytes())
        };
        assert_eq!(begins(r#"{"toolsListChanged":true}"#), Ok(()));
        assert!(begins("{}").is_err() && check_listening(&reply(1, "x")).is_err());
        serde_json::from_str::<serde::de::IgnoredAny>(&listen(1)).expect("JSON");
    }

    #[test]
    fn a_list_must_be_complete() {
        let list = br#"{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"},{"name":"b"}]}}"#;
        assert_eq!(check_list(list, 1, 2), Ok(()));
        assert!(check_list(list, 1, 3).is_err());
    }
}
