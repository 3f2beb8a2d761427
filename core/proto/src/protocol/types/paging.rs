//! Paging of lists.
//!
//! Owns: the params. Must not know: what a cursor means.

use serde::{Deserialize, Serialize};

use crate::protocol::meta::Meta;

/// Params of the list methods.
///
/// ```
/// use mcpbolt_proto::protocol::types::PaginatedParams;
///
/// let first = PaginatedParams::first();
/// let next = PaginatedParams::after("page-2");
/// assert_eq!((first.cursor, next.cursor.as_deref()), (None, Some("page-2")));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PaginatedParams {
    /// Where the page starts: a `nextCursor` of the same list. Absent for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl PaginatedParams {
    /// The first page.
    pub fn first() -> Self {
        Self::default()
    }

    /// The page that starts there.
    pub fn after(cursor: impl Into<String>) -> Self {
        Self { cursor: Some(cursor.into()), meta: None }
    }
}
