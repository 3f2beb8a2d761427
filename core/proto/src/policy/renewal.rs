//! Subscriptions that are kept: asked for again when they end.
//!
//! Owns: after which end, after how long, and what counts as changed because nobody could tell of
//! it. Must not know: clocks, connections, who asks.

use std::time::Duration;

use crate::jsonrpc::RawJson;
use crate::protocol::types::SubscriptionFilter;
use crate::protocol::{Error, ErrorKind, methods};

/// The wait after the first end; it doubles.
const FIRST: Duration = Duration::from_millis(500);
/// The longest wait.
const LONGEST: Duration = Duration::from_secs(30);
/// A subscription that was there for so long begins with the first wait again. One that ends sooner
/// each time must not keep the server busy.
const LASTING: Duration = Duration::from_secs(5);

/// How often a subscription did not last.
///
/// ```
/// use std::time::Duration;
/// use mcpbolt_proto::policy::renewal::Renewal;
/// use mcpbolt_proto::protocol::Error;
///
/// let mut renewal = Renewal::default();
/// let lost = Error::transport("the stream broke");
/// let first = renewal.after(Some(&lost), Some(Duration::from_secs(60))).unwrap();
/// let second = renewal.after(Some(&lost), None).unwrap();
/// assert_eq!(second, first * 2);
/// // What the server will not have, it is not asked for again.
/// assert_eq!(renewal.after(Some(&Error::invalid_params("no")), None), None);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Renewal {
    short: u32,
}

impl Renewal {
    /// How long to wait before a subscription that ended is asked for again; `None` if it is over.
    /// `error`: why it ended, unless its server ended it in good order. `lasted`: for how long it
    /// was agreed on, if it was.
    pub fn after(&mut self, error: Option<&Error>, lasted: Option<Duration>) -> Option<Duration> {
        if error.is_some_and(is_final) {
            return None;
        }
        if lasted.is_some_and(|lasted| lasted >= LASTING) {
            self.short = 0;
        }
        let wait = FIRST.saturating_mul(1 << self.short.min(16)).min(LONGEST);
        self.short += 1;
        Some(wait)
    }
}

/// Whether asking again would end in the same way.
fn is_final(error: &Error) -> bool {
    matches!(
        error.kind,
        ErrorKind::InvalidRequest
            | ErrorKind::MethodNotFound
            | ErrorKind::InvalidParams
            | ErrorKind::HeaderMismatch
            | ErrorKind::MissingClientCapability
            | ErrorKind::UnsupportedProtocolVersion
            | ErrorKind::Rejected
            | ErrorKind::Cancelled
            | ErrorKind::Unauthorized
            | ErrorKind::Forbidden
            | ErrorKind::Usage
    )
}

/// What a server would have told, had there been a subscription: everything that it now agrees to
/// tell of may have changed. Method and params of each notification.
///
/// ```
/// use mcpbolt_proto::policy::renewal::missed;
/// use mcpbolt_proto::protocol::types::SubscriptionFilter;
///
/// let agreed = SubscriptionFilter {
///     tools_list_changed: Some(true),
///     resource_subscriptions: Some(vec!["file:///a".to_owned()]),
///     ..Default::default()
/// };
/// let missed = missed(&agreed);
/// assert_eq!(missed[0], ("notifications/tools/list_changed", None));
/// assert_eq!(missed[1].1.as_ref().unwrap().as_str(), r#"{"uri":"file:///a"}"#);
/// ```
pub fn missed(agreed: &SubscriptionFilter) -> Vec<(&'static str, Option<RawJson>)> {
    let lists = [
        (agreed.tools_list_changed, methods::TOOLS_LIST_CHANGED),
        (agreed.prompts_list_changed, methods::PROMPTS_LIST_CHANGED),
        (agreed.resources_list_changed, methods::RESOURCES_LIST_CHANGED),
    ];
    let lists =
        lists.into_iter().filter(|(wanted, _)| *wanted == Some(true)).map(|(_, method)| (method, None));
    let updated = |uri: &String| {
        let params = serde_json::json!({ "uri": uri });
        (methods::RESOURCES_UPDATED, Some(RawJson::from(params)))
    };
    lists.chain(agreed.resource_subscriptions.iter().flatten().map(updated)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_to_a_bound_and_begin_anew_after_a_subscription_that_lasted() {
        let mut renewal = Renewal::default();
        let mut waits: Vec<_> = (0..40).filter_map(|_| renewal.after(None, Some(Duration::ZERO))).collect();
        assert_eq!(waits.len(), 40);
        assert_eq!((waits[0], waits[1]), (FIRST, FIRST * 2));
        assert_eq!(waits.pop(), Some(LONGEST));
        assert_eq!(renewal.after(None, Some(LASTING)), Some(FIRST));
    }
}
