//! The lists of a server, all pages, as they came.
//!
//! Owns: paging, and its bounds. Must not know: what entries are looked at for.

use mcpbolt::client::ClientSession;
use mcpbolt::{Error, RawJson, methods};
use serde_json::{Value, json};

use crate::args::Kind;
use crate::exit::Failure;

/// Most pages of one list.
const PAGES: usize = 1_000;

impl Kind {
    pub(super) const ALL: [Self; 4] = [Self::Tools, Self::Resources, Self::Templates, Self::Prompts];

    /// The member of a result that has the entries.
    pub(super) const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::Templates => "resourceTemplates",
            Self::Prompts => "prompts",
        }
    }

    pub(super) const fn method(self) -> &'static str {
        match self {
            Self::Tools => methods::TOOLS_LIST,
            Self::Resources => methods::RESOURCES_LIST,
            Self::Templates => methods::RESOURCES_TEMPLATES_LIST,
            Self::Prompts => methods::PROMPTS_LIST,
        }
    }

    /// Whether the server says that it has such a list.
    pub(super) fn is_declared(self, session: &ClientSession) -> bool {
        let capabilities = session.capabilities();
        match self {
            Self::Tools => capabilities.tools.is_some(),
            Self::Resources | Self::Templates => capabilities.resources.is_some(),
            Self::Prompts => capabilities.prompts.is_some(),
        }
    }
}

/// One page's result as it came, and where the next begins.
pub(super) async fn page(session: &ClientSession, kind: Kind, cursor: Option<&str>) -> Result<Value, Error> {
    let params = cursor.map(|cursor| RawJson::from(json!({ "cursor": cursor })));
    let result = session.request_raw(kind.method(), params).await?;
    result.decode().map_err(|_| Error::protocol(format!("the result of {} cannot be read", kind.method())))
}

/// All entries.
pub(super) async fn all(session: &ClientSession, kind: Kind) -> Result<Vec<Value>, Failure> {
    let mut entries = Vec::new();
    let mut cursor: Option<String> = None;
    for _ in 0..PAGES {
        let page = page(session, kind, cursor.as_deref()).await?;
        let found = page.get(kind.member()).and_then(Value::as_array);
        let found = found.ok_or_else(|| {
            Error::protocol(format!("the result of {} has no array {}", kind.method(), kind.member()))
        })?;
        entries.extend(found.iter().cloned());
        let next = page.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
        match next {
            None => return Ok(entries),
            next if next == cursor => {
                return Err(Error::protocol("the server repeats the cursor of the last page").into());
            }
            next => cursor = next,
        }
    }
    Err(Error::protocol("the list has too many pages").into())
}

/// A member that is text.
pub(super) fn text<'a>(entry: &'a Value, member: &str) -> &'a str {
    entry.get(member).and_then(Value::as_str).unwrap_or_default()
}
