//! An authorization server as resource servers see it: metadata, keys, introspection.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use parking_lot::Mutex;
use rcgen::{KeyPair, PublicKeyData as _};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// What the issuer knows, and how it behaves.
#[derive(Default)]
pub(crate) struct State {
    /// The keys it publishes, by their names.
    pub(crate) published: BTreeMap<String, Value>,
    /// What it says of opaque tokens.
    pub(crate) opaque: BTreeMap<String, Value>,
    /// Paths that were asked for, with the body.
    pub(crate) seen: Vec<(String, String)>,
    /// What is answered at a path instead.
    pub(crate) instead: BTreeMap<String, (u16, &'static str, String)>,
    /// Paths that are answered once the gate is open.
    gates: BTreeMap<String, Arc<Semaphore>>,
}

pub(crate) struct Issuer {
    pub(crate) url: String,
    pub(crate) state: Arc<Mutex<State>>,
    keys: BTreeMap<String, KeyPair>,
}

impl Issuer {
    /// One that signs with a key named `k1`.
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
        let state = Arc::new(Mutex::new(State::default()));
        let (served, name) = (Arc::clone(&state), url.clone());
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let (state, name) = (Arc::clone(&served), name.clone());
                let service = service_fn(move |request| answer(Arc::clone(&state), name.clone(), request));
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(socket), service));
            }
        });
        let mut issuer = Self { url, state, keys: BTreeMap::new() };
        issuer.add_key("k1");
        issuer
    }

    /// Makes a key and publishes it.
    pub(crate) fn add_key(&mut self, name: &str) {
        let pair = KeyPair::generate().unwrap();
        self.state.lock().published.insert(name.to_owned(), jwk(&pair, name));
        self.keys.insert(name.to_owned(), pair);
    }

    /// Publishes it without its name.
    pub(crate) fn unname_key(&self, name: &str) {
        let mut state = self.state.lock();
        let key = state.published.get_mut(name).and_then(Value::as_object_mut).unwrap();
        key.remove("kid");
    }

    pub(crate) fn withdraw_key(&self, name: &str) {
        self.state.lock().published.remove(name);
    }

    pub(crate) fn public_pem(&self, name: &str) -> String {
        self.keys[name].public_key_pem()
    }

    pub(crate) fn instead(&self, path: &str, status: u16, header: &'static str, text: impl Into<String>) {
        self.state.lock().instead.insert(path.to_owned(), (status, header, text.into()));
    }

    /// Lets requests for this path wait until the gate has a permit for them.
    pub(crate) fn hold(&self, path: &str) -> Arc<Semaphore> {
        let gate = Arc::new(Semaphore::new(0));
        self.state.lock().gates.insert(path.to_owned(), Arc::clone(&gate));
        gate
    }

    /// Waits until this path has been asked for.
    pub(crate) async fn until_asked(&self, path: &str) {
        while self.times_asked(path) == 0 {
            tokio::task::yield_now().await;
        }
    }

    pub(crate) fn times_asked(&self, path: &str) -> usize {
        self.state.lock().seen.iter().filter(|(seen, _)| seen == path).count()
    }

    /// A token by key `k1`, for five minutes, with these claims changed.
    pub(crate) fn token(&self, audience: &str, changes: Value) -> String {
        let mut header = Header::new(Algorithm::ES256);
        header.kid = Some("k1".to_owned());
        header.typ = Some("at+jwt".to_owned());
        self.signed(&header, &self.claims(audience, changes))
    }

    pub(crate) fn claims(&self, audience: &str, changes: Value) -> Value {
        let mut claims = json!({
            "iss": self.url, "aud": audience, "sub": "ann", "client_id": "editor",
            "iat": now(), "exp": now() + 300, "scope": "files:read",
        });
        let Value::Object(changes) = changes else { panic!("claims are an object") };
        claims.as_object_mut().unwrap().extend(changes);
        claims
    }

    pub(crate) fn signed(&self, header: &Header, claims: &Value) -> String {
        let pair = &self.keys[header.kid.as_deref().unwrap_or("k1")];
        let key = EncodingKey::from_ec_pem(pair.serialize_pem().as_bytes()).unwrap();
        jsonwebtoken::encode(header, claims, &key).unwrap()
    }
}

pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs()
}

/// The public key as a JWK: an uncompressed point is a byte, then both coordinates.
pub(crate) fn jwk(pair: &KeyPair, name: &str) -> Value {
    let (x, y) = pair.der_bytes()[1..].split_at(32);
    let text = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    json!({"kty": "EC", "crv": "P-256", "kid": name, "use": "sig", "alg": "ES256", "x": text(x), "y": text(y)})
}

async fn answer(
    state: Arc<Mutex<State>>,
    issuer: String,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let body = String::from_utf8_lossy(&body).into_owned();
    let path = head.uri.path().to_owned();
    let gate = {
        let mut state = state.lock();
        state.seen.push((path.clone(), body.clone()));
        state.gates.get(&path).cloned()
    };
    if let Some(gate) = gate {
        gate.acquire().await.expect("nobody closes it").forget();
    }
    let state = state.lock();
    if let Some((status, header, text)) = state.instead.get(&path) {
        let mut answer = Response::builder().status(*status);
        if let Some((name, value)) = header.split_once(": ") {
            answer = answer.header(name, value);
        }
        return Ok(answer.body(Full::new(Bytes::from(text.clone()))).unwrap());
    }
    let document = match path.as_str() {
        "/.well-known/oauth-authorization-server" => json!({
            "issuer": issuer,
            "jwks_uri": format!("{issuer}/keys"),
            "introspection_endpoint": format!("{issuer}/introspect"),
        }),
        "/keys" => json!({"keys": state.published.values().collect::<Vec<_>>()}),
        "/introspect" => {
            let mut form = url::form_urlencoded::parse(body.as_bytes());
            let token = form.find(|(name, _)| name == "token").map(|(_, token)| token.into_owned());
            let known = token.and_then(|token| state.opaque.get(&token).cloned());
            known.unwrap_or_else(|| json!({"active": false}))
        }
        _ => return Ok(Response::builder().status(404).body(Full::default()).unwrap()),
    };
    Ok(Response::new(Full::new(Bytes::from(document.to_string()))))
}
