//! What every answer goes through before it leaves.
//!
//! Owns: the program's sanitizer, the checks of media and size, the mask over failures.
//! Must not know: which handler answered; Rust's and a host's are treated alike.

use std::fmt;

use mcpbolt_proto::jsonrpc::{RawJson, RawObject};
use mcpbolt_proto::policy::detail::{self, ErrorDetail};
use mcpbolt_proto::policy::media;
use mcpbolt_proto::protocol::types::{ContentBlock, EmbeddedResource, PromptMessage, ResourceContents};
use mcpbolt_proto::protocol::{Error, ErrorKind, methods};
use mcpbolt_proto::session::Answer;

use crate::seal;

use super::contract::{Call, InternalError, Outlet, Sanitizer};

impl<F> Sanitizer for F
where
    F: Fn(&Call, ContentBlock) -> Option<ContentBlock> + Send + Sync + 'static,
{
    fn block(&self, call: &Call, block: ContentBlock) -> Option<ContentBlock> {
        self(call, block)
    }
}

impl Default for Outlet {
    fn default() -> Self {
        Self {
            error_detail: ErrorDetail::default(),
            check_media: true,
            max_result_bytes: None,
            sanitizer: None,
            on_internal_error: None,
            host_sanitizes: None,
        }
    }
}

impl fmt::Debug for Outlet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outlet")
            .field("error_detail", &self.error_detail)
            .field("check_media", &self.check_media)
            .field("max_result_bytes", &self.max_result_bytes)
            .field("sanitizer", &self.sanitizer.is_some())
            .finish_non_exhaustive()
    }
}

/// The result of a tool that could not do its work, for a model to read.
pub(crate) fn tool_failure(why: &str) -> Answer {
    let result = serde_json::json!({"content": [{"type": "text", "text": why}], "isError": true});
    Answer::result(result.into())
}

impl Call {
    /// Whom the host wants to see results first.
    #[cfg(feature = "bridge")]
    pub(crate) fn host_sanitizes(&self) -> Option<std::sync::Arc<str>> {
        self.engine.outlet.host_sanitizes.clone()
    }

    /// The answer as it may leave.
    pub(super) fn outgoing(&self, answer: Answer) -> Answer {
        match answer {
            Answer::Result { value, cache } => match self.checked(value) {
                Ok(value) => Answer::Result { value, cache },
                Err(error) => self.refusal(&error),
            },
            Answer::Error { error, gate } if detail::is_inside(error.kind) => {
                Answer::Error { error: self.covered(error), gate }
            }
            answer => answer,
        }
    }

    fn checked(&self, value: RawJson) -> Result<RawJson, String> {
        let outlet = &self.engine.outlet;
        let value = match &outlet.sanitizer {
            Some(sanitizer) => self.sanitized(&**sanitizer, value)?,
            None => value,
        };
        if let Some(most) = outlet.max_result_bytes
            && value.as_bytes().len() as u64 > most
        {
            let size = value.as_bytes().len();
            return Err(format!("the result of {size} bytes is larger than the {most} that may be sent"));
        }
        if outlet.check_media && self.has_content() {
            media::check(&value).map_err(|wrong| format!("the result cannot be sent: {wrong}"))?;
        }
        Ok(value)
    }

    fn has_content(&self) -> bool {
        media::has_content(self.method())
    }

    /// A model that reads the answer learns why it has no result.
    fn refusal(&self, why: &str) -> Answer {
        if self.method() == methods::TOOLS_CALL {
            return tool_failure(why);
        }
        Answer::error(Error::new(ErrorKind::Internal, why))
    }

    fn sanitized(&self, sanitizer: &dyn Sanitizer, value: RawJson) -> Result<RawJson, String> {
        let unreadable = || "the result cannot be sent: its content could not be read".to_owned();
        if !self.has_content() {
            return Ok(value);
        }
        let mut result = RawObject::parse(&value).ok_or_else(unreadable)?;
        let changed = self.sanitize_members(sanitizer, &mut result).map_err(|_| unreadable())?;
        Ok(if changed { result.to_raw() } else { value })
    }

    fn sanitize_members(
        &self,
        sanitizer: &dyn Sanitizer,
        result: &mut RawObject,
    ) -> Result<bool, Box<dyn std::error::Error>> {
        let mut changed = false;
        if let Some(content) = result.get("content").cloned() {
            let blocks: Vec<ContentBlock> = content.decode()?;
            let blocks: Vec<_> =
                blocks.into_iter().filter_map(|block| sanitizer.block(self, block)).collect();
            result.set("content", RawJson::encode(&blocks)?);
            changed = true;
        }
        if let Some(value) = result.get("structuredContent").cloned() {
            result.set("structuredContent", sanitizer.structured(self, value));
            changed = true;
        }
        if let Some(messages) = result.get("messages").cloned() {
            let messages: Vec<PromptMessage> = messages.decode()?;
            let kept = messages.into_iter().filter_map(|message| {
                let content = sanitizer.block(self, message.content.clone())?;
                Some(PromptMessage { content, ..message })
            });
            result.set("messages", RawJson::encode(&kept.collect::<Vec<_>>())?);
            changed = true;
        }
        if let Some(contents) = result.get("contents").cloned() {
            let contents: Vec<ResourceContents> = contents.decode()?;
            let kept =
                contents.into_iter().filter_map(|contents| self.sanitize_contents(sanitizer, contents));
            result.set("contents", RawJson::encode(&kept.collect::<Vec<_>>())?);
            changed = true;
        }
        Ok(changed)
    }

    fn sanitize_contents(
        &self,
        sanitizer: &dyn Sanitizer,
        contents: ResourceContents,
    ) -> Option<ResourceContents> {
        let uri = contents.uri().to_owned();
        match sanitizer.block(self, ContentBlock::Resource(EmbeddedResource::new(contents)))? {
            ContentBlock::Resource(block) => Some(block.resource),
            other => other.as_text().map(|text| ResourceContents::text(uri, "text/plain", text)),
        }
    }

    /// A failure of the server's inside, as its client learns of it.
    fn covered(&self, mut error: Error) -> Error {
        // A reason is a word of ours that programs act on.
        let reasoned = error.data.as_ref().and_then(RawObject::parse).is_some_and(|d| d.contains("reason"));
        // A host that masked it has the id in its log.
        if reasoned || detail::is_masked(&error.message) {
            return error;
        }
        if self.engine.outlet.error_detail == ErrorDetail::Masked {
            error.data = None;
        }
        error.message = self.told(&error.message, error.kind);
        error
    }

    /// What the client learns of a failure that was not written for it.
    pub(crate) fn told(&self, message: &str, kind: ErrorKind) -> String {
        if self.engine.outlet.error_detail == ErrorDetail::Message {
            return detail::scrub(message).into_owned();
        }
        let id = u64::from_le_bytes(seal::random_bytes());
        let shown = format!("{id:016x}");
        let method = self.spec().map_or("other", |spec| spec.name);
        tracing::error!(target: "mcpbolt::protocol", id = %shown, method, ?kind, "internal error");
        if let Some(hook) = &self.engine.outlet.on_internal_error {
            hook(&InternalError { id: &shown, method, kind, message });
        }
        detail::masked(id)
    }
}
