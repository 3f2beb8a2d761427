//! Where metadata are looked for, and which are used.

use mcpbolt_proto::auth::discovery::{
    IssuerMatch, PlaceKind, ResourceMatch, Verdict, judge_resource, judge_server, resource_places,
    server_places,
};
use mcpbolt_proto::auth::endpoint;
use mcpbolt_proto::auth::error::AuthError;
use mcpbolt_proto::auth::fetch::{Answer, Rules};
use mcpbolt_proto::policy::discovery::Guard;
use serde_json::json;

fn urls(challenge: Option<&str>, server: &str) -> Vec<String> {
    let guard = Guard::for_server("https", "mcp.example.com");
    resource_places(challenge, server, &guard).unwrap().places.into_iter().map(|place| place.url).collect()
}

#[test]
fn metadata_of_a_resource_are_looked_for_in_order() {
    let well_known = "https://mcp.example.com/.well-known/oauth-protected-resource";
    assert_eq!(urls(None, "https://mcp.example.com"), [well_known]);
    assert_eq!(urls(None, "https://MCP.example.com:443/#x"), [well_known]);
    assert_eq!(
        urls(None, "https://mcp.example.com/a/mcp"),
        [format!("{well_known}/a/mcp"), well_known.to_owned()]
    );
    assert_eq!(urls(None, "https://mcp.example.com/a?b=c")[0], format!("{well_known}/a?b=c"));
    let said = "https://docs.example.com/metadata";
    assert_eq!(
        urls(Some(said), "https://mcp.example.com/mcp"),
        [said.to_owned(), format!("{well_known}/mcp"), well_known.to_owned()]
    );
    // A place that is named twice is asked once.
    assert_eq!(urls(Some(well_known), "https://mcp.example.com"), [well_known]);
}

#[test]
fn a_challenge_cannot_lead_to_places_that_are_not_safe() {
    for said in [
        "http://mcp.example.com/metadata",
        "https://localhost/metadata",
        "https://169.254.169.254/latest",
        "https://10.0.0.1/x",
        "file:///etc/passwd",
        "https://user:password@mcp.example.com/x",
        "https://mcp.example.com/x#y",
        "https:\\\\evil.example.com/x",
        "https://mcp.example.com/a b",
        "/relative",
        "",
    ] {
        let guard = Guard::for_server("https", "mcp.example.com");
        let found = resource_places(Some(said), "https://mcp.example.com", &guard).unwrap();
        assert!(found.refused.is_some(), "{said}");
        assert_eq!(found.places.len(), 1, "{said}");
    }
}

#[test]
fn metadata_of_an_authorization_server_are_looked_for_in_order() {
    let at = |issuer: &str| server_places(issuer, &Guard::default());
    let root = ["oauth-authorization-server", "openid-configuration"]
        .map(|name| format!("https://a.example.com/.well-known/{name}"));
    assert_eq!(at("https://a.example.com").unwrap(), root);
    assert_eq!(at("https://a.example.com/").unwrap(), root);
    let three = [
        "https://a.example.com/.well-known/oauth-authorization-server/t/1",
        "https://a.example.com/.well-known/openid-configuration/t/1",
        "https://a.example.com/t/1/.well-known/openid-configuration",
    ];
    assert_eq!(at("https://a.example.com/t/1").unwrap(), three);
    assert_eq!(at("https://a.example.com/t/1/").unwrap(), three);
    for bad in ["http://a.example.com", "https://a.example.com?x=1", "https://a.example.com#x", "a"] {
        assert!(matches!(at(bad), Err(AuthError::Url { field: "issuer", .. })), "{bad}");
    }
    let local = Guard::for_server("http", "localhost");
    assert!(server_places("http://localhost:9000", &local).is_ok());
    assert!(server_places("http://localhost:9000", &Guard::default()).is_err());
}

#[test]
fn metadata_must_be_of_the_resource_that_was_asked_for() {
    let rows = [
        ("https://mcp.example.com/mcp", PlaceKind::Path, true, true),
        ("HTTPS://MCP.example.com:443/mcp", PlaceKind::Path, true, true),
        ("https://mcp.example.com", PlaceKind::Root, true, true),
        ("https://mcp.example.com/", PlaceKind::Root, true, true),
        ("https://mcp.example.com", PlaceKind::Path, false, true),
        ("https://mcp.example.com", PlaceKind::Challenge, false, true),
        ("https://mcp.example.com/mcp/", PlaceKind::Path, false, false),
        ("https://mcp.example.com/mc", PlaceKind::Path, false, false),
        ("https://mcp.example.com/mcp/deeper", PlaceKind::Path, false, false),
        ("https://mcp.example.com/mcp#x", PlaceKind::Path, false, false),
        ("http://mcp.example.com/mcp", PlaceKind::Path, false, false),
        ("https://mcp.example.com:8443/mcp", PlaceKind::Path, false, false),
        ("https://mcp.example.com.evil.example/mcp", PlaceKind::Root, false, false),
        ("https://evil.example.com/mcp", PlaceKind::Root, false, false),
        ("not a URL", PlaceKind::Path, false, false),
    ];
    for (published, place, exact, within) in rows {
        let server = "https://mcp.example.com/mcp";
        assert_eq!(ResourceMatch::Exact.holds(published, server, place), exact, "{published} {place:?}");
        assert_eq!(ResourceMatch::Within.holds(published, server, place), within, "{published} {place:?}");
    }
}

#[test]
fn a_document_of_another_resource_ends_the_search_without_its_name() {
    let document = json!({"resource": "https://evil.example.com", "authorization_servers": ["https://e"]});
    let answer = Answer::new(200, document.to_string());
    let rules = Rules::document(Guard::default());
    let (url, kind) = ("https://mcp.example.com/mcp", PlaceKind::Path);
    let Verdict::Stop(error) = judge_resource(&answer, kind, url, ResourceMatch::Exact, &rules) else {
        panic!("it was used")
    };
    assert!(error.to_string().contains(url) && !error.to_string().contains("evil"));
}

#[test]
fn a_document_of_another_issuer_is_not_used() {
    let rules = Rules::document(Guard::default());
    let asked = "https://a.example.com";
    let verdict = |issuer: &str, matching| {
        let answer = Answer::new(200, json!({"issuer": issuer}).to_string());
        matches!(judge_server(&answer, asked, matching, &rules), Verdict::Use(_))
    };
    assert!(verdict(asked, IssuerMatch::Identical));
    for other in ["https://a.example.com/", "https://A.example.com", "https://a.example.com:443", "x", ""] {
        assert!(!verdict(other, IssuerMatch::Identical), "{other}");
    }
    assert!(verdict("https://a.example.com/", IssuerMatch::OriginSlash));
    assert!(!verdict("https://A.example.com", IssuerMatch::OriginSlash));
}

#[test]
fn an_answer_says_whether_to_look_on() {
    let rules = Rules::document(Guard::default());
    let judged = |answer: Answer| judge_server(&answer, "https://a", IssuerMatch::Identical, &rules);
    for status in [301, 400, 401, 403, 404, 405] {
        assert_eq!(judged(Answer::new(status, "")), Verdict::Elsewhere(None), "{status}");
    }
    for status in [408, 429, 500, 503] {
        let Verdict::Elsewhere(Some(why)) = judged(Answer::new(status, "")) else { panic!("{status}") };
        assert!(why.is_temporary());
    }
    let body = vec![b' '; rules.max_bytes + 1];
    let Verdict::Elsewhere(Some(why)) = judged(Answer::new(200, body)) else { panic!("too large") };
    assert!(matches!(why, AuthError::TooLarge { field: "body", .. }));
    let Verdict::Elsewhere(Some(why)) = judged(Answer::new(200, "<html>")) else { panic!("no JSON") };
    assert!(matches!(why, AuthError::Malformed { .. }));
}

#[test]
fn redirect_uris_are_on_this_machine_or_https() {
    for good in
        ["http://localhost:3000/cb", "http://127.0.0.1/cb", "http://[::1]:1/cb", "https://app.example.com/cb"]
    {
        assert!(endpoint::check_redirect_uri(good, false).is_ok(), "{good}");
    }
    for bad in [
        "http://app.example.com/cb",
        "https://app.example.com/cb#x",
        "javascript:alert(1)",
        "com.example.app:/cb",
        "",
    ] {
        assert!(endpoint::check_redirect_uri(bad, false).is_err(), "{bad}");
    }
    assert!(endpoint::check_redirect_uri("com.example.app:/cb", true).is_ok());
    assert!(endpoint::check_redirect_uri("javascript:alert(1)", true).is_err());
}
