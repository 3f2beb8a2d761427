//! What the browser shows when it comes back.
//!
//! Owns: the page and its headers. Must not know: what the browser brought; nothing of it is
//! shown, since it may come from anybody.

use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{Response, StatusCode};
use http_body_util::Full;

/// The answer was received. Whether it is good is not known yet.
pub(super) fn received() -> Response<Full<Bytes>> {
    page(StatusCode::OK, "Back to the program", "It goes on there. You can close this window.")
}

/// Something else was asked for.
pub(super) fn other(status: StatusCode) -> Response<Full<Bytes>> {
    page(status, "Not here", "This is not the answer that the program waits for. Please begin again there.")
}

fn page(status: StatusCode, title: &str, text: &str) -> Response<Full<Bytes>> {
    let body = format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\
         <style>body{{font:18px/1.5 system-ui,sans-serif;max-width:30em;margin:20vh auto;padding:0 1em;\
         color-scheme:light dark}}</style></head><body><h1>{title}</h1><p>{text}</p></body></html>\n"
    );
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    for (name, value) in [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"),
        (REFERRER_POLICY, "no-referrer"),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        response.headers_mut().insert(name, http::HeaderValue::from_static(value));
    }
    response
}
