//! Scopes that a host says tokens need: requests over mounts, and those whose messages it reads.

use mcpbolt::bridge::{Grant, HostServer, IncomingHead, Item};
use mcpbolt_proto::auth::challenge::{Challenge, Demand};
use serde_json::{Value, json};

use crate::driver::{Driver, server};
use crate::http::{call_echo, head_of, post};
use crate::peer::modern;

const ABOUT: &str = "https://mcp.example.com/.well-known/oauth-protected-resource/mcp";

fn demanding(driver: &Driver, scopes: &Value) -> std::sync::Arc<HostServer> {
    let server = server(driver, &json!({}));
    server.set_snapshot("scopes", 0, &scopes.clone().into()).unwrap();
    server
}

fn grant(scopes: &[&str]) -> Grant {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    Grant { scopes: owned(scopes), required: owned(&["notes"]), metadata_url: Some(ABOUT.to_owned()) }
}

/// The status and the challenge of an answer that comes at once.
fn refusal(items: &[Item]) -> Option<(u16, String)> {
    let (status, ..) = head_of(items)?;
    let challenge = items.iter().find_map(|item| match item {
        Item::HttpHead { headers, .. } => {
            let found = headers.iter().find(|(name, _)| name == "www-authenticate");
            Some(found.map(|(_, value)| value.clone()).unwrap_or_default())
        }
        _ => None,
    });
    Some((status, challenge.unwrap_or_default()))
}

#[test]
fn a_call_whose_token_lacks_scopes_is_refused_with_all_of_them() {
    let mut driver = Driver::new();
    let server = demanding(&driver, &json!({"tools": {"echo": ["files:read", "files:write"]}}));
    let mount = server.mount(&json!({}).into(), &driver.inbox).unwrap();
    assert!(mount.has_scopes());
    let ask = |scopes: Option<&[&str]>, scheme: &str| {
        let principal = scopes.map(|_| "ann".to_owned());
        let mut head = IncomingHead { principal, grant: scopes.map(grant), ..post() };
        head.headers.insert("authorization", format!("{scheme} t").parse().unwrap());
        refusal(&mount.request(head, Some(call_echo().into()), 0).unwrap().1)
    };
    let (status, challenge) = ask(Some(&["notes", "files:read"]), "Bearer").unwrap();
    assert_eq!(status, 403);
    let demand = Demand::of(&Challenge::parse([challenge.as_str()])).unwrap();
    assert!(demand.wants_more_scope());
    for part in ["error=\"insufficient_scope\"", "scope=\"notes files:read files:write\"", ABOUT] {
        assert!(challenge.contains(part), "{challenge}");
    }
    let (_, bound) = ask(Some(&["notes"]), "DPoP").unwrap();
    assert!(bound.starts_with("DPoP ") && bound.contains("algs=\"ES256"), "{bound}");
    assert_eq!(ask(None, "Bearer").unwrap().0, 403, "without a token nobody has scopes");
    assert_eq!(ask(Some(&["files:write", "files:read"]), "Bearer"), None);
    driver.request("tools/call");
}

#[test]
fn scopes_hold_whoever_answers_the_lists_and_from_the_moment_they_are_told() {
    let mut driver = Driver::new();
    let server = demanding(&driver, &json!({}));
    let mount = server.mount(&json!({}).into(), &driver.inbox).unwrap();
    let ask = || refusal(&mount.request(post(), Some(call_echo().into()), 0).unwrap().1);
    assert!(!mount.has_scopes());
    assert_eq!(ask(), None);
    driver.request("tools/call");
    server.list_changed("tools", false).unwrap();
    server.set_snapshot("scopes", 0, &json!({"tools": {"echo": ["x"]}}).into()).unwrap();
    assert_eq!(ask().unwrap().0, 403);
    server.set_snapshot("scopes", 0, &json!({"tools": {"echo": []}}).into()).unwrap();
    assert_eq!(ask(), None);
}

#[test]
fn messages_that_the_host_reads_itself_are_looked_at_together() {
    let driver = Driver::new();
    let server = demanding(
        &driver,
        &json!({
            "tools": {"echo": ["a"]}, "prompts": {"plan": ["b"]},
            "resources": {"file:///one": ["c"]}, "resourceTemplates": {"file:///{name}": ["d"], "file:///{+path}": ["e"]},
        }),
    );
    let scopes = |messages: &[Value]| {
        let text = Value::from(messages.to_vec()).to_string();
        let challenge = server.lacks_scopes(&text, Some(&Grant::default()), false)?;
        Some(Demand::of(&Challenge::parse([challenge.as_str()])).unwrap().scope.unwrap())
    };
    let message = |method: &str, params: Value| modern(1, method, params);
    let call = message("tools/call", json!({"name": "echo", "arguments": {}}));
    let read = |uri: &str| message("resources/read", json!({"uri": uri}));
    assert_eq!(
        scopes(&[call.clone(), message("prompts/get", json!({"name": "plan"}))]).as_deref(),
        Some("a b")
    );
    assert_eq!(scopes(&[read("file:///one")]).as_deref(), Some("c"));
    assert_eq!(scopes(&[read("file:///two")]).as_deref(), Some("e d"), "of all templates it may belong to");
    assert_eq!(scopes(&[message("tools/list", json!({})), read("https://elsewhere")]), None);
    assert_eq!(server.lacks_scopes(&call.to_string(), Some(&grant(&["a"])), false), None);
    assert!(server.lacks_scopes(&call.to_string(), None, false).is_some());
}

#[test]
fn what_can_be_no_scope_is_refused_and_not_left_out() {
    let driver = Driver::new();
    let server = server(&driver, &json!({}));
    for wrong in
        [json!({"tools": {"echo": ["two words"]}}), json!({"tools": ["echo"]}), json!({"methods": {}})]
    {
        let why = server.set_snapshot("scopes", 0, &wrong.clone().into()).unwrap_err();
        assert!(why.message.contains("scopes"), "{wrong}: {why}");
    }
}
