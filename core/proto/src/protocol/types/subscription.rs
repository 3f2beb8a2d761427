//! What a client of the modern era listens for.
//!
//! Owns: the filter and the params. Must not know: what a change is, or who is told.

use serde::{Deserialize, Serialize};

use crate::protocol::meta::Meta;

/// Kinds of change: wanted in `subscriptions/listen`, honoured in its acknowledgement.
///
/// ```
/// use mcpbolt_proto::protocol::types::SubscriptionFilter;
///
/// let wanted = SubscriptionFilter {
///     tools_list_changed: Some(true),
///     resource_subscriptions: Some(vec!["note:///shopping".to_owned()]),
///     ..SubscriptionFilter::default()
/// };
/// assert_eq!(wanted.prompts_list_changed, None); // not asked for
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionFilter {
    /// Changes of the tool list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tools_list_changed: Option<bool>,
    /// Changes of the prompt list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompts_list_changed: Option<bool>,
    /// Changes of the resource and template lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resources_list_changed: Option<bool>,
    /// Changes of these resources, and of those below them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_subscriptions: Option<Vec<String>>,
}

/// Params of `subscriptions/listen` and of its acknowledgement.
///
/// ```
/// use mcpbolt_proto::protocol::types::{ListenParams, SubscriptionFilter};
///
/// let notifications = SubscriptionFilter { tools_list_changed: Some(true), ..Default::default() };
/// let params = ListenParams { notifications, meta: None };
/// assert_eq!(serde_json::to_string(&params)?, r#"{"notifications":{"toolsListChanged":true}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListenParams {
    /// What to listen for.
    pub notifications: SubscriptionFilter,
    /// Metadata.
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Meta>,
}
