//! TLS settings of the client. Owns: whom to trust, who we are. Must not know: what is
//! sent.

use std::sync::OnceLock;

use rustls::{ClientConfig, RootCertStore};

use mcpbolt_proto::protocol::Error;

use crate::transport::tls::provider;

use super::options::HttpClientOptions;

/// Settings for these options. `needed`: whether TLS will be spoken; if not, the
/// system's trust store is not read.
pub(super) fn config(options: &HttpClientOptions, needed: bool) -> Result<ClientConfig, Error> {
    let unusable = |what: rustls::Error| Error::usage(format!("unusable TLS settings: {what}"));
    let mut roots = if needed && options.system_roots { system().clone() } else { RootCertStore::empty() };
    for root in &options.extra_roots {
        roots.add(root.clone()).map_err(unusable)?;
    }
    let builder = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(unusable)?
        .with_root_certificates(roots);
    let mut config = match options.identity.clone() {
        Some(identity) => builder.with_client_auth_cert(identity.chain, identity.key).map_err(unusable)?,
        None => builder.with_no_client_auth(),
    };
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// The system's trust store, read once. Certificates that cannot be used are skipped:
/// every store has some.
fn system() -> &'static RootCertStore {
    static ROOTS: OnceLock<RootCertStore> = OnceLock::new();
    ROOTS.get_or_init(|| {
        let mut roots = RootCertStore::empty();
        let found = rustls_native_certs::load_native_certs();
        let (added, _) = roots.add_parsable_certificates(found.certs);
        if added == 0 {
            tracing::warn!(target: "mcpbolt::transport", "no trusted certificates were found on this system");
        }
        roots
    })
}
