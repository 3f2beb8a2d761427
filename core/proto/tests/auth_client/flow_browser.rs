//! From a refused request through the browser to a token, and what lasts of it.

use std::time::Duration;

use mcpbolt_proto::auth::error::AuthError;
use mcpbolt_proto::auth::fetch::Body;
use mcpbolt_proto::auth::flow::{Cause, Change, Event, Flow, Options, Random, Step, Stored};
use mcpbolt_proto::auth::redirect::RedirectAnswer;
use mcpbolt_proto::auth::registration::{ClientInformation, ClientOrigin};
use mcpbolt_proto::auth::token::Tokens;
use serde_json::json;

use crate::world::{
    ISSUER, REGISTER, RESOURCE_METADATA, SERVER, SERVER_METADATA, TOKEN, World, bearer, opened, options,
    parameter, resource_metadata, server_metadata, tokens,
};

#[test]
fn a_refused_request_leads_through_the_browser_to_a_token() {
    let mut world = World::new(options());
    assert_eq!(world.start(Cause::Request), Step::Send { authorization: None });
    let step = world.refuse(401, "Bearer scope=\"files:read\"", None);
    let url = opened(&step);
    assert_eq!(parameter(&url, "scope").as_deref(), Some("files:read"));
    assert_eq!(parameter(&url, "resource").as_deref(), Some(SERVER));
    assert_eq!(parameter(&url, "client_id").as_deref(), Some("registered"));
    assert_eq!(world.agree(&step), bearer("first"));
    assert_eq!(world.urls(), [RESOURCE_METADATA, SERVER_METADATA, REGISTER, TOKEN]);
    assert_eq!(world.field("resource"), Some(SERVER));
    assert_eq!(world.field("grant_type"), Some("authorization_code"));
    assert_eq!(world.field("client_id"), Some("registered"));
    // The next request needs nobody.
    assert_eq!(world.start(Cause::Request), bearer("first"));
}

/// Some authorization servers grant a client only what it registered with.
#[test]
fn a_registration_names_what_the_resource_lists_and_the_user_is_asked_for_less() {
    for (narrow, registered) in [(false, "a b c"), (true, "a")] {
        let mut options = options();
        options.compatibility.narrow_registration = narrow;
        let mut world = World::new(options);
        let mut metadata = resource_metadata();
        metadata["scopes_supported"] = json!(["b", "a", "c"]);
        world.answer(RESOURCE_METADATA, 200, &metadata);
        let step = world.refuse(401, "Bearer scope=\"a\"", None);
        let fetch = world.sent.iter().find(|fetch| fetch.url == REGISTER).unwrap();
        let Body::Json(body) = &fetch.body else { panic!("a registration is JSON") };
        assert_eq!(body["scope"], registered);
        assert_eq!(parameter(&opened(&step), "scope").as_deref(), Some("a"));
    }
}

#[test]
fn documents_are_asked_for_with_the_revision_and_within_limits() {
    let mut world = World::new(options());
    world.refuse(401, "Bearer", None);
    let fetch = &world.sent[0];
    assert_eq!(fetch.header("MCP-Protocol-Version").unwrap().expose(), "2026-07-28");
    assert_eq!(fetch.header("Accept").unwrap().expose(), "application/json");
    assert_eq!((fetch.rules.max_bytes, fetch.rules.max_redirects), (256 * 1024, 5));
    assert!(!fetch.rules.guard.loopback && !fetch.rules.guard.private);
}

#[test]
fn issuer_state_and_verifier_are_kept_before_the_browser_opens() {
    let mut world = World::new(options());
    let cause = Cause::Refused { status: 401, challenges: vec![], sent: None, operation: "x".into() };
    let mut step = world.flow.start(cause, world.now, &Random::new([9; 64]));
    let pending = loop {
        step = match step {
            Step::Remember(pending) => break pending,
            Step::OpenBrowser { .. } => panic!("nothing was kept"),
            Step::Fetch(fetch) => {
                let answer = if fetch.url == RESOURCE_METADATA {
                    json!({"resource": SERVER, "authorization_servers": [ISSUER]})
                } else if fetch.url == SERVER_METADATA {
                    server_metadata()
                } else {
                    json!({"client_id": "registered"})
                };
                let answer = mcpbolt_proto::auth::fetch::Answer::new(200, answer.to_string());
                world.flow.take(Event::Answered(answer), world.now)
            }
            Step::Store(_) => world.flow.take(Event::Done, world.now),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((pending.issuer.as_str(), pending.says_issuer), (ISSUER, true));
    let step = world.take(Event::Done);
    assert_eq!(parameter(&opened(&step), "state").as_deref(), Some(pending.state.expose()));
    assert_eq!(parameter(&opened(&step), "code_challenge"), Some(pending.verifier.challenge()));
}

#[test]
fn a_saved_flow_goes_on_in_another_process() {
    let mut world = World::new(options());
    let step = world.refuse(401, "Bearer scope=\"a\"", None);
    let state = parameter(&opened(&step), "state").unwrap();
    let saved = world.flow.save();
    assert!(!format!("{saved:?} {:?} {step:?}", world.flow).contains(&state));
    world.flow = Flow::resume(options(), Stored::default(), &saved).unwrap();
    assert_eq!(world.agree(&step), bearer("first"));
    assert!(Flow::resume(options(), Stored::default(), &"{\"phase\":7}".into()).is_err());
}

#[test]
fn every_start_has_a_state_and_a_verifier_of_its_own() {
    let mut world = World::new(options());
    let one = opened(&world.refuse(401, "Bearer", None));
    let other = opened(&world.refuse(401, "Bearer", None));
    for name in ["state", "code_challenge"] {
        assert_ne!(parameter(&one, name), parameter(&other, name));
    }
}

#[test]
fn a_mixed_up_answer_gets_no_token_and_says_nothing() {
    for query in [
        "code=c0de&state=wrong&iss=https://a.example.com".to_owned(),
        "error=EVIL&error_description=EVIL&state=STATE&iss=https://b.example.com".to_owned(),
        "code=EVIL&state=STATE".to_owned(),
    ] {
        let mut world = World::new(options());
        let step = world.refuse(401, "Bearer", None);
        let query = query.replace("STATE", &parameter(&opened(&step), "state").unwrap());
        let answer = RedirectAnswer::from_query(&query).unwrap();
        let Step::Fail(error) = world.take(Event::Redirected(answer)) else { panic!("{query}") };
        assert!(!error.to_string().contains("EVIL"), "{error}");
        assert!(!world.urls().contains(&TOKEN));
        assert!(world.flow.tokens().is_none());
    }
}

#[test]
fn a_client_id_metadata_document_needs_no_registration() {
    let url = "https://app.example.com/client.json";
    let mut world = World::new(Options { client_metadata_url: Some(url.into()), ..options() });
    let mut metadata = server_metadata();
    metadata["client_id_metadata_document_supported"] = json!(true);
    world.answer(SERVER_METADATA, 200, &metadata);
    let step = world.refuse(401, "Bearer", None);
    assert_eq!(parameter(&opened(&step), "client_id").as_deref(), Some(url));
    assert_eq!(world.agree(&step), bearer("first"));
    assert!(!world.urls().contains(&REGISTER));
    assert!(world.changes.iter().all(|change| !matches!(change, Change::Client { .. })));
}

#[test]
fn a_user_is_asked_for_a_client_that_cannot_register() {
    let mut world = World::new(options());
    let mut metadata = server_metadata();
    metadata["registration_endpoint"] = json!(null);
    world.answer(SERVER_METADATA, 200, &metadata);
    let step = world.refuse(401, "Bearer", None);
    let Step::AskUserForClient { issuer, metadata } = step else { panic!("{step:?}") };
    assert_eq!((issuer.as_str(), metadata.redirect_uris.len()), (ISSUER, 1));
    let mut gave_up = World { flow: world.flow.clone(), ..World::new(options()) };
    assert!(matches!(gave_up.take(Event::GaveUp), Step::Fail(AuthError::NoClient { .. })));
    let given = ClientInformation { client_id: "by-hand".into(), ..ClientInformation::default() };
    let step = world.take(Event::ClientGiven(given));
    assert_eq!(parameter(&opened(&step), "client_id").as_deref(), Some("by-hand"));
    let Some(Change::Client { issuer, client }) = world.changes.first() else { panic!() };
    assert_eq!((issuer.as_str(), client.issuer.as_deref()), (ISSUER, Some(ISSUER)));
}

#[test]
fn a_refused_registration_may_be_tried_with_other_metadata() {
    let mut world = World::new(options());
    world.answer(REGISTER, 400, &json!({"error": "invalid_client_metadata"}));
    world.then(REGISTER, 201, &json!({"client_id": "second"}));
    let Step::Fail(AuthError::RegistrationRefused { refusal, .. }) = world.refuse(401, "Bearer", None) else {
        panic!()
    };
    assert_eq!(refusal.error, "invalid_client_metadata");
    let step = world.take(Event::RegisterAs(Box::new(options().client)));
    assert_eq!(parameter(&opened(&step), "client_id").as_deref(), Some("second"));
}

fn stored(world: &World, access: &str, expires_at: u64) -> Stored {
    let client = ClientInformation {
        origin: ClientOrigin::Dynamic,
        ..ClientInformation::pre_registered("registered", ISSUER)
    };
    let tokens = Tokens {
        access_token: access.into(),
        refresh_token: Some("refresh-0".into()),
        expires_at: Some(expires_at),
        issuer: Some(ISSUER.into()),
        resource: Some(SERVER.into()),
        client_id: Some("registered".into()),
        ..Tokens::default()
    };
    Stored {
        clients: vec![client],
        tokens: Some(tokens),
        server: world.flow.server().cloned(),
        resource: None,
    }
}

#[test]
fn a_token_that_ends_is_refreshed_before_it_is_used() {
    let mut found = World::new(options());
    found.refuse(401, "Bearer", None);
    for known in [true, false] {
        let mut kept = stored(&found, "old", 1_000_010);
        if !known {
            kept.server = None;
        }
        let mut world = World::with(options(), kept);
        world.answer(TOKEN, 200, &tokens("second", Some("refresh-2")));
        assert_eq!(world.start(Cause::Request), bearer("second"));
        assert_eq!(world.field("refresh_token"), Some("refresh-0"));
        assert_eq!(world.field("resource"), Some(SERVER));
        assert_eq!(world.sent.len(), if known { 1 } else { 3 });
        // It rotates.
        world.now += Duration::from_hours(1);
        world.start(Cause::Request);
        assert_eq!(world.field("refresh_token"), Some("refresh-2"));
    }
}

#[test]
fn a_refresh_token_stays_where_the_answer_has_none() {
    let mut found = World::new(options());
    found.refuse(401, "Bearer", None);
    let mut world = World::with(options(), stored(&found, "old", 1));
    world.answer(TOKEN, 200, &tokens("second", None));
    world.start(Cause::Request);
    let kept = world.flow.tokens().and_then(|tokens| tokens.refresh_token.clone()).unwrap();
    assert_eq!(kept.expose(), "refresh-0");
}

#[test]
fn a_refresh_token_that_is_used_up_asks_the_user_only_after_a_refusal() {
    let mut found = World::new(options());
    found.refuse(401, "Bearer", None);
    let mut world = World::with(options(), stored(&found, "old", 1));
    world.answer(TOKEN, 400, &json!({"error": "invalid_grant"}));
    assert_eq!(world.start(Cause::Request), Step::Send { authorization: None });
    assert_eq!(world.changes, [Change::ForgetTokens { issuer: ISSUER.into() }]);
    opened(&world.refuse(401, "Bearer", None));
}

/// A gateway's page, a redirect that is not followed, a server that does not say what is wrong.
#[test]
fn a_refusal_that_says_nothing_of_the_tokens_leaves_them() {
    let mut found = World::new(options());
    found.refuse(401, "Bearer", None);
    let said = [
        (403, json!("blocked")),
        (404, json!({})),
        (302, json!({})),
        (400, json!({"error": "invalid_request"})),
    ];
    for (status, answer) in said {
        let mut world = World::with(options(), stored(&found, "old", 1_000_010));
        world.answer(TOKEN, status, &answer);
        assert_eq!(world.start(Cause::Request), bearer("old"), "{status}");
        assert!(world.changes.is_empty(), "{status}");
        world.answer(TOKEN, 200, &tokens("second", None));
        assert_eq!(world.start(Cause::Request), bearer("second"), "{status}");
    }
}

#[test]
fn a_failing_token_endpoint_forgets_nothing() {
    let mut found = World::new(options());
    found.refuse(401, "Bearer", None);
    let mut world = World::with(options(), stored(&found, "old", 1));
    world.answer(TOKEN, 503, &json!({}));
    let Step::Fail(error) = world.start(Cause::Request) else { panic!() };
    assert!(error.is_temporary());
    assert!(world.flow.tokens().is_some() && world.changes.is_empty());
}

#[test]
fn a_client_that_the_server_forgot_registers_anew() {
    let mut found = World::new(options());
    found.refuse(401, "Bearer", None);
    let mut world = World::with(options(), stored(&found, "old", 2_000_000));
    world.answer(TOKEN, 401, &json!({"error": "invalid_client"}));
    world.answer(REGISTER, 201, &json!({"client_id": "anew"}));
    let step = world.refuse(401, "Bearer error=\"invalid_token\"", Some("old"));
    assert_eq!(world.changes[0], Change::ForgetClient { issuer: ISSUER.into() });
    assert_eq!(parameter(&opened(&step), "client_id").as_deref(), Some("anew"));
}

#[test]
fn tokens_of_another_server_are_not_sent() {
    let found = World::new(options());
    let mut kept = stored(&found, "theirs", 2_000_000);
    kept.tokens.as_mut().unwrap().resource = Some("https://other.example.com".into());
    let mut world = World::with(options(), kept);
    assert_eq!(world.start(Cause::Request), Step::Send { authorization: None });
}

#[test]
fn a_resource_that_moves_to_another_issuer_takes_no_credentials_along() {
    let mut found = World::new(options());
    found.refuse(401, "Bearer", None);
    let mut world = World::with(options(), stored(&found, "old", 2_000_000));
    let moved = "https://b.example.com";
    world.answer(RESOURCE_METADATA, 200, &json!({"resource": SERVER, "authorization_servers": [moved]}));
    let text = server_metadata().to_string().replace(ISSUER, moved);
    world.answer(
        "https://b.example.com/.well-known/oauth-authorization-server",
        200,
        &serde_json::from_str(&text).unwrap(),
    );
    world.answer("https://b.example.com/register", 201, &json!({"client_id": "new-one"}));
    let step = world.refuse(401, "Bearer", Some("old"));
    assert_eq!(parameter(&opened(&step), "client_id").as_deref(), Some("new-one"));
    let told = world.sent.iter().filter(|fetch| fetch.url.starts_with(moved)).map(|fetch| fetch.body.text());
    assert!(told.into_iter().all(|body| !body.expose().contains("refresh-0")));
}
