//! A client that signs in: `auth-client URL SCENARIO`, the same in every language.
//!
//! Owns: what each scenario configures. Must not know: which authorization server it meets. A line
//! `open URL` on standard output asks for the browser; the line that comes back is where the
//! browser ended. The rest of standard output is one JSON object a line: what tools said.

#![allow(clippy::print_stdout, reason = "its lines are what the test reads")]

use std::sync::Arc;

use mcpbolt::Error;
use mcpbolt::auth::{
    ClientInformation, GrantFlow, IdentityProvider, Need, OAuth, RedirectAnswer, RedirectCallback, Secret,
    Supplier, token_type,
};
use mcpbolt::client::{Client, ClientSession};
use mcpbolt::handler::BoxFuture;
use mcpbolt::transport::streamable_http::client::HttpClientOptions;
use mcpbolt::types::ContentBlock;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines, Stdin};
use tokio::sync::Mutex;

type Failure = Box<dyn std::error::Error>;
type Answers = Arc<Mutex<Lines<BufReader<Stdin>>>>;

/// As many calls as are refused at once.
const AT_ONCE: usize = 64;

fn setting(name: &str) -> Result<String, Failure> {
    std::env::var(name).map_err(|_| format!("{name} is not set").into())
}

async fn line(answers: &Answers) -> String {
    answers.lock().await.next_line().await.ok().flatten().unwrap_or_default()
}

/// The ID token of the user.
struct Morning(Secret);

impl Supplier for Morning {
    fn supply<'a>(&'a self, need: &'a Need) -> BoxFuture<'a, Result<Option<Secret>, Error>> {
        let token = matches!(need, Need::SubjectToken { .. }).then(|| self.0.clone());
        Box::pin(std::future::ready(Ok(token)))
    }
}

/// Signs in by the word of a company's identity provider.
fn by_company(oauth: OAuth) -> Result<OAuth, Failure> {
    let issuer = setting("IDP_ISSUER")?;
    let company = IdentityProvider {
        client: ClientInformation::pre_registered(setting("IDP_CLIENT_ID")?, issuer.clone()),
        issuer,
        token_endpoint: None,
        subject_token_type: token_type::ID_TOKEN.to_owned(),
    };
    let client = with_secret("COMPANY_APP")?;
    let grant = GrantFlow::EnterpriseManaged { identity_provider: Some(Box::new(company)) };
    let oauth = oauth.client(client).grant(grant).supplier(Morning(Secret::new(setting("IDP_ID_TOKEN")?)));
    // Keycloak takes the grant without saying so.
    Ok(oauth.options(|options| options.compatibility.assume_id_jag = true))
}

/// A client whose id and secret are in variables that begin with this.
fn with_secret(name: &str) -> Result<ClientInformation, Failure> {
    let client_secret = Some(Secret::new(setting(&format!("{name}_SECRET"))?));
    let client = ClientInformation::pre_registered(setting(&format!("{name}_ID"))?, setting("ISSUER")?);
    Ok(ClientInformation { client_secret, ..client })
}

fn oauth(scenario: &str, answers: &Answers) -> Result<OAuth, Failure> {
    let answers = Arc::clone(answers);
    let browse = move |url: Secret| {
        let answers = Arc::clone(&answers);
        async move {
            println!("open {}", url.expose());
            Ok(RedirectAnswer::from_url(&line(&answers).await)?)
        }
    };
    let redirect = RedirectCallback::new(setting("REDIRECT_URI")?, browse);
    let oauth = OAuth::new("Example").redirect(redirect);
    Ok(match scenario {
        "dynamic" | "refresh" => oauth,
        "registered" => {
            let client = ClientInformation::pre_registered(setting("CLIENT_ID")?, setting("ISSUER")?);
            oauth.client(ClientInformation { token_endpoint_auth_method: Some("none".into()), ..client })
        }
        "document" => oauth.client_metadata_url(setting("DOCUMENT_URL")?),
        "machine" => oauth.client(with_secret("MACHINE")?).grant(GrantFlow::ClientCredentials),
        "company" => by_company(oauth)?,
        other => return Err(format!("{other} is no scenario").into()),
    })
}

async fn call(session: &ClientSession, tool: &str) -> String {
    match session.call_tool(tool, json!({})).await {
        Ok(result) => result.content.iter().filter_map(ContentBlock::as_text).collect(),
        Err(error) => format!("failed: {error}"),
    }
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    mcpbolt_auth_peers::log();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, scenario] = &arguments[..] else { return Err("say auth-client URL SCENARIO".into()) };
    let answers: Answers = Arc::new(Mutex::new(BufReader::new(tokio::io::stdin()).lines()));
    let options = HttpClientOptions::default().oauth(oauth(scenario, &answers)?);
    let session = Client::builder("example", "1.0").build().connect((url.as_str(), options)).await?;
    println!("{}", json!({"whoami": call(&session, "whoami").await}));
    if scenario == "refresh" {
        println!("ready");
        line(&answers).await;
        let calls: Vec<_> = (0..AT_ONCE)
            .map(|_| {
                let session = session.clone();
                tokio::spawn(async move { call(&session, "whoami").await })
            })
            .collect();
        let mut said = Vec::new();
        for one in calls {
            said.push(one.await?);
        }
        println!("{}", json!({"at_once": said}));
    } else if setting("READS_ONLY").is_err() {
        println!("{}", json!({"write": call(&session, "write").await}));
    }
    session.close().await;
    Ok(())
}
