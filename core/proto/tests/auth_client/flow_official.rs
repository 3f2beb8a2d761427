//! Where programs for the official 1.x packages expect something else than the specification.

use mcpbolt_proto::auth::discovery::ResourceMatch;
use mcpbolt_proto::auth::error::AuthError;
use mcpbolt_proto::auth::flow::{
    Cause, Compatibility, DefaultEndpoints, Event, FailureEnds, GrantFlow, Loaded, NamedResource, Need,
    Options, Step, Stored,
};
use mcpbolt_proto::auth::metadata::ProtectedResourceMetadata;
use mcpbolt_proto::auth::pkce::Verifier;
use mcpbolt_proto::auth::registration::ClientInformation;
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::auth::token::Tokens;
use serde_json::json;

use crate::world::{
    ISSUER, RESOURCE_METADATA, SERVER, SERVER_METADATA, TOKEN, World, bearer, opened, options, parameter,
    resource_metadata, server_metadata,
};

fn anew(refresh: bool) -> Cause {
    Cause::Authorize { refresh, scopes: None, place: None }
}

fn like(compatibility: Compatibility) -> Options {
    Options { compatibility, ..options() }
}

#[test]
fn endpoints_may_be_assumed_where_the_server_itself_is() {
    let compatibility =
        Compatibility { default_endpoints: DefaultEndpoints::AtServer, ..Compatibility::default() };
    let mut world = World::new(like(compatibility));
    world.gone(SERVER_METADATA);
    world.answer("https://mcp.example.com/register", 201, &json!({"client_id": "here"}));
    let step = world.refuse(401, "Bearer", None);
    assert!(opened(&step).as_str().starts_with("https://mcp.example.com/authorize?"));
    // A page in place of a document says as little as no document.
    world.answer(RESOURCE_METADATA, 200, &json!("<html>"));
    let step = world.refuse(401, "Bearer", None);
    assert!(opened(&step).as_str().starts_with("https://mcp.example.com/authorize?"));
}

#[test]
fn a_program_may_check_the_resource_itself() {
    let compatibility = Compatibility { resource: ResourceMatch::Any, ..Compatibility::default() };
    let mut world = World::new(like(compatibility));
    let mut metadata = resource_metadata();
    metadata["resource"] = "https://elsewhere.example.com".into();
    world.answer(RESOURCE_METADATA, 200, &metadata);
    let step = world.refuse(401, "Bearer", None);
    assert_eq!(parameter(&opened(&step), "resource").as_deref(), Some("https://elsewhere.example.com"));
}

#[test]
fn a_program_may_choose_which_resource_is_named() {
    for (resource, named) in [
        (NamedResource::This("https://x.example.com".into()), Some("https://x.example.com")),
        (NamedResource::Nothing, None),
        (NamedResource::Usual, Some(SERVER)),
    ] {
        let mut world = World::new(Options { resource, ..options() });
        let step = world.refuse(401, "Bearer", None);
        assert_eq!(parameter(&opened(&step), "resource").as_deref(), named);
    }
}

#[test]
fn more_may_be_asked_for_without_what_was_granted() {
    for (narrow_step_up, asked) in [(true, "b"), (false, "a b")] {
        let tokens = Tokens {
            access_token: "old".into(),
            scopes: Scopes::parse("scope", "a").unwrap(),
            ..Tokens::default()
        };
        let options = like(Compatibility { narrow_step_up, ..Compatibility::default() });
        let mut world = World::with(options, Stored { tokens: Some(tokens), ..Stored::default() });
        let step = world.refuse(403, "Bearer error=\"insufficient_scope\", scope=\"b\"", Some("old"));
        assert_eq!(parameter(&opened(&step), "scope").as_deref(), Some(asked));
    }
}

#[test]
fn a_token_of_unsaid_kind_may_be_a_bearer_token() {
    for bearer_if_unsaid in [true, false] {
        let mut world = World::new(like(Compatibility { bearer_if_unsaid, ..Compatibility::default() }));
        world.answer(TOKEN, 200, &json!({"access_token": "t"}));
        let step = world.refuse(401, "Bearer", None);
        let step = world.agree(&step);
        assert_eq!(step == bearer("t"), bearer_if_unsaid, "{step:?}");
    }
}

#[test]
fn new_tokens_are_got_without_searching_again() {
    let mut world = World::new(options());
    let step = world.refuse(401, "Bearer", None);
    assert_eq!(world.agree(&step), bearer("first"));
    let before = world.sent.len();
    let step = world.start(anew(false));
    assert!(matches!(step, Step::OpenBrowser { .. }));
    assert_eq!(world.sent.len(), before);
    assert_eq!(world.start(anew(true)), bearer("first"));
    assert_eq!(world.field("grant_type"), Some("refresh_token"));
}

#[test]
fn a_configured_server_is_asked_whatever_the_resource_says() {
    let client = ClientInformation {
        client_secret: Some("s".into()),
        ..ClientInformation::pre_registered("c", ISSUER)
    };
    let options = Options {
        issuer: Some(ISSUER.into()),
        skip_resource: true,
        grant: GrantFlow::EnterpriseManaged { identity_provider: None },
        ..like(Compatibility { assume_id_jag: true, ..Compatibility::default() })
    };
    let mut world = World::with(options, Stored { clients: vec![client], ..Stored::default() });
    let Step::Supply(Need::IdJag { audience, resource, .. }) = world.refuse(401, "Bearer", None) else {
        panic!()
    };
    assert_eq!((audience.as_str(), resource.as_str()), (ISSUER, SERVER));
    assert_eq!(world.urls(), [SERVER_METADATA]);
    assert_eq!(world.take(Event::Supplied("a.b.c".into())), bearer("first"));
}

/// What the official TypeScript packages' programs expect.
fn typescript() -> Compatibility {
    Compatibility {
        default_endpoints: DefaultEndpoints::Published,
        origin_as_issuer: true,
        failure_ends: FailureEnds::Always,
        offline_as_said: true,
        any_redirect_uri: true,
        refusals_end: true,
        ..Compatibility::default()
    }
}

/// A flow whose caller looks up what it keeps once the server is found.
fn loading(resource: NamedResource) -> (World, Step) {
    let mut world = World::new(Options { loads: true, ..like(typescript()) });
    let Step::Load { issuer, resource: usual } = world.start(anew(true)) else { panic!() };
    assert_eq!((issuer.as_str(), usual.as_deref()), (ISSUER, Some(SERVER)));
    let clients = vec![ClientInformation::pre_registered("kept", ISSUER)];
    let tokens = Tokens { access_token: "old".into(), refresh_token: Some("r".into()), ..Tokens::default() };
    let step = world.take(Event::Loaded(Box::new(Loaded { clients, tokens: Some(tokens), resource })));
    (world, step)
}

#[test]
fn a_caller_is_asked_what_it_keeps_once_the_server_is_found() {
    let (world, step) = loading(NamedResource::This("https://x.example.com".into()));
    assert_eq!(step, bearer("first"));
    assert_eq!(world.field("refresh_token"), Some("r"));
    assert_eq!(world.field("resource"), Some("https://x.example.com"));
    let mut world = World::new(Options { loads: true, ..like(typescript()) });
    world.start(anew(true));
    assert!(matches!(world.take(Event::Done), Step::Fail(AuthError::Unexpected { .. })));
}

#[test]
fn a_refresh_that_fails_for_no_reason_leads_to_the_user_and_others_end_the_flow() {
    for (status, body, ends) in [
        (500, json!(null), false),
        (400, json!("<html>"), false),
        (400, json!({"error": "server_error"}), false),
        (400, json!({"error": "invalid_grant"}), true),
        (400, json!({"error": "invalid_scope"}), true),
    ] {
        let mut world = World::new(Options { loads: true, ..like(typescript()) });
        world.answer(TOKEN, status, &body);
        world.start(anew(true));
        let clients = vec![ClientInformation::pre_registered("kept", ISSUER)];
        let tokens =
            Tokens { access_token: "old".into(), refresh_token: Some("r".into()), ..Tokens::default() };
        let kept = Loaded { clients, tokens: Some(tokens), ..Loaded::default() };
        let step = world.take(Event::Loaded(Box::new(kept)));
        assert_eq!(matches!(step, Step::Fail(AuthError::TokenRefused { .. })), ends, "{step:?}");
        assert_eq!(matches!(step, Step::OpenBrowser { .. }), !ends, "{step:?}");
        assert!(world.changes.is_empty());
    }
}

#[test]
fn a_verifier_tells_whose_the_code_is() {
    let open = |issuer: &str| {
        let mut world = World::new(Options { loads: true, ..like(typescript()) });
        let step = world.start(Cause::Authorize {
            refresh: false,
            scopes: Some(Scopes::parse("scope", "a offline_access").unwrap()),
            place: None,
        });
        assert!(matches!(step, Step::Load { .. }));
        let clients = vec![ClientInformation::pre_registered("kept", ISSUER)];
        let step = world.take(Event::Loaded(Box::new(Loaded { clients, ..Loaded::default() })));
        assert_eq!(parameter(&opened(&step), "scope").as_deref(), Some("a offline_access"));
        let verifier = Verifier::new(&[1; 32]).naming(issuer);
        world.take(Event::CodeGiven { code: "c".into(), verifier })
    };
    assert_eq!(open(ISSUER), bearer("first"));
    assert!(matches!(open("https://evil.example"), Step::Fail(AuthError::IssuerMismatch { .. })));
}

#[test]
fn a_server_may_be_its_own_authorization_server_if_it_says_so() {
    let own = "https://mcp.example.com";
    let mut metadata = server_metadata();
    metadata["issuer"] = format!("{own}/").into();
    let mut world = World::new(like(typescript()));
    world.gone(RESOURCE_METADATA);
    world.answer(&format!("{own}/.well-known/openid-configuration"), 200, &metadata);
    assert_eq!(parameter(&opened(&world.start(anew(false))), "resource").as_deref(), Some(SERVER));
    // One that says nothing is not guessed at, and one that fails ends the search.
    let mut world = World::new(like(typescript()));
    world.gone(RESOURCE_METADATA);
    assert!(matches!(world.start(anew(false)), Step::Fail(AuthError::NoServerMetadata { .. })));
    let mut world = World::new(like(typescript()));
    world.answer(SERVER_METADATA, 503, &json!(null));
    assert!(matches!(world.start(anew(false)), Step::Fail(AuthError::Unavailable { status: Some(503), .. })));
    assert_eq!(world.urls(), [RESOURCE_METADATA, SERVER_METADATA]);
}

#[test]
fn what_a_caller_kept_of_a_resource_is_checked_all_the_same() {
    let stored = |resource: &str| Stored {
        resource: ProtectedResourceMetadata::read(
            json!({"resource": resource, "authorization_servers": [ISSUER]}).as_object().unwrap(),
        )
        .ok(),
        ..Stored::default()
    };
    let options = || Options { issuer: Some(ISSUER.into()), skip_resource: true, ..like(typescript()) };
    let mut world = World::with(options(), stored("https://mcp.example.com"));
    let step = world.start(anew(false));
    assert_eq!(parameter(&opened(&step), "resource").as_deref(), Some("https://mcp.example.com"));
    assert_eq!(world.urls()[0], SERVER_METADATA);
    let mut world = World::with(options(), stored("https://evil.example"));
    assert!(matches!(world.start(anew(false)), Step::Fail(AuthError::ResourceMismatch { .. })));
}

#[test]
fn no_endpoint_may_be_where_the_server_has_no_business() {
    for url in ["https://10.0.0.1/register", "https://localhost/register"] {
        let mut metadata = server_metadata();
        metadata["registration_endpoint"] = url.into();
        let clients = vec![ClientInformation::pre_registered("kept", ISSUER)];
        let mut world = World::with(options(), Stored { clients, ..Stored::default() });
        world.answer(SERVER_METADATA, 200, &metadata);
        let step = world.refuse(401, "Bearer", None);
        assert!(
            matches!(step, Step::Fail(AuthError::Url { field: "registration_endpoint", .. })),
            "{step:?}"
        );
    }
}
