//! `_meta`: keys, grammar, and what a request's metadata says.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::jsonrpc::{Id, RawError, RawJson, RawObject};

use super::capabilities::ClientCapabilities;
use super::types::{Implementation, LoggingLevel};
use super::{Error, ErrorKind};

/// Token for progress notifications, all revisions.
pub const PROGRESS_TOKEN: &str = "progressToken";

/// Longest `progressToken` in bytes of JSON. Each report of progress repeats it.
pub const MAX_PROGRESS_TOKEN: usize = 1024;
/// Revision of a modern request.
pub const PROTOCOL_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The client's capabilities, per modern request.
pub const CLIENT_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// The client's name and version, per modern request; optional.
pub const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
/// Lowest level of log messages for one modern request.
pub const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// Id of the listen request a notification belongs to.
pub const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
/// The server's name and version, on modern results.
pub const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";
/// The task a message belongs to, 2025-11-25.
pub const RELATED_TASK: &str = "io.modelcontextprotocol/related-task";
/// A provisional answer for the model while a task runs, 2025-11-25.
pub const MODEL_IMMEDIATE_RESPONSE: &str = "io.modelcontextprotocol/model-immediate-response";
/// How many log messages were lost before the one that carries this. Ours: no
/// specification has it.
pub const LOST_LOGS: &str = "io.github.mcpbolt/lost";
/// W3C trace context.
pub const TRACEPARENT: &str = "traceparent";
/// W3C trace state.
pub const TRACESTATE: &str = "tracestate";
/// W3C baggage.
pub const BAGGAGE: &str = "baggage";

/// Open metadata: any member survives, in order.
///
/// ```
/// use mcpbolt_proto::protocol::meta::Meta;
///
/// let meta = Meta::new().with("progressToken", "import-7").with("com.example/tenant", &42);
/// assert_eq!(meta.get::<u64>("com.example/tenant"), Some(42));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Meta(pub RawObject);

impl Meta {
    /// No metadata.
    pub const fn new() -> Self {
        Self(RawObject::new())
    }

    /// Reads one member; `None` if absent or of another type.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        self.0.get(key)?.decode().ok()
    }

    /// Sets one member.
    pub fn insert<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Result<(), RawError> {
        self.0.put(key, value)
    }

    /// The same metadata with one more member; a value that is no JSON is left out.
    #[must_use]
    pub fn with<T: Serialize + ?Sized>(mut self, key: &str, value: &T) -> Self {
        let _ = self.insert(key, value);
        self
    }
}

/// What the `_meta` of a request says. Typed values are decoded when asked for.
///
/// ```
/// use mcpbolt_proto::protocol::meta::RequestMeta;
/// use serde_json::json;
///
/// let params = json!({"progressToken": 7, "traceparent": "00-ab-cd-01"}).into();
/// let meta = RequestMeta::from_meta(Some(&params))?;
/// assert_eq!(meta.progress_token, Some(7.into()));
/// assert!(!meta.is_modern());
/// assert_eq!(meta.trace_context().next(), Some(("traceparent", "00-ab-cd-01".to_owned())));
/// # Ok::<(), mcpbolt_proto::protocol::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct RequestMeta {
    /// Token for progress notifications.
    pub progress_token: Option<Id>,
    /// Revision of a modern request.
    pub protocol_version: Option<String>,
    /// The client's capabilities, undecoded; an object.
    pub client_capabilities: Option<RawJson>,
    /// Lowest level of log messages.
    pub log_level: Option<LoggingLevel>,
    /// All members.
    pub raw: RawObject,
}

fn progress_token(value: &RawJson) -> Result<Id, Error> {
    let token = Id::from_raw(value).filter(|_| value.as_bytes().len() <= MAX_PROGRESS_TOKEN);
    token.ok_or_else(|| {
        let wrong = "must be an integer or a string of up to 1024 bytes";
        Error::new(ErrorKind::InvalidParams, format!("params._meta: {PROGRESS_TOKEN} {wrong}"))
    })
}

impl RequestMeta {
    /// Reads the `_meta` member of some params.
    ///
    /// A key of the modern envelope that is there but malformed is `InvalidParams` and
    /// names the key; a member name that occurs twice is `InvalidRequest`.
    pub fn from_meta(meta: Option<&RawJson>) -> Result<Self, Error> {
        let Some(meta) = meta else { return Ok(Self::default()) };
        if !meta.is_object() {
            return Err(Error::new(ErrorKind::InvalidParams, "params._meta must be an object"));
        }
        let raw = RawObject::parse(meta).ok_or_else(|| {
            Error::new(ErrorKind::InvalidRequest, "a member name occurs twice in params._meta")
        })?;
        let malformed =
            |key: &str| Error::new(ErrorKind::InvalidParams, format!("params._meta: {key} is malformed"));
        let mut this = Self::default();
        for (key, value) in raw.iter() {
            match key {
                PROGRESS_TOKEN if value.is_null() => {}
                PROGRESS_TOKEN => this.progress_token = Some(progress_token(value)?),
                PROTOCOL_VERSION => {
                    this.protocol_version = Some(value.as_string().ok_or_else(|| malformed(key))?);
                }
                CLIENT_CAPABILITIES if value.is_object() => this.client_capabilities = Some(value.clone()),
                CLIENT_CAPABILITIES => return Err(malformed(key)),
                LOG_LEVEL => {
                    let level = value.as_string().and_then(|name| LoggingLevel::parse(&name));
                    this.log_level = Some(level.ok_or_else(|| malformed(key))?);
                }
                _ => {}
            }
        }
        this.raw = raw;
        Ok(this)
    }

    /// Whether the sender claims the modern envelope, complete or not.
    pub fn is_modern(&self) -> bool {
        self.protocol_version.is_some() || self.client_capabilities.is_some()
    }

    /// The client's capabilities; `Ok(None)` when the request carries none.
    pub fn capabilities(&self) -> Result<Option<ClientCapabilities>, Error> {
        self.client_capabilities
            .as_ref()
            .map(|raw| {
                if raw.as_str() == "{}" {
                    return Ok(ClientCapabilities::default());
                }
                raw.decode().map_err(|_| {
                    Error::new(
                        ErrorKind::InvalidParams,
                        format!("params._meta: {CLIENT_CAPABILITIES} is malformed"),
                    )
                })
            })
            .transpose()
    }

    /// Who the client says it is.
    pub fn client_info(&self) -> Option<Implementation> {
        self.raw.get(CLIENT_INFO)?.decode().ok()
    }

    /// W3C trace context: `traceparent`, `tracestate`, `baggage`, as they came.
    pub fn trace_context(&self) -> impl Iterator<Item = (&'static str, String)> + '_ {
        [TRACEPARENT, TRACESTATE, BAGGAGE]
            .into_iter()
            .filter_map(|key| Some((key, self.raw.get(key)?.as_string()?)))
    }
}

/// Whether `key` follows the grammar: an optional reverse-DNS prefix and `/`, then a
/// name (R10).
pub fn is_valid_key(key: &str) -> bool {
    let (prefix, name) = match key.rsplit_once('/') {
        Some((prefix, name)) => (Some(prefix), name),
        None => (None, key),
    };
    let edge = |c: char| c.is_ascii_alphanumeric();
    let name_ok = name.is_empty()
        || (name.starts_with(edge)
            && name.ends_with(edge)
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.')));
    let label_ok = |label: &str| {
        label.starts_with(|c: char| c.is_ascii_alphabetic())
            && label.ends_with(edge)
            && label.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    name_ok && prefix.is_none_or(|p| p.split('.').all(label_ok)) && !(prefix.is_none() && name.is_empty())
}

/// Whether the key's prefix is reserved for the protocol: its second label is
/// `modelcontextprotocol` or `mcp`.
pub fn is_reserved_key(key: &str) -> bool {
    let Some((prefix, _)) = key.rsplit_once('/') else { return false };
    matches!(prefix.split('.').nth(1), Some("modelcontextprotocol" | "mcp"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r10_key_grammar() {
        for key in
            ["progressToken", "io.modelcontextprotocol/logLevel", "com.example.mcp/x", "a-b.c/", "x_y.z"]
        {
            assert!(is_valid_key(key), "{key}");
        }
        for key in ["", "-x", "1a.b/x", "a..b/x", "x-", "a b"] {
            assert!(!is_valid_key(key), "{key}");
        }
        assert!(is_reserved_key("dev.mcp/x"));
        assert!(!is_reserved_key("com.example.mcp/x"));
    }

    #[test]
    fn l6_absent_and_malformed_keys_are_told_apart() {
        let read = |text: &str| RequestMeta::from_meta(Some(&RawJson::parse(text.to_owned()).unwrap()));
        assert!(!read("{}").unwrap().is_modern());
        assert!(read(r#"{"io.modelcontextprotocol/clientCapabilities":{}}"#).unwrap().is_modern());
        let error = read(r#"{"io.modelcontextprotocol/protocolVersion":7}"#).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidParams);
        assert!(error.message.contains(PROTOCOL_VERSION));
        assert_eq!(read(r#"{"a":1,"a":2}"#).unwrap_err().kind, ErrorKind::InvalidRequest);
    }
}
