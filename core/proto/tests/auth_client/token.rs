//! Token requests and what comes back.

use std::time::Duration;

use mcpbolt_proto::auth::error::AuthError;
use mcpbolt_proto::auth::fetch::{Answer, Fetch};
use mcpbolt_proto::auth::pkce::Verifier;
use mcpbolt_proto::auth::registration::ClientInformation;
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::auth::token::{
    BasicEncoding, ClientAuthentication, Expected, Grant, Method, TokenRequest, Tokens, Writing,
    changed_meanwhile, needs_refresh, read_tokens, token_type,
};
use mcpbolt_proto::policy::discovery::Guard;
use serde_json::{Value, json};

const ENDPOINT: &str = "https://a.example.com/token";

fn request(grant: Grant) -> TokenRequest {
    TokenRequest {
        grant,
        resource: Some("https://mcp.example.com".into()),
        scopes: Scopes::parse("scope", "a b").unwrap(),
        extra: vec![("grant_type".into(), "evil".into()), ("more".into(), "x y".into())],
    }
}

fn sent(grant: Grant, client: &ClientAuthentication) -> Fetch {
    request(grant).fetch(ENDPOINT, client, Writing::default(), &Guard::default()).unwrap()
}

fn public() -> ClientAuthentication {
    ClientAuthentication::None { client_id: "c".into() }
}

#[test]
fn each_grant_is_a_form() {
    let code = Grant::AuthorizationCode {
        code: "c0de".into(),
        verifier: Verifier::new(&[0; 32]),
        redirect_uri: "http://localhost/cb".into(),
    };
    let exchange = Grant::TokenExchange {
        subject_token: "subject".into(),
        subject_token_type: token_type::ID_TOKEN.into(),
        requested_token_type: token_type::ID_JAG.into(),
        audience: "https://a.example.com".into(),
    };
    let bearer = Grant::JwtBearer { assertion: "ey.ey.x".into() };
    let tail = "&scope=a+b&resource=https%3A%2F%2Fmcp.example.com&client_id=c&more=x+y";
    let rows = [
        (
            code,
            "grant_type=authorization_code&code=c0de&code_verifier=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA&redirect_uri=http%3A%2F%2Flocalhost%2Fcb",
        ),
        (
            Grant::RefreshToken { refresh_token: "r+/=".into() },
            "grant_type=refresh_token&refresh_token=r%2B%2F%3D",
        ),
        (Grant::ClientCredentials, "grant_type=client_credentials"),
        (
            exchange,
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&subject_token=subject&subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aid_token&requested_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aid-jag&audience=https%3A%2F%2Fa.example.com",
        ),
        (bearer, "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=ey.ey.x"),
    ];
    for (grant, form) in rows {
        let fetch = sent(grant, &public());
        assert_eq!(fetch.body.text().expose(), format!("{form}{tail}"));
        assert_eq!((fetch.method(), fetch.url.as_str(), fetch.rules.max_redirects), ("POST", ENDPOINT, 0));
    }
}

#[test]
fn clients_prove_themselves_as_their_method_says() {
    let secret = || "s e:c%r+ét".into();
    let id = || "a:b".to_owned();
    let basic = ClientAuthentication::Basic { client_id: id(), secret: secret() };
    let header = |writing| {
        let of = |grant| request(grant).fetch(ENDPOINT, &basic, writing, &Guard::default()).unwrap();
        let fetch = of(Grant::RefreshToken { refresh_token: "r".into() });
        assert_eq!(fetch.body.field("client_id").is_some(), writing.id_beside_basic);
        assert_eq!(fetch.body.field("client_secret"), None);
        assert_eq!(of(Grant::ClientCredentials).body.field("client_id"), None);
        fetch.header("Authorization").unwrap().expose().to_owned()
    };
    let writing =
        |basic| Writing { basic, id_beside_basic: basic == BasicEncoding::Percent, ..Writing::default() };
    // Blanks as a plus sign, then percent-encoded, then everything as it is.
    assert_eq!(header(writing(BasicEncoding::Form)), "Basic YSUzQWI6cytlJTNBYyUyNXIlMkIlQzMlQTl0");
    assert_eq!(header(writing(BasicEncoding::Percent)), "Basic YSUzQWI6cyUyMGUlM0FjJTI1ciUyQiVDMyVBOXQ=");
    assert_eq!(header(writing(BasicEncoding::Raw)), "Basic YTpiOnMgZTpjJXIrw6l0");

    let post =
        sent(Grant::ClientCredentials, &ClientAuthentication::Post { client_id: id(), secret: secret() });
    assert_eq!(post.body.field("client_secret"), Some("s e:c%r+ét"));
    let assertion = ClientAuthentication::PrivateKeyJwt { client_id: id(), assertion: "ey.ey.x".into() };
    let signed = sent(Grant::ClientCredentials, &assertion);
    assert_eq!(signed.body.field("client_assertion"), Some("ey.ey.x"));
    assert_eq!(
        signed.body.field("client_assertion_type"),
        Some("urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
    );
    assert_eq!(signed.body.field("client_id"), Some("a:b"));
    let (lone, _) = assertion.parts(Writing { lone_assertion: true, ..Writing::default() });
    assert!(lone.iter().all(|(name, _)| name != "client_id"));
    let nobody = sent(Grant::ClientCredentials, &ClientAuthentication::Nobody);
    assert_eq!(nobody.body.field("client_id"), None);
}

#[test]
fn the_method_is_the_registered_one_or_the_safest_that_both_can() {
    let client = |method: Option<&str>, secret: bool| ClientInformation {
        token_endpoint_auth_method: method.map(str::to_owned),
        client_secret: secret.then(|| "s".into()),
        ..ClientInformation::pre_registered("c", "https://a.example.com")
    };
    let choose = |client: &ClientInformation, known: &[&str]| {
        let known: Vec<String> = known.iter().map(|&name| name.to_owned()).collect();
        Method::choose(client, (!known.is_empty()).then_some(&known[..]))
    };
    let rows: &[(Option<&str>, bool, &[&str], Method)] = &[
        (None, false, &[], Method::None),
        (None, true, &[], Method::Basic),
        (None, true, &["client_secret_post", "client_secret_basic"], Method::Basic),
        (None, true, &["client_secret_post"], Method::Post),
        (None, true, &["tls_client_auth"], Method::Basic),
        (Some("client_secret_post"), true, &["client_secret_basic"], Method::Post),
        (Some("none"), true, &["client_secret_basic"], Method::None),
        (Some("private_key_jwt"), false, &[], Method::PrivateKeyJwt),
    ];
    for (method, secret, known, wanted) in rows {
        assert_eq!(choose(&client(*method, *secret), known), Ok(*wanted), "{method:?} {secret} {known:?}");
    }
    for (method, secret) in [("client_secret_basic", false), ("tls_client_auth", true)] {
        let error = choose(&client(Some(method), secret), &[]).unwrap_err();
        assert!(matches!(error, AuthError::ClientAuthentication { .. }), "{method}");
    }
}

#[test]
fn nothing_secret_goes_over_plain_http() {
    let request = request(Grant::ClientCredentials);
    for url in ["http://a.example.com/token", "https://127.0.0.1/token", "ftp://a.example.com", "token"] {
        let error = request.fetch(url, &public(), Writing::default(), &Guard::default()).unwrap_err();
        assert!(matches!(error, AuthError::Url { field: "token_endpoint", .. }), "{url}");
    }
    let local = Guard::for_server("http", "localhost");
    assert!(request.fetch("http://localhost:1/token", &public(), Writing::default(), &local).is_ok());
}

fn read(status: u16, body: &str) -> Result<Tokens, AuthError> {
    read_as(status, body, None)
}

fn read_as(status: u16, body: &str, issued_type: Option<&str>) -> Result<Tokens, AuthError> {
    let grant = Grant::RefreshToken { refresh_token: "refresh-me".into() };
    let fetch =
        sent(grant, &ClientAuthentication::Post { client_id: "c".into(), secret: "hush-hush".into() });
    let scopes = Scopes::parse("scope", "asked").unwrap();
    let expected =
        Expected { request: &fetch, scopes: &scopes, issued_type, bearer_if_unsaid: false, proved: false };
    read_tokens(&Answer::new(status, body), expected, Duration::from_millis(1_000_900))
}

fn with(members: Value) -> String {
    let mut body = json!({"access_token": "t", "token_type": "Bearer"});
    let Value::Object(members) = members else { panic!() };
    body.as_object_mut().unwrap().extend(members);
    body.to_string()
}

#[test]
fn the_end_of_a_token_is_read_from_what_servers_write() {
    for (expires_in, end) in [
        (json!(60), Some(1060)),
        (json!("60"), Some(1060)),
        (json!(60.7), Some(1060)),
        (json!(0), Some(1000)),
        (json!(-5), Some(1000)),
        (json!(1e300), Some(u64::MAX)),
        (json!(null), None),
        (json!("soon"), None),
        (json!([]), None),
    ] {
        let tokens = read(200, &with(json!({"expires_in": expires_in}))).unwrap();
        assert_eq!(tokens.expires_at, end, "{expires_in}");
    }
    assert_eq!(read(200, &with(json!({}))).unwrap().expires_at, None);
}

#[test]
fn scopes_are_those_of_the_answer_or_those_asked_for() {
    let scopes = |members| read(200, &with(members)).unwrap().scopes.to_string();
    assert_eq!(scopes(json!({})), "asked");
    assert_eq!(scopes(json!({"scope": "a b"})), "a b");
    assert_eq!(scopes(json!({"scope": ""})), "");
}

#[test]
fn an_answer_without_a_usable_token_is_refused() {
    for (body, field) in [
        (json!({"token_type": "Bearer"}), "access_token"),
        (json!({"access_token": "", "token_type": "Bearer"}), "access_token"),
        (json!({"access_token": "a b", "token_type": "Bearer"}), "access_token"),
        (json!({"access_token": "a\r\nX: y", "token_type": "Bearer"}), "access_token"),
        (json!({"access_token": "ü", "token_type": "Bearer"}), "access_token"),
        (json!({"access_token": "t"}), "token_type"),
        (json!({"access_token": "t", "token_type": "mac"}), "token_type"),
        (json!({"access_token": "t", "token_type": "DPoP"}), "token_type"),
        (json!({"access_token": "t", "token_type": "bearer", "refresh_token": "a\nb"}), "refresh_token"),
        (json!({"access_token": "t", "token_type": "bearer", "scope": 7}), "scope"),
    ] {
        let Err(AuthError::Malformed { field: wrong, .. }) = read(200, &body.to_string()) else {
            panic!("{body}")
        };
        assert_eq!(wrong, field);
    }
    for body in ["", "<html>", "[]", "\"t\""] {
        assert!(matches!(read(200, body), Err(AuthError::Malformed { field: "body", .. })), "{body}");
    }
}

#[test]
fn an_exchange_gives_the_kind_of_token_that_was_asked_for() {
    let body = |kind: &str| {
        json!({"access_token": "ey", "issued_token_type": kind, "token_type": "N_A"}).to_string()
    };
    assert!(read_as(200, &body(token_type::ID_JAG), Some(token_type::ID_JAG)).is_ok());
    for other in [body(token_type::ID_TOKEN), with(json!({}))] {
        let Err(AuthError::Malformed { field, .. }) = read_as(200, &other, Some(token_type::ID_JAG)) else {
            panic!("{other}")
        };
        assert_eq!(field, "issued_token_type");
    }
}

#[test]
fn an_error_is_one_with_any_status_and_repeats_no_secret() {
    let body = json!({
        "error": "invalid_grant",
        "error_description": "refresh-me of hush-hush is used up\u{1b}[0m",
        "access_token": "t",
        "token_type": "Bearer",
    });
    for status in [200, 400, 401, 500] {
        let Err(AuthError::TokenRefused { status: told, refusal }) = read(status, &body.to_string()) else {
            panic!("{status}")
        };
        assert_eq!(told, status);
        assert_eq!(refusal.to_string(), "invalid_grant: … of … is used up [0m");
    }
    let long = json!({"error": "x".repeat(5000)}).to_string();
    let Err(AuthError::TokenRefused { refusal, .. }) = read(400, &long) else { panic!() };
    assert_eq!(refusal.error.len(), 300);
    assert!(matches!(read(400, "no"), Err(AuthError::TokenRefused { status: 400, .. })));
    assert!(read(503, "no").unwrap_err().is_temporary());
}

#[test]
fn secrets_are_not_printed() {
    let grants = [
        Grant::RefreshToken { refresh_token: "SECRET".into() },
        Grant::JwtBearer { assertion: "SECRET".into() },
    ];
    for grant in grants {
        let request = request(grant);
        let client = ClientAuthentication::Basic { client_id: "c".into(), secret: "SECRET".into() };
        let fetch = request.fetch(ENDPOINT, &client, Writing::default(), &Guard::default()).unwrap();
        let printed = format!("{request:?} {client:?} {fetch:?}");
        assert!(!printed.contains("SECRET") && !printed.contains("U0VDUkVU"), "{printed}");
    }
    let answer = Answer::new(200, "SECRET");
    let tokens =
        Tokens { access_token: "SECRET".into(), refresh_token: Some("SECRET".into()), ..Tokens::default() };
    assert!(!format!("{answer:?} {tokens:?}").contains("SECRET"));
}

#[test]
fn one_refresh_serves_all_that_wait() {
    let now = Duration::from_secs(1000);
    let token = |text: &str, end| Tokens {
        access_token: text.into(),
        refresh_token: Some("r".into()),
        expires_at: end,
        ..Tokens::default()
    };
    assert!(!needs_refresh(&token("a", None), now));
    assert!(!needs_refresh(&token("a", Some(1031)), now));
    assert!(needs_refresh(&token("a", Some(1030)), now));
    assert!(!needs_refresh(&Tokens { refresh_token: None, ..token("a", Some(1)) }, now));

    let current = token("new", Some(2000));
    assert!(changed_meanwhile(Some(&"old".into()), Some(&current), now).is_some());
    assert!(changed_meanwhile(None, Some(&current), now).is_some());
    assert!(changed_meanwhile(Some(&"new".into()), Some(&current), now).is_none());
    assert!(changed_meanwhile(Some(&"old".into()), None, now).is_none());
    let ended = token("new", Some(1000));
    assert!(changed_meanwhile(Some(&"old".into()), Some(&ended), now).is_none());
}
