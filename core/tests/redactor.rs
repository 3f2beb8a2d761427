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

#[test]
fn what_no_type_holds_keeps_its_text_but_for_credentials() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    for other in [r#""\ud800""#, "1e999", &deep, r#"{ "a":1,"a":[ 1.0 ] }"#, r#""\"}{\\""#] {
        for start in ["", "\u{feff}", "  "] {
            let message = |secret: &str| {
                format!("{start}{{\"x\":{other}, \"p\\u0061ssword\": {secret},\"y\":{other} }}")
            };
            for secret in [r#""canary""#, "4711", r#"{"is":["]","canary\""]}"#, r#""\ud800canary""#] {
                let told = Redactor::default().text(&message(secret));
                assert_eq!(told, message("\"[redacted]\""));
            }
        }
    }
}

#[test]
fn a_credential_is_left_out_of_a_member_that_another_one_hides() {
    for text in [
        r#"{"password":"canary","password":null}"#,
        r#"{"a":{"password":"canary"},"a":1}"#,
        r#"["B\u0065arer canary\udfff"]"#,
        r#"{"a/b":[0,{"p\u0069n":"canary"}],"a/b":[]}"#,
    ] {
        let told = Redactor::new(["/a~1b/1/pin".to_owned()]).unwrap().text(text);
        assert!(!told.contains("canary") && told.contains("[redacted]"), "{told}");
    }
}

#[test]
fn nothing_is_told_of_text_whose_strings_cannot_be_known() {
    for text in [
        r#"{"password":"canary"#,
        r#"  "password": "canary","#,
        r#"{"a":1}{"password":"canary"}"#,
        r#"say "hi {"password":"canary"}"#,
    ] {
        assert_eq!(Redactor::default().text(text), "[redacted]");
    }
}
