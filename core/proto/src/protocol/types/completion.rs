//! Completion of arguments of prompts and resource templates.
//!
//! Owns: params, result, and how many values one holds. Must not know: where suggestions come
//! from.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::number;
use crate::protocol::meta::Meta;

/// What an argument belongs to.
///
/// ```
/// use mcpbolt_proto::protocol::types::CompletionRef;
///
/// let of_prompt = CompletionRef::prompt("what_to_pack");
/// let of_template = CompletionRef::resource("note:///{name}");
/// assert_ne!(of_prompt, of_template);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type")]
pub enum CompletionRef {
    /// A prompt.
    #[serde(rename = "ref/prompt")]
    Prompt {
        /// Its name for programs.
        name: String,
        /// Its name for people. Since 2025-06-18.
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
    },
    /// A resource or a resource template.
    #[serde(rename = "ref/resource")]
    Resource {
        /// The URI or the RFC 6570 template.
        uri: String,
    },
}

/// The argument being typed.
///
/// ```
/// use mcpbolt_proto::protocol::types::CompletionArgument;
///
/// let typed = CompletionArgument { name: "city".to_owned(), value: "L".to_owned() };
/// let cities = ["Lima", "London", "Oslo"].into_iter();
/// assert_eq!(cities.filter(|city| city.starts_with(&typed.value)).count(), 2);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CompletionArgument {
    /// The name of the argument.
    pub name: String,
    /// The text typed so far.
    pub value: String,
}

/// What is already known. Since 2025-06-18.
///
/// ```
/// use mcpbolt_proto::protocol::types::CompletionContext;
///
/// let known: CompletionContext = serde_json::from_str(r#"{"arguments":{"owner":"ann"}}"#)?;
/// assert_eq!(known.arguments.unwrap()["owner"], "ann");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CompletionContext {
    /// Arguments already given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<IndexMap<String, String>>,
}

/// Params of `completion/complete`.
///
/// ```
/// use mcpbolt_proto::protocol::types::{CompleteParams, CompletionRef};
///
/// let template = CompletionRef::resource("git:///{owner}/{repo}");
/// let asked = CompleteParams::new(template, "repo", "mc").known("owner", "ann");
/// assert_eq!(asked.argument.value, "mc");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CompleteParams {
    /// The prompt or resource template that has the argument.
    #[serde(rename = "ref")]
    pub reference: CompletionRef,
    /// The argument.
    pub argument: CompletionArgument,
    /// What is already known. Since 2025-06-18.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<CompletionContext>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Suggestions.
///
/// ```
/// use mcpbolt_proto::protocol::types::Completion;
///
/// let many = Completion::new((0..250).map(|n| format!("file-{n}")).collect());
/// assert_eq!((many.values.len(), many.total, many.has_more), (100, Some(250), Some(true)));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Completion {
    /// At most 100 values, best first.
    pub values: Vec<String>,
    /// How many there are in all, if known.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "number::whole_opt")]
    pub total: Option<u64>,
    /// Whether there are more than these.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_more: Option<bool>,
}

/// Result of `completion/complete`.
///
/// ```
/// use mcpbolt_proto::protocol::types::CompleteResult;
///
/// let result = CompleteResult::new(vec!["Lima".to_owned(), "London".to_owned()]);
/// assert_eq!(result.completion.values, ["Lima", "London"]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CompleteResult {
    /// The suggestions.
    pub completion: Completion,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

impl CompletionRef {
    /// A prompt by its name.
    pub fn prompt(name: impl Into<String>) -> Self {
        Self::Prompt { name: name.into(), title: None }
    }

    /// A resource by its URI, or a template by its text.
    pub fn resource(uri: impl Into<String>) -> Self {
        Self::Resource { uri: uri.into() }
    }
}

impl CompleteParams {
    /// Asks for values of the argument `name` that go on from `value`.
    pub fn new(reference: CompletionRef, name: impl Into<String>, value: impl Into<String>) -> Self {
        let argument = CompletionArgument { name: name.into(), value: value.into() };
        Self { reference, argument, context: None, meta: None }
    }

    /// Adds an argument that is already given.
    #[must_use]
    pub fn known(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        let context = self.context.get_or_insert_default();
        context.arguments.get_or_insert_default().insert(name.into(), value.into());
        self
    }
}

impl Completion {
    /// The most values one answer may hold.
    pub const MAX_VALUES: usize = 100;

    /// Suggestions. Beyond [`Completion::MAX_VALUES`] they are cut, and `total` and
    /// `has_more` say so.
    pub fn new(values: Vec<String>) -> Self {
        Self { values, total: None, has_more: None }.cut()
    }

    /// The same with at most [`Completion::MAX_VALUES`] values. A `total` that is given
    /// stays.
    #[must_use]
    pub fn cut(mut self) -> Self {
        let count = self.values.len();
        if count > Self::MAX_VALUES {
            self.values.truncate(Self::MAX_VALUES);
            self.total = self.total.or(u64::try_from(count).ok());
            self.has_more = Some(true);
        }
        self
    }
}

impl CompleteResult {
    /// Suggestions, cut as [`Completion::new`] does.
    pub fn new(values: Vec<String>) -> Self {
        Completion::new(values).into()
    }
}

impl From<Completion> for CompleteResult {
    fn from(completion: Completion) -> Self {
        Self { completion, meta: None }
    }
}
