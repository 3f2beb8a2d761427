//! Which scopes are asked for, and how often.

use mcpbolt_proto::auth::error::AuthError;
use mcpbolt_proto::auth::scope::{Known, Scopes, StepUps};

fn scopes(text: &str) -> Scopes {
    Scopes::parse("scope", text).unwrap()
}

#[test]
fn texts_that_are_not_scopes_are_left_out() {
    for (text, wanted) in [
        ("", ""),
        ("  a   b\ta\nc ", "a b c"),
        ("a \"b\" c\\d ü e", "a e"),
        ("https://example.com/x:y", "https://example.com/x:y"),
    ] {
        assert_eq!(scopes(text).to_string(), wanted, "{text:?}");
    }
}

#[test]
fn huge_scopes_are_refused() {
    let many = (0..257).map(|n| format!("s{n}")).collect::<Vec<_>>().join(" ");
    assert!(matches!(Scopes::parse("scope", &many), Err(AuthError::TooLarge { field: "scope", limit: 256 })));
    assert!(Scopes::parse("scope", &"x".repeat(8 * 1024 + 1)).is_err());
    assert!(Scopes::parse("scope", &"x".repeat(8 * 1024)).is_ok());
}

#[test]
fn a_challenge_decides_then_the_resource_then_the_program() {
    let [challenge, resource, configured, server] = ["c", "r", "p", "s"].map(scopes);
    let all = Known {
        challenge: Some(&challenge),
        resource: Some(&resource),
        configured: Some(&configured),
        server: Some(&server),
        all_of_server: true,
        refreshable: true,
    };
    assert_eq!(all.choose().to_string(), "c");
    assert_eq!(Known { challenge: None, ..all }.choose().to_string(), "r");
    assert_eq!(Known { challenge: None, resource: None, ..all }.choose().to_string(), "p");
    let bare = Known { challenge: None, resource: None, configured: None, ..all };
    assert_eq!(bare.choose().to_string(), "s");
    assert!(Known { all_of_server: false, ..bare }.choose().is_empty());
}

#[test]
fn offline_access_is_asked_for_only_where_the_server_lists_it() {
    let [mail, offline] = ["mail", "mail offline_access"].map(scopes);
    let chosen = |resource: &Scopes, server: Option<&Scopes>, refreshable| {
        Known { resource: Some(resource), server, refreshable, ..Known::default() }.choose().to_string()
    };
    assert_eq!(chosen(&mail, Some(&offline), true), "mail offline_access");
    assert_eq!(chosen(&mail, Some(&offline), false), "mail");
    assert_eq!(chosen(&mail, Some(&mail), true), "mail");
    assert_eq!(chosen(&offline, Some(&mail), true), "mail");
    assert_eq!(chosen(&offline, None, true), "mail");
}

#[test]
fn stepping_up_asks_for_the_union() {
    let mut step_ups = StepUps::default();
    let first = step_ups.next("r", "op", &scopes("a b"), &scopes("b c"), 3).unwrap();
    assert_eq!(first.to_string(), "a b c");
    let second = step_ups.next("r", "op", &first, &scopes("d"), 3).unwrap();
    assert_eq!(second.to_string(), "a b c d");
    // What the server did not grant the first time is asked for again with the rest.
    let third = step_ups.next("r", "op", &scopes("a"), &scopes("e"), 3).unwrap();
    assert_eq!(third.to_string(), "a b c d e");
}

#[test]
fn stepping_up_is_bounded_per_resource_and_operation() {
    let mut step_ups = StepUps::default();
    let mut step =
        |operation: &str, wanted: &str| step_ups.next("r", operation, &Scopes::default(), &scopes(wanted), 2);
    assert!(step("one", "a").is_ok());
    let exhausted = AuthError::StepUpExhausted { operation: "one".into() };
    assert_eq!(step("one", "a"), Err(exhausted.clone())); // the same again
    assert!(step("one", "b").is_ok());
    assert_eq!(step("one", "c"), Err(exhausted)); // the third time
    assert!(step("two", "a").is_ok());
    step_ups.accepted("r", "one");
    assert!(step_ups.next("r", "one", &Scopes::default(), &scopes("a"), 2).is_ok());
}

#[test]
fn a_server_that_names_no_scopes_is_asked_once() {
    let mut step_ups = StepUps::default();
    let nothing = Scopes::default();
    assert!(step_ups.next("r", "op", &nothing, &nothing, 3).is_ok());
    assert!(step_ups.next("r", "op", &nothing, &nothing, 3).is_err());
}
