//! Multi-round-trip requests: a result that asks the client first. Since 2026-07-28.
//!
//! Owns: questions, answers, and the result that holds questions. Must not know: how calls wait
//! for answers, or how state is sealed.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::common::object_opt;
use super::{CreateMessageParams, ElicitParams};
use crate::jsonrpc::{RawJson, RawObject};
use crate::protocol::meta::Meta;
use crate::protocol::methods;

/// The questions by name, in order.
pub type InputRequests = IndexMap<String, InputRequest>;

/// The answers by the names of their questions: results of the methods asked.
pub type InputResponses = RawObject;

/// One question: a request of the client's without an envelope.
///
/// ```
/// use mcpbolt_proto::protocol::types::InputRequest;
///
/// let question = InputRequest { method: "roots/list".to_owned(), params: None };
/// assert_eq!(serde_json::to_string(&question)?, r#"{"method":"roots/list"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InputRequest {
    /// `elicitation/create`, `sampling/createMessage` or `roots/list`.
    pub method: String,
    /// Its params: an object.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "object_opt")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<RawObject>"))]
    pub params: Option<RawJson>,
}

/// A result that asks the client to call again with answers.
///
/// ```
/// use mcpbolt_proto::jsonrpc::RawJson;
/// use mcpbolt_proto::protocol::types::{ElicitParams, FormSchema, InputRequest, InputRequiredResult, StringSchema};
///
/// let form = ElicitParams::form("Who are you?", FormSchema::builder().required("name", StringSchema::new()));
/// let questions = InputRequiredResult::new()
///     .ask("who", InputRequest::new("elicitation/create", RawJson::encode(&form)?))
///     .request_state("step 1");
/// assert!(questions.input_requests.contains_key("who"));
/// # Ok::<(), mcpbolt_proto::jsonrpc::RawError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct InputRequiredResult {
    /// The questions.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub input_requests: InputRequests,
    /// A text that the client sends back unchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_state: Option<String>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl InputRequest {
    /// A question.
    pub fn new(method: impl Into<String>, params: impl Into<RawJson>) -> Self {
        Self { method: method.into(), params: Some(params.into()) }
    }

    /// A form to fill in, or a URL to open.
    pub fn elicitation(params: &ElicitParams) -> Self {
        Self::typed(methods::ELICITATION_CREATE, params)
    }

    /// A message to sample from the client's model.
    pub fn sampling(params: &CreateMessageParams) -> Self {
        Self::typed(methods::SAMPLING_CREATE_MESSAGE, params)
    }

    /// The client's roots.
    pub fn roots() -> Self {
        Self::new(methods::ROOTS_LIST, RawJson::empty_object())
    }

    fn typed(method: &str, params: &impl Serialize) -> Self {
        // Types of the protocol have no values without a JSON form.
        Self::new(method, RawJson::encode(params).unwrap_or_else(|_| RawJson::empty_object()))
    }
}

impl InputRequiredResult {
    /// No questions yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a question under a name.
    #[must_use]
    pub fn ask(mut self, name: impl Into<String>, request: InputRequest) -> Self {
        self.input_requests.insert(name.into(), request);
        self
    }

    setters! {
        /// Sets what the client sends back unread.
        request_state: String,
    }
}
