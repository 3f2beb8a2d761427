//! Annotations of an input schema: which arguments travel as headers.
//!
//! Owns: which annotations are valid, and where in a schema they may stand. Must not know:
//! values of arguments.

use serde_json::{Map, Value};

use super::super::headers::{self, PARAM_PREFIX};

pub(super) const KEYWORD: &str = "x-mcp-header";

/// Keywords whose value is one subschema (`items` may also be a list).
pub(super) const ONE: [&str; 13] = [
    "items",
    "additionalItems",
    "contains",
    "additionalProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "contentSchema",
    "extends",
];
/// Keywords whose value is a list of subschemas.
pub(super) const LIST: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
/// Keywords whose value maps names to subschemas.
pub(super) const MAP: [&str; 5] =
    ["$defs", "definitions", "patternProperties", "dependentSchemas", "dependencies"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// Full header name, spelled as the schema does.
    pub(super) header: String,
    /// Property names from the arguments down to the value.
    pub(super) path: Vec<String>,
}

/// An annotation that hides its tool from clients over HTTP.
///
/// ```
/// use mcpbolt_proto::http::{InvalidAnnotation, ParamHeaders};
/// use serde_json::json;
///
/// let schema = json!({"properties": {"region": {"type": "array", "x-mcp-header": "Region"}}});
/// let invalid: InvalidAnnotation = ParamHeaders::from_schema(&schema.into()).unwrap_err();
/// assert_eq!(invalid.pointer, "/properties/region");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid x-mcp-header at {pointer}: {reason}")]
pub struct InvalidAnnotation {
    /// JSON pointer to the subschema that carries it.
    pub pointer: String,
    /// What is wrong.
    pub reason: AnnotationFault,
}

/// What can be wrong with an annotation.
///
/// ```
/// use mcpbolt_proto::http::ParamHeaders;
/// use mcpbolt_proto::http::param_headers::AnnotationFault;
/// use serde_json::json;
///
/// let schema = json!({"properties": {"region": {"type": "string", "x-mcp-header": "no blanks"}}});
/// assert_eq!(ParamHeaders::from_schema(&schema.into()).unwrap_err().reason, AnnotationFault::Name);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnnotationFault {
    /// Empty, no string, or not an RFC 9110 token.
    #[error("the name is not a valid header name")]
    Name,
    /// Another parameter has the name, upper and lower case alike.
    #[error("the name is used twice")]
    Duplicate,
    /// The parameter is not a string, integer or boolean.
    #[error("only parameters of type string, integer or boolean can be headers")]
    Type,
    /// The parameter is not reachable through `properties` alone.
    #[error("the parameter is not reachable through properties alone")]
    Unreachable,
    /// The schema is not readable as JSON values.
    #[error("the schema is not readable")]
    Schema,
}

/// Reads the annotations of a schema, and knows where it is.
pub(super) struct Reader {
    pub(super) found: Vec<Entry>,
    pub(super) pointer: String,
}

impl Reader {
    /// `path`: property names that lead here, `None` where no path exists.
    pub(super) fn schema(
        &mut self,
        schema: &Value,
        mut path: Option<&mut Vec<String>>,
    ) -> Result<(), InvalidAnnotation> {
        let Value::Object(members) = schema else { return Ok(()) };
        if let Some(name) = members.get(KEYWORD) {
            self.annotation(name, members, path.as_deref())?;
        }
        if let Some(Value::Object(properties)) = members.get("properties") {
            for (name, property) in properties {
                if let Some(path) = path.as_deref_mut() {
                    path.push(name.clone());
                }
                self.at(&["properties", name], |this| this.schema(property, path.as_deref_mut()))?;
                if let Some(path) = path.as_deref_mut() {
                    path.pop();
                }
            }
        }
        for (keyword, value) in members {
            self.unreachable(keyword, value)?;
        }
        Ok(())
    }

    fn unreachable(&mut self, keyword: &str, value: &Value) -> Result<(), InvalidAnnotation> {
        match value {
            Value::Object(map) if MAP.contains(&keyword) => map
                .iter()
                .try_for_each(|(name, part)| self.at(&[keyword, name], |this| this.schema(part, None))),
            Value::Array(list) if LIST.contains(&keyword) => {
                list.iter().enumerate().try_for_each(|(n, part)| {
                    self.at(&[keyword, &n.to_string()], |this| this.schema(part, None))
                })
            }
            Value::Object(_) if ONE.contains(&keyword) => {
                self.at(&[keyword], |this| this.schema(value, None))
            }
            _ => Ok(()),
        }
    }

    fn at<T>(&mut self, steps: &[&str], run: impl FnOnce(&mut Self) -> T) -> T {
        let length = self.pointer.len();
        for step in steps {
            self.pointer.push('/');
            self.pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
        }
        let result = run(self);
        self.pointer.truncate(length);
        result
    }

    fn annotation(
        &mut self,
        name: &Value,
        schema: &Map<String, Value>,
        path: Option<&Vec<String>>,
    ) -> Result<(), InvalidAnnotation> {
        let fault = |reason| Err(InvalidAnnotation { pointer: self.pointer.clone(), reason });
        let Some(name) = name.as_str().filter(|name| headers::is_token(name)) else {
            return fault(AnnotationFault::Name);
        };
        let Some(path) = path.filter(|path| !path.is_empty()) else {
            return fault(AnnotationFault::Unreachable);
        };
        if !matches!(schema.get("type").and_then(Value::as_str), Some("string" | "integer" | "boolean")) {
            return fault(AnnotationFault::Type);
        }
        let header = format!("Mcp-Param-{name}");
        debug_assert!(header.to_ascii_lowercase().starts_with(PARAM_PREFIX));
        if self.found.iter().any(|entry| entry.header.eq_ignore_ascii_case(&header)) {
            return fault(AnnotationFault::Duplicate);
        }
        self.found.push(Entry { header, path: path.clone() });
        Ok(())
    }
}
