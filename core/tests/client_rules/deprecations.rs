//! What the protocol will lose says so where it is documented, with the proposal
//! that deprecates it and the earliest removal. Dynamic client registration comes, so
//! marked, with authorization.

use std::path::Path;

/// File below the workspace, and how the line begins that declares the item.
const ITEMS: [(&str, &str); 22] = [
    ("core/proto/src/protocol/types/roots.rs", "pub struct Root "),
    ("core/proto/src/protocol/types/roots.rs", "pub struct ListRootsResult"),
    ("core/proto/src/protocol/types/sampling.rs", "pub struct SamplingMessage"),
    ("core/proto/src/protocol/types/sampling.rs", "pub struct CreateMessageParams"),
    ("core/proto/src/protocol/types/sampling.rs", "pub struct CreateMessageResult"),
    ("core/proto/src/protocol/types/sampling.rs", "ThisServer ="),
    ("core/proto/src/protocol/types/sampling.rs", "AllServers ="),
    ("core/proto/src/protocol/capabilities.rs", "pub struct RootsCapability"),
    ("core/proto/src/protocol/capabilities.rs", "pub struct SamplingCapability"),
    ("core/src/server/context.rs", "pub fn log("),
    ("core/src/server/context.rs", "pub fn log_from("),
    ("core/src/server/context.rs", "pub async fn create_message("),
    ("core/src/server/context.rs", "pub async fn list_roots("),
    ("core/src/server/client_roots.rs", "pub async fn roots("),
    ("core/src/server/roots.rs", "pub struct Roots "),
    ("core/src/client/builder.rs", "pub fn sampler("),
    ("core/src/client/builder.rs", "pub fn on_sampling"),
    ("core/src/client/builder.rs", "pub fn sampling_context("),
    ("core/src/client/builder.rs", "pub fn on_roots"),
    ("core/src/client/notification.rs", "Log(LoggingMessageParams)"),
    ("core/src/transport/streamable_http/server/options.rs", "pub legacy_sse:"),
    ("core/src/transport/streamable_http/client/options.rs", "pub sse_only:"),
];

/// The doc comment of an item.
fn doc(file: &str, item: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file);
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"));
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let at = lines.iter().position(|line| line.starts_with(item));
    let at = at.unwrap_or_else(|| panic!("{file} has no {item}"));
    let above = lines[..at].iter().rev().take_while(|line| line.starts_with("///") || line.starts_with("#["));
    let mut comment: Vec<&str> = above.filter_map(|line| line.strip_prefix("///")).map(str::trim).collect();
    comment.reverse();
    comment.join(" ")
}

#[test]
fn what_is_deprecated_names_its_proposal_and_earliest_removal() {
    for (file, item) in ITEMS {
        let doc = doc(file, item).to_lowercase();
        for needed in ["deprecated since 20", "(sep-", "earliest removal"] {
            assert!(doc.contains(needed), "{file}: {item} does not say {needed:?}: {doc}");
        }
    }
}
