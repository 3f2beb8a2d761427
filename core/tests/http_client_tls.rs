//! The HTTP client over TLS: who is trusted, and who we are.
#![cfg(feature = "http-client")]

mod http_client_support;

use std::sync::Arc;

use http_client_support::*;
use mcpbolt::transport::streamable_http::client::{ClientIdentity, HttpClientOptions, certificates};
use mcpbolt_proto::protocol::ErrorKind;
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject;

const CA: &[u8] = include_bytes!("http_client_support/tls/ca.pem");
const SERVER: (&[u8], &[u8]) = (
    include_bytes!("http_client_support/tls/server.pem"),
    include_bytes!("http_client_support/tls/server.key"),
);
const CLIENT: (&[u8], &[u8]) = (
    include_bytes!("http_client_support/tls/client.pem"),
    include_bytes!("http_client_support/tls/client.key"),
);

/// HTTP/1.1 only: the scripted server speaks nothing else.
fn server_config(wants_client: bool) -> Arc<ServerConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder =
        ServerConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions().unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(certificates(CA).unwrap().remove(0)).unwrap();
    let builder = if wants_client {
        let verifier =
            WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build().unwrap();
        builder.with_client_cert_verifier(verifier)
    } else {
        builder.with_no_client_auth()
    };
    let key = PrivateKeyDer::from_pem_slice(SERVER.1).unwrap();
    let mut config = builder.with_single_cert(certificates(SERVER.0).unwrap(), key).unwrap();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Arc::new(config)
}

fn url(server: &Server) -> String {
    format!("https://localhost:{}/mcp", server.port)
}

#[tokio::test]
async fn extra_certificate_authority_is_trusted() {
    let mut server = Server::with_tls(Some(server_config(false))).await;
    let options =
        HttpClientOptions { extra_roots: certificates(CA).unwrap(), system_roots: false, ..quick() };
    let mut client = Client::new(&url(&server), options);
    client.request(1, "tools/list", Some(MODERN));
    server.expect("POST").await.json(200, &result(1)).await;
    client.received(&result(1), Some(1)).await;
}

#[tokio::test]
async fn unknown_certificate_authority_is_refused() {
    let mut server = Server::with_tls(Some(server_config(false))).await;
    let mut client = Client::new(&url(&server), HttpClientOptions { system_roots: false, ..quick() });
    client.request(1, "tools/list", Some(MODERN));
    let (status, error) = client.failed(1).await;
    assert_eq!((status, error.kind), (None, ErrorKind::Transport));
    assert!(error.message.contains("UnknownIssuer"), "{error}");
    assert!(server.is_idle());
}

#[tokio::test]
async fn client_certificate_is_shown_when_asked_for() {
    let mut server = Server::with_tls(Some(server_config(true))).await;
    let trusting =
        || HttpClientOptions { extra_roots: certificates(CA).unwrap(), system_roots: false, ..quick() };
    let identity = ClientIdentity::from_pem(CLIENT.0, CLIENT.1).unwrap();
    let mut client = Client::new(&url(&server), HttpClientOptions { identity: Some(identity), ..trusting() });
    client.request(1, "tools/list", Some(MODERN));
    server.expect("POST").await.json(200, &result(1)).await;
    client.received(&result(1), Some(1)).await;

    let mut client = Client::new(&url(&server), trusting());
    client.request(2, "tools/list", Some(MODERN));
    assert_eq!(client.failed(2).await.1.kind, ErrorKind::Transport);
    assert!(ClientIdentity::from_pem(CLIENT.0, b"no key").is_err() && certificates(b"none").is_err());
}
