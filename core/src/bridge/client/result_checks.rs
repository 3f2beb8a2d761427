//! What a server answered, before the host gets it.
//!
//! Owns: `max_result_bytes`, `max_list_items`, `max_pages`, `check_media` and
//! `validate_result` of a client. Must not know: how answers travel.

use std::sync::Arc;

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{JsonKind, RawJson};
use mcpbolt_proto::policy::lists::OpenLists;
use mcpbolt_proto::policy::trust::ResultCaps;
use mcpbolt_proto::protocol::{Error, ErrorKind, methods};

use crate::client::received::{acceptable, wrong};

use crate::bridge::queue::inbox::Inbox;
use crate::bridge::services::asks::about_result;

/// Asked whether the host may have a result: payload `{method, name, result}`, answer
/// null, or why not.
pub(crate) const VALIDATE: &str = "result.validate";

/// How results are checked.
#[derive(Debug, Clone, Default)]
pub struct ResultChecks {
    /// What a server may hand the host.
    pub caps: ResultCaps,
    /// Whether MIME types and base64 are checked.
    pub media: bool,
    /// The service of the host's that is asked, if one is.
    pub validate: Option<String>,
}

impl ResultChecks {
    pub(crate) fn check(
        &self,
        lists: &Mutex<OpenLists>,
        method: &str,
        params: Option<&RawJson>,
        result: RawJson,
    ) -> Result<RawJson, Error> {
        acceptable(&self.caps, self.media, method, &result)?;
        let page = lists.lock().page(&self.caps, method, params, &result);
        page.map_err(|why| wrong(method, &why)).map(|()| result)
    }

    /// Asks the host, then goes on with what it said.
    pub(crate) fn ask(
        service: &str,
        inbox: &Arc<Inbox>,
        method: &str,
        params: Option<&RawJson>,
        result: RawJson,
        then: impl FnOnce(Result<RawJson, Error>) + Send + 'static,
    ) {
        let payload = about_result(method, methods::name_of(method, params).as_deref(), &result);
        let refused = |why: &str| Error::new(ErrorKind::Rejected, format!("the result was refused: {why}"));
        let reply = move |verdict: Result<RawJson, Error>| {
            then(match verdict {
                Ok(verdict) if verdict.kind() == JsonKind::Null => Ok(result),
                Ok(why) => Err(refused(&why.as_string().unwrap_or_default())),
                // What nobody looked at is not handed over.
                Err(error) => Err(refused(&error.message)),
            });
        };
        inbox.ask_host_then(service, payload, Box::new(reply));
    }
}
