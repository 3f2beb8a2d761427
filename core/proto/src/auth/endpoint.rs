//! Which URLs a flow may use, and how they are compared.
//!
//! Owns: HTTPS except on this machine, no user names and fragments in URLs, origins, the
//! canonical form of a resource, redirect URIs. Must not know: what is at a URL. Which
//! addresses a server may point at is [`crate::policy::discovery`]'s.

use url::Url;

use super::error::AuthError;
use crate::policy::discovery::{Guard, Unsafe, is_loopback_host};

/// Longest URL that is taken from anybody, in bytes.
pub const MAX_URL: usize = 4096;

/// Reads the URL of a document or an endpoint, and refuses one that a flow may not use:
/// plain HTTP to another machine, an address that the guard forbids, a user name or a
/// fragment, or characters that URL parsers would quietly drop.
///
/// ```
/// use mcpbolt_proto::auth::endpoint;
/// use mcpbolt_proto::policy::discovery::Guard;
///
/// let guard = Guard::for_server("https", "mcp.example.com");
/// assert!(endpoint::check("token_endpoint", "https://a.example.com/token", &guard).is_ok());
/// let refused = endpoint::check("token_endpoint", "http://a.example.com/token", &guard);
/// assert!(refused.unwrap_err().to_string().starts_with("token_endpoint: "));
/// ```
pub fn check(field: &'static str, text: &str, guard: &Guard) -> Result<Url, AuthError> {
    let url = read(field, text)?;
    if url.fragment().is_some() {
        return Err(refused(field, "it has a fragment; leave it out"));
    }
    guard.scheme(url.scheme(), url.host_str().unwrap_or_default()).map_err(|why| {
        let why = match why {
            Unsafe::NotHttps => "it has to use https; plain http is for this machine only",
            Unsafe::Scheme => "it has to be an https URL",
            Unsafe::Loopback => "it points at this machine, and the server is elsewhere",
            _ => "it points into a network that is not public; allow private networks if it is yours",
        };
        refused(field, why)
    })?;
    Ok(url)
}

/// Refuses a URL only for where it leads: to this machine or into a network that is not public.
pub(super) fn check_place(field: &'static str, text: &str, guard: Guard) -> Result<(), AuthError> {
    let Ok(url) = Url::parse(text) else { return Ok(()) };
    match guard.scheme(url.scheme(), url.host_str().unwrap_or_default()) {
        Err(Unsafe::Loopback | Unsafe::NotPublic) => check(field, text, &guard).map(|_| ()),
        _ => Ok(()),
    }
}

/// Reads a URL with a host, before any rule about where it leads.
pub(super) fn read(field: &'static str, text: &str) -> Result<Url, AuthError> {
    if text.len() > MAX_URL {
        return Err(AuthError::TooLarge { field, limit: MAX_URL });
    }
    if text.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\') {
        return Err(refused(field, "it has blanks, control characters or backslashes"));
    }
    let url = Url::parse(text).map_err(|_| refused(field, "it is not an absolute URL"))?;
    if url.host_str().is_none_or(str::is_empty) {
        return Err(refused(field, "it has no host"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refused(field, "it has a user name or password; leave them out"));
    }
    Ok(url)
}

fn refused(field: &'static str, why: &'static str) -> AuthError {
    AuthError::Url { field, why }
}

/// Scheme, host and port of a URL, without a slash at the end.
pub fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// An issuer without the slash that URLs have at the end of an origin, as those are compared that
/// nobody published.
pub(super) fn issuer(text: &str) -> &str {
    let bare = text.strip_suffix('/').unwrap_or(text);
    if Url::parse(text).is_ok_and(|url| origin(&url) == bare) { bare } else { text }
}

/// A server's URL as the `resource` of RFC 8707: scheme and host in lower case, no default
/// port, no fragment, no slash in place of a path.
///
/// ```
/// use mcpbolt_proto::auth::endpoint;
///
/// assert_eq!(endpoint::resource("HTTPS://MCP.example.com:443/")?, "https://mcp.example.com");
/// assert_eq!(endpoint::resource("https://mcp.example.com/a/#x")?, "https://mcp.example.com/a/");
/// # Ok::<(), mcpbolt_proto::auth::error::AuthError>(())
/// ```
pub fn resource(server_url: &str) -> Result<String, AuthError> {
    resource_of("server URL", server_url)
}

/// The same of a URL that its program calls otherwise.
pub(super) fn resource_of(field: &'static str, server_url: &str) -> Result<String, AuthError> {
    let mut url = read(field, server_url)?;
    url.set_fragment(None);
    let text = url.to_string();
    let bare = url.path() == "/" && url.query().is_none();
    Ok(if bare { text.trim_end_matches('/').to_owned() } else { text })
}

/// The guard for what a server at this URL says. A server at a private address that the
/// program configured may point at private addresses.
///
/// ```
/// use mcpbolt_proto::auth::endpoint;
///
/// assert!(endpoint::guard_for(&"https://10.0.0.7".parse()?).private);
/// assert!(!endpoint::guard_for(&"https://login.example.com".parse()?).private);
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn guard_for(server_url: &Url) -> Guard {
    let host = server_url.host_str().unwrap_or_default();
    let guard = Guard::for_server(server_url.scheme(), host);
    let opened = Guard { private: true, ..guard };
    Guard { private: guard.scheme("https", host).is_err() && opened.scheme("https", host).is_ok(), ..guard }
}

/// Whether a redirect URI leads to this machine, on whichever port.
pub fn is_loopback(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(is_loopback_host)
}

/// Refuses a redirect URI that others could read: it has to be HTTPS or on this machine.
/// With `private_use` a scheme of the app's own, such as `com.example.app:/callback`, is
/// good as well (RFC 8252).
pub fn check_redirect_uri(text: &str, private_use: bool) -> Result<(), AuthError> {
    let field = "redirect_uri";
    let own = Url::parse(text).is_ok_and(|url| url.scheme().contains('.'));
    if own && private_use && !text.chars().any(char::is_control) {
        return Ok(());
    }
    let url = read(field, text)?;
    if url.fragment().is_some() {
        return Err(refused(field, "it has a fragment; leave it out"));
    }
    if url.scheme() == "https" || is_loopback(&url) {
        return Ok(());
    }
    Err(refused(field, "it has to be an https URL, or http on localhost"))
}
