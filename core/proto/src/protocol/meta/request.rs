//! What the `_meta` of a request says.
//!
//! Owns: which members the engine reads, and the error for one that is malformed.
//! Must not know: what follows from them.

use crate::jsonrpc::{Id, RawJson, RawObject};
use crate::protocol::capabilities::ClientCapabilities;
use crate::protocol::types::{Implementation, LoggingLevel};
use crate::protocol::{Error, ErrorKind};

use super::keys::{
    BAGGAGE, CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL, MAX_PROGRESS_TOKEN, PROGRESS_TOKEN,
    PROTOCOL_VERSION, TRACEPARENT, TRACESTATE,
};

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
        Self::from_members(raw)
    }

    /// As [`RequestMeta::from_meta`], of metadata that was taken apart already.
    pub fn from_members(raw: RawObject) -> Result<Self, Error> {
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
                let read = RawObject::parse(raw).and_then(|members| ClientCapabilities::of(members).ok());
                read.ok_or_else(|| {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_and_malformed_keys_are_told_apart() {
        let read = |text: &str| RequestMeta::from_meta(Some(&RawJson::parse(text.to_owned()).unwrap()));
        assert!(!read("{}").unwrap().is_modern());
        assert!(read(r#"{"io.modelcontextprotocol/clientCapabilities":{}}"#).unwrap().is_modern());
        let error = read(r#"{"io.modelcontextprotocol/protocolVersion":7}"#).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidParams);
        assert!(error.message.contains(PROTOCOL_VERSION));
        assert_eq!(read(r#"{"a":1,"a":2}"#).unwrap_err().kind, ErrorKind::InvalidRequest);
    }
}
