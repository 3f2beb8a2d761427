//! What of a request never changes, and what its method says about it.
//!
//! Owns: the parts that are encoded once. Must not know: deadlines, or who waits.

use crate::jsonrpc::{Id, RawJson, RawObject};
use crate::protocol::capabilities::ClientCapabilities;
use crate::protocol::types::LoggingLevel;
use crate::protocol::wire::{self, ClientEnvelope, Decoded};
use crate::protocol::{Error, ErrorKind, Revision, methods};

use super::output::Answered;
use super::settings::ClientSettings;

/// The parts of the modern envelope that never change, written once.
#[derive(Debug)]
pub(super) struct Encoded {
    pub(super) capabilities: RawJson,
    /// Those that `initialize` declares.
    pub(super) legacy_capabilities: RawJson,
    pub(super) info: RawJson,
}

impl Encoded {
    pub(super) fn new(settings: &ClientSettings) -> Self {
        let encoded =
            |capabilities| RawJson::encode(capabilities).unwrap_or_else(|_| RawJson::empty_object());
        let info = RawJson::encode(&settings.info).unwrap_or_else(|_| RawJson::empty_object());
        Self {
            capabilities: encoded(&settings.capabilities),
            legacy_capabilities: encoded(&legacy_capabilities(settings)),
            info,
        }
    }

    /// The params of a request, with the metadata its revision wants.
    pub(super) fn params(
        &self,
        revision: Revision,
        method: &str,
        params: Option<&RawJson>,
        token: Option<&Id>,
        log_level: Option<LoggingLevel>,
    ) -> Result<Option<RawJson>, Error> {
        let members = object(params, "params")?;
        object(members.as_ref().and_then(|m| m.get("_meta")), "params._meta")?;
        let envelope = ClientEnvelope {
            capabilities: self.capabilities.clone(),
            client_info: Some(self.info.clone()),
            log_level: log_level.and_then(|level| RawJson::encode(&level).ok()?.as_string()).map(Into::into),
            progress_token: token.cloned(),
        };
        Ok(wire::encode_params(revision, method, params.cloned(), &envelope))
    }
}

fn legacy_capabilities(settings: &ClientSettings) -> ClientCapabilities {
    let mut capabilities = settings.capabilities.clone();
    if let Some(extensions) = &mut capabilities.extensions {
        for name in &settings.modern_extensions {
            extensions.remove(name);
        }
    }
    capabilities.extensions = capabilities.extensions.filter(|extensions| !extensions.is_empty());
    capabilities
}

fn object(raw: Option<&RawJson>, place: &str) -> Result<Option<RawObject>, Error> {
    let wrong = || Error::new(ErrorKind::Usage, format!("{place} must be {}", RawObject::WANTED));
    raw.map(|raw| RawObject::parse(raw).ok_or_else(wrong)).transpose()
}

/// Whether repeating a method can do no harm, whatever its params.
pub(super) fn repeatable(method: &str) -> bool {
    methods::lookup(method).is_some_and(|spec| spec.cacheable)
        || matches!(method, methods::PING | methods::COMPLETION_COMPLETE | methods::PROMPTS_GET)
}

/// Reads a result.
pub(super) fn result(
    revision: Revision,
    method: &str,
    raw: RawJson,
    extensions: &std::collections::BTreeSet<String>,
) -> Result<Answered, Error> {
    let extensions: Vec<&str> = extensions.iter().map(String::as_str).collect();
    Ok(match wire::decode_result(revision, method, raw, &extensions)? {
        Decoded::Complete(raw) => Answered::Complete(raw),
        Decoded::InputRequired { requests, state } => Answered::InputRequired { requests, state },
        Decoded::Extension { result_type, raw } => Answered::Extension { result_type, value: raw },
    })
}
