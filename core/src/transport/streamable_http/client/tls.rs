//! TLS settings of the client. Owns: whom to trust, who we are. Must not know: what is
//! sent.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use rustls::client::danger::ServerCertVerifier;
use rustls::{ClientConfig, Error as TlsError, RootCertStore};
use rustls_pki_types::CertificateDer;

use mcpbolt_proto::protocol::Error;

use crate::transport::tls::provider;

use super::options::HttpClientOptions;

/// Settings for these options. `needed`: whether TLS will be spoken; if not, the
/// system's trust store is not read.
pub(super) fn config(options: &HttpClientOptions, needed: bool) -> Result<ClientConfig, Error> {
    let unusable = |what: TlsError| Error::usage(format!("unusable TLS settings: {what}"));
    let builder = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .map_err(unusable)?;
    let builder = match trust(options, needed).map_err(unusable)? {
        Trust::Roots(roots) => builder.with_root_certificates(roots),
        Trust::System(verifier) => builder.dangerous().with_custom_certificate_verifier(verifier),
    };
    let mut config = match options.identity.clone() {
        Some(identity) => builder.with_client_auth_cert(identity.chain, identity.key).map_err(unusable)?,
        None => builder.with_no_client_auth(),
    };
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}

/// Who decides whether a server's certificate is good.
enum Trust {
    /// Chains that end at one of these.
    Roots(RootCertStore),
    /// What the platform's verifier says: on iOS, macOS and Windows the system's own.
    System(Arc<dyn ServerCertVerifier>),
}

fn trust(options: &HttpClientOptions, needed: bool) -> Result<Trust, TlsError> {
    if needed && options.system_roots { system(options) } else { with_extra(RootCertStore::empty(), options) }
}

fn with_extra(mut roots: RootCertStore, options: &HttpClientOptions) -> Result<Trust, TlsError> {
    for root in &options.extra_roots {
        roots.add(root.clone())?;
    }
    Ok(Trust::Roots(roots))
}

/// `SSL_CERT_FILE` and `SSL_CERT_DIR` take the place of the system's store also where the
/// platform's verifier would not look at them.
#[cfg(not(target_os = "android"))]
fn system(options: &HttpClientOptions) -> Result<Trust, TlsError> {
    if environment_names_a_store() { with_extra(files().clone(), options) } else { platform(options) }
}

/// The platform's verifier; made once where nothing is added to it.
#[cfg(not(target_os = "android"))]
fn platform(options: &HttpClientOptions) -> Result<Trust, TlsError> {
    use rustls_platform_verifier::Verifier;
    static PLAIN: OnceLock<Result<Arc<Verifier>, TlsError>> = OnceLock::new();
    if options.extra_roots.is_empty() {
        let plain = PLAIN.get_or_init(|| Verifier::new(provider()).map(Arc::new)).clone()?;
        return Ok(Trust::System(plain));
    }
    let extra = options.extra_roots.iter().cloned();
    Ok(Trust::System(Arc::new(Verifier::new_with_extra_roots(extra, provider())?)))
}

/// Android's own verifier is Java that an app would have to ship and hand its context to. The
/// files of the system's store need neither, and are what apps trust by default.
#[cfg(target_os = "android")]
fn system(options: &HttpClientOptions) -> Result<Trust, TlsError> {
    with_extra(files().clone(), options)
}

fn environment_names_a_store() -> bool {
    ["SSL_CERT_FILE", "SSL_CERT_DIR"].iter().any(|name| std::env::var_os(name).is_some())
}

/// The certificates of the environment's store, or of the system's files, read once. Those that
/// cannot be used are skipped: every store has some.
fn files() -> &'static RootCertStore {
    static ROOTS: OnceLock<RootCertStore> = OnceLock::new();
    ROOTS.get_or_init(|| {
        let mut roots = RootCertStore::empty();
        let found = if cfg!(target_os = "android") && !environment_names_a_store() {
            first_store(&ANDROID)
        } else {
            rustls_native_certs::load_native_certs().certs
        };
        let (added, _) = roots.add_parsable_certificates(found);
        if added == 0 {
            tracing::warn!(target: "mcpbolt::transport", "no trusted certificates were found on this system");
        }
        roots
    })
}

/// Where Android keeps its certificates: since 14 they are updated apart from the system.
const ANDROID: [&str; 2] = ["/apex/com.android.conscrypt/cacerts", "/system/etc/security/cacerts"];

/// What the first of these folders holds that has any certificate.
fn first_store(folders: &[&str]) -> Vec<CertificateDer<'static>> {
    let read =
        |folder: &&str| rustls_native_certs::load_certs_from_paths(None, Some(Path::new(folder))).certs;
    folders.iter().map(read).find(|found| !found.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustls_pki_types::UnixTime;

    /// Android names its files by the hash of the subject, as OpenSSL does.
    #[test]
    fn the_first_folder_with_certificates_is_the_store() {
        let folder = tempfile::tempdir().unwrap();
        let made = rcgen::generate_simple_self_signed(["root.example".to_owned()]).unwrap();
        std::fs::write(folder.path().join("5a4d6896.0"), made.cert.pem()).unwrap();
        let found = first_store(&["/no/such/folder", folder.path().to_str().unwrap()]);
        assert_eq!(found, [made.cert.der().clone()]);
        assert!(first_store(&["/no/such/folder"]).is_empty());
    }

    /// Also in an environment that names a store, as that of this test may.
    #[cfg(not(target_os = "android"))]
    #[test]
    fn the_platform_decides_with_what_is_added_to_it() {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let extra_roots = vec![made.cert.der().clone()];
        let options = HttpClientOptions { extra_roots, ..HttpClientOptions::default() };
        let Trust::System(verifier) = platform(&options).unwrap() else { panic!("not the platform's") };
        let asked = |name: &str| {
            let name = name.to_owned().try_into().unwrap();
            verifier.verify_server_cert(made.cert.der(), &[], &name, &[], UnixTime::now())
        };
        asked("localhost").unwrap();
        asked("elsewhere.example").unwrap_err();
    }
}
