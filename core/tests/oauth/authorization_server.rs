//! An authorization server that checks what it is given: clients, redirect URIs, PKCE, and
//! that each code and each refresh token is used once.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use http::Response;
use serde_json::{Value, json as object};
use sha2::{Digest as _, Sha256};
use url::Url;

use crate::proofs;
use crate::world::{Body, Code, Seen, State, json, redirect, text};

pub(crate) fn answer(state: &mut State, seen: &Seen) -> Response<Body> {
    let tenant = Url::parse(&state.issuer).unwrap().path().trim_end_matches('/').to_owned();
    let metadata = state.server_metadata.clone();
    let metadata = metadata.unwrap_or_else(|| format!("/.well-known/oauth-authorization-server{tenant}"));
    match seen.path.strip_prefix(&*tenant).unwrap_or(&seen.path) {
        _ if seen.path == metadata => json(200, &about(state)),
        "/register" => register(state),
        "/authorize" => authorize(state, seen),
        "/token" => token(state, seen),
        "/revoke" => revoke(state, seen),
        _ => text(404, ""),
    }
}

fn about(state: &State) -> Value {
    let issuer = &state.issuer;
    let pkce = state.pkce.clone().unwrap_or_else(|| object!(["S256"]));
    object!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "registration_endpoint": format!("{issuer}/register"),
        "revocation_endpoint": format!("{issuer}/revoke"),
        "code_challenge_methods_supported": pkce,
        "authorization_response_iss_parameter_supported": true,
    })
}

fn draw(state: &mut State, what: &str) -> String {
    state.drawn += 1;
    format!("canary-{what}-{}", state.drawn)
}

fn register(state: &mut State) -> Response<Body> {
    let client = draw(state, "client");
    state.clients.insert(client.clone());
    json(201, &object!({"client_id": client}))
}

fn authorize(state: &mut State, seen: &Seen) -> Response<Body> {
    let field = |name| seen.field(name).unwrap_or_default();
    if !state.clients.contains(&field("client_id")) || field("resource") != state.resource {
        return text(400, "nobody");
    }
    let redirect_uri = field("redirect_uri");
    let mut back = Url::parse(&redirect_uri).unwrap();
    let issuer = state.claimed_issuer.clone().unwrap_or_else(|| state.issuer.clone());
    back.query_pairs_mut().append_pair("state", &field("state")).append_pair("iss", &issuer);
    if state.denies {
        let said = [("error", "access_denied"), ("error_description", "canary-description")];
        back.query_pairs_mut().extend_pairs(said);
        return redirect(302, back.as_str());
    }
    let code = draw(state, "code");
    let given = Code { challenge: field("code_challenge"), redirect_uri, scope: field("scope") };
    state.codes.insert(code.clone(), given);
    back.query_pairs_mut().append_pair("code", &code);
    redirect(302, back.as_str())
}

fn revoke(state: &mut State, seen: &Seen) -> Response<Body> {
    let token = seen.field("token").unwrap_or_default();
    state.refresh_tokens.remove(&token);
    state.tokens.remove(&token);
    text(200, "")
}

fn token(state: &mut State, seen: &Seen) -> Response<Body> {
    let field = |name| seen.field(name).unwrap_or_default();
    let mut key = None;
    if state.proofs.bind {
        let (url, nonce) = (format!("{}/token", state.issuer), state.proofs.issuer_nonce);
        match state.proofs.check(seen, &url, None, nonce) {
            Ok(of_proof) => key = Some(of_proof),
            Err(why) => return proofs::refused(&why),
        }
    }
    let scope = match field("grant_type").as_str() {
        "authorization_code" => state.codes.remove(&field("code")).filter(|code| {
            let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(field("code_verifier")));
            code.challenge == challenge && code.redirect_uri == field("redirect_uri")
        }),
        _ => state.refresh_tokens.remove(&field("refresh_token")).map(|scope| Code {
            challenge: String::new(),
            redirect_uri: String::new(),
            scope,
        }),
    };
    match scope {
        Some(Code { scope, .. }) if field("resource") == state.resource => {
            let (access, refresh) = (draw(state, "access"), draw(state, "refresh"));
            state.tokens.insert(access.clone(), scope.clone());
            state.refresh_tokens.insert(refresh.clone(), scope);
            let kind = if key.is_some() { "DPoP" } else { "Bearer" };
            if let Some(key) = key {
                state.proofs.bind(&access, &key);
            }
            let answer = object!({
                "access_token": access, "token_type": kind, "expires_in": 3600, "refresh_token": refresh,
            });
            json(200, &answer)
        }
        _ => json(400, &object!({"error": "invalid_grant"})),
    }
}
