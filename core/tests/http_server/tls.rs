//! TLS, HTTP/2, and other people's listeners.

use mcpbolt::transport::streamable_http::server::{HttpOptions, HttpService};
use mcpbolt::transport::tls;
use serde_json::json;
use tower_service::Service;

use super::support::*;

fn client(certificate: &rcgen::Certificate) -> reqwest::Client {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(certificate.der().clone()).unwrap();
    let mut config = rustls::ClientConfig::builder_with_provider(tls::provider())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec()];
    reqwest::Client::builder().tls_backend_preconfigured(config).no_proxy().build().unwrap()
}

#[tokio::test]
async fn http2_over_tls() {
    let made = rcgen::generate_simple_self_signed(vec!["localhost".to_owned()]).unwrap();
    let (chain, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    let tls = tls::server_config_from_pem(chain.as_bytes(), key.as_bytes()).unwrap();
    let mut server = Server::start(HttpOptions { tls: Some(tls), ..HttpOptions::default() }).await;
    let client = client(&made.cert);
    let url = format!("https://localhost:{}/mcp", server.http.local_addr().port());
    let request = |tool: &str| {
        let (headers, body) = modern("tools/call", json!({"name": tool}));
        let request = client.post(&url).header("content-type", "application/json").body(body);
        headers.into_iter().fold(request, |request, (name, value)| request.header(name, value))
    };
    let reply = soon("an answer", request("echo").send()).await.unwrap();
    assert_eq!((reply.status().as_u16(), reply.version()), (200, http::Version::HTTP_2));
    assert!(reply.text().await.unwrap().contains("resultType"));
    let reply = soon("a stream", request("progress").send()).await.unwrap();
    assert_eq!(soon("its body", reply.text()).await.unwrap().matches("data: ").count(), 2);

    // Resetting the stream cancels, while the connection goes on.
    let hanging = tokio::spawn(request("hang").send());
    assert_eq!(server.event().await, "started");
    hanging.abort();
    assert_eq!(server.event().await, "cancelled");
    assert_eq!(request("echo").send().await.unwrap().status().as_u16(), 200);
}

#[test]
fn unusable_certificates_are_refused() {
    assert!(tls::server_config_from_pem(b"nothing", b"nothing").is_err());
}

#[tokio::test]
async fn the_endpoint_is_a_service_for_other_listeners() {
    let server = Server::start(HttpOptions::default()).await;
    let mut service: HttpService = server.http.service().clone();
    let (headers, body) = modern("tools/list", json!({}));
    let mut request = http::Request::post("http://localhost/mcp").header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let request = request.body(http_body_util::Full::new(bytes::Bytes::from(body))).unwrap();
    let reply = soon("an answer", service.call(request)).await.unwrap();
    assert_eq!(reply.status(), 200);
}
