//! MIME types of a skill's files, by the end of their names.
//!
//! Owns: the table. Must not know: what is in a file.

const TYPES: &[(&str, &str)] = &[
    ("bash", "application/x-sh"),
    ("css", "text/css"),
    ("csv", "text/csv"),
    ("gif", "image/gif"),
    ("html", "text/html"),
    ("jpeg", "image/jpeg"),
    ("jpg", "image/jpeg"),
    ("js", "text/javascript"),
    ("json", "application/json"),
    ("markdown", "text/markdown"),
    ("md", "text/markdown"),
    ("mjs", "text/javascript"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("py", "text/x-python"),
    ("sh", "application/x-sh"),
    ("svg", "image/svg+xml"),
    ("ts", "text/typescript"),
    ("txt", "text/plain"),
    ("webp", "image/webp"),
    ("xml", "application/xml"),
    ("yaml", "application/yaml"),
    ("yml", "application/yaml"),
];

/// The MIME type that a file's name promises.
///
/// ```
/// use mcpbolt_proto::policy::skills::mime_type_of;
///
/// assert_eq!(mime_type_of("FORMS.MD"), "text/markdown");
/// assert_eq!(mime_type_of(".md"), "application/octet-stream");
/// ```
pub fn mime_type_of(name: &str) -> &'static str {
    let end = name
        .rsplit_once('.')
        .filter(|(before, _)| !before.is_empty())
        .map(|(_, end)| end.to_ascii_lowercase());
    let known = end.and_then(|end| TYPES.iter().find(|(known, _)| *known == end));
    known.map_or("application/octet-stream", |(_, kind)| kind)
}
