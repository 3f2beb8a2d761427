//! What servers get wrong, and what they try.

use mcpbolt_proto::auth::discovery::{IssuerMatch, ResourceMatch};
use mcpbolt_proto::auth::error::{AuthError, Document};
use mcpbolt_proto::auth::flow::{
    Cause, Compatibility, DefaultEndpoints, Event, Flow, Options, Random, ResourceParameter, Step, Stored,
};
use mcpbolt_proto::auth::pkce;
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::auth::token::Tokens;
use serde_json::{Value, json};

use crate::world::{
    ISSUER, REGISTER, RESOURCE_METADATA, SERVER, SERVER_METADATA, TOKEN, World, bearer, opened, options,
    parameter, resource_metadata, server_metadata, tokens,
};

const ROOT: &str = "https://mcp.example.com/.well-known/oauth-protected-resource";
const OLD: &str = "https://mcp.example.com/.well-known/oauth-authorization-server";

fn failed(step: Step) -> AuthError {
    let Step::Fail(error) = step else { panic!("{step:?}") };
    error
}

fn compatible(compatibility: Compatibility) -> Options {
    Options { compatibility, ..options() }
}

#[test]
fn every_place_is_asked_in_order_until_one_has_the_document() {
    let mut world = World::new(options());
    world.gone(RESOURCE_METADATA);
    world.answer(
        ROOT,
        200,
        &json!({"resource": "https://mcp.example.com", "authorization_servers": [ISSUER]}),
    );
    world.gone(SERVER_METADATA);
    let openid = "https://a.example.com/.well-known/openid-configuration";
    world.answer(openid, 200, &server_metadata());
    let said = "https://mcp.example.com/metadata";
    opened(&world.refuse(401, &format!("Bearer resource_metadata=\"{said}\""), None));
    assert_eq!(world.urls(), [said, RESOURCE_METADATA, ROOT, SERVER_METADATA, openid, REGISTER]);
}

#[test]
fn an_unsafe_place_is_skipped_and_told_only_if_nothing_is_found() {
    let challenge = "Bearer resource_metadata=\"http://169.254.169.254/latest\"";
    let mut world = World::new(options());
    opened(&world.refuse(401, challenge, None));
    world.gone(RESOURCE_METADATA);
    let error = failed(world.refuse(401, challenge, None));
    assert!(matches!(error, AuthError::Url { field: "resource_metadata", .. }));
    assert!(world.urls().iter().all(|url| !url.contains("169.254")));
}

#[test]
fn a_server_that_fails_is_not_one_without_metadata() {
    let all = Compatibility { default_endpoints: DefaultEndpoints::Always, ..Compatibility::default() };
    let mut world = World::new(compatible(all));
    world.answer(RESOURCE_METADATA, 503, &json!({}));
    assert!(failed(world.refuse(401, "Bearer", None)).is_temporary());
    world.answer(RESOURCE_METADATA, 200, &resource_metadata());
    world.answer(SERVER_METADATA, 500, &json!({}));
    assert!(failed(world.refuse(401, "Bearer", None)).is_temporary());
    let cause = Cause::Refused { status: 401, challenges: vec![], sent: None, operation: "x".into() };
    let mut step = world.flow.start(cause, world.now, &Random::new([1; 64]));
    while matches!(step, Step::Fetch(_)) {
        step = world.flow.take(Event::Unreachable, world.now);
    }
    let document = Document::ProtectedResource;
    assert_eq!(failed(step), AuthError::Unavailable { document, status: None });
}

#[test]
fn a_document_of_somebody_else_leads_nowhere() {
    let mut world = World::new(options());
    let theirs = json!({"resource": "https://other.example.com/mcp", "authorization_servers": [ISSUER]});
    world.answer(RESOURCE_METADATA, 200, &theirs);
    let error = failed(world.refuse(401, "Bearer", None));
    assert_eq!(error, AuthError::ResourceMismatch { expected: SERVER.into() });
    assert_eq!(world.sent.len(), 1);

    let mut world = World::new(options());
    let mut metadata = server_metadata();
    metadata["issuer"] = json!("https://evil.example.com");
    world.answer(SERVER_METADATA, 200, &metadata);
    let error = failed(world.refuse(401, "Bearer", None));
    let document = Document::AuthorizationServer;
    assert_eq!(error, AuthError::IssuerMismatch { document, expected: ISSUER.into() });
    assert!(!world.urls().contains(&REGISTER));
}

#[test]
fn a_server_that_does_not_check_pkce_is_refused_before_anybody_registers() {
    for place in [SERVER_METADATA, "https://a.example.com/.well-known/openid-configuration"] {
        for methods in [json!(null), json!([]), json!(["plain"])] {
            let mut world = World::new(options());
            let mut metadata = server_metadata();
            metadata["code_challenge_methods_supported"] = methods;
            world.gone(SERVER_METADATA);
            world.answer(place, 200, &metadata);
            assert_eq!(failed(world.refuse(401, "Bearer", None)), AuthError::NoPkce);
            assert!(!world.urls().contains(&REGISTER));
        }
    }
    let lenient = Compatibility { pkce: pkce::Policy::UnlessDenied, ..Compatibility::default() };
    let mut world = World::new(compatible(lenient));
    let mut metadata = server_metadata();
    metadata["code_challenge_methods_supported"] = json!(null);
    world.answer(SERVER_METADATA, 200, &metadata);
    opened(&world.refuse(401, "Bearer", None));
}

#[test]
fn no_endpoint_is_used_over_plain_http_or_on_this_machine() {
    for field in ["authorization_endpoint", "token_endpoint", "registration_endpoint"] {
        for url in ["http://a.example.com/x", "https://localhost/x", "https://192.168.0.1/x", "x"] {
            let mut world = World::new(options());
            let mut metadata = server_metadata();
            metadata[field] = json!(url);
            world.answer(SERVER_METADATA, 200, &metadata);
            let error = failed(world.refuse(401, "Bearer", None));
            assert!(matches!(error, AuthError::Url { field: wrong, .. } if wrong == field), "{field} {url}");
            assert!(!world.urls().contains(&url));
        }
    }
    for issuer in ["http://a.example.com", "https://127.0.0.1", "https://a.example.com?x"] {
        let mut world = World::new(options());
        let document = json!({"resource": SERVER, "authorization_servers": [issuer]});
        world.answer(RESOURCE_METADATA, 200, &document);
        let error = failed(world.refuse(401, "Bearer", None));
        assert!(matches!(error, AuthError::Url { field: "issuer", .. }), "{issuer}");
    }
    assert!(matches!(
        failed(
            World::new(Options { server_url: "http://mcp.example.com".into(), ..options() })
                .refuse(401, "Bearer", None)
        ),
        AuthError::Url { field: "server URL", .. }
    ));
}

#[test]
fn redirect_uris_others_could_read_are_refused() {
    let mut client = options().client;
    client.redirect_uris = vec!["http://app.example.com/cb".into()];
    let mut world = World::new(Options { client, ..options() });
    let error = failed(world.refuse(401, "Bearer", None));
    assert!(matches!(error, AuthError::Url { field: "redirect_uri", .. }));
    assert!(!world.urls().contains(&REGISTER));
}

fn old_server(world: &mut World) {
    world.gone(RESOURCE_METADATA);
    world.answer("https://mcp.example.com/register", 201, &json!({"client_id": "registered"}));
    world.answer("https://mcp.example.com/token", 200, &tokens("old", None));
}

#[test]
fn a_server_without_metadata_is_its_own_authorization_server_only_where_allowed() {
    let mut world = World::new(options());
    old_server(&mut world);
    assert_eq!(failed(world.refuse(401, "Bearer", None)), AuthError::NoResourceMetadata);

    let allowed = Compatibility {
        default_endpoints: DefaultEndpoints::OldServers,
        resource_parameter: ResourceParameter::WithMetadata,
        ..Compatibility::default()
    };
    let mut world = World::new(compatible(allowed));
    old_server(&mut world);
    let step = world.refuse(401, "Bearer", None);
    let url = opened(&step);
    assert!(url.as_str().starts_with("https://mcp.example.com/authorize?"));
    assert_eq!(parameter(&url, "code_challenge_method").as_deref(), Some("S256"));
    assert_eq!(parameter(&url, "resource"), None);
    assert_eq!(world.urls()[2..4], [OLD, "https://mcp.example.com/register"]);
    let query = format!("code=c&state={}", parameter(&url, "state").unwrap());
    let answer = mcpbolt_proto::auth::redirect::RedirectAnswer::from_query(&query).unwrap();
    assert_eq!(world.take(Event::Redirected(answer)), bearer("old"));

    // With metadata they decide, PKCE included.
    let mut world = World::new(compatible(allowed));
    old_server(&mut world);
    let text = server_metadata().to_string().replace(ISSUER, "https://mcp.example.com");
    let mut metadata: Value = serde_json::from_str(&text).unwrap();
    metadata["code_challenge_methods_supported"] = json!(null);
    world.answer(OLD, 200, &metadata);
    assert_eq!(failed(world.refuse(401, "Bearer", None)), AuthError::NoPkce);
}

#[test]
fn an_authorization_server_without_metadata_is_not_guessed() {
    let old = Compatibility { default_endpoints: DefaultEndpoints::OldServers, ..Compatibility::default() };
    let mut world = World::new(compatible(old));
    world.gone(SERVER_METADATA);
    let error = failed(world.refuse(401, "Bearer", None));
    assert_eq!(error, AuthError::NoServerMetadata { issuer: ISSUER.into() });
    let always = Compatibility { default_endpoints: DefaultEndpoints::Always, ..old };
    let mut world = World::new(compatible(always));
    world.gone(SERVER_METADATA);
    assert!(opened(&world.refuse(401, "Bearer", None)).as_str().starts_with(ISSUER));
}

#[test]
fn official_comparisons_are_options() {
    let lenient = Compatibility {
        resource: ResourceMatch::Within,
        issuer: IssuerMatch::OriginSlash,
        ..Compatibility::default()
    };
    for (compatibility, good) in [(Compatibility::default(), false), (lenient, true)] {
        let mut world = World::new(compatible(compatibility));
        let document = json!({"resource": "https://mcp.example.com", "authorization_servers": [ISSUER]});
        world.answer(RESOURCE_METADATA, 200, &document);
        let mut metadata = server_metadata();
        metadata["issuer"] = json!("https://a.example.com/");
        world.answer(SERVER_METADATA, 200, &metadata);
        let step = world.refuse(401, "Bearer", None);
        assert_eq!(matches!(step, Step::OpenBrowser { .. }), good, "{step:?}");
    }
}

fn signed_in(scope: &str) -> World {
    let mut world = World::new(options());
    world.answer(TOKEN, 200, &tokens("first", Some("refresh-1")));
    world.then(TOKEN, 200, &tokens("second", Some("refresh-2")));
    let step = world.refuse(401, &format!("Bearer scope=\"{scope}\""), None);
    world.agree(&step);
    world
}

const MORE: &str = "Bearer error=\"insufficient_scope\", scope=\"files:write\"";

#[test]
fn a_step_up_asks_the_user_for_the_union() {
    let mut world = signed_in("files:read");
    let step = world.refuse(403, MORE, Some("first"));
    assert_eq!(parameter(&opened(&step), "scope").as_deref(), Some("files:read files:write"));
    assert_eq!(world.agree(&step), bearer("second"));
    // Another request that was refused with the first token uses the second.
    assert_eq!(world.refuse(403, MORE, Some("first")), bearer("second"));
}

#[test]
fn a_step_up_that_does_not_help_ends() {
    let mut world = signed_in("files:read");
    let step = world.refuse(403, MORE, Some("first"));
    world.agree(&step);
    let error = failed(world.refuse(403, MORE, Some("second")));
    assert_eq!(error, AuthError::StepUpExhausted { operation: "tools/call".into() });
    world.flow.accepted("tools/call");
    opened(&world.refuse(403, MORE, Some("second")));
}

#[test]
fn other_refusals_are_the_programs() {
    let mut world = signed_in("a");
    for (status, challenge) in [(403, "Bearer"), (403, "Bearer error=\"invalid_token\""), (400, MORE)] {
        let error = failed(world.refuse(status, challenge, Some("first")));
        assert_eq!(error, AuthError::NotAboutAuthorization { status });
    }
    let scopes = (0..300).map(|n| format!("s{n}")).collect::<Vec<_>>().join(" ");
    let many = format!("Bearer scope=\"{scopes}\"");
    assert!(matches!(failed(world.refuse(401, &many, None)), AuthError::TooLarge { field: "scope", .. }));
}

#[test]
fn a_request_that_waited_uses_the_token_that_came_meanwhile() {
    let mut world = signed_in("a");
    let sent = world.sent.len();
    assert_eq!(world.refuse(401, "Bearer", Some("before")), bearer("first"));
    assert_eq!(world.refuse(401, "Bearer", None), bearer("first"));
    assert_eq!(world.sent.len(), sent);
    let other = Tokens { access_token: "of-another-process".into(), ..Tokens::default() };
    world.flow.set_tokens(Some(other));
    assert_eq!(world.refuse(401, "Bearer", Some("first")), bearer("of-another-process"));
}

#[test]
fn fresh_tokens_that_are_refused_are_not_asked_for_ever() {
    let mut world = signed_in("a");
    // First a refresh, then the user, then no more.
    assert_eq!(world.refuse(401, "Bearer", Some("first")), bearer("second"));
    assert_eq!(world.field("grant_type"), Some("refresh_token"));
    for access in ["third", "fourth"] {
        world.answer(TOKEN, 200, &tokens(access, Some("r")));
        let current = world.flow.tokens().unwrap().access_token.clone();
        let step = world.refuse(401, "Bearer", Some(current.expose()));
        assert_eq!(world.agree(&step), bearer(access));
    }
    assert_eq!(failed(world.refuse(401, "Bearer", Some("fourth"))), AuthError::StillUnauthorized);
    world.flow.accepted("tools/call");
    assert!(!matches!(world.refuse(401, "Bearer", Some("fourth")), Step::Fail(_)));
}

/// An authorization server that is away for a moment.
#[test]
fn a_refresh_that_failed_is_tried_again_before_the_user_is_asked() {
    let mut world = signed_in("a");
    for away in [TOKEN, RESOURCE_METADATA, TOKEN, TOKEN, TOKEN] {
        let before = world.answers.clone();
        world.answer(away, 503, &json!({}));
        let error = failed(world.refuse(401, "Bearer", Some("first")));
        assert!(matches!(error, AuthError::Unavailable { status: Some(503), .. }), "{away}: {error:?}");
        // What is kept between two requests makes no difference.
        let (saved, kept) = (world.flow.save(), world.flow.tokens().cloned());
        let stored = Stored {
            tokens: kept,
            clients: world.flow.client().cloned().into_iter().collect(),
            ..Stored::default()
        };
        world.flow = Flow::resume(options(), stored, &saved).unwrap();
        world.answers = before;
    }
    assert_eq!(world.refuse(401, "Bearer", Some("first")), bearer("second"));
    assert_eq!(world.field("grant_type"), Some("refresh_token"));
}

#[test]
fn the_same_token_again_and_users_who_give_up_do_not_go_on_for_ever() {
    let mut world = signed_in("a");
    world.answer(TOKEN, 200, &tokens("first", Some("r")));
    for grant in ["refresh_token", "authorization_code", "authorization_code"] {
        let mut step = world.refuse(401, "Bearer", Some("first"));
        if grant == "authorization_code" {
            step = world.agree(&step);
        }
        assert_eq!((step, world.field("grant_type")), (bearer("first"), Some(grant)));
    }
    assert_eq!(failed(world.refuse(401, "Bearer", Some("first"))), AuthError::StillUnauthorized);

    let mut world = signed_in("a");
    world.answer(TOKEN, 200, &tokens("second", None));
    assert_eq!(world.refuse(401, "Bearer", Some("first")), bearer("second"));
    for _ in 0..2 {
        opened(&world.refuse(401, "Bearer", Some("second")));
        assert!(matches!(failed(world.take(Event::GaveUp)), AuthError::GivenUp { .. }));
    }
    assert_eq!(failed(world.refuse(401, "Bearer", Some("second"))), AuthError::StillUnauthorized);
}

#[test]
fn a_stray_event_does_not_lose_the_flow() {
    let mut world = World::new(options());
    let step = world.refuse(401, "Bearer", None);
    assert!(matches!(failed(world.take(Event::Done)), AuthError::Unexpected { .. }));
    assert_eq!(world.agree(&step), bearer("first"));
    assert!(matches!(failed(world.take(Event::Done)), AuthError::Unexpected { .. }));
}

#[test]
fn the_scopes_of_tokens_are_those_that_were_granted() {
    let mut world = World::new(options());
    let mut granted = tokens("first", None);
    granted["scope"] = json!("files:read");
    world.answer(TOKEN, 200, &granted);
    let step = world.refuse(401, "Bearer scope=\"files:read files:write\"", None);
    world.agree(&step);
    let scopes = &world.flow.tokens().unwrap().scopes;
    assert_eq!(*scopes, Scopes::parse("scope", "files:read").unwrap());
}

#[test]
fn errors_of_the_token_endpoint_repeat_no_secret() {
    let mut world = World::new(options());
    let step = world.refuse(401, "Bearer", None);
    let body = json!({"error": "invalid_grant", "error_description": "code c0de is bad"});
    world.answer(TOKEN, 200, &body);
    let error = failed(world.agree(&step));
    assert_eq!(error.to_string(), "token refused with status 200: invalid_grant: code … is bad");
    assert!(world.flow.tokens().is_none());
}

#[test]
fn a_registration_without_a_client_id_goes_no_further() {
    let mut world = World::new(options());
    world.answer(REGISTER, 201, &json!({"client_secret": "x"}));
    let error = failed(world.refuse(401, "Bearer", None));
    assert!(error.to_string().starts_with("registration answer: client_id"));
}
