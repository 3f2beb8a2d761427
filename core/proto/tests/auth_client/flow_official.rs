//! Where programs for the official 1.x packages expect something else than the specification.

use mcpbolt_proto::auth::discovery::ResourceMatch;
use mcpbolt_proto::auth::flow::{
    Cause, Compatibility, DefaultEndpoints, Event, GrantFlow, NamedResource, Need, Options, Step, Stored,
};
use mcpbolt_proto::auth::registration::ClientInformation;
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::auth::token::Tokens;
use serde_json::json;

use crate::world::{
    ISSUER, RESOURCE_METADATA, SERVER, SERVER_METADATA, TOKEN, World, bearer, opened, options, parameter,
    resource_metadata,
};

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
    let step = world.start(Cause::Authorize { refresh: false });
    assert!(matches!(step, Step::OpenBrowser { .. }));
    assert_eq!(world.sent.len(), before);
    assert_eq!(world.start(Cause::Authorize { refresh: true }), bearer("first"));
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
