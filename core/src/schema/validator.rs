//! What a compiled schema is to its users: a trait, and violations as data.
//!
//! Owns: the types, and how a schema may be compiled. Must not know: the library behind them.

use std::fmt;

use mcpbolt_proto::jsonrpc::{JsonKind, RawJson};
use mcpbolt_proto::limits::Limits;
use mcpbolt_proto::schema_budget::SchemaBudget;

/// One way in which a value does not fit its schema. Data: every facade words it as
/// its language does.
///
/// ```
/// use mcpbolt::schema::{CompileOptions, Violation, compile};
/// use serde_json::json;
///
/// let schema = json!({"properties": {"days": {"maximum": 7}}}).into();
/// let found = compile(&schema, &CompileOptions::default())?.validate(&json!({"days": 9}).into());
/// let Violation { keyword, instance_path, .. } = &found.unwrap_err()[0];
/// assert_eq!((keyword.as_str(), instance_path.as_str()), ("maximum", "/days"));
/// # Ok::<(), mcpbolt::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Violation {
    /// The keyword that says no; empty when the value could not be read at all.
    pub keyword: String,
    /// JSON pointer to the part of the value.
    pub instance_path: String,
    /// JSON pointer to the keyword.
    pub schema_path: String,
    /// Our own wording: one English sentence without its full stop, which quotes the
    /// schema and the names of members, but no value.
    pub message: String,
    /// What the keyword asks for, as the schema has it: a type, a limit, a list. For
    /// `required` the missing name.
    pub expected: Option<RawJson>,
    /// Names of members that the schema does not allow.
    pub unexpected: Vec<String>,
    /// What kind of value was found.
    pub actual: JsonKind,
}

impl Violation {
    /// As data for programs in other languages: `{keyword, instancePath, schemaPath, message,
    /// expected}`; paths are JSON pointers.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::json!({
            "keyword": self.keyword,
            "instancePath": self.instance_path,
            "schemaPath": self.schema_path,
            "message": self.message,
            "expected": self.expected,
        })
    }
}

/// Shows the keyword and its place in the schema: the rest comes from a peer.
impl fmt::Debug for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Violation({} at {})", self.keyword, self.schema_path)
    }
}

/// A violation of the value as a whole.
#[cfg(feature = "schema-validation")]
pub(super) fn of_the_whole(value: &RawJson, message: &str) -> Violation {
    Violation {
        keyword: String::new(),
        instance_path: String::new(),
        schema_path: String::new(),
        message: message.to_owned(),
        expected: None,
        unexpected: Vec::new(),
        actual: value.kind(),
    }
}

/// A compiled schema.
///
/// ```
/// use mcpbolt::RawJson;
/// use mcpbolt::schema::{Validator, Violation};
///
/// /// Another library, or no check at all.
/// struct Anything;
///
/// impl Validator for Anything {
///     fn validate(&self, _: &RawJson) -> Result<(), Vec<Violation>> {
///         Ok(())
///     }
/// }
/// assert!(Anything.validate(&RawJson::null()).is_ok());
/// ```
pub trait Validator: Send + Sync {
    /// Checks `value`. Failures are data, bounded in number and never empty.
    fn validate(&self, value: &RawJson) -> Result<(), Vec<Violation>>;

    /// Checks `value` and tells of one fault only: the one that says most, chosen and worded
    /// as Python's package `jsonschema` does, for facades whose users know its sentences.
    ///
    /// The fault is an object. `says` is the sentence in pieces: text; `{"value": …}` for a
    /// value that the language prints its own way; `null` for the part that does not fit.
    /// `instance` is that part, `{"at": steps}` or `{"value": …}`. Where they are known,
    /// `keyword`, `schema`, `schemaPath` and `path` say which keyword of which schema it is,
    /// and how one gets there from the alternatives above it, or from the whole.
    ///
    /// ```
    /// use mcpbolt::schema::compile;
    /// use serde_json::json;
    ///
    /// let schema = compile(&json!({"items": {"type": "string"}}).into(), &Default::default())?;
    /// let fault = schema.explain(&json!([1]).into()).unwrap_err();
    /// let fault: serde_json::Value = fault.decode().unwrap();
    /// assert_eq!(fault["says"], json!([null, " is not of type ", {"value": "string"}]));
    /// assert_eq!((&fault["keyword"], &fault["path"]), (&json!("type"), &json!([0])));
    /// # Ok::<(), mcpbolt::Error>(())
    /// ```
    fn explain(&self, value: &RawJson) -> Result<(), RawJson> {
        let words =
            |found: Vec<Violation>| found.into_iter().next().map_or_else(String::new, |one| one.message);
        self.validate(value).map_err(|found| {
            serde_json::json!({"says": [null, format!(" {}", words(found))], "instance": {"at": []}}).into()
        })
    }
}

/// How to compile.
///
/// ```
/// use mcpbolt::schema::{CompileOptions, compile};
/// use serde_json::json;
///
/// let options = CompileOptions { max_violations: 1, ..CompileOptions::default() };
/// let schema = json!({"items": {"type": "string"}}).into();
/// let found = compile(&schema, &options)?.validate(&json!([1, 2, 3]).into());
/// assert_eq!(found.unwrap_err().len(), 1);
/// # Ok::<(), mcpbolt::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct CompileOptions {
    /// What the schema may cost.
    pub budget: SchemaBudget,
    /// Most evaluations of one part of a value: beyond it a value does not fit.
    pub max_steps: u64,
    /// Most violations that are reported of one value.
    pub max_violations: usize,
    /// Most backtracking steps of one match of a pattern.
    pub backtracks: usize,
    /// Largest compiled pattern, in bytes.
    pub pattern_bytes: usize,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self::from(&Limits::default())
    }
}

impl From<&Limits> for CompileOptions {
    fn from(limits: &Limits) -> Self {
        Self {
            budget: SchemaBudget::from(limits),
            max_steps: limits.validation_steps as u64,
            max_violations: 16,
            backtracks: 100_000,
            pattern_bytes: 1 << 20,
        }
    }
}
