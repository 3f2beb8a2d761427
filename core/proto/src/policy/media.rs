//! MIME types and base64 of content, checked when they leave and when they arrive.
//!
//! Owns: the grammars, and where in a result they apply. Must not know: who sent it.

use std::borrow::Cow;

use memchr::{memchr_iter, memmem};
use serde::Deserialize;

use crate::jsonrpc::RawJson;
use crate::protocol::methods;

/// The MIME type of a directory.
pub const DIRECTORY: &str = "inode/directory";

/// Whether `text` is a MIME type: two names of RFC 6838, and perhaps parameters.
///
/// ```
/// use mcpbolt_proto::policy::media::is_mime_type;
///
/// for good in ["text/plain", "image/svg+xml", "text/html; charset=utf-8", "inode/directory"] {
///     assert!(is_mime_type(good));
/// }
/// for bad in ["", "png", "image/", "/png", "image /png", "text/plain\r\nx: y", "text/html; charset"] {
///     assert!(!is_mime_type(bad));
/// }
/// ```
pub fn is_mime_type(text: &str) -> bool {
    let (names, parameters) = match text.split_once(';') {
        Some((names, parameters)) => (names.trim_end_matches([' ', '\t']), Some(parameters)),
        None => (text, None),
    };
    let Some((kind, subkind)) = names.split_once('/') else { return false };
    is_restricted_name(kind) && is_restricted_name(subkind) && parameters.is_none_or(are_parameters)
}

/// `restricted-name` of RFC 6838, 4.2.
fn is_restricted_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    (1..=127).contains(&name.len())
        && bytes.next().is_some_and(|b| b.is_ascii_alphanumeric())
        && bytes.all(|b| b.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&b))
}

/// `name=value` pairs behind semicolons; a value may be quoted.
fn are_parameters(mut text: &str) -> bool {
    loop {
        let Some((name, rest)) = text.split_once('=') else { return false };
        if !is_token(name.trim_start_matches([' ', '\t'])) {
            return false;
        }
        let after = if let Some(quoted) = rest.strip_prefix('"') {
            quoted_end(quoted)
        } else {
            let end = rest.find([';', ' ', '\t']).unwrap_or(rest.len());
            is_token(&rest[..end]).then(|| &rest[end..])
        };
        let Some(after) = after.map(|after| after.trim_start_matches([' ', '\t'])) else { return false };
        match after.strip_prefix(';') {
            Some(next) => text = next,
            None => return after.is_empty(),
        }
    }
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

/// What follows the closing quote.
fn quoted_end(text: &str) -> Option<&str> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(&text[at + 1..]),
            c if c.is_control() && c != '\t' => return None,
            _ => {}
        }
    }
    None
}

/// Whether `text` is base64 of RFC 4648, section 4: the plain alphabet, padded, without
/// line breaks.
///
/// ```
/// use mcpbolt_proto::policy::media::is_base64;
///
/// assert!(is_base64("aGk=") && is_base64(""));
/// assert!(!is_base64("aGk") && !is_base64("aG k=") && !is_base64("a-_=") && !is_base64("aG=k"));
/// ```
pub fn is_base64(text: &str) -> bool {
    if !text.len().is_multiple_of(4) {
        return false;
    }
    let bare = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    if !bare.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/')) {
        return false;
    }
    // The bits that padding cuts off are zero, or two texts would mean the same bytes.
    match (text.len() - bare.len(), bare.bytes().next_back()) {
        (0, _) => true,
        (1, Some(last)) => value(last).is_multiple_of(4),
        (_, Some(last)) => value(last).is_multiple_of(16),
        (_, None) => false,
    }
}

fn value(letter: u8) -> u8 {
    match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    }
}

/// As much of a result as is looked at; the rest is not ours to judge.
#[derive(Deserialize)]
struct Shown<'a> {
    #[serde(default, borrow)]
    content: Option<Blocks<'a>>,
    #[serde(default, borrow)]
    messages: Vec<Message<'a>>,
    #[serde(default, borrow)]
    contents: Vec<Block<'a>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Blocks<'a> {
    Many(#[serde(borrow)] Vec<Block<'a>>),
    One(#[serde(borrow)] Box<Block<'a>>),
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(default, borrow)]
    content: Option<Blocks<'a>>,
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(default, borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(default, borrow, rename = "mimeType")]
    mime_type: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    data: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    blob: Option<Cow<'a, str>>,
    #[serde(default, borrow)]
    resource: Option<Box<Block<'a>>>,
}

/// Whether results of a method hold content that programs and models write.
///
/// ```
/// use mcpbolt_proto::policy::media::has_content;
///
/// assert!(has_content("tools/call") && !has_content("tools/list"));
/// ```
pub fn has_content(method: &str) -> bool {
    matches!(method, methods::TOOLS_CALL | methods::RESOURCES_READ | methods::PROMPTS_GET)
}

/// The members without which nothing is checked.
const MEDIA: [&[u8]; 3] = [b"\"mimeType\"", b"\"blob\"", b"\"data\""];

/// Whether one of these stands in a text, perhaps as a value. To prepare a fast search costs more
/// than to look at each quote of a short text.
fn may_have_media(text: &[u8]) -> bool {
    if text.len() > 1024 {
        return MEDIA.iter().any(|name| memmem::find(text, name).is_some());
    }
    let begins = |at: usize| matches!(text.get(at + 1), Some(b'm' | b'b' | b'd'));
    memchr_iter(b'"', text).any(|at| begins(at) && MEDIA.iter().any(|name| text[at..].starts_with(name)))
}

/// Checks what a result holds: content of tools, prompts, resources and models.
///
/// ```
/// use mcpbolt_proto::jsonrpc::RawJson;
/// use mcpbolt_proto::policy::media::check;
///
/// let odd: RawJson = serde_json::json!({"content": [
///     {"type": "text", "text": "a picture"},
///     {"type": "image", "mimeType": "image/png", "data": "no base64"},
/// ]}).into();
/// assert_eq!(check(&odd).unwrap_err(), "content 1: data is no base64");
/// ```
///
/// # Errors
/// The place and what is wrong there, without what stands there.
pub fn check(result: &RawJson) -> Result<(), String> {
    // Nearly all results are text: they are not parsed for this.
    if !may_have_media(result.as_bytes()) {
        return Ok(());
    }
    let Ok(shown) = result.decode_borrowed::<Shown<'_>>() else { return Ok(()) };
    let answers = shown.content.iter().flat_map(Blocks::all);
    let said = shown.messages.iter().filter_map(|message| message.content.as_ref()).flat_map(Blocks::all);
    for (at, block) in answers.chain(said).chain(&shown.contents).enumerate() {
        block.check().map_err(|wrong| format!("content {at}: {wrong}"))?;
    }
    Ok(())
}

impl<'a> Blocks<'a> {
    fn all(&self) -> &[Block<'a>] {
        match self {
            Self::Many(blocks) => blocks,
            Self::One(block) => std::slice::from_ref(block),
        }
    }
}

impl Block<'_> {
    fn check(&self) -> Result<(), &'static str> {
        if self.mime_type.as_deref().is_some_and(|mime| !is_mime_type(mime)) {
            return Err("mimeType is no MIME type");
        }
        let coded = matches!(self.kind.as_deref(), Some("image" | "audio"));
        if coded && self.data.as_deref().is_some_and(|data| !is_base64(data)) {
            return Err("data is no base64");
        }
        if self.blob.as_deref().is_some_and(|blob| !is_base64(blob)) {
            return Err("blob is no base64");
        }
        self.resource.as_deref().map_or(Ok(()), Self::check)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    #[test]
    fn what_is_base64_is_what_the_decoder_takes() {
        for text in [
            "", "A", "AA", "AAA", "AAAA", "AA==", "AB==", "AAA=", "AAB=", "A===", "====", "AA=A", "A+/9",
            "A-_9", "AA\n=",
        ] {
            assert_eq!(is_base64(text), STANDARD.decode(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn names_of_types_follow_their_grammar() {
        let long = format!("a/{}", "b".repeat(128));
        for bad in
            ["a", "a/b/c", "a/b;", "a/b;c", "a/b;c=", "a/b;=c", "a/b;c=\"d", "a/b c", "ä/b", "-a/b", &long]
        {
            assert!(!is_mime_type(bad), "{bad:?}");
        }
        for good in ["a/b;c=d", "a/b ; c=\"d;e\" ; f=g", "application/vnd.api+json", "a/b;c=\"\\\"\""] {
            assert!(is_mime_type(good), "{good:?}");
        }
    }

    #[test]
    fn every_place_of_a_result_is_looked_at() {
        let blob = serde_json::json!({"uri": "a:b", "blob": "?"});
        let image = serde_json::json!({"type": "image", "mimeType": "x", "data": ""});
        for bad in [
            serde_json::json!({"contents": [blob]}),
            serde_json::json!({"content": [{"type": "resource", "resource": blob}]}),
            serde_json::json!({"messages": [{"role": "user", "content": image}]}),
            serde_json::json!({"role": "assistant", "content": image}),
            serde_json::json!({"content": [{"type": "audio", "mimeType": "audio/wav", "data": "x"}]}),
        ] {
            assert!(check(&RawJson::from(&bad)).is_err(), "{bad}");
            // Long texts are searched in another way.
            let mut long = bad.clone();
            long["padding"] = "x".repeat(2000).into();
            assert!(check(&RawJson::from(&long)).is_err(), "{bad}");
        }
        let own = serde_json::json!({"content": [{"type": "text", "text": "\"data\"", "data": "?"}]});
        assert_eq!(check(&RawJson::from(own)), Ok(()), "only pictures and sounds have bytes there");
    }
}
