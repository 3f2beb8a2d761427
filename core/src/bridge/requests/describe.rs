//! Calls and connections as JSON, for hosts that want to know more than an item says.
//!
//! Owns: the names of the members. Must not know: what a host does with them.

use mcpbolt_proto::auth::resource_server::TokenClaims;
use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::{Era, Revision};
use serde_json::{Value, json};

use crate::bridge::boundary::http_head::header_pairs;
use crate::handler::{Call, Link, TransportKind};

/// The era of a revision in one word.
pub(crate) fn era_name(revision: Revision) -> &'static str {
    if revision.era() == Era::Modern { "modern" } else { "legacy" }
}

/// A call of a client, as `Inbox::describe` says.
pub(crate) fn describe_call(call: &Call) -> Option<RawJson> {
    let (scope, link) = (call.scope(), call.link());
    let info = link.info();
    let mut about = RawObject::new();
    about.set("id", call.request_id().to_raw());
    about.put("revision", call.revision().as_str()).ok()?;
    about.put("era", era_name(call.revision())).ok()?;
    about.put("transport", transport_name(info.transport)).ok()?;
    about.put("connection", &link.origin().0).ok()?;
    about.put("task", &link.task()).ok()?;
    about.put("cause", &scope.cause.0).ok()?;
    about.put("peer", &info.peer.map(|peer| peer.to_string())).ok()?;
    about.put("principal", &scope.principal.id()).ok()?;
    // Where the host has verified the token, it knows more of it than is known here.
    if let Some(token) = scope.principal.token().filter(|token| !token.all.is_empty()) {
        about.put("token", &describe_token(token)).ok()?;
    }
    if let Some(head) = &scope.head {
        about.put("headers", &header_pairs(&head.headers)).ok()?;
        about.put("target", &head.uri.to_string()).ok()?;
    }
    about.put("clientInfo", &call.client_info()).ok()?;
    about.put("clientCapabilities", &call.client_capabilities()).ok()?;
    about.set("meta", call.meta().raw.to_raw());
    about.set("inputResponses", call.input_responses().to_raw());
    about.put("requestState", &call.request_state()).ok()?;
    about.put("cancelled", &call.is_cancelled()).ok()?;
    Some(about.to_raw())
}

/// What the token of a call says: the members that have a meaning here, and all `claims`.
fn describe_token(token: &TokenClaims) -> Value {
    json!({
        "subject": token.subject,
        "clientId": token.client_id,
        "issuer": token.issuer,
        "scopes": token.scopes.iter().collect::<Vec<_>>(),
        "expiresAt": token.expires_at,
        "claims": token.all,
    })
}

const fn transport_name(kind: TransportKind) -> &'static str {
    match kind {
        TransportKind::Stdio => "stdio",
        TransportKind::Http => "http",
        TransportKind::LegacySse => "sse",
        TransportKind::Memory => "memory",
        _ => "custom",
    }
}

/// A connection of a server, as `Inbox::describe_connection` says.
pub(crate) fn describe_link(link: &dyn Link) -> Option<RawJson> {
    let info = link.info();
    let (capabilities, client) = link.client();
    let mut about = RawObject::new();
    about.put("role", "server").ok()?;
    about.put("connection", &info.id.0).ok()?;
    about.put("transport", transport_name(info.transport)).ok()?;
    about.put("peer", &info.peer.map(|peer| peer.to_string())).ok()?;
    about.put("clientInfo", &client).ok()?;
    about.put("clientCapabilities", &capabilities).ok()?;
    if let Some(revision) = link.revision() {
        about.put("revision", revision.as_str()).ok()?;
        about.put("era", era_name(revision)).ok()?;
    }
    Some(about.to_raw())
}
