//! Failures in words: what went wrong, where, and what may help.
//!
//! Owns: the sentences, and how much of a URL they show. Must not know: when they are told.

use std::io;

use http::StatusCode;
use http::header::CONTENT_TYPE;
use reqwest::Response;
use url::{ParseError, Url};

use mcpbolt_proto::protocol::{Error, ErrorKind};

use crate::transport::client::SendFailure;

/// From this length on a part of a path that mixes letters and digits may be a key.
const KEY_LENGTH: usize = 20;
/// Longest content type that is repeated.
const MAX_KIND: usize = 60;

/// The request had credentials. On responses with a status other than success.
#[derive(Debug, Clone)]
pub(super) struct WithToken;

/// A URL as errors show it: without user, query and fragment, and without what may be a key
/// in its path.
///
/// ```
/// use mcpbolt::transport::streamable_http::client::shown_url;
///
/// let url = url::Url::parse("https://ann:pw@h.example/u/k3yk3yk3yk3yk3yk3yk3y/mcp?api_key=1")?;
/// assert_eq!(shown_url(&url), "https://h.example/u/…/mcp");
/// # Ok::<(), url::ParseError>(())
/// ```
pub fn shown_url(url: &Url) -> String {
    let shown = |part: &str| if may_be_key(part) { "…".to_owned() } else { part.to_owned() };
    let path: Vec<String> = url.path().split('/').map(shown).collect();
    format!("{}{}", url.origin().ascii_serialization(), path.join("/"))
}

fn may_be_key(part: &str) -> bool {
    let has = |test: fn(&u8) -> bool| part.bytes().any(|byte| test(&byte));
    part.len() >= KEY_LENGTH && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic)
}

/// Reads the URL of a server.
pub(super) fn read_url(text: &str) -> Result<Url, Error> {
    let example = "such as http://127.0.0.1:8000/mcp";
    let must_begin = |found: &str| {
        let advice = meant(text).unwrap_or_else(|| example.to_owned());
        Error::usage(format!("the server's URL must begin with http:// or https://{found}: {advice}"))
    };
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.host().is_some() => Ok(url),
        Ok(url) if text.contains("://") => Err(must_begin(&format!(", not {}://", url.scheme()))),
        // Without slashes what looks like a scheme may be a host, or a user.
        Ok(_) | Err(ParseError::RelativeUrlWithoutBase) => Err(must_begin("")),
        Err(why) => {
            Err(Error::usage(format!("the server's URL cannot be read: {why}; it must be {example}")))
        }
    }
}

/// The URL that was probably meant where the scheme is missing; nothing where that is a mere guess.
fn meant(text: &str) -> Option<String> {
    let url = Url::parse(&format!("http://{text}")).ok().filter(|_| !text.contains("://"))?;
    let likely = url.port().is_some() || url.host_str() == Some("localhost");
    likely.then(|| format!("did you mean {}?", shown_url(&url)))
}

/// What a status other than success means to a caller.
pub(crate) fn refusal(response: &Response) -> SendFailure {
    let token = response.extensions().get::<WithToken>().is_some();
    refused(response.status(), response.url(), token)
}

/// Whether a gateway has no node for a request now, or the node misses something that will be back.
pub(super) fn is_away(status: StatusCode) -> bool {
    use StatusCode as S;
    matches!(status, S::BAD_GATEWAY | S::SERVICE_UNAVAILABLE | S::GATEWAY_TIMEOUT)
}

/// Whether a status says nothing of the request: the server had no time for it, or fell over it.
pub(super) fn is_no_verdict(status: StatusCode) -> bool {
    status.is_server_error() || matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS)
}

fn refused(status: StatusCode, at: &Url, token: bool) -> SendFailure {
    let kind = match status {
        StatusCode::UNAUTHORIZED => ErrorKind::Unauthorized,
        StatusCode::FORBIDDEN => ErrorKind::Forbidden,
        StatusCode::TOO_MANY_REQUESTS => ErrorKind::RateLimited,
        _ => ErrorKind::Transport,
    };
    let mut message =
        format!("the server answered with HTTP status {} at {}", status.as_u16(), shown_url(at));
    if let Some(advice) = advice(status, at, token) {
        message = format!("{message}: {advice}");
    }
    SendFailure { error: Error::new(kind, message), status: Some(status.as_u16()) }
}

fn advice(status: StatusCode, at: &Url, token: bool) -> Option<&'static str> {
    Some(match status {
        StatusCode::UNAUTHORIZED if token => "it does not accept the token that was sent",
        StatusCode::UNAUTHORIZED => "a token is missing; it is sent in the Authorization header",
        StatusCode::FORBIDDEN => "the credentials do not suffice, or requests from here are refused",
        StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED if !is_usual(at) => "did you mean /mcp?",
        StatusCode::NOT_FOUND => "is it the right server?",
        StatusCode::PROXY_AUTHENTICATION_REQUIRED => "the proxy wants credentials",
        StatusCode::TOO_MANY_REQUESTS => "its rate limit was hit, try again later",
        _ if status.is_server_error() => "the fault is on the server's side, its log may say more",
        _ => return None,
    })
}

/// Whether a path is where MCP servers usually are.
fn is_usual(url: &Url) -> bool {
    url.path().trim_end_matches('/').ends_with("/mcp")
}

/// A successful answer of something that is not an MCP server, or no event stream where there
/// must be one.
pub(crate) fn unusable(response: &Response, wanted: &str) -> SendFailure {
    let at = response.url();
    let kind = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    let found = match essence {
        "text/html" | "application/xhtml+xml" => "is a web page, no MCP endpoint".to_owned(),
        "" => "has no content type".to_owned(),
        essence if essence.len() > MAX_KIND => "has a content type of its own".to_owned(),
        essence => format!("has the content type {essence}"),
    };
    let hint = if is_usual(at) { "" } else { "; did you mean /mcp?" };
    let data = serde_json::json!({
        "http": { "status": response.status().as_u16(), "contentType": kind }
    });
    let error = Error::protocol(format!("the answer of {} is {wanted}: it {found}{hint}", shown_url(at)));
    SendFailure { error: error.with_data(data), status: Some(response.status().as_u16()) }
}

/// A connection that cannot be made, or broke.
pub(crate) fn network(error: &reqwest::Error, at: &Url) -> Error {
    let place = shown_url(at);
    let what = match () {
        () if error.is_timeout() => format!("connecting to {place} took too long"),
        () if error.is_connect() => format!("{place} cannot be reached"),
        () => format!("the connection to {place} failed"),
    };
    let (cause, words) = cause_of(error);
    let said = words.map(|words| format!(": {words}")).unwrap_or_default();
    let advice = match cause {
        Cause::NotTls => "; it does not speak TLS, did you mean http://?",
        Cause::Untrusted => "; its certificate is not trusted here",
        Cause::UnknownName => "; is the name of the host right?",
        Cause::Refused => "; is a server running there?",
        Cause::Other if error.is_timeout() => "; is the address right?",
        Cause::Other => "",
    };
    Error::transport(format!("{what}{said}{advice}"))
}

/// Why a connection failed; of several causes the last here says most.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    Other,
    Refused,
    UnknownName,
    Untrusted,
    NotTls,
}

/// The cause, and the innermost one in words, which do not show the URL.
fn cause_of(error: &reqwest::Error) -> (Cause, Option<String>) {
    let (mut found, mut said) = (Cause::Other, None);
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        let words = cause.to_string();
        let io = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        found = found.max(match tls_fault(cause) {
            Some(rustls::Error::InvalidMessage(_)) => Cause::NotTls,
            Some(rustls::Error::InvalidCertificate(_)) => Cause::Untrusted,
            _ if words.starts_with("dns error") => Cause::UnknownName,
            _ if io == Some(io::ErrorKind::ConnectionRefused) => Cause::Refused,
            _ => Cause::Other,
        });
        said = (!cause.is::<reqwest::Error>()).then_some(words);
        next = cause.source();
    }
    (found, said)
}

/// What TLS found, in as many wrappers of the standard library as it came in.
fn tls_fault<'e>(error: &'e (dyn std::error::Error + 'static)) -> Option<&'e rustls::Error> {
    let inside = || error.downcast_ref::<io::Error>()?.get_ref().and_then(|inner| tls_fault(inner));
    error.downcast_ref::<rustls::Error>().or_else(inside)
}

impl SendFailure {
    /// A failure without a status.
    pub(crate) fn local(error: Error) -> Self {
        Self { error, status: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_place_shows_no_credentials() {
        let shown =
            shown_url(&url("https://user:canary@host:8443/t/canary0123456789abcdef/mcp?key=canary#canary"));
        assert_eq!(shown, "https://host:8443/t/…/mcp");
    }

    #[test]
    fn a_status_says_where_and_what_may_help() {
        let said = |status: u16, address: &str, token: bool| {
            refused(StatusCode::from_u16(status).unwrap(), &url(address), token).error.message
        };
        assert_eq!(
            said(404, "http://u:canary@h:8000/mpc?canary", false),
            "the server answered with HTTP status 404 at http://h:8000/mpc: did you mean /mcp?"
        );
        assert!(said(405, "http://h/", false).ends_with("http://h/: did you mean /mcp?"));
        assert!(!said(404, "http://h/mcp", false).contains("did you mean"));
        assert!(!said(404, "http://h/deep/mcp/", false).contains("did you mean"));
        assert!(said(401, "http://h/mcp", false).contains("a token is missing"));
        assert!(said(401, "http://h/mcp", true).contains("does not accept the token"));
        assert!(said(403, "http://h/mcp", true).contains("http://h/mcp: the credentials do not suffice"));
        assert!(said(503, "http://h/mcp", true).contains("server's side"));
    }

    #[test]
    fn a_url_that_cannot_be_used_comes_with_the_remedy() {
        let said = |text: &str| read_url(text).unwrap_err().message;
        let begin = "the server's URL must begin with http:// or https://";
        assert_eq!(said("127.0.0.1:8000/mcp"), format!("{begin}: did you mean http://127.0.0.1:8000/mcp?"));
        assert_eq!(said("localhost:8000/mcp"), format!("{begin}: did you mean http://localhost:8000/mcp?"));
        assert_eq!(said("ws://h/mcp"), format!("{begin}, not ws://: such as http://127.0.0.1:8000/mcp"));
        assert_eq!(said("server.py"), format!("{begin}: such as http://127.0.0.1:8000/mcp"));
        assert!(said("http://h:port/mcp").contains("invalid port number"));
        for text in ["me:canary@h:80/x", "me:canary@h", "http://me:canary@h:x/"] {
            assert!(!said(text).contains("canary") && !said(text).contains("me"), "{text}: {}", said(text));
        }
    }
}
