//! URI templates, matched by the engine.

use std::collections::HashMap;

use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::uri_template::UriTemplate;

use crate::error::Result;

/// A URI template of RFC 6570.
#[derive(uniffi::Object)]
pub struct EngineUriTemplate(UriTemplate);

#[uniffi::export]
impl EngineUriTemplate {
    /// A template from its text.
    #[uniffi::constructor]
    pub fn new(text: String) -> Result<Self> {
        Ok(Self(UriTemplate::parse(&text).map_err(|why| Error::usage(why.to_string()))?))
    }

    /// The variables with which the template makes this URI, decoded; nothing if it cannot.
    pub fn find(&self, uri: String) -> Option<HashMap<String, String>> {
        Some(self.0.match_uri(&uri)?.into_iter().collect())
    }
}
