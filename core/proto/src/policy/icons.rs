//! Which icons may be shown.
//!
//! Owns: the rule about their places and the check of their bytes. Must not know: how
//! they are fetched; the code that does sends no credentials and follows no redirect to
//! another origin.

use iri_string::types::UriStr;

use crate::protocol::types::Icon;

/// The largest icon taken, in bytes.
pub const MAX_ICON_BYTES: usize = 1024 * 1024;

/// From where icons of one server are taken: `data:` URIs, and `https:` of the server's
/// own origin or of an origin the program trusts. A server without an origin (stdio) has
/// only the trusted ones.
///
/// ```
/// use mcpbolt_proto::policy::icons::IconPolicy;
/// use mcpbolt_proto::protocol::types::Icon;
///
/// let policy = IconPolicy::for_server("https://mcp.example.com/mcp").trust("https://cdn.example.com");
/// let icons = [
///     Icon::new("https://mcp.example.com/icon.png"),
///     Icon::new("https://cdn.example.com/icon.png"),
///     Icon::new("https://tracker.example.net/icon.png"),
///     Icon::new("javascript:alert(1)"),
/// ];
/// assert_eq!(policy.safe(&icons).len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IconPolicy {
    origins: Vec<String>,
}

impl IconPolicy {
    /// The policy for a server at this URL.
    pub fn for_server(url: &str) -> Self {
        Self { origins: https_origin(url).into_iter().collect() }
    }

    /// The policy for a server without a URL.
    pub fn local() -> Self {
        Self::default()
    }

    /// Takes icons of this origin too. Origins that are not `https:` change nothing.
    #[must_use]
    pub fn trust(mut self, origin: &str) -> Self {
        self.origins.extend(https_origin(origin));
        self
    }

    /// Whether an icon comes from a safe place.
    pub fn allows(&self, icon: &Icon) -> bool {
        let scheme = icon.src.split_once(':').map_or("", |(scheme, _)| scheme);
        if scheme.eq_ignore_ascii_case("data") {
            return icon.src.len() <= MAX_ICON_BYTES * 2 && is_image(data_type(&icon.src));
        }
        https_origin(&icon.src).is_some_and(|origin| self.origins.contains(&origin))
    }

    /// The icons that come from safe places, in their order.
    pub fn safe<'i>(&self, icons: &'i [Icon]) -> Vec<&'i Icon> {
        icons.iter().filter(|icon| self.allows(icon)).collect()
    }
}

/// The MIME type that bytes really are, of those worth showing; `None` for anything else
/// and for what is too large. Do not believe the server's word.
///
/// ```
/// use mcpbolt_proto::policy::icons::sniff;
///
/// assert_eq!(sniff(b"\x89PNG\r\n\x1a\n..."), Some("image/png"));
/// assert_eq!(sniff(b"<script>"), None);
/// ```
pub fn sniff(bytes: &[u8]) -> Option<&'static str> {
    if bytes.len() > MAX_ICON_BYTES {
        return None;
    }
    let text = bytes.trim_ascii_start();
    match bytes {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ if text.starts_with(b"<svg") || (text.starts_with(b"<?xml") && has_svg(text)) => {
            Some("image/svg+xml")
        }
        _ => None,
    }
}

fn has_svg(text: &[u8]) -> bool {
    memchr::memmem::find(&text[..text.len().min(1024)], b"<svg").is_some()
}

/// The media type of a `data:` URI.
fn data_type(uri: &str) -> &str {
    let rest = &uri["data:".len()..];
    rest.split([',', ';']).next().unwrap_or_default()
}

fn is_image(kind: &str) -> bool {
    ["image/png", "image/jpeg", "image/jpg", "image/webp", "image/svg+xml"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(kind))
}

/// `https://host[:port]` in one spelling. Credentials in a URL make it unusable.
fn https_origin(url: &str) -> Option<String> {
    let uri = UriStr::new(url).ok()?;
    let authority = uri.authority_components()?;
    if !uri.scheme_str().eq_ignore_ascii_case("https") || authority.userinfo().is_some() {
        return None;
    }
    let host = Some(authority.host()).filter(|host| !host.is_empty())?.to_ascii_lowercase();
    match authority.port().filter(|port| !matches!(*port, "" | "443")) {
        Some(port) => Some(format!("https://{host}:{port}")),
        None => Some(format!("https://{host}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn icons_come_from_data_or_the_servers_own_https_origin() {
        let policy = IconPolicy::for_server("https://MCP.example.com:443/mcp?x=1");
        let allowed = |src: &str| policy.allows(&Icon::new(src));
        assert!(allowed("https://mcp.example.com/a.png"));
        assert!(allowed("data:image/png;base64,iVBORw0KGgo="));
        for refused in [
            "http://mcp.example.com/a.png",
            "https://mcp.example.com.evil.net/a.png",
            "https://mcp.example.com:8443/a.png",
            "https://user:pass@mcp.example.com/a.png",
            "data:text/html,<script>",
            "data:",
            "javascript:alert(1)",
            "file:///etc/passwd",
            "ws://mcp.example.com/",
            "//mcp.example.com/a.png",
            "",
        ] {
            assert!(!allowed(refused), "{refused}");
        }
        assert!(!IconPolicy::local().allows(&Icon::new("https://mcp.example.com/a.png")));
        assert!(
            !IconPolicy::for_server("http://mcp.example.com/mcp")
                .allows(&Icon::new("https://mcp.example.com/a"))
        );
    }

    #[test]
    fn bytes_are_what_they_are_and_not_what_they_are_called() {
        assert_eq!(sniff(&[0xff, 0xd8, 0xff, 0xe0]), Some("image/jpeg"));
        assert_eq!(sniff(b"RIFF\0\0\0\0WEBPVP8 "), Some("image/webp"));
        assert_eq!(sniff(b" <svg xmlns=\"http://www.w3.org/2000/svg\"/>"), Some("image/svg+xml"));
        assert_eq!(sniff(b"<?xml version=\"1.0\"?><svg/>"), Some("image/svg+xml"));
        assert_eq!(sniff(b"<?xml version=\"1.0\"?><html/>"), None);
        assert_eq!(sniff(b"GIF89a"), None);
        let mut large = b"\x89PNG\r\n\x1a\n".to_vec();
        large.resize(MAX_ICON_BYTES + 1, 0);
        assert_eq!(sniff(&large), None);
    }
}
