//! `_engine/protocol.py`: the revisions and the rows of the method table.
//!
//! Must not know: models, beyond what they are called.

use super::face::{Face, Item, ItemKind};
use super::module;
use super::text::snake;
use crate::api::{Api, MethodRow};
use std::fmt::Write as _;

/// What functions for a method are called where the class does not say it.
const VERBS: &[(&str, &str)] = &[
    ("completion/complete", "completion"),
    ("logging/setLevel", "set_logging_level"),
    ("resources/subscribe", "subscribe_resource"),
    ("resources/unsubscribe", "unsubscribe_resource"),
];

/// The module's text.
pub(super) fn write(api: &Api, face: &Face) -> Result<String, String> {
    let mut out = HEAD.to_owned();
    revisions(&mut out, api)?;
    out.push_str(CLASS);
    for row in &api.methods {
        let _ = writeln!(out, "    \"{}\": Method({}),", row.name, members(api, face, row)?.join(", "));
    }
    out.push_str("}\n\"\"\"Every method of every revision.\"\"\"\n");
    let cacheable: Vec<_> = api.methods.iter().filter(|row| row.cacheable).map(|row| row.name).collect();
    let _ = write!(
        out,
        "\nCacheableMethod = Literal[\"{}\"]\n\"\"\"The methods whose results may be kept.\"\"\"\n",
        cacheable.join("\", \"")
    );
    Ok(out)
}

fn revisions(out: &mut String, api: &Api) -> Result<(), String> {
    let (legacy, modern) = (api.revisions_of("legacy"), api.revisions_of("modern"));
    let latest = |era: &[&str]| era.last().map_or_else(String::new, |name| (*name).to_owned());
    for (name, value, doc) in [
        ("LEGACY_REVISIONS", tuple(&legacy), "The revisions that open with `initialize`, oldest first."),
        ("LATEST_LEGACY", format!("\"{}\"", latest(&legacy)), "The newest of them."),
        ("MODERN_REVISIONS", tuple(&modern), "The revisions without a handshake, oldest first."),
        ("LATEST_MODERN", format!("\"{}\"", latest(&modern)), "The newest of them."),
    ] {
        let kind = if value.starts_with('(') { ": tuple[str, ...]" } else { "" };
        let _ = write!(out, "{name}{kind} = {value}\n\"\"\"{doc}\"\"\"\n");
    }
    let _ = write!(
        out,
        "\n\ndef names_the_resource(revision: str) -> bool:\n    \"\"\"Whether OAuth requests of a revision name the \
         server they are for (`resource`, RFC 8707). A\n    revision that is not in the table is placed by its \
         date.\n    \"\"\"\n    return revision >= \"{}\"\n",
        api.first_with("legacy", |row| row.resource_indicators)?
    );
    Ok(())
}

/// The arguments of a row, without those that have their default.
fn members(api: &Api, face: &Face, row: &MethodRow) -> Result<Vec<String>, String> {
    let class = message(face, row.name);
    let (model, params) = match class {
        Some((item, given)) => {
            let params = module::params_class(face, row, given);
            (item.name.as_str(), params.ok_or_else(|| format!("{}: no class for its params", row.name))?)
        }
        None if row.is_request() => ("Request", "RequestParams"),
        None => ("Notification", "NotificationParams"),
    };
    let python = |truth: bool| if truth { "True" } else { "False" };
    let mut out = vec![format!("\"{model}\", \"{params}\", \"{}\"", verb(row.name, model))];
    out.push(python(row.is_request()).to_owned());
    out.push(format!("\"{}\"", row.sent_by));
    out.push(python(row.is_legacy(api)).to_owned());
    if let Some(capability) = &row.capability {
        out.push(format!("{}, \"{}\"", tuple(capability.path), capability.declared_by));
    }
    if let Some(param) = row.name_param {
        out.push(format!("name_param=\"{param}\""));
    }
    if let Some(lists) = &row.lists {
        out.push(format!("lists=\"{lists}\""));
    }
    if row.cacheable {
        out.push("cacheable=True".to_owned());
    }
    if row.may_require_input {
        out.push("may_require_input=True".to_owned());
    }
    if api.revisions.first().is_some_and(|first| first.name != row.since) {
        out.push(format!("since=\"{}\"", row.since));
    }
    if let Some(until) = row.until {
        out.push(format!("until=\"{until}\""));
    }
    Ok(out)
}

/// The class of a method, and the params the face names for it.
fn message<'a>(face: &'a Face, name: &str) -> Option<(&'a Item, Option<&'a str>)> {
    face.items().find_map(|(_, item)| match &item.kind {
        ItemKind::Message { method, params } if method == name => Some((item, params.as_deref())),
        _ => None,
    })
}

fn verb(method: &str, model: &str) -> String {
    let known = VERBS.iter().find(|(known, _)| *known == method);
    known.map_or_else(
        || {
            let stem = model.trim_end_matches("Request").trim_end_matches("Notification");
            snake(stem).trim_start_matches('_').to_owned()
        },
        |(_, verb)| (*verb).to_owned(),
    )
}

fn tuple(names: &[&str]) -> String {
    let comma = if names.len() == 1 { "," } else { "" };
    format!("(\"{}\"{comma})", names.join("\", \""))
}

const HEAD: &str = r#""""The protocol's tables: its revisions, and what it says of each method.

Written by `cargo xtask generate` from the engine's own tables; do not edit.
"""

# ruff: noqa: E501
from typing import Literal, NamedTuple, Optional

"#;

const CLASS: &str = r#"

class Method(NamedTuple):
    """What the protocol says of a method."""

    model: str
    """Its class in `mcpbolt.types`."""
    params: str
    """The class of its params there."""
    verb: str
    """What a function for it is called, such as `list_tools`."""
    is_request: bool
    """It is answered; a notification is not."""
    sent_by: Literal["client", "server", "both"]
    """Who sends it."""
    is_legacy: bool
    """A revision with a handshake has it."""
    capability: tuple[str, ...] = ()
    """Names from the capabilities object down to what has to be declared for it."""
    declared_by: Literal["", "client", "server", "both"] = ""
    """Who declares that."""
    name_param: Optional[str] = None
    """The param that the header `Mcp-Name` repeats."""
    lists: Optional[str] = None
    """The member of its result that holds the entries, where they come in pages."""
    cacheable: bool = False
    """Its results say how long they may be kept."""
    may_require_input: bool = False
    """It may be answered with questions."""
    since: str = LEGACY_REVISIONS[0]
    """The first revision that has it."""
    until: Optional[str] = None
    """The last revision that has it, if a later one has not."""


METHODS: dict[str, Method] = {
"#;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_a_row_and_every_era_its_revisions() -> Result<(), String> {
        let api = crate::api::read()?;
        let face = Face::parse(super::super::face::Line::One, include_str!("face.txt"))?;
        let text = write(&api, &face)?;
        for row in &api.methods {
            assert_eq!(text.matches(&format!("\n    \"{}\": Method(", row.name)).count(), 1, "{}", row.name);
        }
        for row in &api.revisions {
            assert!(text.contains(&format!("\"{}\"", row.name)), "{}", row.name);
        }
        assert!(text.contains("\"subscribe_resource\"") && text.contains("\"list_resource_templates\""));
        Ok(())
    }
}
