//! Hosts and origins that are compared as texts, letter by letter.
//!
//! Owns: the comparison. Must not know: patterns, which are the [guard](super::guard)'s.

use crate::policy::norm::HttpRule;

/// The values of `Host` and `Origin` that a server accepts. An empty list accepts all.
///
/// ```
/// use mcpbolt_proto::http::AllowedTexts;
/// use mcpbolt_proto::policy::norm::HttpRule;
///
/// let allowed = AllowedTexts { hosts: vec!["app:3000".to_owned()], origins: Vec::new() };
/// assert_eq!(allowed.broken(Some("app"), None), Some(HttpRule::Host)); // ports count
/// assert_eq!(allowed.broken(Some("app:3000"), Some("http://x")), None);
/// ```
#[derive(Debug, Clone, Default)]
pub struct AllowedTexts {
    /// Values of `Host`. A request without one is refused.
    pub hosts: Vec<String>,
    /// Values of `Origin`. A request without one passes, because only browsers send it.
    pub origins: Vec<String>,
}

impl AllowedTexts {
    /// The rule that a request breaks.
    pub fn broken(&self, host: Option<&str>, origin: Option<&str>) -> Option<HttpRule> {
        let is_among = |list: &[String], value: &str| list.is_empty() || list.iter().any(|one| one == value);
        if !is_among(&self.hosts, host.unwrap_or_default()) {
            return Some(HttpRule::Host);
        }
        let origin = origin.filter(|origin| !origin.is_empty())?;
        (!is_among(&self.origins, origin)).then_some(HttpRule::Origin)
    }
}
