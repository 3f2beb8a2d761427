//! Options of the HTTP client as a JSON object, and its hooks that the host writes.

use std::sync::{Arc, Weak};
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::Deserialize;
use serde_json::json;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::protocol::Error;

use crate::handler::{BoxFuture, RequestHead, Spawner};
use crate::transport::client_connection::{Connector, RestartPolicy};
use crate::transport::streamable_http::client::{
    self, Authorizer, ClientIdentity, HttpClientOptions, ProxyChoice, ReconnectPolicy, Verdict, certificates,
};

use crate::bridge::client::target::Reach;
use crate::bridge::http::fetch::HostCarrier;
use crate::bridge::options::client::{read, seconds};
use crate::bridge::queue::inbox::Inbox;

/// Whom the hooks of one connection ask.
#[derive(Clone)]
pub(crate) struct Hooks {
    pub(crate) inbox: Weak<Inbox>,
    pub(crate) connection: u64,
}

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
}

/// Reads `{"url": …}`.
///
/// # Errors
/// `Usage`, naming the option that is unknown or has a wrong value.
pub(crate) fn reach(json: &RawJson, hooks: &Hooks) -> Result<Reach, Error> {
    let text: UrlText = read("url", json)?;
    let legacy_only = text.transport == TransportText::Sse;
    let (url, options) = (text.url.clone(), text.options(hooks)?);
    let connector: Connector = Box::new(move |events| client::connect(&url, options, events));
    Ok(Reach { connector, http: true, legacy_only, restart: RestartPolicy::Never, kind: "http" })
}

impl UrlText {
    fn options(self, hooks: &Hooks) -> Result<HttpClientOptions, Error> {
        let mut options = HttpClientOptions { spawner: Spawner::default(), ..HttpClientOptions::default() };
        options.headers = header_map(&self.headers)?;
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
            };
        }
        if self.header_hook {
            let hooks = hooks.clone();
            options.header_hook = Some(Arc::new(move |head| hooks.headers(head)));
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

/// Names and values to headers; credentials are marked so.
fn header_map<'a>(pairs: impl IntoIterator<Item = &'a (String, String)>) -> Result<HeaderMap, Error> {
    let mut map = HeaderMap::new();
    for (name, value) in pairs {
        let wrong = || Error::usage(format!("header {name:?} has a name or value that HTTP does not allow"));
        let key = HeaderName::try_from(name).map_err(|_| wrong())?;
        let mut value = HeaderValue::try_from(value).map_err(|_| wrong())?;
        value.set_sensitive(true);
        map.append(key, value);
    }
    Ok(map)
}

impl Hooks {
    fn ask(
        &self,
        service: &str,
        head: &RequestHead,
        more: serde_json::Value,
    ) -> BoxFuture<'static, Result<RawJson, Error>> {
        let Some(inbox) = self.inbox.upgrade() else {
            return Box::pin(std::future::ready(Err(Error::closed())));
        };
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers: Vec<_> = head.headers.iter().map(|(name, value)| (name.as_str(), text(value))).collect();
        let mut payload = json!({
            "connection": self.connection,
            "method": head.method.as_str(),
            "url": head.uri.to_string(),
            "headers": headers,
        });
        if let (Some(members), serde_json::Value::Object(more)) = (payload.as_object_mut(), more) {
            members.extend(more);
        }
        inbox.ask_host(service, payload.into())
    }

    fn headers(&self, head: &RequestHead) -> BoxFuture<'static, Result<HeaderMap, Error>> {
        let answer = self.ask("client.headers", head, json!({}));
        Box::pin(async move {
            let pairs: Vec<(String, String)> =
                answer.await?.decode().map_err(|e| Error::usage(format!("client.headers: {e}")))?;
            header_map(&pairs)
        })
    }
}

impl Authorizer for Hooks {
    fn authorize<'a>(&'a self, head: &'a RequestHead) -> BoxFuture<'a, Result<Option<HeaderValue>, Error>> {
        let answer = self.ask("client.authorize", head, json!({}));
        Box::pin(async move {
            let answer = answer.await?;
            if answer.is_null() {
                return Ok(None);
            }
            let wrong = || Error::usage("client.authorize must answer null or the value of a header");
            let mut value =
                HeaderValue::try_from(answer.as_string().ok_or_else(wrong)?).map_err(|_| wrong())?;
            value.set_sensitive(true);
            Ok(Some(value))
        })
    }

    fn challenged<'a>(
        &'a self,
        head: &'a RequestHead,
        status: StatusCode,
        challenges: &'a [HeaderValue],
    ) -> BoxFuture<'a, Result<Verdict, Error>> {
        let challenges: Vec<_> =
            challenges.iter().map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect();
        let more = json!({"status": status.as_u16(), "challenges": challenges});
        let answer = self.ask("client.challenged", head, more);
        Box::pin(async move {
            let answer = answer.await?;
            let again = RawObject::parse(&answer).and_then(|members| members.get("retry")?.decode().ok());
            Ok(if again == Some(true) { Verdict::Retry } else { Verdict::GiveUp })
        })
    }
}
