//! Content of tools, prompts and resources.
//!
//! Owns: how each kind of block is shown. Must not know: which verb shows it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use mcpbolt::types::{ContentBlock, ResourceContents};
use serde_json::Value;

use super::{DIM, Output, bytes, safe};

/// The blocks as text. In a pipe the words are as they came.
pub(crate) fn blocks(output: &Output, content: &[ContentBlock]) -> String {
    content.iter().map(|each| block(output, each)).collect::<Vec<_>>().join("\n")
}

fn block(output: &Output, block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => words(output, &text.text),
        ContentBlock::Image(image) => aside(output, "image", &image.mime_type, size_of(&image.data)),
        ContentBlock::Audio(audio) => aside(output, "audio", &audio.mime_type, size_of(&audio.data)),
        ContentBlock::ResourceLink(link) => {
            let title = link.title.as_deref().unwrap_or(&link.name);
            output.paint(DIM, &safe(&format!("[resource {}: {title}]", link.uri)))
        }
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::Text(text) => words(output, &text.text),
            blob @ ResourceContents::Blob(_) => contents_aside(output, blob),
        },
        other => {
            let value = serde_json::to_value(other).unwrap_or_default();
            output.paint(DIM, &safe(&value.to_string()))
        }
    }
}

/// The contents of a resource in one line, for those that are no text.
pub(crate) fn contents_aside(output: &Output, contents: &ResourceContents) -> String {
    let kind = contents.mime_type().unwrap_or("application/octet-stream");
    aside(output, contents.uri(), kind, contents.as_blob().and_then(size_of))
}

/// The bytes of contents; `None` if they are no base64.
pub(crate) fn data(contents: &ResourceContents) -> Option<Vec<u8>> {
    match contents {
        ResourceContents::Text(text) => Some(text.text.clone().into_bytes()),
        ResourceContents::Blob(blob) => STANDARD.decode(&blob.blob).ok(),
    }
}

fn words(output: &Output, text: &str) -> String {
    if output.is_rich() { safe(text) } else { text.to_owned() }
}

fn aside(output: &Output, what: &str, kind: &str, size: Option<u64>) -> String {
    let size = size.map_or_else(|| "no valid base64".to_owned(), bytes);
    output.paint(DIM, &safe(&format!("[{what} {kind}, {size}]")))
}

fn size_of(base64: &str) -> Option<u64> {
    STANDARD.decode(base64).ok().map(|data| data.len() as u64)
}

/// What structured content adds to the words beside it: servers repeat one as the other, for old
/// clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Structured {
    /// Something that the words do not say.
    More,
    /// What the words say, as JSON in both.
    Same,
    /// The words, in a member `result`, as servers for the official Python package wrap them.
    Wrapped,
}

impl Structured {
    pub(crate) fn beside(content: &[ContentBlock], structured: &Value) -> Self {
        let [ContentBlock::Text(text)] = content else { return Self::More };
        let said = serde_json::from_str::<Value>(&text.text).ok();
        let wrapped = structured.as_object().filter(|members| members.len() == 1);
        match wrapped.and_then(|members| members.get("result")) {
            _ if said.as_ref() == Some(structured) => Self::Same,
            Some(inner) if inner.as_str() == Some(&text.text) || said.as_ref() == Some(inner) => {
                Self::Wrapped
            }
            _ => Self::More,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_said_twice_is_known() {
        let beside =
            |text: &str, structured: Value| Structured::beside(&[ContentBlock::text(text)], &structured);
        assert_eq!(beside("{\"a\": 1}", json!({"a": 1})), Structured::Same);
        assert_eq!(beside("hello", json!({"result": "hello"})), Structured::Wrapped);
        assert_eq!(beside("3", json!({"result": 3})), Structured::Wrapped);
        assert_eq!(beside("three", json!({"result": 3})), Structured::More);
        assert_eq!(Structured::beside(&[], &json!({})), Structured::More);
    }
}
