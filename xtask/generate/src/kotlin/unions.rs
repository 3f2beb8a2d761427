//! Unions: an interface, what its classes have in common, and which of them a value is.
//!
//! A value that is none of them is kept as `Other`.

use super::names::{self, Names};
use super::records::{companion, property, second_names};
use super::text::{comment, literal};
use crate::api::{Api, Expr, Field, Shape, Type};
use std::fmt::Write as _;

fn fields<'a>(api: &'a Api, expr: &Expr) -> Option<(&'a Type, &'a [Field])> {
    let Expr::Ref(name) = expr else { return None };
    let found = api.find(name)?;
    let Shape::Object { fields } = &found.shape else { return None };
    Some((found, fields))
}

/// Whether all classes of a union have this member, alike.
pub(super) fn shares(api: &Api, union: &Type, field: &Field) -> bool {
    let Shape::Union { of, .. } = &union.shape else { return false };
    of.iter().filter_map(|expr| fields(api, expr)).all(|(_, others)| {
        others.iter().any(|o| {
            o.name == field.name
                && o.expr == field.expr
                && o.required == field.required
                && o.default == field.default
        })
    })
}

/// The interface.
pub(super) fn write(api: &Api, names: &Names, found: &Type, of: &[Expr]) -> String {
    let name = names.name(&found.name);
    let all: Vec<_> = of.iter().filter_map(|expr| fields(api, expr)).collect();
    let common: Vec<&Field> = all
        .first()
        .map(|(_, first)| first.iter().filter(|field| shares(api, found, field)).collect())
        .unwrap_or_default();
    let mut out = format!("\n{}", comment(api, &found.doc, found.notes.deprecated, ""));
    let _ = write!(
        out,
        "@Serializable(with = {name}.Companion::class)\npublic sealed interface {name} : HasJson {{"
    );
    let kind = names::kind(&found.name);
    if let Some(kind) = kind {
        let _ = writeln!(out, "\n    /** Which of them it is. */\n    public val type: {kind}");
    }
    for field in &common {
        // Declared as the classes have it, without a body.
        let text = property(api, names, field, "");
        out.push_str(text.split(" get() =").next().unwrap_or_default());
        out.push('\n');
    }
    out.push_str(&second_names(name));
    let _ = write!(
        out,
        "\n    /** What this version does not know. */\n    public class Other internal constructor(members: Members) : Record(members), {name}"
    );
    if common.is_empty() && kind.is_none() {
        out.push('\n');
    } else {
        out.push_str(" {");
        if let Some(kind) = kind {
            let _ = writeln!(
                out,
                "\n        /** Which of them it is. */\n        override public val type: {kind} get() = {kind}(json.tag(\"type\").orEmpty())"
            );
        }
        for field in &common {
            out.push_str(&property(api, names, field, "override ").replace("\n    ", "\n        "));
        }
        out.push_str("    }\n");
    }
    out.push_str(&reader(names, name, &all));
    out.push_str("}\n");
    out
}

/// The member whose text alone tells the kind, if each class has its own.
fn tag<'a>(all: &[(&'a Type, &'a [Field])]) -> Option<(&'a str, Vec<&'a str>)> {
    let constant = |fields: &'a [Field]| {
        fields.iter().find_map(|f| match &f.expr {
            Expr::Const(text) => Some((f.name.as_str(), text.as_str())),
            _ => None,
        })
    };
    let found: Vec<_> = all.iter().map(|(_, fields)| constant(fields)).collect::<Option<_>>()?;
    let mut texts: Vec<&str> = found.iter().map(|(_, text)| *text).collect();
    let name = found.first()?.0;
    texts.sort_unstable();
    texts.dedup();
    (texts.len() == all.len()).then(|| (name, found.iter().map(|(_, text)| *text).collect()))
}

fn reader(names: &Names, name: &str, all: &[(&Type, &[Field])]) -> String {
    let mut read = String::new();
    if let Some((member, texts)) = tag(all) {
        let _ = writeln!(read, "when (json.tag({})) {{", literal(member));
        for ((found, _), text) in all.iter().zip(texts) {
            let _ = writeln!(read, "            {} -> {}.of(json)", literal(text), names.name(&found.name));
        }
        read.push_str("            else -> Other(Members(json))\n        }");
        return companion(name, &read);
    }
    read.push_str("json.best(\n            { Other(Members(it)) },\n");
    for (found, fields) in all {
        let quoted = |field: &&Field| literal(&field.name);
        let constants: Vec<String> = fields
            .iter()
            .filter_map(|f| match &f.expr {
                Expr::Const(text) => Some(format!("{} to {}", literal(&f.name), literal(text))),
                _ => None,
            })
            .collect();
        let required: Vec<String> =
            fields.iter().filter(|field| field.required).map(|f| quoted(&f)).collect();
        let known: Vec<String> = fields.iter().map(|f| quoted(&f)).collect();
        let _ = writeln!(
            read,
            "            Candidate(mapOf({}), listOf({}), listOf({})) {{ {}.of(it) }},",
            constants.join(", "),
            required.join(", "),
            known.join(", "),
            names.name(&found.name),
        );
    }
    read.push_str("        )");
    companion(name, &read)
}
