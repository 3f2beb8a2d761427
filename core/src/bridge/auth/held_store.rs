//! Tokens and registrations that a host keeps in a folder, where the engine's own clients keep
//! theirs.
//!
//! Owns: reading and writing one server's file in the words of the documents of OAuth, which hosts
//! know. Must not know: files and locks; when something is kept.

use std::path::PathBuf;
use std::time::Duration;

use mcpbolt_proto::auth::challenge::TokenScheme;
use mcpbolt_proto::auth::endpoint;
use mcpbolt_proto::auth::registration::{ClientInformation, ClientOrigin};
use mcpbolt_proto::auth::scope::Scopes;
use mcpbolt_proto::auth::secret::Secret;
use mcpbolt_proto::auth::token::Tokens;
use mcpbolt_proto::protocol::Error;
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::json;

use crate::auth::{CredentialStore as _, Credentials, FileStore, StoreLock};

use super::failures::thrown;
use super::host_flow::now;
use super::options::{HostClient, parsed, read};
use super::pending::runtime;

/// What is kept for one server in a folder, which programs in any language may share. Every verb
/// waits for the disk.
pub struct HostFileStore {
    store: FileStore,
    server: String,
}

/// Keeps other programs from renewing the credentials of a server until it is released or dropped.
pub struct HostStoreLock(Mutex<Option<StoreLock>>);

/// The answer of a token endpoint.
#[derive(Deserialize)]
struct Answer {
    access_token: Secret,
    #[serde(default)]
    token_type: String,
    expires_in: Option<f64>,
    scope: Option<String>,
    refresh_token: Option<Secret>,
}

impl HostFileStore {
    /// The file of a server, which is made when something is kept.
    ///
    /// # Errors
    /// `Usage` if the URL is not one of an MCP server.
    pub fn new(folder: PathBuf, server_url: &str) -> Result<Self, Error> {
        let server = endpoint::resource(server_url).map_err(thrown)?;
        Ok(Self { store: FileStore::new(folder), server })
    }

    /// The tokens, as JSON text of a token endpoint's answer: `expires_in` says what is left.
    pub fn tokens(&self) -> Result<Option<String>, Error> {
        let Some(tokens) = self.load()?.tokens else { return Ok(None) };
        let left = tokens.expires_at.map(|end| end.saturating_sub(now().as_secs()));
        let scope = Some(tokens.scopes.to_string()).filter(|scope| !scope.is_empty());
        let told = json!({
            "access_token": tokens.access_token,
            "token_type": tokens.scheme.name(),
            "expires_in": left,
            "scope": scope,
            "refresh_token": tokens.refresh_token,
        });
        Ok(Some(told.to_string()))
    }

    /// Keeps tokens for the client that was kept last. Without an access token they are forgotten.
    pub fn save_tokens(&self, answer: &str) -> Result<(), Error> {
        let answer: Answer = read("tokens", parsed("tokens", answer)?)?;
        let mut kept = self.load()?;
        kept.tokens = if answer.access_token.is_empty() {
            None
        } else {
            let client = current(&kept);
            let (issuer, client_id) =
                (client.and_then(|of| of.issuer.clone()), client.map(|of| of.client_id.clone()));
            Some(Tokens { issuer, client_id, resource: Some(self.server.clone()), ..answer.tokens()? })
        };
        self.save(kept)
    }

    /// The client to go on with, as JSON text of a registration endpoint's answer, with its issuer.
    pub fn client(&self) -> Result<Option<String>, Error> {
        let kept = self.load()?;
        let told = |client: &ClientInformation| {
            json!({
                "client_id": client.client_id,
                "client_secret": client.client_secret,
                "client_secret_expires_at": client.client_secret_expires_at,
                "token_endpoint_auth_method": client.token_endpoint_auth_method,
                "redirect_uris": Some(&client.redirect_uris).filter(|uris| !uris.is_empty()),
                "issuer": client.issuer,
            })
            .to_string()
        };
        Ok(current(&kept).map(told))
    }

    /// Keeps a client, in place of the one that its issuer knew. Tokens of another client go: nobody
    /// could refresh them.
    pub fn save_client(&self, information: &str) -> Result<(), Error> {
        let client: HostClient = read("client", parsed("client", information)?)?;
        let mut client = client.client(None);
        if client.client_secret.is_none() && ClientInformation::of_document(&client.client_id).is_ok() {
            client.origin = ClientOrigin::MetadataDocument;
        }
        let mut kept = self.load()?;
        kept.tokens = kept.tokens.filter(|tokens| tokens.client_id.as_ref() == Some(&client.client_id));
        kept.client_registrations.retain(|known| known.issuer != client.issuer);
        kept.client_registrations.push(client);
        self.save(kept)
    }

    /// Waits until nobody else renews the credentials of the server; `None` if that takes longer
    /// than `patience`.
    pub fn lock(&self, patience: Duration) -> Result<Option<HostStoreLock>, Error> {
        let waited = runtime()?
            .block_on(async { tokio::time::timeout(patience, self.store.lock(&self.server)).await });
        waited.ok().transpose().map(|held| held.map(|lock| HostStoreLock(Mutex::new(Some(lock)))))
    }

    fn load(&self) -> Result<Credentials, Error> {
        runtime()?.block_on(self.store.load(&self.server))
    }

    fn save(&self, mut kept: Credentials) -> Result<(), Error> {
        // What is known of a server is of no use to the clients of another one.
        let issuer = kept.tokens.as_ref().and_then(|tokens| tokens.issuer.as_deref());
        kept.authorization_server = kept
            .authorization_server
            .filter(|known| issuer.is_none_or(|issuer| known.metadata.issuer == issuer));
        runtime()?.block_on(self.store.save(&self.server, &kept))
    }
}

impl HostStoreLock {
    /// Lets others go on.
    pub fn release(&self) {
        self.0.lock().take();
    }
}

impl Answer {
    fn tokens(self) -> Result<Tokens, Error> {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // casts of floats saturate
        let left = self.expires_in.map(|seconds| seconds as u64);
        let scopes = Scopes::parse("scope", self.scope.as_deref().unwrap_or_default());
        Ok(Tokens {
            access_token: self.access_token,
            refresh_token: self.refresh_token,
            expires_at: left.map(|left| now().as_secs().saturating_add(left)),
            scopes: scopes.map_err(thrown)?,
            scheme: if self.token_type.eq_ignore_ascii_case("DPoP") {
                TokenScheme::Dpop
            } else {
                TokenScheme::Bearer
            },
            ..Tokens::default()
        })
    }
}

/// The client that the tokens are of; without tokens the one that was kept last.
fn current(kept: &Credentials) -> Option<&ClientInformation> {
    let clients = &kept.client_registrations;
    let of_tokens = kept.tokens.as_ref().and_then(|tokens| tokens.client_id.as_ref());
    of_tokens.and_then(|id| clients.iter().find(|client| client.client_id == *id)).or_else(|| clients.last())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SERVER: &str = "https://mcp.example.com/mcp";

    fn of(text: Option<String>) -> serde_json::Value {
        text.map_or(serde_json::Value::Null, |text| serde_json::from_str(&text).unwrap())
    }

    #[test]
    fn what_is_kept_comes_back_with_the_time_that_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let store = HostFileStore::new(folder.path().join("kept"), SERVER).unwrap();
        assert_eq!((store.tokens().unwrap(), store.client().unwrap()), (None, None));
        store
            .save_client(
                r#"{"client_id": "c", "client_secret": "s", "issuer": "https://as.example", "scope": "a"}"#,
            )
            .unwrap();
        store
            .save_tokens(r#"{"access_token": "a", "token_type": "DPoP", "expires_in": 60, "scope": "x y", "refresh_token": "r"}"#)
            .unwrap();
        let again =
            HostFileStore::new(folder.path().join("kept"), "https://MCP.example.com:443/mcp").unwrap();
        let tokens = of(again.tokens().unwrap());
        assert!((55..=60).contains(&tokens["expires_in"].as_u64().unwrap()), "{tokens}");
        assert_eq!((&tokens["token_type"], &tokens["scope"]), (&json!("DPoP"), &json!("x y")));
        let client = of(again.client().unwrap());
        assert_eq!(
            (&client["client_secret"], &client["issuer"]),
            (&json!("s"), &json!("https://as.example"))
        );
        assert_eq!(client["redirect_uris"], json!(null));
        again.save_tokens(r#"{"access_token": ""}"#).unwrap();
        assert_eq!(store.tokens().unwrap(), None);
        assert!(store.client().unwrap().is_some());
    }

    #[test]
    fn tokens_of_a_client_go_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let store = HostFileStore::new(folder.path().to_owned(), SERVER).unwrap();
        store.save_client(r#"{"client_id": "c", "issuer": "https://as.example"}"#).unwrap();
        store.save_tokens(r#"{"access_token": "a"}"#).unwrap();
        store.save_client(r#"{"client_id": "c", "issuer": "https://as.example"}"#).unwrap();
        assert!(store.tokens().unwrap().is_some());
        store.save_client(r#"{"client_id": "d", "issuer": "https://other.example"}"#).unwrap();
        assert_eq!(
            (store.tokens().unwrap(), of(store.client().unwrap())["client_id"].clone()),
            (None, json!("d"))
        );
    }

    #[test]
    fn a_lock_is_waited_for_no_longer_than_said() {
        let folder = tempfile::tempdir().unwrap();
        let one = HostFileStore::new(folder.path().to_owned(), SERVER).unwrap();
        let other = HostFileStore::new(folder.path().to_owned(), SERVER).unwrap();
        let held = one.lock(Duration::from_secs(5)).unwrap().unwrap();
        assert!(other.lock(Duration::from_millis(1)).unwrap().is_none());
        held.release();
        assert!(other.lock(Duration::from_secs(5)).unwrap().is_some());
    }
}
