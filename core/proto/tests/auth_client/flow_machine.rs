//! Tokens without a user: client credentials, ID-JAG, workload identity.

use mcpbolt_proto::auth::error::AuthError;
use mcpbolt_proto::auth::flow::{
    Audience, Cause, Compatibility, Event, GrantFlow, IdentityProvider, Need, Options, Step, Stored,
};
use mcpbolt_proto::auth::registration::ClientInformation;
use mcpbolt_proto::auth::token::token_type;
use serde_json::json;

use crate::world::{ISSUER, SERVER, SERVER_METADATA, TOKEN, World, bearer, options, server_metadata, tokens};

const IDP: &str = "https://login.company.example";
const IDP_TOKEN: &str = "https://login.company.example/token";

fn machine(grant: GrantFlow, method: Option<&str>, options: Options) -> World {
    let client = ClientInformation {
        client_secret: (method != Some("private_key_jwt")).then(|| "hush".into()),
        token_endpoint_auth_method: method.map(str::to_owned),
        ..ClientInformation::pre_registered("machine", ISSUER)
    };
    let mut world =
        World::with(Options { grant, ..options }, Stored { clients: vec![client], ..Stored::default() });
    world.answer(TOKEN, 200, &tokens("own", None));
    world
}

#[test]
fn a_client_gets_a_token_for_itself() {
    let mut world = machine(GrantFlow::ClientCredentials, None, options());
    assert_eq!(world.refuse(401, "Bearer scope=\"a\"", None), bearer("own"));
    let form = [("grant_type", "client_credentials"), ("scope", "a"), ("resource", SERVER)];
    for (name, value) in form {
        assert_eq!(world.field(name), Some(value));
    }
    assert_eq!(
        world.sent.last().unwrap().header("Authorization").unwrap().expose(),
        "Basic bWFjaGluZTpodXNo"
    );
    // When it has ended the server says so, and the client asks again.
    world.now += std::time::Duration::from_secs(3601);
    assert_eq!(world.start(Cause::Request), Step::Send { authorization: None });
    assert_eq!(world.refuse(401, "Bearer", None), bearer("own"));
}

/// It is for users who are away; servers refuse machines that ask for it.
#[test]
fn a_machine_does_not_ask_for_offline_access() {
    let mut world = machine(GrantFlow::ClientCredentials, None, options());
    let mut metadata = server_metadata();
    metadata["scopes_supported"] = json!(["a", "offline_access"]);
    world.answer(SERVER_METADATA, 200, &metadata);
    assert_eq!(world.refuse(401, "Bearer scope=\"a\"", None), bearer("own"));
    assert_eq!(world.field("scope"), Some("a"));
}

#[test]
fn a_client_proves_itself_with_an_assertion_that_is_signed_outside() {
    for (audience, wanted) in [(None, ISSUER), (Some(Audience::TokenEndpoint), TOKEN)] {
        let options = Options { audience, ..options() };
        let mut world = machine(GrantFlow::ClientCredentials, Some("private_key_jwt"), options);
        let step = world.refuse(401, "Bearer", None);
        let need = Need::ClientAssertion { client_id: "machine".into(), audience: wanted.into() };
        assert_eq!(step, Step::Supply(need));
        assert_eq!(world.take(Event::Supplied("ey.ey.x".into())), bearer("own"));
        assert_eq!(world.field("client_assertion"), Some("ey.ey.x"));
        assert_eq!(world.field("grant_type"), Some("client_credentials"));
    }
}

#[test]
fn a_machine_without_a_client_does_not_register() {
    let mut world = World::new(Options { grant: GrantFlow::ClientCredentials, ..options() });
    let step = world.refuse(401, "Bearer", None);
    assert_eq!(step, Step::Fail(AuthError::NoClient { issuer: ISSUER.into() }));
}

#[test]
fn credentials_go_to_no_other_issuer() {
    let elsewhere = ClientInformation {
        client_secret: Some("hush".into()),
        ..ClientInformation::pre_registered("machine", "https://b.example.com")
    };
    let stored = Stored { clients: vec![elsewhere], ..Stored::default() };
    let grant = GrantFlow::ClientCredentials;
    let mut world = World::with(Options { grant: grant.clone(), ..options() }, stored);
    let Step::Fail(AuthError::ClientBoundElsewhere { .. }) = world.refuse(401, "Bearer", None) else {
        panic!()
    };
    assert!(!world.urls().contains(&TOKEN));
    let wanted = Options { issuer: Some("https://b.example.com".into()), ..options() };
    let mut world = machine(grant, None, wanted);
    let Step::Fail(AuthError::ClientBoundElsewhere { .. }) = world.refuse(401, "Bearer", None) else {
        panic!()
    };
    assert_eq!(world.sent.len(), 1);
}

fn enterprise(token_endpoint: Option<&str>, options: Options) -> World {
    let provider = IdentityProvider {
        issuer: IDP.into(),
        token_endpoint: token_endpoint.map(str::to_owned),
        client: ClientInformation {
            client_secret: Some("idp".into()),
            token_endpoint_auth_method: Some("client_secret_post".into()),
            ..ClientInformation::pre_registered("at-idp", IDP)
        },
        subject_token_type: token_type::ID_TOKEN.into(),
    };
    let grant = GrantFlow::EnterpriseManaged { identity_provider: Some(Box::new(provider)) };
    let mut world = machine(grant, None, options);
    let mut metadata = server_metadata();
    metadata["authorization_grant_profiles_supported"] =
        json!(["urn:ietf:params:oauth:grant-profile:id-jag"]);
    world.answer(SERVER_METADATA, 200, &metadata);
    world.answer(
        "https://login.company.example/.well-known/openid-configuration",
        200,
        &json!({"issuer": IDP, "token_endpoint": IDP_TOKEN}),
    );
    let grant =
        json!({"access_token": "id.jag", "issued_token_type": token_type::ID_JAG, "token_type": "N_A"});
    world.answer(IDP_TOKEN, 200, &grant);
    world
}

#[test]
fn a_companys_identity_provider_turns_an_id_token_into_a_grant() {
    for endpoint in [Some(IDP_TOKEN), None] {
        let mut world = enterprise(endpoint, options());
        let step = world.refuse(401, "Bearer scope=\"a\"", None);
        assert_eq!(step, Step::Supply(Need::SubjectToken { token_type: token_type::ID_TOKEN.into() }));
        assert_eq!(world.take(Event::Supplied("id.token".into())), bearer("own"));
        let exchange = world.sent.iter().find(|fetch| fetch.url == IDP_TOKEN).unwrap();
        for (name, value) in [
            ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"),
            ("subject_token", "id.token"),
            ("subject_token_type", token_type::ID_TOKEN),
            ("requested_token_type", token_type::ID_JAG),
            ("audience", ISSUER),
            ("resource", SERVER),
            ("client_id", "at-idp"),
            ("client_secret", "idp"),
        ] {
            assert_eq!(exchange.body.field(name), Some(value), "{name}");
        }
        assert_eq!(world.field("grant_type"), Some("urn:ietf:params:oauth:grant-type:jwt-bearer"));
        assert_eq!(world.field("assertion"), Some("id.jag"));
        assert!(world.sent.last().unwrap().header("Authorization").is_some());
    }
}

#[test]
fn a_program_may_bring_the_identity_assertion_itself() {
    let options = Options {
        compatibility: Compatibility { assume_id_jag: true, ..Compatibility::default() },
        ..options()
    };
    let mut world = machine(GrantFlow::EnterpriseManaged { identity_provider: None }, None, options);
    let Step::Supply(Need::IdJag { audience, resource, .. }) = world.refuse(401, "Bearer", None) else {
        panic!()
    };
    assert_eq!((audience.as_str(), resource.as_str()), (ISSUER, SERVER));
    assert_eq!(world.take(Event::Supplied("id.jag".into())), bearer("own"));
    assert_eq!(world.field("assertion"), Some("id.jag"));
}

#[test]
fn a_server_has_to_say_that_it_takes_identity_assertions() {
    let mut world = machine(GrantFlow::EnterpriseManaged { identity_provider: None }, None, options());
    let Step::Fail(AuthError::Unsupported { field, .. }) = world.refuse(401, "Bearer", None) else {
        panic!()
    };
    assert_eq!(field, "authorization_grant_profiles_supported");
}

#[test]
fn an_exchange_that_gives_something_else_goes_no_further() {
    let mut world = enterprise(Some(IDP_TOKEN), options());
    world.answer(IDP_TOKEN, 200, &tokens("not-a-grant", None));
    world.refuse(401, "Bearer", None);
    let Step::Fail(error) = world.take(Event::Supplied("id.token".into())) else { panic!() };
    assert!(error.to_string().contains("issued_token_type"));
    assert!(!world.urls().contains(&TOKEN));
}

#[test]
fn an_identity_provider_without_a_token_endpoint_ends_the_flow() {
    let mut world = enterprise(None, options());
    world.answer(
        "https://login.company.example/.well-known/openid-configuration",
        200,
        &json!({"issuer": IDP}),
    );
    world.refuse(401, "Bearer", None);
    let step = world.take(Event::Supplied("id.token".into()));
    assert!(matches!(step, Step::Fail(AuthError::Unsupported { field: "token_endpoint", .. })), "{step:?}");
}

#[test]
fn a_workload_is_known_by_its_assertion_alone() {
    let mut world = World::new(Options { grant: GrantFlow::WorkloadIdentity, ..options() });
    let step = world.refuse(401, "Bearer", None);
    assert_eq!(step, Step::Supply(Need::WorkloadAssertion { audience: TOKEN.into() }));
    assert_eq!(world.take(Event::Supplied("platform.jwt".into())), bearer("first"));
    assert_eq!(world.field("assertion"), Some("platform.jwt"));
    assert_eq!(world.field("resource"), Some(SERVER));
    assert_eq!(world.field("client_id"), None);
    assert!(world.sent.last().unwrap().header("Authorization").is_none());
}

#[test]
fn what_does_not_come_is_named() {
    let mut world = machine(GrantFlow::ClientCredentials, Some("private_key_jwt"), options());
    for event in [Event::GaveUp, Event::Supplied("".into())] {
        world.refuse(401, "Bearer", None);
        assert_eq!(world.take(event), Step::Fail(AuthError::GivenUp { what: "client assertion" }));
    }
}
