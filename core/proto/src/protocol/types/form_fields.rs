//! The fields a form may have: text, numbers, yes or no.
//!
//! Owns: their shapes. Must not know: choices (`form_choices` does), validation of answers.

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
