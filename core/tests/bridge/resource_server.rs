//! A listener that takes access tokens: the host says which are genuine, the engine the rest.

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{SystemTime, UNIX_EPOCH};

use mcpbolt::ErrorKind;
use mcpbolt::bridge::{HostServer, Item, Outcome};
use serde_json::{Value, json};

use crate::driver::{Driver, server, text};
use crate::http::{POST, call_echo, exchange};
use crate::peer::{failure, raw};

const RESOURCE: &str = "https://mcp.example.com/mcp";
const ISSUER: &str = "https://login.example.com";

fn options(more: &Value) -> Value {
    let mut tokens =
        json!({"resource": RESOURCE, "issuers": [ISSUER], "scopes": ["notes"], "verifier": true});
    tokens.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
    json!({"resource_server": tokens})
}

struct Guarded {
    driver: Driver,
    _server: Arc<HostServer>,
    address: SocketAddr,
}

impl Guarded {
    fn new(more: &Value) -> Self {
        let driver = Driver::new();
        let server = server(&driver, &json!({}));
        let (_, address) = server.listen_http(&options(more).into()).unwrap();
        Self { driver, _server: server, address }
    }

    /// Calls `echo` with a token, on a thread of its own.
    fn call(&self, token: &str) -> JoinHandle<(u16, String)> {
        let (address, head) = (self.address, format!("{POST}\r\nauthorization: Bearer {token}"));
        std::thread::spawn(move || exchange(address, &head, &call_echo()))
    }

    /// Answers the engine, which wants to know of a token.
    fn verify(&mut self, token: &str, answer: Outcome) {
        let (id, payload) = self.driver.next("token.verify", |item| match item {
            Item::Ask { id, service, payload } if service == "token.verify" => Some((*id, text(payload))),
            _ => None,
        });
        assert_eq!(payload, json!({"token": token}));
        self.driver.inbox.complete(id, answer);
    }
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs()
}

/// A genuine token that says this.
fn genuine(changed: &Value) -> Outcome {
    let mut claims = json!({"iss": ISSUER, "aud": RESOURCE, "exp": now() + 600, "sub": "ann",
        "client_id": "app", "scope": "notes more", "team": "blue"});
    claims.as_object_mut().unwrap().extend(changed.as_object().cloned().unwrap());
    Outcome::Result(raw(json!({"claims": claims})))
}

#[test]
fn a_call_says_whose_token_it_has_and_what_that_says() {
    let mut guarded = Guarded::new(&json!({}));
    let answer = guarded.call("good");
    guarded.verify("good", genuine(&json!({})));
    let call = guarded.driver.request("tools/call").call;
    let about = text(&guarded.driver.inbox.describe(call).unwrap());
    assert_eq!(about["principal"], "ann");
    let token = &about["token"];
    let said = ["subject", "clientId", "issuer", "scopes"].map(|member| token[member].clone());
    assert_eq!(said, [json!("ann"), json!("app"), json!(ISSUER), json!(["notes", "more"])]);
    assert_eq!((&token["claims"]["team"], &token["claims"]["aud"]), (&json!("blue"), &json!(RESOURCE)));
    assert!(token["expiresAt"].as_u64().unwrap() > now());
    guarded.driver.ok(call, json!({"content": []}));
    assert_eq!(answer.join().unwrap().0, 200);
}

#[test]
fn what_the_host_calls_genuine_still_has_to_be_for_this_server_and_in_time() {
    let mut guarded = Guarded::new(&json!({}));
    for (changed, status) in [
        (json!({"aud": "https://other.example.com"}), 401),
        (json!({"iss": "https://evil.example.com"}), 401),
        (json!({"exp": now() - 3600}), 401),
        (json!({"scope": "more"}), 403),
        (json!({"scope": 7}), 401),
    ] {
        let answer = guarded.call("t");
        guarded.verify("t", genuine(&changed));
        assert_eq!(answer.join().unwrap().0, status, "{changed}");
    }
    let answer = guarded.call("t");
    guarded.verify("t", Outcome::Result(raw(Value::Null)));
    assert_eq!(answer.join().unwrap().0, 401);
}

#[test]
fn where_the_host_cannot_say_nobody_is_let_in_and_nobody_is_told_to_sign_in_again() {
    let mut guarded = Guarded::new(&json!({}));
    for failing in [Outcome::Error(failure(-1, "no database")), Outcome::Result(raw(json!({"claims": 1})))] {
        let answer = guarded.call("t");
        guarded.verify("t", failing);
        assert_eq!(answer.join().unwrap().0, 503);
    }
}

#[test]
fn an_answer_is_used_again_as_long_as_the_host_says() {
    let mut guarded = Guarded::new(&json!({}));
    let Outcome::Result(said) = genuine(&json!({})) else { unreachable!() };
    let mut said = text(&said);
    said["remember"] = json!(60);
    for is_known in [false, true] {
        let answer = guarded.call("t");
        if !is_known {
            guarded.verify("t", Outcome::Result(raw(said.clone())));
        }
        let call = guarded.driver.request("tools/call").call;
        guarded.driver.ok(call, json!({"content": []}));
        assert_eq!(answer.join().unwrap().0, 200);
    }
}

#[test]
fn the_metadata_are_published_and_a_request_without_a_token_is_led_there() {
    let guarded = Guarded::new(&json!({"name": "Notes"}));
    let place = "GET /.well-known/oauth-protected-resource/mcp HTTP/1.1";
    let (status, body) = exchange(guarded.address, place, "");
    let metadata: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((status, &metadata["resource"]), (200, &json!(RESOURCE)));
    assert_eq!(metadata["authorization_servers"], json!([ISSUER]));
    assert_eq!(metadata["resource_name"], "Notes");
    assert_eq!(exchange(guarded.address, POST, &call_echo()).0, 401);
}

#[test]
fn options_that_cannot_be_are_named() {
    let driver = Driver::new();
    let server = server(&driver, &json!({}));
    for (wrong, named) in [
        (json!({"resource": "nonsense"}), "resource"),
        (json!({"issuers": []}), "issuers"),
        (json!({"scopes": ["two words"]}), "scopes"),
        (json!({"leeway": -1}), "leeway"),
        (json!({"verifier": 7}), "verifier"),
        (json!({"colour": "blue"}), "colour"),
    ] {
        let why = server.listen_http(&options(&wrong).into()).unwrap_err();
        assert!(why.kind == ErrorKind::Usage && why.message.contains(named), "{wrong}: {why}");
    }
    let mut both = options(&json!({}));
    both["verify"] = json!(true);
    let why = server.listen_http(&both.into()).unwrap_err();
    assert!(why.message.contains("choose one"), "{why}");
}
