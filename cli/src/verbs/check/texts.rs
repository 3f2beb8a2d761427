//! Descriptions: whether models and people learn enough.
//!
//! Owns: what has to be described. Must not know: whether a description is safe.

use serde_json::Value;

use super::super::lists::text;
use super::{Findings, Subject, named, rules};
use crate::args::Kind;

/// Most characters of a description.
const LONGEST: usize = 4_000;

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    if subject.session.instructions().is_none_or(|text| text.trim().is_empty()) {
        findings.add(&rules::NO_INSTRUCTIONS, "the server");
    }
    for tool in subject.list(Kind::Tools) {
        if is_blank(tool) {
            findings.add(&rules::TOOL_DESCRIPTION, named(Kind::Tools, tool));
        }
        let properties =
            tool.get("inputSchema").and_then(|schema| schema.get("properties")).and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            // What a reference leads to may describe itself.
            if is_blank(property) && property.get("$ref").is_none() {
                findings.tell(&rules::ARGUMENT_DESCRIPTION, named(Kind::Tools, tool), name);
            }
        }
    }
    for prompt in subject.list(Kind::Prompts).filter(|prompt| is_blank(prompt)) {
        findings.add(&rules::PROMPT_DESCRIPTION, named(Kind::Prompts, prompt));
    }
    for resource in subject.list(Kind::Resources).filter(|resource| text(resource, "mimeType").is_empty()) {
        findings.add(&rules::RESOURCE_TYPE, named(Kind::Resources, resource));
    }
    for (kind, entries) in &subject.lists {
        for entry in entries {
            let length = text(entry, "description").chars().count();
            if length > LONGEST {
                findings.tell(&rules::LONG, named(*kind, entry), format!("{length} characters"));
            }
        }
    }
}

fn is_blank(entry: &Value) -> bool {
    text(entry, "description").trim().is_empty()
}
