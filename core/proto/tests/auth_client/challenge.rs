//! Reading `WWW-Authenticate`.

use mcpbolt_proto::auth::challenge::{Challenge, Demand, TokenScheme};
use proptest::prelude::*;

fn printed(headers: &[&str]) -> Vec<String> {
    Challenge::parse(headers.iter().copied()).iter().map(ToString::to_string).collect()
}

#[test]
fn the_grammar_of_challenges_is_read() {
    let rows: &[(&[&str], &[&str])] = &[
        (&[], &[]),
        (&["Bearer"], &["Bearer"]),
        (&["Bearer realm=\"a\""], &["Bearer realm=\"a\""]),
        (&["Basic realm=\"a\", Bearer scope=\"b\""], &["Basic realm=\"a\"", "Bearer scope=\"b\""]),
        (&["Basic realm=\"a\"", "Bearer scope=\"b\""], &["Basic realm=\"a\"", "Bearer scope=\"b\""]),
        (&["Negotiate, Bearer"], &["Negotiate", "Bearer"]),
        (&["Negotiate abc/+==, Bearer x=1"], &["Negotiate abc/+==", "Bearer x=\"1\""]),
        (&["Bearer a=\"x, y=1, Basic z\", b=2"], &["Bearer a=\"x, y=1, Basic z\", b=\"2\""]),
        (&["Bearer a = \"x\" , B\t=\ty"], &["Bearer a=\"x\", b=\"y\""]),
        (&["Bearer a=\"q\\\"uo\\\\te\""], &["Bearer a=\"q\\\"uo\\\\te\""]),
        (&[",, Bearer a=1,,b=2,"], &["Bearer a=\"1\", b=\"2\""]),
        // What servers get wrong.
        (&["Bearer url=https://a.example/x?y=1, b=2"], &["Bearer url=\"https://a.example/x?y=1\", b=\"2\""]),
        (&["Bearer a=\"1\" b=\"2\""], &["Bearer a=\"1\", b=\"2\""]),
        (&["a=1, Bearer b=2"], &["Bearer b=\"2\""]),
        (&["Negotiate abc, a=1, Bearer b=2"], &["Negotiate abc", "Bearer b=\"2\""]),
        (&["Bearer a=\"never ends, Basic realm=x"], &["Bearer"]),
        (&["@@ \"x, y\" Bearer a=1"], &["Bearer a=\"1\""]),
    ];
    for (headers, wanted) in rows {
        assert_eq!(printed(headers), *wanted, "{headers:?}");
    }
}

#[test]
fn the_first_of_two_equal_parameters_counts() {
    let found = Challenge::parse(["Bearer scope=\"a\", Scope=\"b\""]);
    assert_eq!(found[0].parameter("scope"), Some("a"));
}

#[test]
fn parameters_that_would_end_a_header_are_dropped() {
    let found = Challenge::parse(["Bearer scope=\"a\r\nSet-Cookie: x\", error=\"b\u{0}\", realm=\"c\""]);
    assert_eq!(found[0].parameters, [("realm".to_owned(), "c".to_owned())]);
}

#[test]
fn huge_headers_are_bounded() {
    let many = (0..10_000).map(|n| format!("S{n} a=1")).collect::<Vec<_>>().join(",");
    assert!(Challenge::parse([many.as_str()]).len() <= 16);
    let parameters = (0..1000).map(|n| format!("p{n}=1")).collect::<Vec<_>>().join(",");
    assert!(Challenge::parse([format!("Bearer {parameters}").as_str()])[0].parameters.len() <= 32);
    let long = format!("Bearer scope=\"{}\"", "x".repeat(100_000));
    assert_eq!(Challenge::parse([long.as_str(), "Bearer scope=a"])[0].parameter("scope"), Some("a"));
}

#[test]
fn demands_are_read_from_one_challenge_only() {
    let demand = |headers: &[&str]| Demand::of(&Challenge::parse(headers.iter().copied()));
    assert_eq!(demand(&["Basic realm=\"a\""]), None);
    let both = demand(&["DPoP algs=\"ES256\", Bearer scope=\"a\""]).unwrap();
    assert_eq!((both.scheme, both.algs.as_deref()), (TokenScheme::Bearer, None));
    let dpop = demand(&["dpop error=\"use_dpop_nonce\", algs=\"ES256 RS256\""]).unwrap();
    assert!(dpop.wants_dpop_nonce() && dpop.scheme == TokenScheme::Dpop);
    let second = demand(&["Bearer, bearer resource_metadata=\"https://a.example/m\""]).unwrap();
    assert_eq!(second.resource_metadata.as_deref(), Some("https://a.example/m"));
    let empty = demand(&["Bearer scope=\"\""]).unwrap();
    assert_eq!((empty.scope, empty.error), (None, None));
}

fn token() -> impl Strategy<Value = String> {
    "[a-zA-Z!#$%&'*+.^_`|~-]{1,12}"
}

fn challenge() -> impl Strategy<Value = Challenge> {
    let parameters = prop::collection::btree_map("[a-z!#$%&'*+.^_`|~-]{1,12}", "[ -~\tß-ü]{0,20}", 0..5);
    prop_oneof![
        (token(), parameters).prop_map(|(scheme, parameters)| Challenge {
            scheme,
            token68: None,
            parameters: parameters.into_iter().collect(),
        }),
        (token(), "[a-zA-Z0-9._~+/-]{1,20}={0,2}").prop_map(|(scheme, token68)| Challenge {
            scheme,
            token68: Some(token68),
            parameters: Vec::new(),
        }),
    ]
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_panic(headers in prop::collection::vec(any::<String>(), 0..4)) {
        let found = Challenge::parse(headers.iter().map(String::as_str));
        let _ = Demand::of(&found);
    }

    #[test]
    fn text_like_challenges_is_read_without_a_panic(header in "[Ba =,\"\\\\\tü]{0,40}") {
        let found = Challenge::parse([header.as_str()]);
        // What was read can be written, and reads as the same.
        prop_assert_eq!(Challenge::parse(printed(&[&header]).iter().map(String::as_str)), found);
    }

    #[test]
    fn what_is_written_is_read_as_it_was(challenges in prop::collection::vec(challenge(), 0..5)) {
        let header = challenges.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        prop_assert_eq!(Challenge::parse([header.as_str()]), challenges);
    }
}
