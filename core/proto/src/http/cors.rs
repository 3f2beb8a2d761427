//! Cross-origin resource sharing: what browsers are told.
//!
//! Owns: the response headers for preflights and for actual requests of origins
//! that the guard allows. Must not know: routing, authentication.

use super::guard::Guard;
use super::headers::{is_token, trim};

/// Response headers, names in lower case.
pub type CorsHeaders = Vec<(&'static str, String)>;

const METHODS: &str = "GET, POST, DELETE, OPTIONS";
const EXPOSED: &str = "Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, DPoP-Nonce, Retry-After";
const REQUEST_HEADERS: &str = "Accept, Authorization, Content-Type, DPoP, Last-Event-ID, \
                               MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name";
/// Names of `Mcp-Param-*` headers depend on the tool: they are reflected, up to here.
const MAX_REFLECTED: usize = 64;

/// Headers of the answer to a preflight (`OPTIONS` with an origin). `None`: the
/// origin is not allowed, say nothing.
pub fn preflight(guard: &Guard, origin: &str, requested_headers: Option<&str>) -> Option<CorsHeaders> {
    let mut headers = allowed(guard, origin)?;
    let mut names = REQUEST_HEADERS.to_owned();
    let reflected = requested_headers.unwrap_or_default().split(',').map(trim).filter(|name| is_ours(name));
    for name in reflected.take(MAX_REFLECTED) {
        names.push_str(", ");
        names.push_str(name);
    }
    headers.push(("access-control-allow-methods", METHODS.to_owned()));
    headers.push(("access-control-allow-headers", names));
    headers.push(("access-control-max-age", "600".to_owned()));
    Some(headers)
}

/// Headers to add to the answer of any other request with an origin.
pub fn actual(guard: &Guard, origin: &str) -> Option<CorsHeaders> {
    let mut headers = allowed(guard, origin)?;
    headers.push(("access-control-expose-headers", EXPOSED.to_owned()));
    Some(headers)
}

fn allowed(guard: &Guard, origin: &str) -> Option<CorsHeaders> {
    if guard.any_origin() {
        return Some(vec![("access-control-allow-origin", "*".to_owned())]);
    }
    guard
        .allows_origin(origin)
        .then(|| vec![("access-control-allow-origin", origin.to_owned()), ("vary", "Origin".to_owned())])
}

/// Whether a header is an `Mcp-` one that the fixed list does not name.
fn is_ours(name: &str) -> bool {
    let ours = name.get(..4).is_some_and(|prefix| prefix.eq_ignore_ascii_case("mcp-"));
    ours && name.len() <= 128
        && is_token(name)
        && !REQUEST_HEADERS.split(',').any(|known| trim(known).eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get<'a>(headers: &'a CorsHeaders, name: &str) -> Option<&'a str> {
        headers.iter().find(|(n, _)| *n == name).map(|(_, value)| value.as_str())
    }

    #[test]
    fn preflight_reflects_mcp_headers_only() {
        let wanted = "content-type, mcp-param-region, x-evil, mcp-method, mcp-bad name, Mcp-Param-B";
        let headers = preflight(&Guard::loopback(), "http://localhost:5173", Some(wanted)).unwrap();
        let names = get(&headers, "access-control-allow-headers").unwrap();
        assert!(names.ends_with("Mcp-Name, mcp-param-region, Mcp-Param-B"), "{names}");
        assert!(!names.contains("evil") && !names.contains("bad"));
        assert_eq!(get(&headers, "access-control-allow-origin"), Some("http://localhost:5173"));
        assert_eq!(get(&headers, "vary"), Some("Origin"));
        assert!(get(&headers, "access-control-allow-methods").unwrap().contains("DELETE"));
    }

    #[test]
    fn reflection_is_bounded() {
        let wanted = (0..1000).map(|n| format!("mcp-param-{n}")).collect::<Vec<_>>().join(",");
        let headers = preflight(&Guard::off(), "http://a", Some(&wanted)).unwrap();
        let count = get(&headers, "access-control-allow-headers").unwrap().matches("mcp-param-").count();
        assert_eq!(count, MAX_REFLECTED);
    }

    #[test]
    fn actual_answers_expose_what_clients_read() {
        let headers = actual(&Guard::off(), "https://any.example").unwrap();
        assert_eq!(get(&headers, "access-control-allow-origin"), Some("*"));
        let exposed = get(&headers, "access-control-expose-headers").unwrap();
        for name in
            ["Mcp-Session-Id", "MCP-Protocol-Version", "WWW-Authenticate", "DPoP-Nonce", "Retry-After"]
        {
            assert!(exposed.contains(name));
        }
        assert!(get(&headers, "access-control-allow-credentials").is_none());
    }

    #[test]
    fn foreign_origins_get_nothing() {
        assert_eq!(preflight(&Guard::loopback(), "http://evil.example.com", None), None);
        assert_eq!(actual(&Guard::loopback(), "null"), None);
    }
}
