//! An authorization server as resource servers see it: its documents, and its tokens.
//!
//! Owns: keys, a thread that serves two documents, signing. Must not know: who checks tokens.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::Deserialize;
use serde_json::{Value, json};

/// How long tokens are good, in seconds.
const LIFETIME: u64 = 3600;

/// An issuer that runs until the program ends.
pub struct Issuer {
    /// Its name, which is where it listens.
    pub url: String,
    keys: Keys,
}

#[derive(Deserialize)]
struct Keys {
    keys: Value,
    #[serde(rename = "ES256")]
    elliptic: String,
    #[serde(rename = "RS256")]
    rsa: String,
}

impl Issuer {
    /// With keys that the program `keys.mjs` in this folder makes.
    pub fn start(programs: &Path) -> Result<Self, String> {
        let made = Command::new("node").arg(programs.join("keys.mjs")).output();
        let made = made.map_err(|error| format!("node: {error}"))?;
        let keys: Keys = serde_json::from_slice(&made.stdout).map_err(|error| format!("keys: {error}"))?;
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let port = listener.local_addr().map_err(|error| error.to_string())?.port();
        let url = format!("http://127.0.0.1:{port}");
        let documents = [
            ("/.well-known/oauth-authorization-server", about(&url).to_string()),
            ("/keys", json!({"keys": keys.keys}).to_string()),
        ];
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                // A client that leaves is its own affair.
                let _ = answer(&socket, &documents);
            }
        });
        Ok(Self { url, keys })
    }

    /// So many tokens for a resource, no two the same.
    pub fn tokens(&self, algorithm: Algorithm, resource: &str, count: usize) -> Result<Vec<String>, String> {
        let (name, key) = match algorithm {
            Algorithm::RS256 => ("RS256", EncodingKey::from_rsa_pem(self.keys.rsa.as_bytes())),
            _ => ("ES256", EncodingKey::from_ec_pem(self.keys.elliptic.as_bytes())),
        };
        let key = key.map_err(|error| error.to_string())?;
        let header =
            Header { kid: Some(name.to_owned()), typ: Some("at+jwt".to_owned()), ..Header::new(algorithm) };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let signed = |number: usize| {
            let claims = json!({
                "iss": self.url, "aud": resource, "sub": "ann", "client_id": "editor", "scope": "notes",
                "iat": now, "exp": now + LIFETIME, "jti": format!("token-{number}"),
            });
            jsonwebtoken::encode(&header, &claims, &key).map_err(|error| error.to_string())
        };
        (0..count).map(signed).collect()
    }
}

fn about(url: &str) -> Value {
    json!({
        "issuer": url,
        "authorization_endpoint": format!("{url}/authorize"),
        "token_endpoint": format!("{url}/token"),
        "jwks_uri": format!("{url}/keys"),
        "response_types_supported": ["code"],
    })
}

/// Reads one request and answers it.
fn answer(mut socket: &TcpStream, documents: &[(&str, String)]) -> std::io::Result<()> {
    let mut lines = BufReader::new(socket).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    let path = first.split(' ').nth(1).unwrap_or_default();
    let found = documents.iter().find(|(name, _)| *name == path);
    let (status, body) = found.map_or(("404 Not Found", "{}"), |(_, body)| ("200 OK", body));
    write!(
        socket,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}
