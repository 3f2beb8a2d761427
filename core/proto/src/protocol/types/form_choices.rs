//! Fields of forms that offer a choice: one of some values, or several.
//!
//! Owns: their shapes, with and without titles, and the older one with `enumNames`.
//! Must not know: how a form is drawn or checked.

use serde::{Deserialize, Serialize};

use super::{StringTag, number};

constant! {
    /// `"array"`.
    ArrayTag = "array"
}

/// One of some values.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UntitledSingleSelectEnumSchema {
    /// Always `string`.
    #[serde(rename = "type")]
    pub tag: StringTag,
    /// The label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The values.
    #[serde(rename = "enum")]
    pub values: Vec<String>,
    /// What is chosen at first. Since 2025-11-25.
    #[serde(rename = "default", skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
}

/// One of some values that have titles. Since 2025-11-25.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TitledSingleSelectEnumSchema {
    /// Always `string`.
    #[serde(rename = "type")]
    pub tag: StringTag,
    /// The label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The values with titles.
    pub one_of: Vec<EnumOption>,
    /// What is chosen at first.
    #[serde(rename = "default", skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
}

/// One of some values with titles in `enumNames`. [`TitledSingleSelectEnumSchema`]
/// replaces it since 2025-11-25.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct LegacyTitledEnumSchema {
    /// Always `string`.
    #[serde(rename = "type")]
    pub tag: StringTag,
    /// The label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The values.
    #[serde(rename = "enum")]
    pub values: Vec<String>,
    /// Their titles, in the same order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enum_names: Option<Vec<String>>,
    /// What is chosen at first. Since 2025-11-25.
    #[serde(rename = "default", skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
}

/// Several of some values. Since 2025-11-25.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UntitledMultiSelectEnumSchema {
    /// Always `array`.
    #[serde(rename = "type")]
    pub tag: ArrayTag,
    /// The label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Fewest values to choose.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "number::whole_opt")]
    pub min_items: Option<u64>,
    /// Most values to choose.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "number::whole_opt")]
    pub max_items: Option<u64>,
    /// The values.
    pub items: UntitledItems,
    /// What is chosen at first.
    #[serde(rename = "default", skip_serializing_if = "Option::is_none")]
    pub default_value: Option<Vec<String>>,
}

/// Several of some values that have titles. Since 2025-11-25.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TitledMultiSelectEnumSchema {
    /// Always `array`.
    #[serde(rename = "type")]
    pub tag: ArrayTag,
    /// The label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Fewest values to choose.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "number::whole_opt")]
    pub min_items: Option<u64>,
    /// Most values to choose.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "number::whole_opt")]
    pub max_items: Option<u64>,
    /// The values with titles.
    pub items: TitledItems,
    /// What is chosen at first.
    #[serde(rename = "default", skip_serializing_if = "Option::is_none")]
    pub default_value: Option<Vec<String>>,
}

/// The items of [`UntitledMultiSelectEnumSchema`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct UntitledItems {
    /// Always `string`.
    #[serde(rename = "type")]
    pub tag: StringTag,
    /// The values.
    #[serde(rename = "enum")]
    pub values: Vec<String>,
}

/// The items of [`TitledMultiSelectEnumSchema`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct TitledItems {
    /// The values with titles.
    pub any_of: Vec<EnumOption>,
}

/// A value with a title.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct EnumOption {
    /// The value.
    #[serde(rename = "const")]
    pub value: String,
    /// What the person sees.
    pub title: String,
}

impl EnumOption {
    /// A value with a title.
    pub fn new(value: impl Into<String>, title: impl Into<String>) -> Self {
        Self { value: value.into(), title: title.into() }
    }
}

fn strings<S: Into<String>>(values: impl IntoIterator<Item = S>) -> Vec<String> {
    values.into_iter().map(Into::into).collect()
}

fn options<V: Into<String>, T: Into<String>>(values: impl IntoIterator<Item = (V, T)>) -> Vec<EnumOption> {
    values.into_iter().map(|(value, title)| EnumOption::new(value, title)).collect()
}

impl UntitledSingleSelectEnumSchema {
    /// One of those values.
    pub fn new<S: Into<String>>(values: impl IntoIterator<Item = S>) -> Self {
        Self { values: strings(values), ..Self::default() }
    }

    labels! {
        /// Sets what is chosen at first.
        default_value: String,
    }
}

impl TitledSingleSelectEnumSchema {
    /// One of those values, each with a title.
    pub fn new<V: Into<String>, T: Into<String>>(values: impl IntoIterator<Item = (V, T)>) -> Self {
        Self { one_of: options(values), ..Self::default() }
    }

    labels! {
        /// Sets what is chosen at first.
        default_value: String,
    }
}

impl LegacyTitledEnumSchema {
    /// One of those values, each with a title.
    pub fn new<V: Into<String>, T: Into<String>>(values: impl IntoIterator<Item = (V, T)>) -> Self {
        let (values, names) = values.into_iter().map(|(v, t)| (v.into(), t.into())).unzip();
        Self { values, enum_names: Some(names), ..Self::default() }
    }

    labels! {
        /// Sets what is chosen at first.
        default_value: String,
    }
}

impl UntitledMultiSelectEnumSchema {
    /// Any of those values.
    pub fn new<S: Into<String>>(values: impl IntoIterator<Item = S>) -> Self {
        let items = UntitledItems { tag: StringTag, values: strings(values) };
        Self { items, ..Self::default() }
    }

    labels! {
        /// Sets the fewest values to choose.
        min_items: u64,
        /// Sets the most values to choose.
        max_items: u64,
        /// Sets what is chosen at first.
        default_value: Vec<String>,
    }
}

impl TitledMultiSelectEnumSchema {
    /// Any of those values, each with a title.
    pub fn new<V: Into<String>, T: Into<String>>(values: impl IntoIterator<Item = (V, T)>) -> Self {
        Self { items: TitledItems { any_of: options(values) }, ..Self::default() }
    }

    labels! {
        /// Sets the fewest values to choose.
        min_items: u64,
        /// Sets the most values to choose.
        max_items: u64,
        /// Sets what is chosen at first.
        default_value: Vec<String>,
    }
}
