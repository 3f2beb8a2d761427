//! The Content-Security-Policy of a page.
//!
//! Owns: the default, and which declared origins it is widened by. Must not know: how a
//! browser is told.

use serde::{Deserialize, Serialize};
use url::Url;

/// The origins that a page uses, as its server declares them. What is not declared is
/// blocked.
///
/// ```
/// use mcpbolt_proto::policy::apps::AppCsp;
///
/// let csp = AppCsp { connect_domains: vec!["https://api.example.com".into()], ..AppCsp::default() };
/// assert!(csp.policy().contains("connect-src https://api.example.com;"));
/// let trick = AppCsp { connect_domains: vec!["*; script-src *".into()], ..AppCsp::default() };
/// assert_eq!(trick.policy(), AppCsp::default().policy());
/// assert_eq!(trick.ignored(), ["*; script-src *"]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AppCsp {
    /// Origins it sends requests to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub connect_domains: Vec<String>,
    /// Origins of its scripts, styles, pictures, fonts and media.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub resource_domains: Vec<String>,
    /// Origins it shows in frames.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub frame_domains: Vec<String>,
    /// Origins its base address may have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub base_uri_domains: Vec<String>,
}

/// What a page asks the host for; a host may say no.
///
/// ```
/// use mcpbolt_proto::policy::apps::AppPermissions;
///
/// let asked: AppPermissions = serde_json::from_str(r#"{"camera": {}, "clipboardWrite": {}}"#)?;
/// assert_eq!(asked.allow(), "camera; clipboard-write");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AppPermissions {
    /// The camera.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<Asked>,
    /// The microphone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microphone: Option<Asked>,
    /// The place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub geolocation: Option<Asked>,
    /// Writing to the clipboard.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clipboard_write: Option<Asked>,
}

/// An empty object: it was asked for.
///
/// ```
/// use mcpbolt_proto::policy::apps::{AppPermissions, Asked};
///
/// let asked = AppPermissions { camera: Some(Asked {}), ..AppPermissions::default() };
/// assert_eq!(serde_json::to_string(&asked)?, r#"{"camera":{}}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {}

impl AppPermissions {
    /// The `allow` attribute of a frame that grants all of it.
    pub fn allow(&self) -> String {
        let names = [
            (self.camera, "camera"),
            (self.microphone, "microphone"),
            (self.geolocation, "geolocation"),
            (self.clipboard_write, "clipboard-write"),
        ];
        names.iter().filter_map(|(asked, name)| asked.map(|_| *name)).collect::<Vec<_>>().join("; ")
    }
}

impl AppCsp {
    /// The value of the header `Content-Security-Policy`: nothing but the page itself, and
    /// what is declared.
    pub fn policy(&self) -> String {
        let [connect, resource, frame, base] = self.groups().map(|group| sources(group));
        let own = |first: &str, more: &[&str]| [&[first][..], more].concat().join(" ");
        let or = |list: &[&str], none: &str| if list.is_empty() { none.to_owned() } else { list.join(" ") };
        [
            "default-src 'none'".to_owned(),
            format!("script-src {}", own("'self' 'unsafe-inline'", &resource)),
            format!("style-src {}", own("'self' 'unsafe-inline'", &resource)),
            format!("img-src {}", own("'self' data:", &resource)),
            format!("font-src {}", own("'self'", &resource)),
            format!("media-src {}", own("'self' data:", &resource)),
            format!("connect-src {}", or(&connect, "'none'")),
            format!("frame-src {}", or(&frame, "'none'")),
            "object-src 'none'".to_owned(),
            format!("base-uri {}", or(&base, "'self'")),
            String::new(),
        ]
        .join("; ")
        .trim_end()
        .to_owned()
    }

    /// What was declared and is no origin: it has no effect, and is worth a line in a log.
    pub fn ignored(&self) -> Vec<&str> {
        let all = self.groups().into_iter().flatten();
        all.map(String::as_str).filter(|source| !is_origin(source)).collect()
    }

    fn groups(&self) -> [&Vec<String>; 4] {
        [&self.connect_domains, &self.resource_domains, &self.frame_domains, &self.base_uri_domains]
    }
}

fn sources(declared: &[String]) -> Vec<&str> {
    declared.iter().map(String::as_str).filter(|source| is_origin(source)).collect()
}

/// A scheme and a host, perhaps with a port and with `*.` before it: nothing that could mean
/// more in a policy, as `*`, `https:`, `data:` or `'unsafe-eval'` do.
fn is_origin(source: &str) -> bool {
    let Some((scheme, host)) = source.split_once("://") else { return false };
    if !matches!(scheme, "https" | "wss" | "http" | "ws") {
        return false;
    }
    let host = host.strip_prefix("*.").unwrap_or(host);
    let plain =
        host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':' | b'[' | b']'));
    let Ok(url) = Url::parse(&format!("{scheme}://{host}")) else { return false };
    // "*.com" would be half of the world.
    let whole = source.contains("*.") && !host.contains('.');
    plain && !host.is_empty() && !whole && url.host_str().is_some_and(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_open_by_default() {
        assert_eq!(
            AppCsp::default().policy(),
            "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
             img-src 'self' data:; font-src 'self'; media-src 'self' data:; connect-src 'none'; \
             frame-src 'none'; object-src 'none'; base-uri 'self';"
        );
    }

    #[test]
    fn origins_are_taken_and_nothing_else() {
        for good in [
            "https://a.example",
            "wss://a.example:8443",
            "https://*.cdn.example",
            "http://localhost:3000",
            "http://[::1]:80",
        ] {
            assert!(is_origin(good), "{good}");
        }
        for bad in [
            "*",
            "https:",
            "https://*",
            "https://*.com",
            "data:",
            "blob:",
            "'unsafe-eval'",
            "'self'",
            "a.example",
            "https://",
            "https://a.example; script-src *",
            "https://a.example https://b.example",
            "https://a.example/path",
            "https://a@b.example",
            "https://a.example\n",
            "javascript://a",
            "https://a.*.example",
            "https://a.example,b",
            "",
        ] {
            assert!(!is_origin(bad), "{bad}");
        }
    }

    #[test]
    fn each_list_widens_its_own_directives() {
        let one = |name: &str| vec![format!("https://{name}.example")];
        let csp = AppCsp {
            connect_domains: one("c"),
            resource_domains: one("r"),
            frame_domains: one("f"),
            base_uri_domains: one("b"),
        };
        let policy = csp.policy();
        for part in [
            "script-src 'self' 'unsafe-inline' https://r.example;",
            "img-src 'self' data: https://r.example;",
            "connect-src https://c.example;",
            "frame-src https://f.example;",
            "base-uri https://b.example;",
            "default-src 'none';",
        ] {
            assert!(policy.contains(part), "{part} in {policy}");
        }
        assert!(csp.ignored().is_empty());
    }
}
