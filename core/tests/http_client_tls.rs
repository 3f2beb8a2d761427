//! The HTTP client over TLS: who is trusted, and who we are.
#![cfg(feature = "http-client")]

mod http_client_support;

use std::sync::Arc;

use http_client_support::*;
use mcpbolt::transport::streamable_http::client::{ClientIdentity, HttpClientOptions, certificates};
use mcpbolt::transport::tls;
use mcpbolt_proto::protocol::ErrorKind;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject;

/// A certificate authority, and certificates it issued for a server and a client.
struct Certificates {
    ca: String,
    server: (String, String),
    client: (String, String),
}

fn make() -> Certificates {
    let key = || KeyPair::generate().unwrap();
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let ca_key = key();
    let ca = params.self_signed(&ca_key).unwrap().pem();
    let issuer = Issuer::new(params, ca_key);
    let issue = || {
        let key = key();
        let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        (params.signed_by(&key, &issuer).unwrap().pem(), key.serialize_pem())
    };
    Certificates { server: issue(), client: issue(), ca }
}

/// HTTP/1.1 only: the scripted server speaks nothing else.
fn server_config(made: &Certificates, wants_client: bool) -> Arc<ServerConfig> {
    let builder =
        ServerConfig::builder_with_provider(tls::provider()).with_safe_default_protocol_versions().unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(certificates(made.ca.as_bytes()).unwrap().remove(0)).unwrap();
    let builder = if wants_client {
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), tls::provider());
        builder.with_client_cert_verifier(verifier.build().unwrap())
    } else {
        builder.with_no_client_auth()
    };
    let key = PrivateKeyDer::from_pem_slice(made.server.1.as_bytes()).unwrap();
    let mut config = builder.with_single_cert(certificates(made.server.0.as_bytes()).unwrap(), key).unwrap();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Arc::new(config)
}

fn trusting(made: &Certificates) -> HttpClientOptions {
    let extra_roots = certificates(made.ca.as_bytes()).unwrap();
    HttpClientOptions { extra_roots, system_roots: false, ..quick() }
}

fn url(server: &Server) -> String {
    format!("https://localhost:{}/mcp", server.port)
}

#[tokio::test]
async fn extra_certificate_authority_is_trusted() {
    let made = make();
    let mut server = Server::with_tls(Some(server_config(&made, false))).await;
    let mut client = Client::new(&url(&server), trusting(&made));
    client.request(1, "tools/list", Some(MODERN));
    server.expect("POST").await.json(200, &result(1)).await;
    client.received(&result(1), Some(1)).await;
}

#[tokio::test]
async fn unknown_certificate_authority_is_refused() {
    let made = make();
    let mut server = Server::with_tls(Some(server_config(&made, false))).await;
    let mut client = Client::new(&url(&server), HttpClientOptions { system_roots: false, ..quick() });
    client.request(1, "tools/list", Some(MODERN));
    let (status, error) = client.failed(1).await;
    assert_eq!((status, error.kind), (None, ErrorKind::Transport));
    assert!(error.message.contains("UnknownIssuer"), "{error}");
    assert!(server.is_idle());
}

#[tokio::test]
async fn client_certificate_is_shown_when_asked_for() {
    let made = make();
    let mut server = Server::with_tls(Some(server_config(&made, true))).await;
    let identity = ClientIdentity::from_pem(made.client.0.as_bytes(), made.client.1.as_bytes()).unwrap();
    let mut client =
        Client::new(&url(&server), HttpClientOptions { identity: Some(identity), ..trusting(&made) });
    client.request(1, "tools/list", Some(MODERN));
    server.expect("POST").await.json(200, &result(1)).await;
    client.received(&result(1), Some(1)).await;

    let mut client = Client::new(&url(&server), trusting(&made));
    client.request(2, "tools/list", Some(MODERN));
    assert_eq!(client.failed(2).await.1.kind, ErrorKind::Transport);
    assert!(
        ClientIdentity::from_pem(made.client.0.as_bytes(), b"no key").is_err()
            && certificates(b"none").is_err()
    );
}
