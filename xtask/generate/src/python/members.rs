//! The inside of a class: fields, and properties that read them in other ways.
//!
//! A member that the official class has is a field. One that came later is kept as an
//! unknown member, as the official class keeps it, and has a property that reads it:
//! dumps and schemas stay equal. Classes of 2.x have every member as a field.

use super::face::{Class, Face, FaceField, Item, Line};
use super::text::{annotation, docstring, field_doc, literals, snake};
use crate::api::{Api, Field, Shape};
use std::fmt::Write as _;

const MARGIN: &str = "    ";

/// Fields of the classes written by hand, by their names on the wire.
const GIVEN: &[(&str, &[&str])] = &[
    ("Result", &["_meta"]),
    ("PaginatedResult", &["_meta", "nextCursor"]),
    ("RequestParams", &["_meta", "task"]),
    ("NotificationParams", &["_meta"]),
];

/// Text of a class's body.
pub(super) fn write(api: &Api, face: &Face, item: &Item, class: &Class) -> Result<String, String> {
    let surface = surface(api, item);
    let mut out = String::new();
    let mut camel = Vec::new();
    let mut own = Vec::new();
    for field in expand(face, class, surface) {
        let known = surface.iter().find(|other| other.name == field.name);
        let found = member(api, face, &field, known).map_err(|why| format!("{}: {why}", item.name))?;
        let _ = writeln!(out, "{MARGIN}{}: {}", attribute(face, &field.name), found.annotation);
        out.push_str(&docstring(&found.doc, MARGIN));
        if face.line == Line::One && snake(&field.name) != field.name && field.name != "_meta" {
            camel.push((field.name.clone(), found.plain));
        }
        own.push(field.name.clone());
    }
    for (name, plain) in camel {
        out.push_str(&property(&snake(&name), &plain, &format!("`{name}`."), &format!("return self.{name}")));
    }
    if face.line == Line::One {
        out.push_str(&later(api, face, class, surface, &own));
    }
    if class.contents {
        out.push_str(CONTENTS);
    }
    Ok(out)
}

const CONTENTS: &str = r#"
    @property
    def content_as_list(self) -> list[SamplingMessageContentBlock]:
        """`content` as a list, also when it is one block."""
        return self.content if isinstance(self.content, list) else [self.content]
"#;

struct Member {
    /// With its default.
    annotation: String,
    /// Without.
    plain: String,
    doc: String,
}

fn member(api: &Api, face: &Face, field: &FaceField, known: Option<&Field>) -> Result<Member, String> {
    let doc = match (&field.doc, known) {
        (Some(doc), _) => doc.clone(),
        (None, Some(known)) => field_doc(api, known),
        (None, None) if field.name == "_meta" => "Metadata of the protocol and of extensions.".to_owned(),
        (None, None) => return Err(format!("{} has no documentation", field.name)),
    };
    let annotation = match (&field.annotation, known) {
        (Some(given), _) => literals(api, given)?,
        (None, _) if field.name == "_meta" => {
            r#"dict[str, Any] | None = Field(alias="_meta", default=None)"#.to_owned()
        }
        (None, Some(known)) => {
            let text = annotation(api, face, &known.expr);
            if known.required { text } else { format!("{text} | None = None") }
        }
        (None, None) => return Err(format!("{} has no type", field.name)),
    };
    let plain = annotation.split(" = ").next().unwrap_or(&annotation).to_owned();
    Ok(Member { annotation, plain, doc })
}

/// The fields of the surface's type.
fn surface<'a>(api: &'a Api, item: &Item) -> &'a [Field] {
    match item.of.as_ref().and_then(|name| api.find(name)).map(|found| &found.shape) {
        Some(Shape::Object { fields }) => fields,
        _ => &[],
    }
}

/// `*` as the fields that no base has.
fn expand(face: &Face, class: &Class, surface: &[Field]) -> Vec<FaceField> {
    let inherited = inherited(face, class);
    let all = |name: &str| FaceField { name: name.to_owned(), annotation: None, doc: None };
    let mut out = Vec::new();
    for field in &class.fields {
        if field.name == "*" {
            out.extend(surface.iter().filter(|f| !inherited.contains(&f.name)).map(|f| all(&f.name)));
        } else {
            out.push(FaceField {
                name: field.name.clone(),
                annotation: field.annotation.clone(),
                doc: field.doc.clone(),
            });
        }
    }
    out
}

fn inherited(face: &Face, class: &Class) -> Vec<String> {
    let mut out = Vec::new();
    for base in &class.bases {
        if let Some((_, fields)) = GIVEN.iter().find(|(name, _)| name == base) {
            out.extend(fields.iter().map(|&name| name.to_owned()));
        } else if let Some((_, parent)) = face.class(base) {
            out.extend(parent.fields.iter().map(|field| field.name.clone()));
            out.extend(inherited(face, parent));
        }
    }
    out
}

/// Properties for members that the official class does not have.
fn later(api: &Api, face: &Face, class: &Class, surface: &[Field], own: &[String]) -> String {
    let inherited = inherited(face, class);
    let is_later = |field: &&Field| {
        !own.contains(&field.name)
            && !inherited.contains(&field.name)
            && field.name != "_meta"
            && !field.required
    };
    let members: Vec<&Field> = surface.iter().filter(is_later).collect();
    if members.is_empty() {
        return String::new();
    }
    let names: Vec<String> = members.iter().map(|field| format!("\"{}\"", field.name)).collect();
    let comma = if names.len() == 1 { "," } else { "" };
    let mut out = format!("\n{MARGIN}__later__: ClassVar[tuple[str, ...]] = ({}{comma})\n", names.join(", "));
    for field in members {
        let plain = annotation(api, face, &field.expr);
        let plain = if plain == "Any" { plain } else { format!("{plain} | None") };
        let read = later_value(&plain, &field.name);
        out.push_str(&property(&field.name, &plain, &field_doc(api, field), &read));
        let other = snake(&field.name);
        if other != field.name {
            out.push_str(&property(&other, &plain, &format!("`{}`.", field.name), &read));
        }
    }
    out
}

/// Reads an unknown member. Its type is said again for type checkers that do not let `Any` pass.
fn later_value(plain: &str, wire: &str) -> String {
    let read = format!("self.__later_value__(\"{wire}\")");
    if plain == "Any" {
        return format!("return {read}");
    }
    format!("value: {plain} = {read}\n{MARGIN}{MARGIN}return value")
}

fn property(name: &str, plain: &str, doc: &str, body: &str) -> String {
    format!(
        "\n{MARGIN}@property\n{MARGIN}def {name}(self) -> {plain}:\n{}{MARGIN}{MARGIN}{body}\n",
        docstring(doc, "        ")
    )
}

fn attribute(face: &Face, wire: &str) -> String {
    match (wire, face.line) {
        ("_meta", _) => "meta".to_owned(),
        (wire, Line::One) => wire.to_owned(),
        (wire, Line::Two) => snake(wire),
    }
}
