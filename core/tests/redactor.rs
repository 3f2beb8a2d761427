//! Credentials in messages that are written down.

use mcpbolt::observe::Redactor;
use serde_json::{Value, json};

fn told(message: &Value) -> String {
    Redactor::default().text(&message.to_string())
}

#[test]
fn credentials_are_left_out_however_they_are_spelled() {
    for name in ["Authorization", "access_token", "accessToken", "api-key", "Set-Cookie", "privateKey"] {
        for value in [json!("canary"), json!(4711), json!(["canary"]), json!({"is": "canary"})] {
            let text = told(&json!({"params": {"arguments": [{name: value}]}}));
            assert!(!text.contains("canary") && !text.contains("4711"), "{text}");
        }
    }
    let text = told(&json!({"list": ["bearer canary", {"header": "Basic canary"}, "DPoP canary"]}));
    assert!(!text.contains("canary") && text.contains("[redacted]"), "{text}");
}

#[test]
fn what_has_no_credentials_stays_as_it_is() {
    for text in [
        r#"{"a" : 1.0,  "progressToken":"t", "maxTokens":5, "\u0061b":[ ], "note":"bearing"}"#,
        r#"{"secret":null, "password":"[redacted]"}"#,
        "no JSON, password=canary",
    ] {
        assert_eq!(Redactor::default().text(text), text);
    }
}

#[test]
fn schemas_of_members_are_kept_and_their_values_are_not() {
    let schema = json!({"inputSchema": {"properties": {"token": {"type": "string"}, "properties": {"type": "object"}}}});
    assert_eq!(told(&schema), schema.to_string());
    let values = json!({"properties": {"token": "canary", "secret": ["canary"]}, "token": {"is": "canary"}});
    assert!(!told(&values).contains("canary"), "{}", told(&values));
}

#[test]
fn pointers_lead_to_more() {
    let redactor = Redactor::new(["/params/arguments/pin".to_owned(), "/none".to_owned()]).unwrap();
    let mut message = json!({"params": {"arguments": {"pin": [1, 2], "city": "Bern"}}});
    assert!(redactor.message(&mut message));
    assert_eq!(message, json!({"params": {"arguments": {"pin": "[redacted]", "city": "Bern"}}}));
    assert!(!redactor.message(&mut message), "nothing was left to take out");
    assert_eq!(Redactor::new(["params".to_owned()]).unwrap_err(), "params");
}
