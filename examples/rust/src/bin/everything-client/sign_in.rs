//! Signing in where no user is there: the conformance suites answer in their place.

use std::env;

use mcpbolt::auth::{
    AssertionKey, ClientInformation, DefaultEndpoints, DpopKey, GrantFlow, IdentityProvider, Need, OAuth,
    RedirectAnswer, RedirectCallback, Secret, Supplier, Unbound, token_type,
};
use mcpbolt::handler::BoxFuture;
use mcpbolt::protocol::Error;
use mcpbolt::transport::streamable_http::client::HttpClientOptions;
use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Nothing listens there: the answer is read from where the browser would be sent.
const REDIRECT_URI: &str = "http://localhost:3000/callback";
/// The one document that the suites know.
const METADATA_URL: &str = "https://conformance-test.local/client-metadata.json";

/// What a scenario gives a client to sign in with.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Given {
    client_id: Option<String>,
    client_secret: Option<Secret>,
    issuer: Option<String>,
    idp_client_id: Option<String>,
    idp_id_token: Option<Secret>,
    idp_issuer: Option<String>,
    idp_token_endpoint: Option<String>,
    valid_jwt: Option<Secret>,
    private_key_pem: Option<Secret>,
    signing_algorithm: Option<String>,
}

/// Options that sign in as the scenario wants to see it.
pub(crate) fn options(scenario: &str) -> HttpClientOptions {
    let context = env::var("MCP_CONFORMANCE_CONTEXT").unwrap_or_default();
    let given: Given = serde_json::from_str(&context).unwrap_or_default();
    let oauth = OAuth::new("mcpbolt-everything-client").redirect(RedirectCallback::new(REDIRECT_URI, visit));
    let oauth = match scenario {
        "auth/basic-cimd" => oauth.client_metadata_url(METADATA_URL),
        "auth/client-credentials-basic" | "auth/client-credentials-jwt" => {
            oauth.grant(GrantFlow::ClientCredentials)
        }
        "auth/enterprise-managed-authorization" | "auth/cross-app-access-complete-flow" => {
            let identity_provider = identity_provider(&given).map(Box::new);
            oauth.grant(GrantFlow::EnterpriseManaged { identity_provider }).options(|options| {
                // The mocks take the grant without saying so.
                options.compatibility.assume_id_jag = true;
            })
        }
        // Off unless asked for: it follows a draft.
        "auth/dpop" | "auth/dpop-nonce" => match DpopKey::generate() {
            Ok(key) => oauth.dpop(key),
            Err(_) => oauth,
        },
        "auth/wif-jwt-bearer" => oauth.grant(GrantFlow::WorkloadIdentity),
        // Servers of 2025-03-26 publish less, or nothing.
        _ if scenario.starts_with("auth/2025-03-26") => {
            oauth.options(|options| options.compatibility.default_endpoints = DefaultEndpoints::Always)
        }
        _ => oauth,
    };
    let oauth = match client(&given) {
        Some(client) => oauth.client(client).options(|options| {
            // Older suites name no issuer.
            options.compatibility.unbound = Unbound::Bind;
        }),
        None => oauth,
    };
    HttpClientOptions::default().oauth(oauth.supplier(given))
}

/// The client that the suite registered, where it is shown at all.
fn client(given: &Given) -> Option<ClientInformation> {
    let client = ClientInformation {
        client_id: given.client_id.clone()?,
        client_secret: given.client_secret.clone(),
        token_endpoint_auth_method: given.private_key_pem.is_some().then(|| "private_key_jwt".to_owned()),
        issuer: given.issuer.clone(),
        ..ClientInformation::default()
    };
    given.valid_jwt.is_none().then_some(client)
}

fn identity_provider(given: &Given) -> Option<IdentityProvider> {
    let issuer = given.idp_issuer.clone()?;
    Some(IdentityProvider {
        client: ClientInformation::pre_registered(given.idp_client_id.clone()?, issuer.clone()),
        issuer,
        token_endpoint: given.idp_token_endpoint.clone(),
        subject_token_type: token_type::ID_TOKEN.to_owned(),
    })
}

impl Supplier for Given {
    fn supply<'a>(&'a self, need: &'a Need) -> BoxFuture<'a, Result<Option<Secret>, Error>> {
        if let (Need::ClientAssertion { .. }, Some(pem)) = (need, &self.private_key_pem) {
            let algorithm = self.signing_algorithm.as_deref().unwrap_or("ES256");
            let signed =
                AssertionKey::new(algorithm, pem.expose().as_bytes()).and_then(|key| key.assertion_for(need));
            return Box::pin(std::future::ready(signed));
        }
        let secret = match need {
            Need::SubjectToken { .. } => self.idp_id_token.clone(),
            Need::WorkloadAssertion { .. } => self.valid_jwt.clone(),
            _ => None,
        };
        Box::pin(async { Ok(secret) })
    }
}

/// Asks the authorization server as a browser would, and reads where it sends the browser.
async fn visit(url: Secret) -> Result<RedirectAnswer, Error> {
    let lost = |why: &str| Error::transport(format!("the authorization server: {why}"));
    let rest = url.expose().strip_prefix("http://").ok_or_else(|| lost("its URL is not http://"))?;
    let (host, path) = rest.split_once('/').ok_or_else(|| lost("its URL has no path"))?;
    let mut socket = TcpStream::connect(host).await.map_err(|why| lost(&why.to_string()))?;
    let request = format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await.map_err(|why| lost(&why.to_string()))?;
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.map_err(|why| lost(&why.to_string()))?;
    let location = answer.lines().take_while(|line| !line.is_empty()).find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("location").then(|| value.trim().to_owned())
    });
    Ok(RedirectAnswer::from_url(&location.ok_or_else(|| lost("it sends the browser nowhere"))?)?)
}
