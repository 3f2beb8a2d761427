//! Signing in where the host carries HTTP: step by step, and one decision at a time.

use mcpbolt::bridge::{HostFlow, decide_auth};
use serde_json::{Value, json};

const SERVER: &str = "https://mcp.example.com/mcp";
const ISSUER: &str = "https://a.example.com";
const REDIRECT_URI: &str = "http://localhost:3000/callback";

fn flow(more: &Value, stored: &Value) -> HostFlow {
    let mut options = json!({
        "server_url": SERVER,
        "client": {"client_name": "Test", "redirect_uris": [REDIRECT_URI]},
    });
    for (name, value) in more.as_object().into_iter().flatten() {
        options[name] = value.clone();
    }
    HostFlow::new(&options.to_string(), &stored.to_string(), None).unwrap()
}

fn read(step: &str) -> Value {
    serde_json::from_str(step).unwrap()
}

fn refused() -> String {
    let challenges = ["Bearer scope=\"files:read\""];
    json!({"refused": {"status": 401, "challenges": challenges, "operation": "tools/call"}}).to_string()
}

/// What everybody answers.
fn page(url: &str) -> (u16, Value) {
    match url.split_once("example.com").map_or("", |(_, path)| path) {
        "/.well-known/oauth-protected-resource/mcp" => {
            (200, json!({"resource": SERVER, "authorization_servers": [ISSUER]}))
        }
        "/.well-known/oauth-authorization-server" => (
            200,
            json!({
                "issuer": ISSUER,
                "authorization_endpoint": format!("{ISSUER}/authorize"),
                "token_endpoint": format!("{ISSUER}/token"),
                "registration_endpoint": format!("{ISSUER}/register"),
                "code_challenge_methods_supported": ["S256"],
                "authorization_response_iss_parameter_supported": true,
            }),
        ),
        "/register" => (201, json!({"client_id": "registered"})),
        "/token" => (
            200,
            json!({"access_token": "t", "token_type": "Bearer", "refresh_token": "r", "expires_in": 60}),
        ),
        _ => (404, Value::Null),
    }
}

/// Goes on as long as only requests and stores are asked for; what was asked for, in order.
fn carry(flow: &HostFlow, first: &str, seen: &mut Vec<String>) -> Value {
    let mut step = read(first);
    loop {
        let text = match step["step"].as_str().unwrap() {
            "fetch" => {
                seen.push(step["asks_for"].as_str().unwrap().to_owned());
                let (status, body) = page(step["url"].as_str().unwrap());
                flow.answered(status, body.to_string().as_bytes())
            }
            "store" => {
                seen.push(format!("keep {}", step["change"].as_str().unwrap()));
                flow.take("\"done\"").unwrap()
            }
            "remember" => flow.take("\"done\"").unwrap(),
            _ => return step,
        };
        step = read(&text);
    }
}

fn parameter(url: &Value, name: &str) -> String {
    let url = url::Url::parse(url.as_str().unwrap()).unwrap();
    url.query_pairs().find(|(known, _)| known == name).unwrap().1.into_owned()
}

#[test]
fn a_host_is_led_from_a_refusal_to_a_token() {
    let (flow, mut seen) = (flow(&json!({}), &json!({})), Vec::new());
    let step = carry(&flow, &flow.start(&refused()).unwrap(), &mut seen);
    assert_eq!(step["step"], "open_browser");
    assert_eq!(parameter(&step["url"], "scope"), "files:read");
    let state = parameter(&step["url"], "state");
    let came = json!({"redirected": {"code": "c", "state": state, "iss": ISSUER, "whole": true}});
    let step = carry(&flow, &flow.take(&came.to_string()).unwrap(), &mut seen);
    assert_eq!(step, json!({"step": "send", "authorization": "Bearer t"}));
    let all =
        ["resource_metadata", "server_metadata", "registration", "keep client", "tokens", "keep tokens"];
    assert_eq!(seen, all);
    assert_eq!(read(&flow.found())["client"]["client_id"], "registered");
}

#[test]
fn an_issuer_is_missed_only_by_callbacks_that_would_see_it() {
    for (whole, kind) in [(true, json!("issuer_mismatch")), (false, Value::Null)] {
        let (flow, mut seen) = (flow(&json!({}), &json!({})), Vec::new());
        let step = carry(&flow, &flow.start(&refused()).unwrap(), &mut seen);
        let state = parameter(&step["url"], "state");
        let came = json!({"redirected": {"code": "c", "state": state, "whole": whole}});
        let step = carry(&flow, &flow.take(&came.to_string()).unwrap(), &mut seen);
        assert_eq!(step["kind"], kind, "{step}");
    }
    // One that is there is compared in any case, and nothing of the answer is shown.
    let (flow, mut seen) = (flow(&json!({}), &json!({})), Vec::new());
    let step = carry(&flow, &flow.start(&refused()).unwrap(), &mut seen);
    let state = parameter(&step["url"], "state");
    let came = json!({"redirected": {"code": "c0de", "state": state, "iss": "https://evil.example"}});
    let step = carry(&flow, &flow.take(&came.to_string()).unwrap(), &mut seen);
    assert_eq!(step["kind"], "issuer_mismatch");
    assert!(!step.to_string().contains("evil") && !step.to_string().contains("c0de"));
}

#[test]
fn a_code_of_the_programs_own_is_exchanged_with_its_verifier() {
    let (flow, mut seen) = (flow(&json!({"program_authenticates": true}), &json!({})), Vec::new());
    let step = carry(&flow, &flow.start(&refused()).unwrap(), &mut seen);
    assert_eq!(step["step"], "open_browser");
    let given = json!({"code_given": {"code": "c", "code_verifier": "v".repeat(43)}});
    let step = read(&flow.take(&given.to_string()).unwrap());
    assert_eq!((&step["code"], &step["code_verifier"]), (&json!("c"), &json!("v".repeat(43))));
    assert!(!step["body"].as_str().unwrap().contains("client_id"));
}

#[test]
fn a_host_says_what_it_keeps_once_the_server_is_found() {
    let options = json!({"like": "typescript", "loads": true, "program_authenticates": true});
    let (flow, mut seen) = (flow(&options, &json!({})), Vec::new());
    let cause = json!({"authorize": {"refresh": true, "scope": "files:read"}});
    let step = carry(&flow, &flow.start(&cause.to_string()).unwrap(), &mut seen);
    assert_eq!(step, json!({"step": "load", "issuer": ISSUER, "resource": SERVER}));
    let kept = json!({"loaded": {
        "clients": [{"client_id": "kept", "issuer": ISSUER, "origin": "pre_registered"}],
        "tokens": {"access_token": "old", "refresh_token": "r"},
        "resource": {"this": "https://x.example.com"},
    }});
    let step = read(&flow.take(&kept.to_string()).unwrap());
    assert_eq!((&step["asks_for"], &step["grant"]), (&json!("tokens"), &json!("refresh_token")));
    assert!(step["body"].as_str().unwrap().ends_with("resource=https%3A%2F%2Fx.example.com"));
    // What is spent is said with the failure; the host forgets it.
    let step = read(&flow.answered(400, b"{\"error\": \"invalid_grant\"}"));
    assert_eq!((&step["kind"], &step["spent"]), (&json!("token_refused"), &json!("tokens")));
}

#[test]
fn tokens_of_another_client_or_issuer_are_not_refreshed() {
    let client = |issuer: &str| json!({"client_id": "kept", "issuer": issuer});
    let tokens = json!({
        "access_token": "old", "refresh_token": "r", "expires_at": 1, "issuer": ISSUER, "client_id": "kept",
    });
    for (issuer, last) in [(ISSUER, "send"), ("https://b.example", "open_browser")] {
        let stored = json!({"clients": [client(issuer)], "tokens": tokens});
        let (flow, mut seen) = (flow(&json!({}), &stored), Vec::new());
        let step = carry(&flow, &flow.start(&refused()).unwrap(), &mut seen);
        assert_eq!(step["step"], last);
    }
}

#[test]
fn hosts_that_stand_in_for_official_packages_take_what_those_take() {
    let page = |flow: &HostFlow, first: String| {
        let mut step = read(&first);
        while step["step"] == "fetch" && step["asks_for"] != "registration" {
            step = read(&flow.answered(404, b""));
        }
        step
    };
    let strict = flow(&json!({}), &json!({}));
    assert_eq!(page(&strict, strict.start(&refused()).unwrap())["kind"], "no_resource_metadata");
    let like = flow(&json!({"like": "python"}), &json!({}));
    let step = page(&like, like.start(&refused()).unwrap());
    assert_eq!(step["url"], "https://mcp.example.com/register");
}

#[test]
fn what_a_host_says_wrong_is_named() {
    let wrong = HostFlow::new("{\"server_url\": 1}", "{}", None).err().unwrap();
    assert!(wrong.message.contains("options") && wrong.message.contains("integer"), "{}", wrong.message);
    let flow = flow(&json!({}), &json!({}));
    assert!(flow.start("\"often\"").unwrap_err().message.contains("often"));
    // An event that answers nothing does not lose the flow.
    flow.start(&refused()).unwrap();
    assert_eq!(read(&flow.take("\"done\"").unwrap())["kind"], "unexpected");
    assert_eq!(read(&flow.answered(404, b""))["step"], "fetch");
    assert!(decide_auth("guess", "{}").unwrap_err().message.contains("guess"));
}

#[test]
fn decisions_are_made_one_at_a_time() {
    let decide = |name: &str, given: Value| read(&decide_auth(name, &given.to_string()).unwrap());
    let header = "Basic realm=\"x\", Bearer error=\"insufficient_scope\", scope=\"a b\"";
    let demand = decide("challenge", json!({"headers": [header]}));
    assert_eq!((&demand["scope"], &demand["wants_more_scope"]), (&json!("a b"), &json!(true)));
    assert_eq!(decide("challenge", json!({"headers": [header], "parameter": "realm"})), "x");
    let places = decide("server_places", json!({"issuer": format!("{ISSUER}/t"), "server_url": SERVER}));
    assert_eq!(places.as_array().unwrap().len(), 3);
    assert_eq!(decide("server_places", json!({"server_url": SERVER})).as_array().unwrap().len(), 1);
    assert_eq!(decide("same_issuer", json!({"one": ISSUER, "other": format!("{ISSUER}/")})), true);
    assert_eq!(decide("scope_union", json!({"scopes": ["a", null, "b a"]})), "a b");
    assert_eq!(decide("is_client_id_url", json!({"url": "http://a.example/c"})), false);
    assert_eq!(decide("application_type", json!({"redirect_uris": [REDIRECT_URI]})), "native");
    assert_eq!(decide("pkce", json!({}))["code_challenge"].as_str().unwrap().len(), 43);
    let request = decide(
        "token_request",
        json!({
            "server_url": SERVER, "base": SERVER, "like": "python",
            "grant": {"grant_type": "refresh_token", "refresh_token": "r"},
            "client": {"client_id": "a b", "client_secret": "s"},
        }),
    );
    assert_eq!(request["url"], "https://mcp.example.com/token");
    assert_eq!(request["headers"][2], json!(["Authorization", "Basic YSUyMGI6cw=="]));
    let refusal = json!({"status": 400, "body": "{\"error\": \"invalid_grant\"}"});
    let error = decide_auth("token_answer", &refusal.to_string()).unwrap_err();
    assert!(error.data.unwrap().as_str().contains("\"kind\":\"token_refused\""));
}

fn refusal_of(name: &str, given: &Value) -> (String, String) {
    let error = decide_auth(name, &given.to_string()).unwrap_err();
    let data = read(error.data.unwrap().as_str());
    let text = |member: &str| data[member].as_str().unwrap_or_default().to_owned();
    (text("error"), text("error_description"))
}

fn decided(name: &str, given: &Value) -> Value {
    read(&decide_auth(name, &given.to_string()).unwrap())
}

#[test]
fn an_authorization_server_refuses_in_the_words_of_each_package() {
    let form = json!({"client_id": "c", "response_type": "token", "code_challenge": "x"});
    let (code, said) = refusal_of("authorize_request", &json!({"form": form, "words": "python"}));
    assert_eq!((&*code, &*said), ("unsupported_response_type", "response_type: Input should be 'code'"));
    let (code, said) = refusal_of("authorize_request", &json!({"form": form, "words": "typescript"}));
    assert_eq!(code, "invalid_request");
    assert!(said.contains("\"code_challenge_method\""), "{said}");
    let form = json!({"grant_type": "password"});
    let (code, said) = refusal_of("read_token_request", &json!({"form": form, "words": "python"}));
    assert_eq!(code, "invalid_request");
    assert!(said.ends_with("'authorization_code', 'refresh_token'"), "{said}");
    assert_eq!(
        refusal_of("read_token_request", &json!({"form": form, "words": "typescript"})).0,
        "unsupported_grant_type"
    );
}

#[test]
fn a_code_is_good_once_for_its_client_address_and_verifier() {
    let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    let held = json!({
        "client_id": "c", "expires_at": 4e9, "redirect_uri": "https://c.example/",
        "redirect_uri_provided_explicitly": true,
        "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    });
    let asked = json!({"client_id": "c", "redirect_uri": "https://c.example", "code_verifier": verifier});
    assert_eq!(decided("check_code", &json!({"asked": asked, "held": held})), Value::Null);
    for (of, member, value, code) in [
        ("asked", "client_id", json!("other"), "invalid_grant"),
        ("asked", "code_verifier", json!("x"), "invalid_grant"),
        ("asked", "redirect_uri", json!("https://c.example/other"), "invalid_request"),
        ("asked", "redirect_uri", Value::Null, "invalid_request"),
        ("held", "expires_at", json!(1), "invalid_grant"),
    ] {
        let mut given = json!({"asked": asked, "held": held});
        given[of][member] = value;
        assert_eq!(refusal_of("check_code", &given).0, code, "{of} {member}");
    }
    assert_eq!(refusal_of("check_code", &json!({"asked": asked})).0, "invalid_grant");
}

#[test]
fn clients_prove_themselves_as_they_were_registered() {
    let client = json!({"client_secret": "p%:x", "token_endpoint_auth_method": "client_secret_basic"});
    let proof = |header: &str, words: &str| json!({"form": {"client_id": "basic"}, "authorization": header, "client": client, "words": words});
    // `basic:p%25%3Ax`
    assert_eq!(decided("prove_client", &proof("Basic YmFzaWM6cCUyNSUzQXg=", "python")), Value::Null);
    assert_eq!(refusal_of("prove_client", &proof("Basic YmFzaWM6bm8=", "python")).0, "unauthorized_client");
    assert_eq!(refusal_of("prove_client", &proof("Basic YmFzaWM6bm8=", "python2")).0, "invalid_client");
    let unknown = json!({"form": {"client_id": "x"}, "words": "typescript"});
    assert_eq!(refusal_of("prove_client", &unknown).1, "Invalid client_id");
}

#[test]
fn an_identity_assertion_is_judged_with_its_header() {
    let given = |alg: &str, resource: &str| {
        json!({
            "rules": {
                "issuers": ["https://idp.example"], "audience": ISSUER, "resources": [SERVER],
                "algorithms": ["ES256"],
            },
            "header": {"typ": "oauth-id-jag+jwt", "alg": alg},
            "claims": {
                "iss": "https://idp.example", "sub": "ann", "aud": ISSUER, "client_id": "c",
                "resource": resource, "scope": "read write", "jti": "1", "iat": 1, "exp": 4_000_000_000_u64,
            },
            "client_id": "c",
            "scope": "read",
        })
    };
    let granted = decided("judge_assertion", &given("ES256", SERVER));
    assert_eq!((&granted["scopes"], &granted["resource"]), (&json!(["read"]), &json!(SERVER)));
    assert_eq!(refusal_of("judge_assertion", &given("HS256", SERVER)).0, "invalid_grant");
    assert_eq!(refusal_of("judge_assertion", &given("ES256", "https://other.example")).0, "invalid_grant");
}

#[test]
fn requests_of_hosts_are_bounded() {
    let decide = |name: &str, given: Value| read(&decide_auth(name, &given.to_string()).unwrap());
    let refused = |name: &str, given: &Value| decide_auth(name, &given.to_string()).unwrap_err();
    let slash =
        json!({"one": ISSUER, "other": format!("{ISSUER}/"), "published": true, "like": "typescript"});
    assert_eq!(decide("same_issuer", slash), false);

    let search = json!({"issuer": "https://127.0.0.1", "server_url": SERVER});
    assert!(refused("server_places", &search).message.contains("it points at this machine"));

    assert_eq!(decide("fetch_rules", json!({"credentials": true}))["max_redirects"], 0);
    assert_eq!(decide("fetch_rules", json!({"credentials": false}))["max_bytes"], 256 * 1024);
}

#[test]
fn a_host_is_told_how_tokens_are_revoked() {
    let decide = |name: &str, given: &Value| read(&decide_auth(name, &given.to_string()).unwrap());
    let mut given = json!({
        "server_url": SERVER, "access_token": "a", "refresh_token": "r",
        "client": {"client_id": "c", "client_secret": "s", "token_endpoint_auth_method": "client_secret_post"},
        "metadata": {"issuer": ISSUER, "revocation_endpoint": format!("{ISSUER}/revoke")},
    });
    let requests = decide("revocation_requests", &given);
    let bodies: Vec<_> = requests.as_array().unwrap().iter().map(|request| &request["body"]).collect();
    assert_eq!(bodies[0], "token=r&token_type_hint=refresh_token&client_id=c&client_secret=s");
    assert_eq!(bodies[1], "token=a&token_type_hint=access_token&client_id=c&client_secret=s");
    assert_eq!(requests[0]["max_redirects"], 0);

    given["metadata"]["revocation_endpoint"] = "https://10.0.0.1/revoke".into();
    assert!(decide_auth("revocation_requests", &given.to_string()).is_err());
    given["metadata"] = json!({"issuer": ISSUER});
    assert_eq!(decide("revocation_requests", &given), json!([]));
    assert_eq!(decide("revocation_answer", &json!({"status": 200})), true);
    assert!(decide_auth("revocation_answer", r#"{"status": 503}"#).is_err());
}
