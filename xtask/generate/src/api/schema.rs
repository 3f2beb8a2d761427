//! From the JSON Schemas of the Rust types to the types of the surface.
//!
//! Must not know: which types there are. A schema it cannot read is an error.

use super::deprecations;
use super::model::{EnumValue, Expr, Field, Shape, Type};
use super::notes;
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// Names for the variants of a tagged union, which Rust does not name.
const VARIANTS: &[(&str, &str)] =
    &[("ref/prompt", "PromptReference"), ("ref/resource", "ResourceTemplateReference")];

/// The types that `roots` leads to.
pub(super) fn types(
    roots: impl FnOnce(&mut SchemaGenerator),
    source: &'static str,
) -> Result<Vec<Type>, String> {
    let mut generator = SchemaGenerator::new(SchemaSettings::draft2020_12());
    roots(&mut generator);
    let mut types = Vec::new();
    for (name, schema) in generator.take_definitions(true) {
        // These two are what they say, not names of the protocol.
        if name != "JsonValue" && name != "JsonObject" {
            Reader { source, found: &mut types }
                .named(&name, &schema)
                .map_err(|why| format!("{name}: {why}"))?;
        }
    }
    Ok(types)
}

struct Reader<'a> {
    source: &'static str,
    found: &'a mut Vec<Type>,
}

impl Reader<'_> {
    fn named(&mut self, name: &str, schema: &Value) -> Result<(), String> {
        let doc = doc(schema);
        let mut notes = notes::read(&doc)?;
        notes.deprecated = deprecations::of_type(name);
        let shape = self.shape(name, schema)?;
        self.found.push(Type { name: name.to_owned(), doc, notes, source: self.source, shape });
        Ok(())
    }

    fn shape(&mut self, name: &str, schema: &Value) -> Result<Shape, String> {
        if let Some(object) = schema.as_object() {
            if let Some(branches) = branches(object) {
                return self.choice(name, branches);
            }
            if object.contains_key("properties") {
                return Ok(Shape::Object { fields: self.fields(name, object)? });
            }
        }
        match self.expr(schema)? {
            Expr::Object if schema["description"].is_string() && is_empty_object(schema) => {
                Ok(Shape::Object { fields: Vec::new() })
            }
            of => Ok(Shape::Alias { of }),
        }
    }

    fn choice(&mut self, name: &str, branches: &[Value]) -> Result<Shape, String> {
        if branches.iter().any(|branch| branch["const"].is_string()) {
            let values: Result<_, _> = branches
                .iter()
                .filter(|branch| branch["const"].is_string())
                .map(|branch| enum_value(name, branch))
                .collect();
            let open = branches.iter().any(|branch| !branch["const"].is_string());
            return Ok(Shape::Enum { open, values: values? });
        }
        let mut of = Vec::new();
        let mut open = false;
        for branch in branches {
            match branch.as_object() {
                Some(object) if object.contains_key("properties") => match tag(object) {
                    Some(tag) => of.push(Expr::Ref(self.variant(&tag, branch)?)),
                    None => open = true,
                },
                _ => of.push(self.expr(branch)?),
            }
        }
        Ok(Shape::Union { open, of })
    }

    /// A variant of a tagged union becomes a type of its own.
    fn variant(&mut self, tag: &str, schema: &Value) -> Result<String, String> {
        let name = VARIANTS.iter().find(|(known, _)| *known == tag).map(|(_, name)| *name);
        let name = name.ok_or_else(|| format!("the variant {tag} has no name"))?;
        self.named(name, schema)?;
        Ok(name.to_owned())
    }

    fn fields(&mut self, of: &str, object: &Object) -> Result<Vec<Field>, String> {
        let required: Vec<&str> = object
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let properties = object.get("properties").and_then(Value::as_object).into_iter().flatten();
        properties
            .map(|(name, schema)| {
                let doc = doc(schema);
                let mut notes = notes::read(&doc)?;
                notes.deprecated = deprecations::of_part(of, name);
                Ok(Field {
                    name: name.clone(),
                    expr: self.expr(schema).map_err(|why| format!("{name}: {why}"))?,
                    required: required.contains(&name.as_str()),
                    default: schema.get("default").filter(|value| !value.is_null()).cloned(),
                    doc,
                    notes,
                })
            })
            .collect()
    }

    fn expr(&mut self, schema: &Value) -> Result<Expr, String> {
        let Some(object) = schema.as_object() else { return Ok(Expr::Json) };
        if let Some(name) = object.get("$ref").and_then(Value::as_str) {
            return Ok(match name.rsplit('/').next().unwrap_or(name) {
                "JsonValue" => Expr::Json,
                "JsonObject" => Expr::Object,
                other => Expr::Ref(other.to_owned()),
            });
        }
        if let Some(branches) = branches(object) {
            let mut of = Vec::new();
            for branch in branches.iter().filter(|branch| branch["type"] != "null") {
                of.push(self.expr(branch)?);
            }
            return Ok(if of.len() == 1 { of.remove(0) } else { Expr::Union(of) });
        }
        if let Some(text) = object.get("const").and_then(Value::as_str) {
            return Ok(Expr::Const(text.to_owned()));
        }
        let kinds: Vec<&str> = match object.get("type") {
            Some(Value::Array(kinds)) => {
                kinds.iter().filter_map(Value::as_str).filter(|k| *k != "null").collect()
            }
            Some(Value::String(kind)) => vec![kind],
            _ => return Ok(Expr::Json),
        };
        let all: Result<Vec<_>, _> = kinds.iter().map(|kind| self.one(kind, object)).collect();
        let mut all = all?;
        Ok(if all.len() == 1 { all.remove(0) } else { Expr::Union(all) })
    }

    fn one(&mut self, kind: &str, object: &Object) -> Result<Expr, String> {
        Ok(match kind {
            "string" => Expr::String,
            "integer" => Expr::Integer,
            "number" => Expr::Number,
            "boolean" => Expr::Boolean,
            "array" => Expr::List(Box::new(self.expr(object.get("items").unwrap_or(&Value::Bool(true)))?)),
            "object" => match object.get("additionalProperties") {
                Some(values) if values.is_object() => Expr::Map(Box::new(self.expr(values)?)),
                _ => Expr::Object,
            },
            other => return Err(format!("cannot read the type {other}")),
        })
    }
}

fn branches(object: &Object) -> Option<&Vec<Value>> {
    object.get("anyOf").or_else(|| object.get("oneOf")).and_then(Value::as_array)
}

/// An object schema that says nothing about members, not even about others.
fn is_empty_object(schema: &Value) -> bool {
    schema["type"] == "object" && schema.get("additionalProperties").is_none()
}

fn tag(object: &Object) -> Option<String> {
    object.get("properties")?.get("type")?.get("const")?.as_str().map(str::to_owned)
}

fn enum_value(of: &str, branch: &Value) -> Result<EnumValue, String> {
    let value = branch["const"].as_str().unwrap_or_default().to_owned();
    let doc = doc(branch);
    let mut notes = notes::read(&doc)?;
    notes.deprecated = deprecations::of_part(of, &value);
    Ok(EnumValue { value, doc, notes })
}

/// The description as paragraphs, without Rust's examples, headings and links.
fn doc(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    let prose = text.split("```").step_by(2).flat_map(str::lines).map(str::trim);
    let lines: Vec<&str> = prose.filter(|line| !line.starts_with("# ")).collect();
    let joined = lines.join("\n").replace("\n\n", "\u{0}").replace('\n', " ").replace('\u{0}', "\n\n");
    joined.replace("[`", "`").replace("`]", "`").trim().to_owned()
}

/// The names a shape uses.
pub(super) fn references(shape: &Shape, into: &mut Vec<String>) {
    match shape {
        Shape::Object { fields } => fields.iter().for_each(|field| names(&field.expr, into)),
        Shape::Union { of, .. } => of.iter().for_each(|expr| names(expr, into)),
        Shape::Alias { of } => names(of, into),
        Shape::Enum { .. } => {}
    }
}

fn names(expr: &Expr, into: &mut Vec<String>) {
    match expr {
        Expr::Ref(name) => into.push(name.clone()),
        Expr::List(of) | Expr::Map(of) => names(of, into),
        Expr::Union(all) => all.iter().for_each(|expr| names(expr, into)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::Notes;
    use schemars::JsonSchema;

    /// A thing. Since 2025-06-18.
    ///
    /// ```
    /// assert_eq!("2026-07-28".len(), 10);
    /// ```
    #[derive(JsonSchema)]
    #[schemars(rename_all = "camelCase")]
    #[expect(dead_code, reason = "only its schema is used")]
    struct ResourceKind {
        /// Its name.
        the_name: String,
        /// More of them.
        others: Option<Vec<ResourceKind>>,
    }

    #[test]
    fn a_struct_becomes_an_object_with_wire_names_and_notes() {
        let types = types(|g| drop(g.subschema_for::<ResourceKind>()), "core").unwrap();
        assert_eq!(types[0].notes, Notes { since: Some("2025-06-18"), ..Notes::default() });
        assert_eq!(types[0].doc, "A thing. Since 2025-06-18.");
        let Shape::Object { fields } = &types[0].shape else { panic!("an object") };
        assert_eq!((fields[0].name.as_str(), fields[0].required), ("theName", true));
        assert_eq!(fields[1].expr, Expr::List(Box::new(Expr::Ref("ResourceKind".to_owned()))));
        assert!(!fields[1].required);
    }
}
