//! The words of refusals over HTTP, for one request.
//!
//! Owns: what the words of a norm may name, and filling it in. Must not know: which words a norm
//! has, who is refused.

use crate::protocol::Revision;

use super::HttpRefusal;

/// What was published before the first revision and is still named by some clients.
pub(crate) const DRAFTS: [&str; 1] = ["2024-10-07"];

/// What the words of a refusal may name.
///
/// ```
/// use mcpbolt_proto::policy::norm::words::Named;
/// use mcpbolt_proto::policy::norm::{HttpRule, Norm};
///
/// let refusal = Norm::TYPESCRIPT_1.refusal(HttpRule::Origin).unwrap();
/// let named = Named { origin: Some("http://evil"), ..Named::default() };
/// assert_eq!(refusal.message(&named), "Invalid Origin header: http://evil");
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Named<'a> {
    /// The revision in `MCP-Protocol-Version`.
    pub version: Option<&'a str>,
    /// The revisions on offer.
    pub offered: &'a [Revision],
    /// The value of `Host`.
    pub host: Option<&'a str>,
    /// The value of `Origin`.
    pub origin: Option<&'a str>,
    /// How large or long something may be.
    pub limit: u64,
}

impl HttpRefusal {
    /// The message for a request.
    pub fn message(&self, named: &Named<'_>) -> String {
        let (mut text, mut rest) = (String::new(), self.message);
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, open)| Some((before, open.split_once('}')?)))
        {
            text.push_str(before);
            text.push_str(&named.value(name));
            rest = after;
        }
        text + rest
    }
}

impl Named<'_> {
    fn value(&self, name: &str) -> String {
        let offered = self.offered.iter().filter(|revision| !revision.is_modern());
        let offered: Vec<_> = offered.map(|revision| revision.as_str()).collect();
        match name {
            "version" => self.version.unwrap_or_default().to_owned(),
            "supported" => offered.join(", "),
            "listed" => offered.into_iter().rev().chain(DRAFTS).collect::<Vec<_>>().join(", "),
            "host" => self.host.unwrap_or("null").to_owned(),
            "origin" => self.origin.unwrap_or("null").to_owned(),
            _ => self.limit.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HttpRule, Norm};
    use super::*;

    #[test]
    fn versions_are_filled_in() {
        let refusal = Norm::PYTHON_1.refusal(HttpRule::Version).unwrap();
        let named = Named { version: Some("1999-01-01"), offered: &Revision::ALL, ..Named::default() };
        assert_eq!(
            refusal.message(&named),
            "Bad Request: Unsupported protocol version: 1999-01-01. Supported versions: 2024-11-05, 2025-03-26, \
             2025-06-18, 2025-11-25"
        );
        let refusal = Norm::TYPESCRIPT_1.refusal(HttpRule::VersionOrDraft).unwrap();
        assert_eq!(
            refusal.message(&named),
            "Bad Request: Unsupported protocol version: 1999-01-01 (supported versions: 2025-11-25, \
             2025-06-18, 2025-03-26, 2024-11-05, 2024-10-07)"
        );
    }
}
