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
            blob => contents_aside(output, blob),
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

/// Whether the structured content says what the words say already: servers repeat it as text for
/// old clients.
pub(crate) fn says_the_same(content: &[ContentBlock], structured: &Value) -> bool {
    match content {
        [ContentBlock::Text(text)] => {
            serde_json::from_str::<Value>(&text.text).is_ok_and(|said| said == *structured)
        }
        _ => false,
    }
}
