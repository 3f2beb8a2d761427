//! How a client becomes known.

use std::time::Duration;

use mcpbolt_proto::auth::error::AuthError;
use mcpbolt_proto::auth::fetch::{Answer, Rules};
use mcpbolt_proto::auth::metadata::{AuthorizationServerMetadata, ClientMetadata};
use mcpbolt_proto::auth::registration::{
    ClientInformation, ClientOrigin, Situation, Unbound, Way, read_registration, registration_body,
};
use mcpbolt_proto::auth::scope::Scopes;
use serde_json::json;

const ISSUER: &str = "https://a.example.com";
const DOCUMENT: &str = "https://app.example.com/client.json";

fn server(documents: bool, registers: bool) -> AuthorizationServerMetadata {
    AuthorizationServerMetadata {
        issuer: ISSUER.into(),
        client_id_metadata_document_supported: documents,
        registration_endpoint: registers.then(|| format!("{ISSUER}/register")),
        ..AuthorizationServerMetadata::default()
    }
}

fn way(
    server: &AuthorizationServerMetadata,
    clients: &[ClientInformation],
    unbound: Unbound,
) -> Result<Way, AuthError> {
    let metadata =
        ClientMetadata { redirect_uris: vec!["http://localhost:9/cb".into()], ..ClientMetadata::default() };
    Situation {
        issuer: ISSUER,
        server,
        clients,
        metadata: &metadata,
        metadata_url: Some(DOCUMENT),
        unbound,
        now: Duration::from_secs(1000),
    }
    .way()
}

fn dynamic(issuer: &str) -> ClientInformation {
    ClientInformation { origin: ClientOrigin::Dynamic, ..ClientInformation::pre_registered("d", issuer) }
}

#[test]
fn ways_are_gone_in_the_specified_order() {
    let all = server(true, true);
    let manual = ClientInformation::pre_registered("m", ISSUER);
    let clients = [dynamic(ISSUER), manual.clone()];
    assert_eq!(way(&all, &clients, Unbound::Refuse), Ok(Way::Known(manual)));
    let Ok(Way::Known(document)) = way(&all, &[dynamic(ISSUER)], Unbound::Refuse) else { panic!() };
    assert_eq!(document.client_id, DOCUMENT);
    assert_eq!(
        way(&server(false, true), &[dynamic(ISSUER)], Unbound::Refuse),
        Ok(Way::Known(dynamic(ISSUER)))
    );
    assert_eq!(way(&server(false, true), &[], Unbound::Refuse), Ok(Way::Register));
    assert_eq!(way(&server(false, false), &[], Unbound::Refuse), Ok(Way::AskUser));
}

#[test]
fn credentials_of_one_issuer_are_shown_to_no_other() {
    let elsewhere = "https://b.example.com";
    assert_eq!(way(&server(false, true), &[dynamic(elsewhere)], Unbound::Refuse), Ok(Way::Register));
    let manual = ClientInformation::pre_registered("m", elsewhere);
    for kind in [server(true, true), server(false, false)] {
        let Err(AuthError::ClientBoundElsewhere { bound, current }) =
            way(&kind, std::slice::from_ref(&manual), Unbound::Bind)
        else {
            panic!("it was shown")
        };
        assert_eq!((bound.as_str(), current.as_str()), (elsewhere, ISSUER));
    }
    // Among several the one of the issuer is taken.
    let ours = ClientInformation::pre_registered("o", ISSUER);
    assert_eq!(way(&server(true, true), &[manual, ours.clone()], Unbound::Refuse), Ok(Way::Known(ours)));
}

#[test]
fn a_client_without_an_issuer_is_bound_only_where_that_is_wanted() {
    let unbound = ClientInformation { client_id: "u".into(), ..ClientInformation::default() };
    let clients = [unbound];
    assert_eq!(way(&server(true, true), &clients, Unbound::Refuse), Err(AuthError::ClientUnbound));
    let Ok(Way::Known(bound)) = way(&server(true, true), &clients, Unbound::Bind) else { panic!() };
    assert_eq!(bound.issuer.as_deref(), Some(ISSUER));
}

#[test]
fn a_secret_that_ended_leads_to_a_new_registration_or_to_an_error() {
    let ended = |client: ClientInformation| ClientInformation {
        client_secret: Some("s".into()),
        client_secret_expires_at: Some(1000),
        ..client
    };
    assert_eq!(way(&server(false, true), &[ended(dynamic(ISSUER))], Unbound::Refuse), Ok(Way::Register));
    let manual = ended(ClientInformation::pre_registered("m", ISSUER));
    assert_eq!(
        way(&server(false, true), std::slice::from_ref(&manual), Unbound::Refuse),
        Err(AuthError::ClientSecretExpired { issuer: ISSUER.into() })
    );
    let never = ClientInformation { client_secret_expires_at: Some(0), ..manual };
    assert!(matches!(way(&server(false, true), &[never], Unbound::Refuse), Ok(Way::Known(_))));
}

#[test]
fn a_client_registers_again_when_the_browser_comes_back_elsewhere() {
    let at = |uri: &str| ClientInformation { redirect_uris: vec![uri.into()], ..dynamic(ISSUER) };
    let kept =
        |uri: &str| matches!(way(&server(false, true), &[at(uri)], Unbound::Refuse), Ok(Way::Known(_)));
    assert!(kept("http://localhost:9/cb"));
    assert!(kept("http://localhost:1234/cb")); // on this machine any port is good
    assert!(!kept("http://localhost:9/other"));
    assert!(!kept("https://app.example.com/cb"));
}

#[test]
fn a_registration_names_the_scopes_that_the_server_lists() {
    let asked = Scopes::parse("scope", "files:read openid").unwrap();
    let body = |listed: Option<&str>| {
        let scopes_supported = listed.map(|listed| Scopes::parse("scopes_supported", listed).unwrap());
        let server = AuthorizationServerMetadata { scopes_supported, ..server(false, true) };
        registration_body(&ClientMetadata::default(), &server, &asked)
    };
    assert_eq!(body(None)["scope"], "files:read openid");
    assert_eq!(body(Some("openid offline_access"))["scope"], "openid");
    assert!(body(Some("mail")).get("scope").is_none());
}

#[test]
fn a_registration_says_the_kind_of_program_and_a_method_the_server_knows() {
    let metadata =
        ClientMetadata { redirect_uris: vec!["http://localhost/cb".into()], ..ClientMetadata::default() };
    let mut server = server(false, true);
    let scopes = Scopes::parse("scope", "a b").unwrap();
    let body = registration_body(&metadata, &server, &scopes);
    assert_eq!(
        body,
        json!({
            "redirect_uris": ["http://localhost/cb"],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "application_type": "native",
            "scope": "a b",
        })
    );
    server.token_endpoint_auth_methods_supported =
        Some(vec!["client_secret_post".into(), "client_secret_basic".into()]);
    let body = registration_body(&metadata, &server, &Scopes::default());
    assert_eq!(body["token_endpoint_auth_method"], "client_secret_basic");
    let wants = ClientMetadata { token_endpoint_auth_method: Some("private_key_jwt".into()), ..metadata };
    let body = registration_body(&wants, &server, &Scopes::default());
    assert_eq!(body["token_endpoint_auth_method"], "private_key_jwt");
}

fn read(status: u16, body: &serde_json::Value) -> Result<ClientInformation, AuthError> {
    read_registration(
        &Answer::new(status, body.to_string()),
        ISSUER,
        &Rules::credentials(mcpbolt_proto::policy::discovery::Guard::default()),
    )
}

#[test]
fn an_issuer_is_noted_and_never_taken_from_the_answer() {
    let client = read(201, &json!({"client_id": "c", "issuer": "https://evil.example.com"})).unwrap();
    assert_eq!(client.issuer.as_deref(), Some(ISSUER));
    assert_eq!(client.origin, ClientOrigin::Dynamic);
}

#[test]
fn an_answer_without_a_client_id_is_no_registration() {
    for body in [
        json!({}),
        json!({"client_id": null}),
        json!({"client_id": ""}),
        json!({"client_id": 7}),
        json!({"client_id": "a\r\nX: y"}),
    ] {
        let Err(AuthError::Malformed { field, .. }) = read(201, &body) else { panic!("{body}") };
        assert_eq!(field, "client_id");
    }
    assert!(read(201, &json!(["client_id"])).is_err());
    let Err(AuthError::Malformed { field, .. }) =
        read(201, &json!({"client_id": "c", "client_secret": "a\nb"}))
    else {
        panic!()
    };
    assert_eq!(field, "client_secret");
}

#[test]
fn a_refusal_is_named_and_a_failing_server_is_not_a_refusal() {
    let body = json!({"error": "invalid_redirect_uri", "error_description": "no\u{7} loopback"});
    let Err(AuthError::RegistrationRefused { status, refusal }) = read(400, &body) else { panic!() };
    assert_eq!((status, refusal.to_string().as_str()), (400, "invalid_redirect_uri: no  loopback"));
    assert!(matches!(read(403, &json!([])), Err(AuthError::RegistrationRefused { status: 403, .. })));
    assert!(read(503, &json!({})).unwrap_err().is_temporary());
}
