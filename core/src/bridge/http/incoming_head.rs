//! The head of a request that a web server of the host's received.
//!
//! Owns: reading it. Must not know: what is done with the request.

use std::net::SocketAddr;

use http::{HeaderMap, Method, Uri};
use serde::Deserialize;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use crate::bridge::boundary::grant::Grant;
use crate::bridge::boundary::http_head::header_map;
use crate::bridge::options::json::read;

/// The head of a request that the host received.
#[derive(Debug, Clone)]
pub struct IncomingHead {
    /// The HTTP method.
    pub method: Method,
    /// Path and query.
    pub target: Uri,
    /// All headers, in order.
    pub headers: HeaderMap,
    /// The peer's address, if it is known.
    pub peer: Option<SocketAddr>,
    /// Who sent it, where the host has found that out itself: the service `http.verify`
    /// is not asked then.
    pub principal: Option<String>,
    /// What its token allows, where the host has verified it.
    pub grant: Option<Grant>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeadText {
    method: String,
    target: String,
    #[serde(default)]
    headers: Vec<(String, String)>,
    #[serde(default)]
    peer: Option<SocketAddr>,
    #[serde(default)]
    principal: Option<String>,
    #[serde(default)]
    grant: Option<Grant>,
}

impl IncomingHead {
    /// A head from its parts as a host has them.
    ///
    /// # Errors
    /// `Usage` for a method, target or header that HTTP does not allow.
    pub fn new<N: AsRef<[u8]>, V: AsRef<[u8]>>(
        method: &str,
        target: &str,
        headers: impl IntoIterator<Item = (N, V)>,
        peer: Option<SocketAddr>,
    ) -> Result<Self, Error> {
        let wrong = |what: &str| Error::usage(format!("this is no {what} of an HTTP request"));
        Ok(Self {
            method: method.parse().map_err(|_| wrong("method"))?,
            target: target.parse().map_err(|_| wrong("target"))?,
            headers: header_map(headers).map_err(wrong)?,
            peer,
            principal: None,
            grant: None,
        })
    }

    /// Reads `{"method", "target", "headers": [[name, value]], "peer": "address:port",
    /// "principal": id, "grant": {"scopes", "required", "metadata_url"}}`.
    ///
    /// # Errors
    /// `Usage`, naming the wrong member.
    pub fn parse(json: &RawJson) -> Result<Self, Error> {
        let text: HeadText = read("head", json)?;
        let head = Self::new(&text.method, &text.target, text.headers, text.peer)?;
        Ok(Self { principal: text.principal, grant: text.grant, ..head })
    }
}
