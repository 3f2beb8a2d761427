//! What a server answered, before the host gets it.
//!
//! Owns: keeping `max_result_bytes`, `max_list_items`, `max_pages` and `check_media`, and
//! asking the service that `validate_result` names. Must not know: how answers travel.

use std::sync::Arc;

use parking_lot::Mutex;

use mcpbolt_proto::jsonrpc::{JsonKind, RawJson};
use mcpbolt_proto::policy::lists::OpenLists;
use mcpbolt_proto::protocol::{Error, ErrorKind, methods};

use crate::bridge::options::client::ResultChecks;
use crate::bridge::queue::inbox::Inbox;
use crate::bridge::services::asks::about_result;
use crate::client::result_checks::{acceptable, wrong};

/// Checks a result against the caps and the pages of its list that came before.
pub(super) fn check(
    checks: &ResultChecks,
    lists: &Mutex<OpenLists>,
    method: &str,
    params: Option<&RawJson>,
    result: RawJson,
) -> Result<RawJson, Error> {
    acceptable(&checks.caps, checks.media, method, &result)?;
    let page = lists.lock().page(&checks.caps, method, params, &result);
    page.map_err(|why| wrong(method, &why)).map(|()| result)
}

/// Asks the host whether it wants a result, then goes on with what it said.
pub(super) fn ask_about(
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
            // A result that the host did not look at is not handed over.
            Err(error) => Err(refused(&error.message)),
        });
    };
    inbox.ask_host_then(service, payload, Box::new(reply));
}
