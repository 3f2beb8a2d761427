//! URI templates that the facade read, matched by the engine. Owns: nothing of its own.
//! Must not know: the syntax of templates.

use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::uri_template::{Value, pattern::Pattern};
use napi_derive::napi;

use crate::error::{Result, throw};

/// A URI template as a row of texts and values.
#[napi]
pub struct UriPattern(Pattern);

#[napi]
impl UriPattern {
    /// A pattern from JSON text: `{walk, pieces, query}`.
    #[napi(constructor)]
    pub fn new(description: String) -> Result<Self> {
        Pattern::parse(&description).map(Self).map_err(|why| throw(Error::usage(why.to_string())))
    }

    /// The values a URI has, in the order of the pattern; `null` if it does not match.
    #[napi]
    pub fn matches(&self, uri: String) -> Option<Vec<String>> {
        let text = |(_, value): (&str, Value)| match value {
            Value::Text(text) => text,
            Value::List(items) => items.join(","),
            Value::Map(_) => String::new(),
        };
        Some(self.0.matches(&uri)?.into_iter().map(text).collect())
    }
}
