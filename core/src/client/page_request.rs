//! A page that a server wants to be visited, with what a person has to see.
//!
//! Owns: what of a URL is shown, and which URLs are refused unseen. Must not know: how a person
//! is asked, or who opens the page.

use std::ops::Deref;

use url::Url;

use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::protocol::types::ElicitUrlParams;

use crate::observe::events::{self, Refused};

/// A request to visit a page, not yet decided. Show the whole URL and [`origin`], warn when
/// [`is_punycode`] or not [`is_secure`], and open it only if the person agrees, out of
/// reach of the model. The engine neither opens nor fetches it.
///
/// ```
/// use mcpbolt::client::Client;
/// use mcpbolt::protocol::types::ElicitResult;
///
/// let client = Client::builder("example", "1.0")
///     .on_elicitation_url(|page| async move {
///         println!("{}: {} wants you to visit {}", page.message, page.origin(), page.url);
///         Ok(if page.is_punycode() { ElicitResult::decline() } else { ElicitResult::accept_url() })
///     })
///     .build();
/// # let _ = client;
/// ```
///
/// [`origin`]: PageRequest::origin
/// [`is_punycode`]: PageRequest::is_punycode
/// [`is_secure`]: PageRequest::is_secure
#[derive(Debug, Clone, PartialEq)]
pub struct PageRequest {
    params: ElicitUrlParams,
    host: String,
    origin: String,
    secure: bool,
}

impl PageRequest {
    pub(super) fn read(params: ElicitUrlParams) -> Result<Self, Error> {
        let url = Url::parse(&params.url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let host = url.as_ref().and_then(Url::host_str).map(str::to_owned);
        let (Some(url), Some(host)) = (url, host) else {
            events::refused(Refused::Page, 0);
            return Err(Error::invalid_params("url must be an absolute http or https URL"));
        };
        let (origin, secure) = (url.origin().ascii_serialization(), url.scheme() == "https");
        Ok(Self { params, host, origin, secure })
    }

    /// The host as DNS knows it: letters outside ASCII as punycode (`xn--…`), so that
    /// look-alikes show.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Scheme, host (punycode) and port.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Whether the host has letters outside ASCII, which may imitate others.
    pub fn is_punycode(&self) -> bool {
        self.host.split('.').any(|label| label.starts_with("xn--"))
    }

    /// Whether it is `https`.
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    /// What the server sent.
    pub fn into_params(self) -> ElicitUrlParams {
        self.params
    }
}

/// What the server sent.
impl Deref for PageRequest {
    type Target = ElicitUrlParams;

    fn deref(&self) -> &ElicitUrlParams {
        &self.params
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(url: &str) -> Result<PageRequest, Error> {
        PageRequest::read(ElicitUrlParams { url: url.to_owned(), ..ElicitUrlParams::default() })
    }

    #[test]
    fn look_alikes_show_in_punycode() {
        let page = page("https://user@\u{430}pple.com:8443/path?q=1").expect("a URL");
        assert_eq!(page.host(), "xn--pple-43d.com");
        assert_eq!(page.origin(), "https://xn--pple-43d.com:8443");
        assert!(page.is_punycode() && page.is_secure());
        assert_eq!(page.url, "https://user@\u{430}pple.com:8443/path?q=1", "the URL is shown as it came");
    }

    #[test]
    fn only_pages_can_be_visited() {
        assert!(!page("http://example.com/").expect("a URL").is_secure());
        for refused in ["javascript:alert(1)", "file:///etc/passwd", "example.com", "ms-settings:x", ""] {
            assert!(page(refused).is_err(), "{refused}");
        }
    }
}
