//! URI templates.

use mcpbolt_proto::uri_template::{UriTemplate, Value};

use super::two_parts;

/// The first line is a template, the rest a URI. Time is bounded by the runner.
pub(super) fn uri(data: &[u8]) {
    let (template, uri) = two_parts(data);
    let (Ok(text), Ok(uri)) = (std::str::from_utf8(template), std::str::from_utf8(uri)) else { return };
    let Ok(template) = UriTemplate::parse(text) else { return };
    assert!(template.as_str() == text);
    let names = template.variables().len();
    if let Some(found) = template.matches(uri) {
        assert!(found.len() <= names, "more values than variables");
    }
    let _ = template.match_uri(uri);
    // Where each variable stands once and is neither cut nor repeated, expanding and
    // matching undo each other.
    let expressions = text.matches('{').count() + text.matches(',').count();
    if expressions != names || text.contains([':', '*']) {
        return;
    }
    let word: String = uri.chars().filter(char::is_ascii_alphanumeric).take(12).collect();
    if word.is_empty() {
        return;
    }
    let expanded = template.expand(|_| Some(Value::Text(word.clone())));
    let Some(found) = template.matches(&expanded) else { panic!("no match for an expansion") };
    // Neighbours without a literal between them may share their text in many ways. A lone
    // percent sign is no literal of RFC 6570: what follows it may read as its digits.
    if text.contains("}{") || text.contains('%') {
        return;
    }
    let lookup = |name: &str| found.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone());
    assert!(template.expand(lookup) == expanded, "the values found expand to another URI");
}
