//! Results that the host looks at before they leave its server: the service
//! `result.sanitize`, or what the option names.
//!
//! Owns: that a result which was not looked at does not leave. Must not know: what makes a
//! result unfit.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::media;
use mcpbolt_proto::protocol::Error;
use mcpbolt_proto::session::Answer;

use crate::bridge::queue::inbox::Inbox;
use crate::handler::Call;

use super::asks::about_result;

impl Inbox {
    /// Ends a call of the host's. If it has a sanitizer, that is asked first.
    pub(crate) fn finish_call(&self, call: &Arc<Call>, answer: Answer) -> bool {
        let service = call.host_sanitizes().filter(|_| media::has_content(call.method()));
        let (Answer::Result { value, cache }, Some(service)) = (&answer, service) else {
            return call.finish(answer);
        };
        let cache = *cache;
        let payload = about_result(call.method(), call.name().as_deref(), value);
        let call = Arc::clone(call);
        let reply = move |cleaned: Result<RawJson, Error>| {
            let answer = match cleaned {
                Ok(value) if value.is_object() => Answer::Result { value, cache },
                // What was not seen does not leave.
                _ => Answer::error(Error::internal("the result could not be sanitized")),
            };
            call.finish(answer);
        };
        self.ask_host_then(&service, payload, Box::new(reply));
        true
    }
}
