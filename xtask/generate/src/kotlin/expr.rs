//! Types where they are used: what Kotlin calls them, and how they are read.
//!
//! Must not know: which member it is that is read.

use super::names::{self, Names};
use crate::api::{Api, Expr, Field, Shape};

/// A member's type, how its value is read from `it`, and how it is written.
pub(super) struct Mapped {
    pub(super) kotlin: String,
    pub(super) read: String,
    /// A function that its value goes through to be written.
    pub(super) write: Option<&'static str>,
}

fn mapped(kotlin: &str, read: &str) -> Mapped {
    Mapped { kotlin: kotlin.to_owned(), read: read.to_owned(), write: None }
}

/// The type of a member.
pub(super) fn of_field(api: &Api, names: &Names, field: &Field) -> Mapped {
    match (&field.expr, field.name.as_str()) {
        (Expr::Integer, name) if names::is_int(name) => mapped("Int", "it.int()"),
        // The official package has a class for schemas of tools.
        (Expr::Json, "inputSchema" | "outputSchema") => mapped("ToolSchema", "ToolSchema.of(it.obj())"),
        (expr, _) => of(api, names, expr),
    }
}

pub(super) fn of(api: &Api, names: &Names, expr: &Expr) -> Mapped {
    match expr {
        Expr::String | Expr::Const(_) => mapped("String", "it.text()"),
        Expr::Integer => mapped("Long", "it.long()"),
        Expr::Number => mapped("Double", "it.double()"),
        Expr::Boolean => mapped("Boolean", "it.flag()"),
        Expr::Json => mapped("JsonElement", "it"),
        Expr::Object => mapped("JsonObject", "it.obj()"),
        Expr::List(inner) => wrapped("List<", inner, "list", api, names),
        Expr::Map(inner) => wrapped("Map<String, ", inner, "table", api, names),
        Expr::Union(all) => match all.as_slice() {
            [one, Expr::List(many)] if one == &**many => {
                let list = wrapped("List<", one, "oneOrMany", api, names);
                Mapped { write: Some("oneOrMany"), ..list }
            }
            // An id: a text or a number, which keeps its type.
            _ => mapped("JsonPrimitive", "it.primitive()"),
        },
        Expr::Ref(name) => named(api, names, name),
    }
}

fn wrapped(open: &str, inner: &Expr, read: &str, api: &Api, names: &Names) -> Mapped {
    let inner = of(api, names, inner);
    Mapped {
        kotlin: format!("{open}{}>", inner.kotlin),
        read: format!("it.{read} {{ {} }}", inner.read),
        write: None,
    }
}

fn named(api: &Api, names: &Names, name: &str) -> Mapped {
    let kotlin = names.name(name);
    match api.find(name).map(|found| &found.shape) {
        Some(Shape::Enum { .. }) => mapped(kotlin, &format!("{kotlin}(it.text())")),
        Some(Shape::Alias { .. }) if name == "FormSchema" => mapped(kotlin, "FormSchema.of(it.obj())"),
        Some(Shape::Alias { of: inner }) => of(api, names, inner),
        _ => mapped(kotlin, &format!("{kotlin}.of(it.obj())")),
    }
}
