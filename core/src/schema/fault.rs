//! Faults of a value, as Python's `jsonschema` would have found them.
//!
//! Owns: where a fault is in value and schema, and how much it says. Must not know: which
//! one is told, in which words.

use std::cmp::Reverse;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::paths::{Location, LocationSegment};
use serde_json::{Value, json};

use super::build::build;
use super::validator::CompileOptions;

/// A step into a value or a schema, compared as Python compares paths.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    At(usize),
    Named(String),
}

/// A fault as the package would have found it.
#[derive(Clone)]
pub(super) struct Fault<'e> {
    pub(super) error: &'e ValidationError<'e>,
    /// The part of the value that does not fit.
    pub(super) instance: Value,
    /// The schema that has the keyword.
    pub(super) around: &'e Value,
    /// The keyword's name; a schema that is `false` has none.
    pub(super) keyword: Option<String>,
    /// Whether no path leads to the part: it is a name, or its path is not told.
    pub(super) apart: bool,
    pub(super) at: Vec<Step>,
    pub(super) path: Vec<Step>,
    pub(super) relevance: Relevance,
    /// Which keyword comes first in the schema as it is written.
    order: Vec<usize>,
}

/// How much a fault says, in the order of the package's comparison.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Relevance {
    depth: Reverse<usize>,
    at: Vec<Step>,
    strong: bool,
    other_type: bool,
}

/// What faults are looked at against: the whole schema and the whole value.
#[derive(Clone, Copy)]
pub(super) struct Ground<'e> {
    pub(super) schema: &'e Value,
    pub(super) value: &'e Value,
    pub(super) options: &'e CompileOptions,
}

impl Step {
    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::At(index) => json!(index),
            Self::Named(name) => json!(name),
        }
    }
}

impl<'e> Ground<'e> {
    /// The faults in the order in which the package finds them.
    pub(super) fn faults(self, errors: impl Iterator<Item = &'e ValidationError<'e>>) -> Vec<Fault<'e>> {
        let mut faults: Vec<_> = errors.map(|error| self.fault(error)).collect();
        faults.sort_by(|a, b| a.order.cmp(&b.order));
        faults
    }

    fn fault(self, error: &'e ValidationError<'e>) -> Fault<'e> {
        let mut at = steps(error.instance_path());
        let (error, mut apart) = innermost(error);
        let mut instance = error.instance().as_ref().clone();
        let (order, mut path) = self.walk(error.evaluation_path());
        let mut keyword = if let Some(Step::Named(name)) = path.last() { Some(name.clone()) } else { None };
        let mut around = parent(self.schema, error.schema_path().as_str());
        match (error.kind(), keyword_of(&path)) {
            // Told of the object, not of its first member.
            (Kind::FalseSchema, "additionalProperties") => instance = self.part(&at),
            // Told of the list, not of each item that is too many.
            (Kind::FalseSchema, "items") if self.counts_items() && matches!(at.last(), Some(Step::At(_))) => {
                at.pop();
                instance = self.part(&at);
            }
            (Kind::FalseSchema, word) => {
                if word == "propertyNames" {
                    instance = json!(instance.as_object().and_then(|members| members.keys().next()));
                }
                forget_last(&mut path, &mut at);
                (keyword, around, apart) = (None, &Value::Bool(false), true);
            }
            (Kind::Contains, "minContains") if self.count(&instance, &around["contains"]) == 0 => {
                keyword = Some("contains".to_owned());
            }
            _ => {}
        }
        let relevance = Relevance {
            depth: Reverse(at.len()),
            at: at.clone(),
            strong: !matches!(keyword.as_deref(), Some("anyOf" | "oneOf")),
            other_type: !fits_type(around, &instance),
        };
        Fault { error, instance, around, keyword, apart, at, path, relevance, order }
    }

    /// Whether `items` is about what comes after the prefix, as since 2020-12.
    fn counts_items(self) -> bool {
        let dialect = self.dialect();
        !dialect.contains("draft-0") && !dialect.contains("2019-09")
    }

    /// What the schema says it is written in.
    pub(super) fn dialect(self) -> &'e str {
        self.schema.get("$schema").and_then(Value::as_str).unwrap_or_default()
    }

    /// How many items of a list fit a schema on its own; none where it refers to others.
    pub(super) fn count(self, items: &Value, schema: &Value) -> usize {
        let Ok(one) = build(schema, self.options) else { return 0 };
        items.as_array().map_or(0, |items| items.iter().filter(|item| one.is_valid(item)).count())
    }

    /// The part of the value that a path leads to.
    fn part(self, path: &[Step]) -> Value {
        let step = |value: &'e Value, step: &Step| match step {
            Step::At(index) => value.get(index),
            Step::Named(name) => value.get(name),
        };
        let found = path.iter().try_fold(self.value, step);
        found.cloned().unwrap_or_default()
    }

    /// Where the keywords on a path stand in their schemas, and the path as the package
    /// has it: without references.
    fn walk(self, evaluation: &Location) -> (Vec<usize>, Vec<Step>) {
        let (mut order, mut path) = (Vec::new(), Vec::new());
        let mut here = Some(self.schema);
        let mut steps = steps(evaluation).into_iter().peekable();
        while let Some(step) = steps.next() {
            let (position, next) = match (&step, here) {
                (Step::At(index), Some(Value::Array(items))) => (*index, items.get(*index)),
                (Step::Named(name), Some(Value::Object(members))) => {
                    (members.keys().position(|key| key == name).unwrap_or(usize::MAX), members.get(name))
                }
                _ => (usize::MAX, None),
            };
            order.push(position);
            let word = if let Step::Named(name) = &step { name.as_str() } else { "" };
            match (word, next) {
                ("$ref", Some(Value::String(target))) => {
                    here = target.strip_prefix('#').and_then(|pointer| self.schema.pointer(pointer));
                    continue;
                }
                ("if", _) if matches!(steps.peek(), Some(Step::Named(name)) if name == "then" || name == "else") =>
                {
                    continue;
                }
                _ => here = next,
            }
            path.push(step);
        }
        (order, path)
    }
}

/// The keyword at the end of a path; nothing where that is the name of a member.
fn keyword_of(path: &[Step]) -> &str {
    let named =
        |step: &Step, names: &[&str]| matches!(step, Step::Named(name) if names.contains(&name.as_str()));
    match path {
        [.., before, _] if named(before, &["properties", "patternProperties", "dependentSchemas"]) => "",
        [.., Step::Named(word)] => word,
        _ => "",
    }
}

/// The package says of a schema that is `false` where it is used, not where it stands.
fn forget_last(path: &mut Vec<Step>, at: &mut Vec<Step>) {
    let word = |step: &Step| if let Step::Named(name) = step { name.clone() } else { String::new() };
    let last = path.last().map(word).unwrap_or_default();
    let before = path.iter().rev().nth(1).map(word).unwrap_or_default();
    let (of_schema, of_value) = match (before.as_str(), last.as_str()) {
        ("properties" | "patternProperties" | "prefixItems", _) | ("items", "") => (true, true),
        ("allOf" | "anyOf" | "oneOf" | "dependentSchemas" | "dependencies", _) | (_, "then" | "else") => {
            (true, false)
        }
        (_, "items") => (false, true),
        _ => (false, false),
    };
    if of_schema {
        path.pop();
    }
    if of_value {
        at.pop();
    }
}

/// What is wrong with a member's name is a fault of its own, found at the object.
fn innermost<'e>(mut error: &'e ValidationError<'e>) -> (&'e ValidationError<'e>, bool) {
    let mut name = false;
    while let Kind::PropertyNames { error: inner } = error.kind() {
        (error, name) = (inner, true);
    }
    (error, name)
}

fn steps(location: &Location) -> Vec<Step> {
    let step = |segment: LocationSegment<'_>| match segment {
        LocationSegment::Property(name) => Step::Named(name.into_owned()),
        LocationSegment::Index(index) => Step::At(index),
    };
    location.segments().map(step).collect()
}

/// The schema around the keyword at `pointer`.
fn parent<'e>(schema: &'e Value, pointer: &str) -> &'e Value {
    let end = pointer.rfind('/').unwrap_or(0);
    schema.pointer(&pointer[..end]).unwrap_or(schema)
}

/// Whether a schema asks for a type, and the value is of it.
fn fits_type(schema: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str() {
        Some("null") => value.is_null(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        Some("integer") => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0)
        }
        Some("string") => value.is_string(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        _ => false,
    };
    match schema.get("type") {
        Some(Value::Array(names)) => names.iter().any(is),
        Some(name) => is(name),
        None => false,
    }
}
