//! What a host has to do next, as JSON.
//!
//! Owns: the names of steps and of their members. Must not know: which step follows which.

use mcpbolt_proto::auth::error::Document;
use mcpbolt_proto::auth::fetch::Fetch;
use mcpbolt_proto::auth::flow::{Change, Need, Step};
use mcpbolt_proto::auth::token::Tokens;
use serde_json::{Value, json};

use super::failures::{document_name, failure};

/// A step. `asked` is what the request of a `fetch` asks for.
pub(crate) fn step(step: &Step, asked: Option<Document>) -> Value {
    match step {
        Step::Fetch(request) => {
            let mut all = fetch(request);
            all["step"] = "fetch".into();
            all["asks_for"] = asked.map(document_name).into();
            all
        }
        Step::Remember(pending) => json!({
            "step": "remember", "issuer": pending.issuer, "state": pending.state,
            "code_verifier": pending.verifier, "client_id": pending.client_id,
            "redirect_uri": pending.redirect_uri, "resource": pending.resource,
            "scope": scope(&pending.scopes.to_string()),
        }),
        Step::OpenBrowser { url } => json!({"step": "open_browser", "url": url}),
        Step::Load { issuer, resource } => {
            json!({"step": "load", "issuer": issuer, "resource": resource})
        }
        Step::AskUserForClient { issuer, metadata } => {
            json!({"step": "ask_user", "issuer": issuer, "metadata": metadata.json()})
        }
        Step::Supply(what) => {
            let mut all = need(what);
            all["step"] = "supply".into();
            all
        }
        Step::Store(what) => change(what),
        Step::Send { authorization } => json!({"step": "send", "authorization": authorization}),
        Step::Fail(error) => {
            let mut all = failure(error);
            all["step"] = "fail".into();
            all
        }
    }
}

/// A request; `form` has the fields that the body is made of.
pub(crate) fn fetch(request: &Fetch) -> Value {
    let body = request.body.text();
    let headers: Vec<Value> = request.headers.iter().map(|(name, value)| json!([name, value])).collect();
    json!({
        "method": request.method(),
        "url": request.url,
        "headers": headers,
        "body": (!body.is_empty()).then_some(body),
        "grant": request.body.field("grant_type"),
        "code": request.body.field("code"),
        "code_verifier": request.body.field("code_verifier"),
        "max_bytes": request.rules.max_bytes,
        "max_redirects": request.rules.max_redirects,
    })
}

/// What only the program has.
pub(crate) fn need(need: &Need) -> Value {
    match need {
        Need::ClientAssertion { client_id, audience } => {
            json!({"need": "client_assertion", "client_id": client_id, "audience": audience})
        }
        Need::IdJag { audience, resource, scopes } => json!({
            "need": "id_jag", "audience": audience, "resource": resource,
            "scope": scope(&scopes.to_string()),
        }),
        Need::SubjectToken { token_type } => {
            json!({"need": "subject_token", "token_type": token_type})
        }
        Need::WorkloadAssertion { audience } => {
            json!({"need": "workload_assertion", "audience": audience})
        }
    }
}

fn change(change: &Change) -> Value {
    match change {
        Change::Client { issuer, client } => {
            json!({"step": "store", "change": "client", "issuer": issuer, "client": client})
        }
        Change::Tokens { issuer, tokens: kept } => {
            json!({"step": "store", "change": "tokens", "issuer": issuer, "tokens": tokens(kept)})
        }
        Change::ForgetClient { issuer } => {
            json!({"step": "store", "change": "forget_client", "issuer": issuer})
        }
        Change::ForgetTokens { issuer } => {
            json!({"step": "store", "change": "forget_tokens", "issuer": issuer})
        }
    }
}

/// Tokens with their scopes as text.
pub(crate) fn tokens(tokens: &Tokens) -> Value {
    json!({
        "access_token": tokens.access_token,
        "refresh_token": tokens.refresh_token,
        "expires_at": tokens.expires_at,
        "scope": scope(&tokens.scopes.to_string()),
    })
}

/// Scopes as text; `null` for none.
pub(crate) fn scope(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { text.into() }
}
