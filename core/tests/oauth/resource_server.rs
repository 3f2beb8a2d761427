//! An MCP server that wants tokens.

use http::Response;
use serde_json::{Value, json as object};

use crate::proofs::{Refused, with_nonce};
use crate::world::{Body, Place, Seen, State, json, redirect, text};

/// The scopes that an operation needs.
fn needed(message: &Value) -> &'static str {
    match message["params"]["name"].as_str() {
        Some("write") => "files:write",
        Some("admin") => "admin",
        _ => "files:read",
    }
}

/// Answers a message.
pub(crate) fn answer(state: &mut State, seen: &Seen) -> Response<Body> {
    if let Some(target) = &state.moved {
        return redirect(307, target);
    }
    let message: Value = serde_json::from_str(&seen.body).unwrap();
    let sent = seen.headers.get("authorization").and_then(|value| value.to_str().ok());
    let scheme = if state.proofs.bind { "DPoP " } else { "Bearer " };
    let token = sent.and_then(|value| value.strip_prefix(scheme));
    if let Some(token) = token.filter(|_| state.proofs.bind) {
        let (url, nonce) = (state.resource.clone(), state.proofs.resource_nonce);
        match state.proofs.check(seen, &url, Some(token), nonce) {
            Ok(_) => {}
            Err(Refused::Nonce(nonce)) => {
                let mut response = text(401, "");
                let challenge = "DPoP error=\"use_dpop_nonce\"";
                response.headers_mut().insert("www-authenticate", challenge.parse().unwrap());
                return with_nonce(response, nonce);
            }
            Err(Refused::Proof) => return refuse(state, 401, "error=\"invalid_token\""),
        }
    }
    let Some(scopes) = token.and_then(|token| state.tokens.get(token)) else {
        return refuse(state, 401, "scope=\"files:read\"");
    };
    let scope = needed(&message);
    if !scopes.split(' ').any(|known| known == scope) {
        return refuse(state, 403, &format!("error=\"insufficient_scope\", scope=\"{scope}\""));
    }
    let result = match message["method"].as_str().unwrap() {
        "initialize" => object!({
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "resource", "version": "1"},
        }),
        "tools/list" => object!({"tools": []}),
        "tools/call" => object!({"content": [{"type": "text", "text": "done"}]}),
        _ => return text(202, ""),
    };
    json(200, &object!({"jsonrpc": "2.0", "id": message["id"], "result": result}))
}

fn refuse(state: &State, status: u16, parameters: &str) -> Response<Body> {
    let place = match state.resource_metadata {
        Place::Header => format!(", resource_metadata=\"{}\"", state.resource.replace("/mcp", "/about")),
        Place::Path | Place::Root => String::new(),
    };
    let mut response = text(status, "");
    let challenge = format!("Bearer {parameters}{place}");
    response.headers_mut().insert("www-authenticate", challenge.parse().unwrap());
    response
}

/// Answers a request for a document.
pub(crate) fn document(state: &State, seen: &Seen) -> Response<Body> {
    let here = match state.resource_metadata {
        Place::Header => "/about",
        Place::Path => "/.well-known/oauth-protected-resource/mcp",
        Place::Root => "/.well-known/oauth-protected-resource",
    };
    if seen.path != here {
        return text(if seen.path == "/mcp" { 405 } else { 404 }, "");
    }
    if let Some(instead) = state.instead {
        return instead(state);
    }
    let resource = match state.resource_metadata {
        Place::Root => state.resource.trim_end_matches("/mcp"),
        Place::Header | Place::Path => &state.resource,
    };
    json(200, &object!({"resource": resource, "authorization_servers": [state.issuer]}))
}
