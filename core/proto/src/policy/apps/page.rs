//! The page that a server sent for a tool.
//!
//! Owns: which contents are one. Must not know: how they were read.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use crate::protocol::types::{ReadResourceResult, ResourceContents};

use super::csp::{AppCsp, AppPermissions};
use super::{META, MIME_TYPE, SCHEME};

/// A page, and how it wants to be shown: in a sandboxed frame, under [`AppCsp::policy`].
///
/// ```
/// use mcpbolt_proto::policy::apps::{AppPage, AppRefusal, MIME_TYPE};
/// use mcpbolt_proto::protocol::types::{ReadResourceResult, ResourceContents};
///
/// let uri = "ui://clock/app.html";
/// let read = |kind: &str| ReadResourceResult::new(vec![ResourceContents::text(uri, kind, "<p>12:00</p>")]);
/// assert_eq!(AppPage::read(uri, &read(MIME_TYPE)).unwrap().html, "<p>12:00</p>");
/// assert_eq!(AppPage::read(uri, &read("text/html")), Err(AppRefusal::MimeType));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AppPage {
    /// Its URI.
    pub uri: String,
    /// The document.
    pub html: String,
    /// The origins it uses.
    pub csp: AppCsp,
    /// What it asks for.
    pub permissions: AppPermissions,
    /// The origin it wants to be shown on, in the host's own form.
    pub domain: Option<String>,
    /// Whether it wants a border.
    pub prefers_border: Option<bool>,
}

/// `_meta.ui` of a page.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PageMeta {
    pub(super) csp: AppCsp,
    pub(super) permissions: AppPermissions,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) domain: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) prefers_border: Option<bool>,
}

/// Why a host must not show what was read.
///
/// ```
/// use mcpbolt_proto::policy::apps::AppRefusal;
///
/// assert_eq!(AppRefusal::Scheme.to_string(), "a page must have a ui:// URI");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AppRefusal {
    /// The URI is of another scheme.
    #[error("a page must have a ui:// URI")]
    Scheme,
    /// The server sent nothing for the URI.
    #[error("the server sent no contents of the page")]
    Missing,
    /// The contents have another MIME type.
    #[error("a page must be of type text/html;profile=mcp-app")]
    MimeType,
    /// The contents are no text.
    #[error("a page must be UTF-8")]
    Text,
    /// What the page declares cannot be read; without it nobody knows what it may do.
    #[error("_meta.ui of the page is malformed")]
    Meta,
}

impl AppPage {
    /// The page among what `resources/read` gave for `uri`.
    ///
    /// # Errors
    /// Why it must not be shown.
    pub fn read(uri: &str, result: &ReadResourceResult) -> Result<Self, AppRefusal> {
        if !uri.starts_with(SCHEME) {
            return Err(AppRefusal::Scheme);
        }
        let found =
            result.contents.iter().find(|contents| contents.uri() == uri).ok_or(AppRefusal::Missing)?;
        if found.mime_type() != Some(MIME_TYPE) {
            return Err(AppRefusal::MimeType);
        }
        let (html, meta) = match found {
            ResourceContents::Text(contents) => (contents.text.clone(), &contents.meta),
            ResourceContents::Blob(contents) => {
                let bytes = STANDARD.decode(&contents.blob).map_err(|_| AppRefusal::Text)?;
                (String::from_utf8(bytes).map_err(|_| AppRefusal::Text)?, &contents.meta)
            }
        };
        let said: Option<serde_json::Value> = meta.as_ref().and_then(|meta| meta.get(META));
        let said = said.map(PageMeta::deserialize).transpose().map_err(|_| AppRefusal::Meta)?;
        let PageMeta { csp, permissions, domain, prefers_border } = said.unwrap_or_default();
        Ok(Self { uri: uri.to_owned(), html, csp, permissions, domain, prefers_border })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(contents: &Value) -> Result<AppPage, AppRefusal> {
        AppPage::read("ui://a", &serde_json::from_value(json!({ "contents": [contents] })).unwrap())
    }

    #[test]
    fn a_page_is_taken_whole_or_not_at_all() {
        let page = json!({"uri": "ui://a", "mimeType": MIME_TYPE, "text": "<p>",
            "_meta": {"ui": {"csp": {"connectDomains": ["https://x.example"]}, "prefersBorder": true, "later": 1}}});
        let taken = read(&page).unwrap();
        assert_eq!((taken.csp.connect_domains.len(), taken.prefers_border), (1, Some(true)));
        let changed = |at: &str, value: Value| {
            let mut page = page.clone();
            page[at] = value;
            read(&page).unwrap_err()
        };
        assert_eq!(changed("uri", json!("ui://b")), AppRefusal::Missing);
        assert_eq!(changed("mimeType", json!("text/html")), AppRefusal::MimeType);
        assert_eq!(changed("_meta", json!({"ui": {"csp": {"connectDomains": "*"}}})), AppRefusal::Meta);
        let blob = |blob: &str| read(&json!({"uri": "ui://a", "mimeType": MIME_TYPE, "blob": blob}));
        assert_eq!(blob("PHA+").unwrap().html, "<p>");
        assert_eq!(blob("/w==").unwrap_err(), AppRefusal::Text);
    }
}
