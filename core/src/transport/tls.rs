//! TLS settings on rustls with ring, always passed explicitly: a library sets no
//! process-wide provider.
//!
//! Owns: the provider, and the trust of the system. Must not know: who connects to whom.

use std::sync::Arc;

use rustls::ServerConfig;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};

use mcpbolt_proto::protocol::{Error, ErrorKind};

/// The one provider of cryptography.
pub fn provider() -> Arc<rustls::crypto::CryptoProvider> {
    Arc::new(rustls::crypto::ring::default_provider())
}

/// Settings of a server with this certificate chain (own certificate first) and key.
/// Offers HTTP/2 and HTTP/1.1. Fails with `Usage` when they do not fit.
pub fn server_config(
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> Result<Arc<ServerConfig>, Error> {
    let unusable =
        |what: rustls::Error| Error::new(ErrorKind::Usage, format!("unusable TLS settings: {what}"));
    let mut config = ServerConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(unusable)?
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .map_err(unusable)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// As [`server_config`], from PEM text.
pub fn server_config_from_pem(chain: &[u8], key: &[u8]) -> Result<Arc<ServerConfig>, Error> {
    let chain = CertificateDer::pem_slice_iter(chain)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|_| Error::new(ErrorKind::Usage, "the certificate chain is not PEM"))?;
    let key = PrivateKeyDer::from_pem_slice(key)
        .map_err(|_| Error::new(ErrorKind::Usage, "the private key is not PEM"))?;
    server_config(chain, key)
}
