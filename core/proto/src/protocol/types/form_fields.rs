//! The fields a form may have: text, numbers, yes or no, and choices.
//!
//! Must not know: validation of answers.

use serde::{Deserialize, Serialize};

use super::number;

constant! {
    /// `"string"`.
    StringTag = "string"
}
constant! {
    /// `"boolean"`.
    BooleanTag = "boolean"
}
constant! {
    /// `"array"`.
    ArrayTag = "array"
}

open_enum! {
    /// `number` or `integer`.
    NumberKind {
        /// Any number.
        Number = "number",
        /// Whole numbers.
        Integer = "integer",
    }
}

open_enum! {
    /// What a text must be.
    StringFormat {
        /// An e-mail address.
        Email = "email",
        /// A URI.
        Uri = "uri",
        /// A date, as `2026-07-28`.
        Date = "date",
        /// A date and time, in RFC 3339.
        DateTime = "date-time",
    }
}

/// Text.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StringSchema {
    /// Always `string`.
    #[serde(rename = "type")]
    pub tag: StringTag,
    /// The label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to fill in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Fewest characters.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "number::whole_opt")]
    pub min_length: Option<u64>,
    /// Most characters.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "number::whole_opt")]
    pub max_length: Option<u64>,
    /// A regular expression to match. Not in the specification's subset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// What the text must be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<StringFormat>,
    /// What is filled in at first. Since 2025-11-25.
    #[serde(rename = "default", skip_serializing_if = "Option::is_none")]
    pub default_value: Option<String>,
}

/// A number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct NumberSchema {
    /// `number` or `integer`.
    #[serde(rename = "type")]
    pub kind: NumberKind,
    /// The label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to fill in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The smallest.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number::plain_opt")]
    pub minimum: Option<f64>,
    /// The largest.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number::plain_opt")]
    pub maximum: Option<f64>,
    /// What is filled in at first. Since 2025-11-25.
    #[serde(
        rename = "default",
        skip_serializing_if = "Option::is_none",
        serialize_with = "number::plain_opt"
    )]
    pub default_value: Option<f64>,
}

/// Yes or no.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct BooleanSchema {
    /// Always `boolean`.
    #[serde(rename = "type")]
    pub tag: BooleanTag,
    /// The label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// What is chosen at first.
    #[serde(rename = "default", skip_serializing_if = "Option::is_none")]
    pub default_value: Option<bool>,
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

/// Setters every field has.
macro_rules! labels {
    ($($more:tt)*) => {
        setters! {
            /// Sets the label.
            title: String,
            /// Sets the explanation.
            description: String,
            $($more)*
        }
    };
}

impl StringSchema {
    /// Any text.
    pub fn new() -> Self {
        Self::default()
    }

    labels! {
        /// Sets the fewest characters.
        min_length: u64,
        /// Sets the most characters.
        max_length: u64,
        /// Sets a regular expression to match.
        pattern: String,
        /// Sets what the text must be.
        format: StringFormat,
        /// Sets what is filled in at first.
        default_value: String,
    }
}

impl NumberSchema {
    /// Any number.
    pub fn new() -> Self {
        Self {
            kind: NumberKind::Number,
            title: None,
            description: None,
            minimum: None,
            maximum: None,
            default_value: None,
        }
    }

    /// Whole numbers.
    pub fn integer() -> Self {
        Self { kind: NumberKind::Integer, ..Self::new() }
    }

    labels! {
        /// Sets the smallest.
        minimum: f64,
        /// Sets the largest.
        maximum: f64,
        /// Sets what is filled in at first.
        default_value: f64,
    }
}

impl Default for NumberSchema {
    fn default() -> Self {
        Self::new()
    }
}

impl BooleanSchema {
    /// Yes or no.
    pub fn new() -> Self {
        Self::default()
    }

    labels! {
        /// Sets what is chosen at first.
        default_value: bool,
    }
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
