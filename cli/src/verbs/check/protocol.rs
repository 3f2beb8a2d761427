//! Faults against the protocol.
//!
//! Owns: lists and their pages, the shape of entries, refusals of what is not there. Must not
//! know: what descriptions and schemas say.

use std::collections::BTreeSet;

use mcpbolt::client::ClientSession;
use mcpbolt::types::{CallToolParams, Prompt, Resource, ResourceTemplate, Tool};
use mcpbolt::{Error, ErrorKind, RawJson, Revision, methods};
use serde::Deserialize;
use serde_json::{Value, json};

use super::super::lists::{self, text};
use super::{Findings, Subject, named, rules};
use crate::args::Kind;
use crate::exit::Failure;

/// Most pages of one list.
const PAGES: usize = 1_000;
/// What no server has.
const NOT_THERE: &str = "mcpbolt-check-not-there";

/// Asks for all lists, those that are not declared too.
pub(super) async fn lists(session: &ClientSession, findings: &mut Findings) -> Vec<(Kind, Vec<Value>)> {
    let mut lists = Vec::new();
    for kind in Kind::ALL {
        let mut entries = Vec::new();
        let asked = pages(session, kind, &mut entries).await;
        let declared = kind.is_declared(session);
        match asked {
            Err(Stuck::Failed(error)) if declared => {
                findings.tell(&rules::LIST_FAILS, kind.method(), error.message);
            }
            Err(Stuck::Endless) => findings.add(&rules::PAGING, kind.method()),
            _ if !declared && !entries.is_empty() => findings.add(&rules::LIST_UNDECLARED, kind.method()),
            _ => {}
        }
        lists.push((kind, entries));
    }
    lists
}

/// Why a list does not come to its end.
enum Stuck {
    Failed(Error),
    Endless,
}

async fn pages(session: &ClientSession, kind: Kind, entries: &mut Vec<Value>) -> Result<(), Stuck> {
    let mut seen = BTreeSet::new();
    let mut cursor: Option<String> = None;
    for _ in 0..PAGES {
        let page = lists::page(session, kind, cursor.as_deref()).await.map_err(Stuck::Failed)?;
        let Some(found) = page.get(kind.member()).and_then(Value::as_array) else {
            return Err(Stuck::Failed(Error::protocol(format!("the result has no array {}", kind.member()))));
        };
        entries.extend(found.iter().cloned());
        match page.get("nextCursor").and_then(Value::as_str) {
            None => return Ok(()),
            Some(next) if !seen.insert(next.to_owned()) => return Err(Stuck::Endless),
            Some(next) => cursor = Some(next.to_owned()),
        }
    }
    Err(Stuck::Endless)
}

/// The server itself, and the shape of each entry.
pub(super) fn entries(subject: &Subject<'_>, findings: &mut Findings) {
    let info = subject.session.server_info();
    if info.is_none_or(|info| info.name.is_empty() || info.version.is_empty()) {
        findings.add(&rules::SERVER_NAME, "the server");
    }
    let revision = subject.session.revision();
    if revision < Revision::V2025_11_25 {
        findings.tell(&rules::OLD_REVISION, "the server", revision.as_str());
    }
    for (kind, entries) in &subject.lists {
        let mut seen = BTreeSet::new();
        for (at, entry) in entries.iter().enumerate() {
            let (shape, key) = match kind {
                Kind::Tools => (fault::<Tool>(entry), "name"),
                Kind::Resources => (fault::<Resource>(entry), "uri"),
                Kind::Templates => (fault::<ResourceTemplate>(entry), "uriTemplate"),
                Kind::Prompts => (fault::<Prompt>(entry), "name"),
            };
            if let Some(why) = shape {
                findings.tell(&rules::MALFORMED, format!("{} number {}", kind.member(), at + 1), why);
                continue;
            }
            let name = text(entry, key);
            if !seen.insert(name) {
                findings.add(&rules::REPEATED, named(*kind, entry));
            }
            match kind {
                Kind::Tools if !is_tool_name(name) => findings.add(&rules::TOOL_NAME, named(*kind, entry)),
                Kind::Resources if url::Url::parse(name).is_err() => {
                    findings.add(&rules::RESOURCE_URI, named(*kind, entry));
                }
                _ => {}
            }
        }
    }
}

/// Why an entry is not of its type.
fn fault<T: for<'de> Deserialize<'de>>(entry: &Value) -> Option<String> {
    T::deserialize(entry).err().map(|why| why.to_string())
}

fn is_tool_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// Asks for what does not exist. Fails where the server does not answer at all any more.
pub(super) async fn refusals(session: &ClientSession, findings: &mut Findings) -> Result<(), Failure> {
    match session.request_raw("mcpbolt/check-not-there", None).await {
        Err(error) if error.kind == ErrorKind::MethodNotFound => {}
        other => findings.tell(&rules::UNKNOWN_METHOD, "the server", answer(other.map(drop))?),
    }
    if Kind::Tools.is_declared(session) {
        let mut params = CallToolParams::new(NOT_THERE);
        params.arguments = Some(RawJson::empty_object());
        let params = RawJson::encode(&params).map_err(|why| Error::usage(why.to_string()))?;
        let called = session.request_raw(methods::TOOLS_CALL, Some(params)).await;
        if called.is_ok() {
            findings.add(&rules::UNKNOWN_TOOL, "tools/call");
        } else {
            answer(called.map(drop))?;
        }
    }
    if Kind::Resources.is_declared(session) {
        let params = RawJson::from(json!({ "uri": format!("mcpbolt-check:///{NOT_THERE}") }));
        let read = session.request_raw(methods::RESOURCES_READ, Some(params)).await;
        if read.is_ok() {
            findings.add(&rules::UNKNOWN_RESOURCE, "resources/read");
        } else {
            answer(read.map(drop))?;
        }
    }
    Ok(())
}

/// What came instead of a refusal; a failure of our side is none of the server's answers.
fn answer(answer: Result<(), Error>) -> Result<String, Failure> {
    match answer {
        Ok(()) => Ok("a result".to_owned()),
        Err(error) if matches!(error.kind, ErrorKind::Timeout) => Ok("no answer".to_owned()),
        Err(error) if error.kind.is_local() => Err(error.into()),
        Err(error) => Ok(format!("the error {}", error.code.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_clients_take() {
        assert!(is_tool_name("files.read-all_2"));
        for wrong in ["", "two words", "ä", "a/b", &"x".repeat(129)] {
            assert!(!is_tool_name(wrong), "{wrong}");
        }
    }
}
