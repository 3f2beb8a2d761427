//! What leaves a server: options about results, errors and audit records.
//!
//! Owns: `error_detail`, `check_media`, `max_result_bytes`, `sanitize_result` and `audit` by
//! name. Must not know: what the engine does with them, how a service is asked.

use std::sync::Arc;

use serde_json::{Map, Value};

use mcpbolt_proto::policy::detail::ErrorDetail;
use mcpbolt_proto::protocol::Error;

use crate::handler::{EngineOptions, Outlet};
use crate::observe::{AUDIT_QUEUE, Audit, JsonLines};

use super::json::{NoServiceName, service_name};

/// The service that takes audit records, unless the option names another: its payload is
/// the record, its answer is not looked at.
const AUDIT: &str = "audit.record";
/// The service that makes results fit to leave, unless the option names another: its payload
/// is `{method, name, result}`, its answer the result.
const SANITIZE: &str = "result.sanitize";

/// What the official packages do: messages of errors leave as they are, and media is not
/// checked.
pub(crate) fn outlet() -> Outlet {
    Outlet { error_detail: ErrorDetail::Message, check_media: false, ..Outlet::default() }
}

/// Sets an option about what leaves; `None` if the name is of another kind of option.
pub(crate) fn set(engine: &mut EngineOptions, name: &str, value: &Value) -> Option<Result<(), Error>> {
    let outlet = &mut engine.outlet;
    let set = match name {
        "error_detail" => {
            value.as_str().and_then(ErrorDetail::named).map(|detail| outlet.error_detail = detail)
        }
        "check_media" => value.as_bool().map(|on| outlet.check_media = on),
        "sanitize_result" => {
            service_name(value, SANITIZE).ok().map(|service| outlet.host_sanitizes = service.map(Arc::from))
        }
        "max_result_bytes" if value.is_null() => {
            outlet.max_result_bytes = None;
            Some(())
        }
        "max_result_bytes" => value.as_u64().map(|most| outlet.max_result_bytes = Some(most)),
        _ => return None,
    };
    Some(set.ok_or_else(|| Error::usage(format!("option {name} has a wrong value"))))
}

/// Where audit records go.
#[derive(Debug, Clone)]
pub enum AuditText {
    /// To a file, as JSON lines.
    File(Audit),
    /// To a service of the host's.
    Host {
        /// Its name.
        service: String,
        /// Most records that wait for it.
        queue: usize,
    },
}

/// Reads `{"path": "audit.jsonl", "queue": 10000}` or `{"service": true, "queue": …}`;
/// instead of true the name of the service.
pub(crate) fn audit(members: &Map<String, Value>) -> Result<AuditText, Error> {
    let (mut path, mut queue, mut service) = (None, AUDIT_QUEUE, None);
    for (name, value) in members {
        let wrong = || Error::usage(format!("option audit.{name} has a wrong value"));
        match name.as_str() {
            "path" => path = Some(value.as_str().ok_or_else(wrong)?),
            "queue" => {
                let count = value.as_u64().and_then(|n| usize::try_from(n).ok()).filter(|n| *n > 0);
                queue = count.ok_or_else(wrong)?;
            }
            "service" => service = service_name(value, AUDIT).map_err(|NoServiceName| wrong())?,
            _ => return Err(Error::usage(format!("there is no option audit.{name}"))),
        }
    }
    match (path, service) {
        (None, Some(service)) => Ok(AuditText::Host { service, queue }),
        (Some(path), None) => {
            let sink = JsonLines::append_to(path)
                .map_err(|e| Error::usage(format!("option audit.path cannot be written: {}", e.kind())))?;
            Ok(AuditText::File(Audit::with_queue(sink, queue)))
        }
        _ => Err(Error::usage("option audit needs either a path or service: true")),
    }
}
