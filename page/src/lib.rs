//! The page that shows a server of the Model Context Protocol to a person, as files to be
//! served: what is in `ts` is bundled into `dist`, which is committed, so that building this
//! crate needs no Node.
//!
//! Owns: the files, and the headers they are served with. Must not know: HTTP servers, sessions.
//!
//! ```
//! let page = mcpbolt_page::file("/").expect("the page itself");
//! assert_eq!(page.content_type, "text/html; charset=utf-8");
//! assert!(mcpbolt_page::file("/etc/passwd").is_none());
//! ```

/// What the page may do: its own script and style, requests to where it came from, and images and
/// sounds that results of tools contain. No frame may show it.
///
/// ```
/// assert!(mcpbolt_page::CONTENT_SECURITY_POLICY.starts_with("default-src 'none';"));
/// ```
pub const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     connect-src 'self'; img-src data:; media-src data:; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// Headers that each response of the page's server has, but for its content type.
///
/// ```
/// assert!(mcpbolt_page::HEADERS.contains(&("x-content-type-options", "nosniff")));
/// ```
pub const HEADERS: [(&str, &str); 6] = [
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// One file of the page. None of them holds a secret.
///
/// ```
/// let script = mcpbolt_page::file("/page.js").expect("it has a script");
/// assert_eq!(script.content_type, "text/javascript; charset=utf-8");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct File {
    /// Where it is served, beside the others.
    pub path: &'static str,
    /// Value of `Content-Type`.
    pub content_type: &'static str,
    /// Its content.
    pub content: &'static [u8],
}

/// All files of the page.
///
/// ```
/// let size: usize = mcpbolt_page::FILES.iter().map(|file| file.content.len()).sum();
/// assert!(size < 150_000);
/// ```
pub const FILES: [File; 3] = [
    File {
        path: "/",
        content_type: "text/html; charset=utf-8",
        content: include_bytes!("../dist/index.html"),
    },
    File {
        path: "/page.js",
        content_type: "text/javascript; charset=utf-8",
        content: include_bytes!("../dist/page.js"),
    },
    File {
        path: "/page.css",
        content_type: "text/css; charset=utf-8",
        content: include_bytes!("../dist/page.css"),
    },
];

/// The file at a path, or `None`.
///
/// ```
/// assert!(mcpbolt_page::file("/page.css").is_some());
/// ```
pub fn file(path: &str) -> Option<&'static File> {
    const { &FILES }.iter().find(|file| file.path == path)
}
