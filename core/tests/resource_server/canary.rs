//! Nothing that a request proves itself with is written down.

use std::io;
use std::sync::{Arc, OnceLock};

use mcpbolt::auth::{Dpop, Introspection};
use parking_lot::Mutex;
use serde_json::json;

use crate::dpop::{Holder, sent};
use crate::issuer::{Issuer, now};
use crate::support::*;

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Hears every thread of this program, from now on.
fn listening() -> &'static Log {
    static LOG: OnceLock<Log> = OnceLock::new();
    LOG.get_or_init(|| {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE);
        let subscriber = subscriber.with_writer(move || writer.clone()).finish();
        tracing::subscriber::set_global_default(subscriber).expect("nobody else listens");
        log
    })
}

#[tokio::test]
async fn no_token_proof_or_secret_is_in_a_log() {
    let log = listening();
    let issuer = Issuer::start().await;
    let mut secrets =
        vec!["canary-secret".to_owned(), "canary-opaque".to_owned(), "canary-worthless".to_owned()];
    // Good ones, and one for somebody else; a session is opened and used.
    let world = World::start(&issuer, |tokens| tokens.dpop(Dpop::new())).await;
    for (audience, status) in [(RESOURCE, 200), ("https://other.example.com/mcp", 401)] {
        let token = issuer.token(audience, json!({}));
        assert_eq!(world.call(&token, "whoami").await.status, status);
        let opened = world.post(Some(&format!("Bearer {token}")), &initialize()).await;
        secrets.extend(opened.session);
        secrets.push(token);
    }
    let holder = Holder::new();
    let token = holder.token(&issuer);
    let proof = holder.proof(&token, &json!({}));
    for status in [200, 401] {
        assert_eq!(sent(&world, &token, &proof).await.status, status);
    }
    secrets.extend([token, proof]);
    // Those that the issuer is asked about.
    let active = json!({"active": true, "sub": "ann", "aud": RESOURCE, "exp": now() + 300});
    issuer.state.lock().opaque.insert("canary-opaque".into(), active);
    let ask = Introspection::new("mcp-server", "canary-secret");
    let world = World::start(&issuer, |tokens| tokens.introspection(ask)).await;
    for (token, status) in [("canary-opaque", 200), ("canary-worthless", 401)] {
        assert_eq!(world.call(token, "whoami").await.status, status);
    }
    let log = String::from_utf8_lossy(&log.0.lock()).into_owned();
    assert!(log.contains("refused"), "nothing was logged");
    for secret in &secrets {
        // The signature alone would do for some purposes.
        let signature = secret.rsplit('.').next().unwrap();
        let lines: Vec<_> = log.lines().filter(|line| line.contains(signature)).collect();
        assert!(lines.is_empty(), "{lines:#?}");
    }
}
