//! What authorization servers, and whoever gets between them and the browser, try on a client.
//! Each row is one try; none gets a token, and nothing secret is shown.

use mcpbolt::auth::{OAuth, RedirectAnswer, RedirectCallback, Secret};
use serde_json::{Value, json as object};
use url::Url;

use crate::world::{Code, REDIRECT_URI, World, oauth, sent_back};

/// Why a client that signs in this way cannot connect; nothing secret is in it.
async fn refused(world: &World, client: &OAuth, what: &str) -> String {
    let why = world.try_connect(client).await.map(drop).expect_err(what).to_string();
    assert!(!why.contains("canary-") && !why.contains("injected"), "{what}: {why}");
    why
}

fn members(changes: Value) -> serde_json::Map<String, Value> {
    let Value::Object(changes) = changes else { panic!("members of an object") };
    changes
}

/// A downgrade of PKCE, and endpoints that no browser and no token may be sent to.
#[tokio::test]
async fn metadata_that_would_lead_astray_open_no_browser() {
    for (what, changes, expected) in [
        ("PKCE without a hash", object!({"code_challenge_methods_supported": ["plain"]}), "PKCE"),
        ("no PKCE", object!({"code_challenge_methods_supported": null}), "PKCE"),
        ("an empty list", object!({"code_challenge_methods_supported": []}), "PKCE"),
        ("a script", object!({"authorization_endpoint": "javascript:alert(1)"}), "authorization_endpoint"),
        ("a file", object!({"authorization_endpoint": "file:///etc/passwd"}), "authorization_endpoint"),
        (
            "no TLS",
            object!({"authorization_endpoint": "http://login.example.com/"}),
            "authorization_endpoint",
        ),
        (
            "tokens without TLS",
            object!({"token_endpoint": "http://login.example.com/token"}),
            "token_endpoint",
        ),
        ("a private network", object!({"token_endpoint": "https://10.0.0.1/token"}), "token_endpoint"),
        ("a cloud's own", object!({"token_endpoint": "https://169.254.169.254/token"}), "token_endpoint"),
        ("another issuer", object!({"issuer": "https://injected.example.com"}), "issuer"),
    ] {
        let world = World::start().await;
        world.set(|state| state.about = members(changes));
        let why = refused(&world, &oauth(), what).await;
        assert!(why.contains(expected), "{what}: {why}");
        assert!(world.seen("/authorize").is_empty() && world.seen("/token").is_empty(), "{what}");
    }
}

/// Signs in with a browser whose answer somebody changed on its way back.
fn changed(change: fn(&mut Url)) -> OAuth {
    OAuth::new("Test").redirect(RedirectCallback::new(REDIRECT_URI, move |url: Secret| async move {
        let mut back = sent_back(&url).await;
        change(&mut back);
        Ok(RedirectAnswer::from_url(back.as_str())?)
    }))
}

/// Replaces or removes a parameter.
fn put(url: &mut Url, name: &str, value: Option<&str>) {
    let kept: Vec<(String, String)> =
        url.query_pairs().into_owned().filter(|(known, _)| known != name).collect();
    url.query_pairs_mut().clear().extend_pairs(kept).extend_pairs(value.map(|value| (name, value)));
}

/// Codes that were injected, and answers that are for another request.
#[tokio::test]
async fn answers_of_the_browser_that_are_not_for_this_request() {
    type Row = (&'static str, fn(&mut Url), usize);
    let rows: [Row; 7] = [
        ("the state of another request", |url| put(url, "state", Some("injected")), 0),
        ("no state", |url| put(url, "state", None), 0),
        ("an empty state", |url| put(url, "state", Some("")), 0),
        ("another issuer", |url| put(url, "iss", Some("https://injected.example.com")), 0),
        ("no issuer", |url| put(url, "iss", None), 0),
        ("no code", |url| put(url, "code", None), 0),
        // The server refuses it: it was given for another verifier.
        ("the code of another user", |url| put(url, "code", Some("canary-stolen")), 1),
    ];
    for (what, change, exchanges) in rows {
        let world = World::start().await;
        world.set(|state| {
            let stolen = Code {
                challenge: "of another client".to_owned(),
                redirect_uri: REDIRECT_URI.to_owned(),
                scope: "files:read".to_owned(),
            };
            state.codes.insert("canary-stolen".to_owned(), stolen);
        });
        refused(&world, &changed(change), what).await;
        assert_eq!(world.grants("authorization_code"), exchanges, "{what}");
        assert!(world.state.lock().tokens.is_empty(), "{what}");
    }
}

/// Tokens that would become other headers, or are of a kind that nobody asked for.
#[tokio::test]
async fn token_answers_that_no_request_carries() {
    for (what, changes) in [
        ("a second header", object!({"access_token": "t\r\nx-injected: 1"})),
        ("a line feed", object!({"access_token": "t\nx-injected: 1"})),
        ("a blank", object!({"access_token": "t injected"})),
        ("a letter that no token has", object!({"access_token": "t\u{fc}"})),
        ("no text", object!({"access_token": 7})),
        ("an empty text", object!({"access_token": ""})),
        ("none", object!({"access_token": null})),
        ("another kind", object!({"token_type": "mac"})),
        ("a kind that needs a proof", object!({"token_type": "DPoP"})),
    ] {
        let world = World::start().await;
        world.set(|state| state.token_changes = members(changes));
        refused(&world, &oauth(), what).await;
        let state = world.state.lock();
        let carried = state.seen.iter().filter(|seen| seen.path == "/mcp");
        for seen in carried {
            assert!(seen.headers.get("x-injected").is_none(), "{what}");
            assert!(seen.headers.get("authorization").is_none(), "{what}");
        }
    }
}

/// A challenge that hides parameters of the authorization request in a scope.
#[tokio::test]
async fn a_scope_becomes_no_other_parameter() {
    let world = World::start().await;
    let challenge = "Bearer scope=\"files:read&redirect_uri=https://injected.example.com&state=s\"";
    world.set(|state| state.challenge = Some(challenge.to_owned()));
    // Whether the client asks for this scope or refuses it: it is one parameter.
    drop(world.try_connect(&oauth()).await);
    for seen in world.seen("/authorize") {
        let pairs = url::form_urlencoded::parse(seen.query.as_bytes());
        let redirects: Vec<_> = pairs.filter(|(name, _)| name == "redirect_uri").collect();
        assert_eq!(redirects.len(), 1, "{seen:?}");
        assert_eq!(redirects[0].1, REDIRECT_URI);
    }
}

/// A challenge that sends the client for metadata to where it must not look.
#[tokio::test]
async fn metadata_of_challenges_are_looked_for_at_the_server() {
    for place in ["file:///etc/passwd", "https://10.0.0.1/about", "http://injected.example.com/about"] {
        let world = World::start().await;
        let challenge = format!("Bearer resource_metadata=\"{place}\"");
        world.set(|state| state.challenge = Some(challenge));
        refused(&world, &oauth(), place).await;
        assert!(world.seen("/authorize").is_empty(), "{place}");
    }
}
