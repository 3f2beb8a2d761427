//! Elicitation: a server asks the person, by a form or by a page.
//!
//! Owns: params and result of both modes. Must not know: how a form is drawn, or who opens a
//! page.

use std::borrow::Cow;

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};

use super::{FormSchema, TaskMetadata};
use crate::jsonrpc::{RawJson, RawObject};
use crate::protocol::meta::Meta;

constant! {
    /// `"form"`.
    FormMode = "form"
}
constant! {
    /// `"url"`.
    UrlMode = "url"
}

open_enum! {
    /// What the person did.
    ElicitAction {
        /// Answered.
        Accept = "accept",
        /// Said no.
        Decline = "decline",
        /// Went away without a choice.
        Cancel = "cancel",
    }
}

/// Params of `elicitation/create`. Since 2025-06-18.
///
/// ```
/// use mcpbolt_proto::protocol::types::{BooleanSchema, ElicitParams, FormSchema};
///
/// let form = FormSchema::builder().required("sure", BooleanSchema::new().title("Delete it for good"));
/// let asked = ElicitParams::form("Delete the note?", form);
/// let page = ElicitParams::url("Sign in to go on", "https://example.com/login");
/// assert_eq!((asked.message(), page.message()), ("Delete the note?", "Sign in to go on"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ElicitParams {
    /// Ask with a form. Also when `mode` is absent.
    Form(ElicitFormParams),
    /// Ask to visit a page, for what the client must not see. Since 2025-11-25.
    Url(ElicitUrlParams),
}

/// A question with a form.
///
/// ```
/// use mcpbolt_proto::protocol::types::{ElicitFormParams, FieldSchema};
///
/// let said = r#"{"message":"Who?","requestedSchema":{"type":"object","properties":{"name":{"type":"string"}}}}"#;
/// let form: ElicitFormParams = serde_json::from_str(said)?;
/// let fields = form.requested_schema.fields().unwrap();
/// assert!(matches!(&fields[..], [(name, FieldSchema::String(_))] if name == "name"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ElicitFormParams {
    /// `form`, or absent, which means the same and is understood by every revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<FormMode>,
    /// The question, as shown to the user.
    pub message: String,
    /// The fields.
    pub requested_schema: FormSchema,
    /// Asks to run as a task. 2025-11-25 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskMetadata>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// A request to visit a page. Since 2025-11-25.
///
/// ```
/// use mcpbolt_proto::protocol::types::ElicitUrlParams;
///
/// let page: ElicitUrlParams =
///     serde_json::from_str(r#"{"mode":"url","message":"Sign in","url":"https://example.com/login"}"#)?;
/// println!("{}: visit {}?", page.message, page.url); // show the whole URL, then ask
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ElicitUrlParams {
    /// Always `url`.
    pub mode: UrlMode,
    /// Why to visit the page, as shown to the user.
    pub message: String,
    /// The URL of the page.
    pub url: String,
    /// Names this elicitation; required where it exists. 2025-11-25 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elicitation_id: Option<String>,
    /// Asks to run as a task. 2025-11-25 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskMetadata>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Result of `elicitation/create`.
///
/// ```
/// use mcpbolt_proto::jsonrpc::RawObject;
/// use mcpbolt_proto::protocol::types::ElicitResult;
///
/// let mut answers = RawObject::new();
/// answers.put("sure", &true)?;
/// assert!(ElicitResult::accept(answers).accepted());
/// assert!(!ElicitResult::decline().accepted());
/// # Ok::<(), mcpbolt_proto::jsonrpc::RawError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ElicitResult {
    /// What the person did.
    pub action: ElicitAction,
    /// The answers by field; only for an accepted form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<RawObject>,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// Params of `notifications/elicitation/complete`. 2025-11-25 only.
///
/// ```
/// use mcpbolt_proto::protocol::types::ElicitationCompleteParams;
///
/// let done = ElicitationCompleteParams { elicitation_id: "login-7".to_owned(), meta: None };
/// assert_eq!(serde_json::to_string(&done)?, r#"{"elicitationId":"login-7"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ElicitationCompleteParams {
    /// The id of the elicitation that is done.
    pub elicitation_id: String,
    /// Metadata of the protocol and of extensions.
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}

/// The `data` of the error that pages must be visited first. 2025-11-25 only.
///
/// ```
/// use mcpbolt_proto::protocol::types::{ElicitUrlParams, UrlElicitationRequiredData};
///
/// let login = ElicitUrlParams { url: "https://example.com/login".into(), ..ElicitUrlParams::default() };
/// let data = UrlElicitationRequiredData { elicitations: vec![login] };
/// assert_eq!(data.elicitations.len(), 1);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UrlElicitationRequiredData {
    /// The pages.
    pub elicitations: Vec<ElicitUrlParams>,
}

impl ElicitParams {
    /// Asks with a form.
    pub fn form(message: impl Into<String>, requested_schema: impl Into<FormSchema>) -> Self {
        Self::Form(ElicitFormParams {
            mode: None,
            message: message.into(),
            requested_schema: requested_schema.into(),
            task: None,
            meta: None,
        })
    }

    /// Asks to visit a page.
    pub fn url(message: impl Into<String>, url: impl Into<String>) -> Self {
        Self::Url(ElicitUrlParams { message: message.into(), url: url.into(), ..ElicitUrlParams::default() })
    }

    /// What is asked.
    pub fn message(&self) -> &str {
        match self {
            Self::Form(params) => &params.message,
            Self::Url(params) => &params.message,
        }
    }
}

#[derive(Deserialize)]
struct Peek<'a> {
    #[serde(borrow, default)]
    mode: Option<Cow<'a, str>>,
}

impl<'de> Deserialize<'de> for ElicitParams {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = RawJson::deserialize(deserializer)?;
        let mode = raw.decode_borrowed::<Peek<'_>>().map_err(D::Error::custom)?.mode;
        match mode.as_deref() {
            None | Some("form") => raw.decode().map(Self::Form).map_err(D::Error::custom),
            Some("url") => raw.decode().map(Self::Url).map_err(D::Error::custom),
            Some(_) => Err(D::Error::custom("unknown elicitation mode")),
        }
    }
}

impl ElicitResult {
    /// The person answered.
    pub fn accept(content: RawObject) -> Self {
        Self { action: ElicitAction::Accept, content: Some(content), meta: None }
    }

    /// The person agreed to visit the page.
    pub fn accept_url() -> Self {
        Self { action: ElicitAction::Accept, content: None, meta: None }
    }

    /// The person said no.
    pub fn decline() -> Self {
        Self { action: ElicitAction::Decline, content: None, meta: None }
    }

    /// The person went away without a choice.
    pub fn cancel() -> Self {
        Self { action: ElicitAction::Cancel, content: None, meta: None }
    }

    /// Whether the person answered or agreed.
    pub fn accepted(&self) -> bool {
        self.action == ElicitAction::Accept
    }
}
