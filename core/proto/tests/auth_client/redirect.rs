//! The browser's way there and back.

use mcpbolt_proto::auth::authorization_request::{AuthorizationRequest, Pending};
use mcpbolt_proto::auth::error::AuthError;
use mcpbolt_proto::auth::metadata::AuthorizationServerMetadata;
use mcpbolt_proto::auth::pkce::{Policy, Verifier};
use mcpbolt_proto::auth::redirect::{IssuerCheck, RedirectAnswer};
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::policy::discovery::Guard;
use url::Url;

fn pending(says_issuer: bool) -> Pending {
    Pending {
        issuer: "https://a.example.com".into(),
        says_issuer,
        state: "state-state-state".into(),
        verifier: Verifier::new(&[7; 32]),
        client_id: "client".into(),
        redirect_uri: "http://localhost:3000/cb".into(),
        resource: Some("https://mcp.example.com/mcp".into()),
        scopes: Scopes::parse("scope", "a b").unwrap(),
    }
}

fn server() -> AuthorizationServerMetadata {
    AuthorizationServerMetadata {
        issuer: "https://a.example.com".into(),
        authorization_endpoint: Some("https://a.example.com/authorize".into()),
        code_challenge_methods_supported: Some(vec!["plain".into(), "S256".into()]),
        ..AuthorizationServerMetadata::default()
    }
}

fn url(server: &AuthorizationServerMetadata, pending: &Pending) -> Result<String, AuthError> {
    let extra = [("audience".to_owned(), "x".to_owned()), ("state".to_owned(), "evil".to_owned())];
    let request = AuthorizationRequest { server, pending, extra: &extra, private_use: false };
    request.url(Some(Policy::Listed), &Guard::default())
}

fn parameters(url: &str) -> Vec<(String, String)> {
    Url::parse(url).unwrap().query_pairs().map(|(n, v)| (n.into(), v.into())).collect()
}

#[test]
fn the_verifier_of_rfc_7636_has_its_challenge() {
    let verifier = Verifier::from_secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk".into()).unwrap();
    assert_eq!(verifier.challenge(), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    for bad in ["short", &"x".repeat(129), &"ü".repeat(43)] {
        assert!(Verifier::from_secret((*bad).into()).is_err());
    }
}

#[test]
fn a_request_says_each_parameter_once() {
    let found = parameters(&url(&server(), &pending(true)).unwrap());
    let wanted = [
        ("response_type", "code"),
        ("client_id", "client"),
        ("redirect_uri", "http://localhost:3000/cb"),
        ("state", "state-state-state"),
        ("code_challenge", &pending(true).verifier.challenge()),
        ("code_challenge_method", "S256"),
        ("resource", "https://mcp.example.com/mcp"),
        ("scope", "a b"),
        ("audience", "x"),
    ];
    assert_eq!(found, wanted.map(|(n, v)| (n.to_owned(), v.to_owned())));
}

#[test]
fn the_query_of_an_endpoint_stays_but_replaces_nothing() {
    let endpoint = "https://a.example.com/authorize?tenant=7&redirect_uri=https%3A%2F%2Fevil.example.com";
    let server = AuthorizationServerMetadata { authorization_endpoint: Some(endpoint.into()), ..server() };
    let found = parameters(&url(&server, &pending(true)).unwrap());
    assert_eq!(found[0], ("tenant".to_owned(), "7".to_owned()));
    let uris: Vec<_> = found.iter().filter(|(name, _)| name == "redirect_uri").collect();
    assert_eq!(uris.len(), 1);
    assert_eq!(uris[0].1, "http://localhost:3000/cb");
}

#[test]
fn asking_for_offline_access_asks_the_user() {
    let scopes = Scopes::parse("scope", "openid offline_access").unwrap();
    let found = parameters(&url(&server(), &Pending { scopes, ..pending(true) }).unwrap());
    assert!(found.contains(&("prompt".to_owned(), "consent".to_owned())));
}

#[test]
fn servers_that_cannot_be_trusted_with_codes_are_refused() {
    let refused = |server: AuthorizationServerMetadata| url(&server, &pending(true)).unwrap_err();
    for methods in [None, Some(vec![]), Some(vec!["plain".into()]), Some(vec!["s256".into()])] {
        let downgraded =
            AuthorizationServerMetadata { code_challenge_methods_supported: methods, ..server() };
        assert_eq!(refused(downgraded), AuthError::NoPkce);
    }
    for endpoint in ["http://a.example.com/authorize", "javascript:alert(1)", "file:///bin/sh", "/authorize"]
    {
        let bad = AuthorizationServerMetadata { authorization_endpoint: Some(endpoint.into()), ..server() };
        assert!(matches!(refused(bad), AuthError::Url { field: "authorization_endpoint", .. }), "{endpoint}");
    }
    let implicit =
        AuthorizationServerMetadata { response_types_supported: Some(vec!["token".into()]), ..server() };
    assert!(matches!(refused(implicit), AuthError::Unsupported { field: "response_types_supported", .. }));
    let none = AuthorizationServerMetadata { authorization_endpoint: None, ..server() };
    assert!(matches!(refused(none), AuthError::Unsupported { field: "authorization_endpoint", .. }));
}

const GOOD: &str = "code=c0de&state=state-state-state";
const ISS: &str = "&iss=https%3A%2F%2Fa.example.com";

#[test]
fn the_four_rows_of_the_issuer_parameter_hold() {
    let code = |says, query: &str| {
        RedirectAnswer::from_query(query).unwrap().code(&pending(says), IssuerCheck::Required)
    };
    // promised and there; promised and absent; not promised and there; neither
    assert!(code(true, &format!("{GOOD}{ISS}")).is_ok());
    assert!(matches!(code(true, GOOD), Err(AuthError::IssuerMismatch { .. })));
    assert!(code(false, &format!("{GOOD}{ISS}")).is_ok());
    assert!(code(false, GOOD).is_ok());
    for says in [true, false] {
        for other in [
            "https://b.example.com",
            "https://a.example.com/",
            "https://A.example.com",
            "https://a.example.com:443",
            "",
        ] {
            let answer = code(says, &format!("{GOOD}&iss={other}"));
            assert!(matches!(answer, Err(AuthError::IssuerMismatch { .. })), "{other}");
        }
    }
}

#[test]
fn after_a_mismatch_nothing_of_the_answer_is_told() {
    let queries = [
        "error=EVILWORD&error_description=EVILWORD&state=state-state-state&iss=https://EVILWORD.example",
        "error=EVILWORD&error_description=EVILWORD&state=EVILWORD",
        "error=EVILWORD&error_description=EVILWORD&state=state-state-state",
        "code=EVILWORD&state=EVILWORD&iss=https://a.example.com",
        "code=EVILWORD&iss=https://a.example.com",
    ];
    for query in queries {
        let answer = RedirectAnswer::from_query(query).unwrap();
        assert!(!format!("{answer:?}").contains("EVILWORD"));
        let error = answer.code(&pending(true), IssuerCheck::Required).unwrap_err();
        assert!(matches!(error, AuthError::IssuerMismatch { .. } | AuthError::StateMismatch), "{query}");
        assert!(!format!("{error} {error:?}").contains("EVILWORD"), "{query}");
    }
}

#[test]
fn a_verified_error_is_told_without_secrets() {
    let state = "state-state-state";
    let query = format!("error=access_denied&error_description=no+{state}%0A%1B%5B31mred&state={state}{ISS}");
    let answer = RedirectAnswer::from_query(&query).unwrap();
    let error = answer.code(&pending(true), IssuerCheck::Required).unwrap_err();
    assert_eq!(error.to_string(), "authorization refused: access_denied: no …  [31mred");
}

#[test]
fn an_answer_that_says_something_twice_is_refused() {
    for twice in ["code=a&code=b", "state=a&state=b", "iss=a&iss=b", "error=a&error=b"] {
        assert!(matches!(RedirectAnswer::from_query(twice), Err(AuthError::Malformed { .. })), "{twice}");
    }
    let huge = format!("code={}", "x".repeat(100_000));
    assert!(matches!(RedirectAnswer::from_query(&huge), Err(AuthError::TooLarge { .. })));
    let empty = RedirectAnswer::from_query(&format!("code=&state=state-state-state{ISS}")).unwrap();
    let error = empty.code(&pending(true), IssuerCheck::Required).unwrap_err();
    assert!(matches!(error, AuthError::Malformed { field: "code", .. }));
}

#[test]
fn callbacks_that_cannot_see_the_issuer_are_only_spared_its_absence() {
    let answer = |issuer: Option<&str>| {
        RedirectAnswer::of_code("c".into(), Some("state-state-state".into()), issuer.map(str::to_owned))
            .code(&pending(true), IssuerCheck::WhenSeen)
    };
    assert!(answer(None).is_ok());
    assert!(answer(Some("https://a.example.com")).is_ok());
    assert!(answer(Some("https://b.example.com")).is_err());
}

#[test]
fn a_whole_url_is_read_as_well() {
    let url = format!("http://localhost:3000/cb?{GOOD}{ISS}#fragment");
    let code = RedirectAnswer::from_url(&url).unwrap().code(&pending(true), IssuerCheck::Required).unwrap();
    assert_eq!(code.expose(), "c0de");
}
