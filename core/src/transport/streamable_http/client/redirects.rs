//! Redirects that a server answers with.
//!
//! Owns: which are followed, and how many in a row. Must not know: how a request is sent.

use http::header::LOCATION;
use http::{Method, StatusCode};
use reqwest::Response;
use url::Url;

use mcpbolt_proto::protocol::Error;

use crate::transport::client::SendFailure;

use super::failures::shown_url;

/// Most redirects of one request.
const MAX_REDIRECTS: usize = 5;

/// Where the `count`th redirect of a request leads, if it may be followed: within the origin,
/// with the method kept.
pub(super) fn target(
    method: &Method,
    url: &Url,
    response: &Response,
    count: usize,
) -> Result<Url, SendFailure> {
    let status = response.status();
    let fail = |message: &str| {
        let error = Error::transport(format!("{message}: {}", shown_url(url)));
        SendFailure { error, status: Some(status.as_u16()) }
    };
    let keeps_method = matches!(status, StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT)
        || *method == Method::GET;
    let target = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
    let Some(target) = target.and_then(|target| url.join(target).ok()).filter(|_| keeps_method) else {
        return Err(fail("the server redirects in a way that cannot be followed"));
    };
    if target.origin() != url.origin() {
        return Err(fail("the server redirects to another origin, which is not followed"));
    }
    if count > MAX_REDIRECTS {
        return Err(fail("the server redirects too often"));
    }
    Ok(target)
}
