//! What smells of danger.
//!
//! Owns: what is looked at, and how a foreign page is played. Must not know: the patterns.

use mcpbolt::client::{Client, Target};
use mcpbolt::policy::discovery::is_loopback_host;
use mcpbolt::transport::streamable_http::client::HttpClientOptions;
use serde_json::Value;
use url::Url;

use super::super::lists::text;
use super::{Findings, Subject, named, rules, secrets};
use crate::args::{Auth, Kind};
use crate::connection::Setup;
use crate::target::Place;

/// Whom no server knows.
const FOREIGN: &str = "https://foreign.invalid";

pub(super) fn check(subject: &Subject<'_>, findings: &mut Findings) {
    said(findings, "the server", subject.session.instructions().as_deref().unwrap_or_default());
    for (kind, entries) in &subject.lists {
        for entry in entries {
            let place = named(*kind, entry);
            for member in ["name", "title", "description"] {
                said(findings, &place, text(entry, member));
            }
        }
    }
    for tool in subject.list(Kind::Tools) {
        of_tool(tool, findings);
    }
}

/// Text that models read.
fn said(findings: &mut Findings, place: &str, text: &str) {
    if let Some(character) = secrets::hidden(text) {
        findings.tell(&rules::HIDDEN, place, character);
    }
    if let Some(phrase) = secrets::order(text) {
        findings.tell(&rules::ORDERS, place, phrase);
    }
    if secrets::has_key(text) {
        findings.add(&rules::SECRET, place);
    }
}

fn of_tool(tool: &Value, findings: &mut Findings) {
    let place = named(Kind::Tools, tool);
    let hint =
        |name: &str| tool.get("annotations").and_then(|hints| hints.get(name)).and_then(Value::as_bool);
    let (read_only, destructive) = (hint("readOnlyHint"), hint("destructiveHint"));
    if read_only.is_none() && destructive.is_none() {
        findings.add(&rules::NO_HINTS, &place);
    }
    if read_only == Some(true) && destructive == Some(true) {
        findings.add(&rules::HINTS_CONTRADICT, &place);
    }
    let properties =
        tool.get("inputSchema").and_then(|schema| schema.get("properties")).and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        said(findings, &format!("{place}, argument {name}"), text(property, "description"));
        if secrets::is_credential(name) {
            findings.tell(&rules::SECRET_ARGUMENT, &place, name);
        }
        if secrets::is_run(name) && destructive != Some(true) && text(property, "type") == "string" {
            findings.tell(&rules::POWERFUL, &place, name);
        }
    }
}

/// How the server is reached, and whether a foreign page reaches it too.
pub(super) async fn of_url(setup: &Setup<'_>, place: &Place, url: &str, findings: &mut Findings) {
    let Ok(parsed) = Url::parse(url) else { return };
    let local = parsed.host_str().is_some_and(is_loopback_host);
    if parsed.scheme() == "http" && !local {
        findings.add(&rules::PLAIN_HTTP, parsed.origin().ascii_serialization());
    }
    let credential =
        |(name, _): (std::borrow::Cow<'_, str>, _)| secrets::is_credential(&name) || name == "token";
    if parsed.password().is_some() || parsed.query_pairs().any(credential) {
        findings.add(&rules::URL_SECRET, parsed.origin().ascii_serialization());
    }
    let sends_none = match place {
        Place::Url { headers, .. } => headers.is_empty() && setup.common.header.is_empty(),
        Place::Program { .. } => false,
    };
    if !local && sends_none && setup.common.auth == Auth::None {
        findings.add(&rules::NO_AUTHORIZATION, parsed.origin().ascii_serialization());
    }
    if serves_foreign_pages(setup, place).await {
        findings.add(&rules::ORIGIN, parsed.origin().ascii_serialization());
    }
}

/// Connects once more, as a page of another site in a browser would.
async fn serves_foreign_pages(setup: &Setup<'_>, place: &Place) -> bool {
    let Ok(Target::Http { url, options }) = place.target(setup.common) else { return false };
    let Ok(options): Result<HttpClientOptions, _> = options.header("Origin", FOREIGN) else { return false };
    let mut client =
        Client::builder("mcpbolt", env!("CARGO_PKG_VERSION")).protocol(setup.common.protocol_version.0);
    if let Some(timeout) = setup.common.timeout {
        client = client.request_timeout(timeout);
    }
    match client.build().connect(Target::Http { url, options: Box::new(options) }).await {
        Ok(session) => {
            session.close().await;
            true
        }
        Err(_) => false,
    }
}
