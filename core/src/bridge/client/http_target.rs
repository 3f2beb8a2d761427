//! A server that is reached by a URL.
//!
//! Owns: the options of the HTTP client by name. Must not know: what its hooks ask the host,
//! how requests travel.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::protocol::Error;

use crate::bridge::http::client_hooks::{ClientHooks, secret_headers};
use crate::bridge::http::fetch::HostCarrier;
use crate::bridge::options::json::{read, seconds};
use crate::handler::Spawner;
use crate::transport::client_connection::{Connector, RestartPolicy};
use crate::transport::streamable_http::client::{
    self, Authorizer, ClientIdentity, HttpClientOptions, ProxyChoice, ReconnectPolicy, certificates,
};

use super::server_target::ServerTarget;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::struct_excessive_bools, reason = "switches of an options object")]
struct UrlText {
    url: String,
    #[serde(default)]
    headers: Vec<(String, String)>,
    #[serde(default)]
    transport: TransportText,
    #[serde(default)]
    header_hook: bool,
    #[serde(default)]
    authorizer: bool,
    #[serde(default)]
    carrier: bool,
    #[serde(default)]
    pause: bool,
    #[serde(default = "yes")]
    system_roots: bool,
    #[serde(default)]
    ca: Option<String>,
    #[serde(default)]
    client_certificate: Option<IdentityText>,
    #[serde(default)]
    proxy: Option<String>,
    #[serde(default, deserialize_with = "seconds")]
    connect_timeout: Option<Duration>,
    #[serde(default, deserialize_with = "seconds")]
    acknowledge_timeout: Option<Duration>,
    #[serde(default, deserialize_with = "seconds")]
    close_timeout: Option<Duration>,
    #[serde(default)]
    max_message_bytes: Option<u64>,
    #[serde(default)]
    reconnect: Option<ReconnectText>,
    #[serde(default = "yes")]
    end_session: bool,
}

const fn yes() -> bool {
    true
}

#[derive(Deserialize, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum TransportText {
    #[default]
    Auto,
    Sse,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IdentityText {
    certificate: String,
    key: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReconnectText {
    #[serde(default, deserialize_with = "seconds")]
    initial: Option<Duration>,
    #[serde(default, deserialize_with = "seconds")]
    max: Option<Duration>,
    #[serde(default)]
    attempts: Option<u32>,
    #[serde(default)]
    stream_attempts: Option<u32>,
    #[serde(default)]
    growth_percent: Option<u32>,
}

/// Reads `{"url": …}`. With an `authorizer` none of the host's is asked.
///
/// # Errors
/// `Usage`, naming the option that is unknown or has a wrong value.
pub(crate) fn http_target(
    json: &RawJson,
    hooks: &ClientHooks,
    authorizer: Option<Arc<dyn Authorizer>>,
) -> Result<ServerTarget, Error> {
    let (url, mut options) = url_and_options(json, hooks)?;
    let legacy_only = options.sse_only;
    match (authorizer, &options.authorizer) {
        (Some(_), Some(_)) => {
            return Err(Error::usage(
                "url: authorizer: the sign-in gives requests their tokens; leave it out",
            ));
        }
        (Some(authorizer), None) => options.authorizer = Some(authorizer),
        (None, _) => {}
    }
    let connector: Connector = Box::new(move |events| client::connect(&url, options, events));
    Ok(ServerTarget { connector, http: true, legacy_only, restart: RestartPolicy::Never, kind: "http" })
}

/// The URL, and the options of the HTTP client.
///
/// # Errors
/// `Usage`, naming the option that is unknown or has a wrong value.
pub(crate) fn url_and_options(
    json: &RawJson,
    hooks: &ClientHooks,
) -> Result<(String, HttpClientOptions), Error> {
    let text: UrlText = read("url", json)?;
    Ok((text.url.clone(), text.options(hooks)?))
}

impl UrlText {
    fn options(self, hooks: &ClientHooks) -> Result<HttpClientOptions, Error> {
        let mut options = HttpClientOptions { spawner: Spawner::default(), ..HttpClientOptions::default() };
        options.headers = secret_headers(&self.headers)?;
        options.sse_only = self.transport == TransportText::Sse;
        options.system_roots = self.system_roots;
        options.end_session = self.end_session;
        if let Some(pem) = &self.ca {
            options.extra_roots = certificates(pem.as_bytes())?;
        }
        if let Some(identity) = &self.client_certificate {
            let (chain, key) = (identity.certificate.as_bytes(), identity.key.as_bytes());
            options.identity = Some(ClientIdentity::from_pem(chain, key)?);
        }
        options.proxy = match self.proxy.as_deref() {
            None | Some("system") => ProxyChoice::System,
            Some("off") => ProxyChoice::Off,
            Some(url) => ProxyChoice::Url(url.to_owned()),
        };
        options.connect_timeout = self.connect_timeout.unwrap_or(options.connect_timeout);
        options.acknowledge_timeout = self.acknowledge_timeout.unwrap_or(options.acknowledge_timeout);
        options.close_timeout = self.close_timeout.unwrap_or(options.close_timeout);
        options.max_message_bytes = self.max_message_bytes.unwrap_or(options.max_message_bytes);
        if let Some(text) = self.reconnect {
            let default = ReconnectPolicy::default();
            options.reconnect = ReconnectPolicy {
                initial: text.initial.unwrap_or(default.initial),
                max: text.max.unwrap_or(default.max),
                attempts: text.attempts.unwrap_or(default.attempts),
                stream_attempts: text.stream_attempts,
                growth_percent: text.growth_percent,
            };
        }
        if self.header_hook {
            let hooks = hooks.clone();
            options.header_hook = Some(Arc::new(move |head| hooks.headers(head)));
        }
        if self.pause {
            let hooks = hooks.clone();
            options.pause = Some(Arc::new(move |time| hooks.pause(time)));
        }
        if self.authorizer {
            options.authorizer = Some(Arc::new(hooks.clone()));
        }
        if self.carrier {
            let max_bytes = usize::try_from(options.max_message_bytes).unwrap_or(usize::MAX);
            options.carrier = Some(Arc::new(HostCarrier { hooks: hooks.clone(), max_bytes }));
        }
        Ok(options)
    }
}
