//! The documents as types.

use mcpbolt_proto::auth::error::AuthError;
use mcpbolt_proto::auth::metadata::{
    ApplicationType, AuthorizationServerMetadata, ClientMetadata, ProtectedResourceMetadata,
};
use serde_json::{Map, Value, json};

fn object(value: Value) -> Map<String, Value> {
    let Value::Object(object) = value else { panic!("an object") };
    object
}

fn server(member: &str, value: Value) -> Result<AuthorizationServerMetadata, AuthError> {
    let mut document = object(json!({"issuer": "https://a.example.com"}));
    document.insert(member.to_owned(), value);
    AuthorizationServerMetadata::read(&document)
}

#[test]
fn members_that_decide_nothing_are_ignored() {
    let metadata = server("what_is_this", json!({"deep": [1, 2]})).unwrap();
    assert_eq!(metadata.issuer, "https://a.example.com");
    for nothing in ["token_endpoint", "scopes_supported", "code_challenge_methods_supported"] {
        assert_eq!(server(nothing, Value::Null).unwrap(), metadata, "{nothing}");
    }
}

#[test]
fn members_that_decide_are_what_they_should_be() {
    let wrong = [
        ("issuer", json!(7)),
        ("issuer", json!("")),
        ("token_endpoint", json!(["https://a.example.com/token"])),
        ("code_challenge_methods_supported", json!("S256")),
        ("authorization_response_iss_parameter_supported", json!("true")),
        ("client_id_metadata_document_supported", json!(1)),
    ];
    for (member, value) in wrong {
        let Err(AuthError::Malformed { field, .. }) = server(member, value) else { panic!("{member}") };
        assert_eq!(field, member);
    }
}

#[test]
fn a_resource_names_at_least_one_authorization_server() {
    for servers in [json!(null), json!([]), json!([7]), json!("https://a.example.com")] {
        let document = json!({"resource": "https://mcp.example.com", "authorization_servers": servers});
        let Err(AuthError::Malformed { field, .. }) = ProtectedResourceMetadata::read(&object(document))
        else {
            panic!("{servers}")
        };
        assert_eq!(field, "authorization_servers");
    }
    let document = json!({"authorization_servers": ["https://a.example.com"]});
    let error = ProtectedResourceMetadata::read(&object(document)).unwrap_err();
    assert_eq!(error.to_string(), "protected resource metadata: resource: it is missing");
}

#[test]
fn huge_lists_are_refused() {
    let many: Vec<String> = (0..1001).map(|n| format!("https://a{n}.example.com")).collect();
    let document = json!({"resource": "https://mcp.example.com", "authorization_servers": many});
    assert!(matches!(
        ProtectedResourceMetadata::read(&object(document)),
        Err(AuthError::TooLarge { field: "authorization_servers", limit: 1000 })
    ));
    let scopes: Vec<String> = (0..300).map(|n| format!("s{n}")).collect();
    assert!(matches!(
        server("scopes_supported", json!(scopes)),
        Err(AuthError::TooLarge { field: "scopes_supported", .. })
    ));
    let long = "x".repeat(100_000);
    assert!(matches!(server("token_endpoint", json!(long)), Err(AuthError::TooLarge { .. })));
}

fn named() -> ClientMetadata {
    ClientMetadata {
        client_name: Some("Example".into()),
        redirect_uris: vec!["http://127.0.0.1:3000/cb".into()],
        ..ClientMetadata::default()
    }
}

#[test]
fn a_client_id_metadata_document_says_its_own_url() {
    let document = named().document("https://app.example.com/client.json").unwrap();
    assert_eq!(document["client_id"], "https://app.example.com/client.json");
    assert_eq!(document["grant_types"], json!(["authorization_code", "refresh_token"]));
    assert_eq!(document["response_types"], json!(["code"]));
}

#[test]
fn a_client_id_is_an_https_url_with_a_plain_path() {
    for bad in [
        "https://app.example.com",
        "https://app.example.com/",
        "http://app.example.com/client.json",
        "https://app.example.com/a/../client.json",
        "https://app.example.com/%2E%2e/client.json",
        "https://app.example.com/client.json#x",
        "https://user@app.example.com/client.json",
        "client.json",
    ] {
        let Err(AuthError::Url { field, .. }) = named().document(bad) else { panic!("{bad}") };
        assert_eq!(field, "client_id");
    }
}

#[test]
fn a_public_document_has_a_name_and_no_secret() {
    let url = "https://app.example.com/client.json";
    let nameless = ClientMetadata { client_name: None, ..named() };
    assert!(nameless.document(url).unwrap_err().to_string().contains("client_name"));
    let nowhere = ClientMetadata { redirect_uris: Vec::new(), ..named() };
    assert!(nowhere.document(url).unwrap_err().to_string().contains("redirect_uris"));
    let mut leaky = named();
    leaky.other.insert("client_secret".into(), json!("s3cr3t"));
    let told = leaky.document(url).unwrap_err().to_string();
    assert!(told.contains("client_secret") && !told.contains("s3cr3t"));
}

#[test]
fn the_kind_of_program_follows_from_where_the_browser_comes_back() {
    let kind = |uri: &str| ApplicationType::of(&[uri.to_owned()]);
    for native in
        ["http://localhost/cb", "http://[::1]:1/cb", "https://localhost/cb", "com.example.app:/callback"]
    {
        assert_eq!(kind(native), ApplicationType::Native, "{native}");
    }
    assert_eq!(kind("https://app.example.com/cb"), ApplicationType::Web);
    let said = ClientMetadata { application_type: Some(ApplicationType::Web), ..named() };
    assert_eq!(said.complete().application_type, Some(ApplicationType::Web));
}
