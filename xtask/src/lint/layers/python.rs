//! The same for the Python package: the engine room below the faces, faces strangers to
//! each other.
//!
//! Owns: the rooms of the package as a table. Must not know: how imports are found. Imports
//! that still break the rule stand in `docs/python-order.txt`.

use super::super::backlog::Backlog;
use super::super::{Finding, Tree};
use crate::python_source::Package;

const KNOWN: &str = "docs/python-order.txt";
const PACKAGE: &str = "bindings-python/python/mcpbolt/";

/// Folders and files with their height; the longest that fits a path counts.
const HEIGHTS: &[(&str, u8)] = &[
    ("_mcpbolt", 0),
    ("_mcpbolt_auth", 0),
    ("_generics", 0),
    ("_naming", 0),
    ("_probed", 1),
    ("_engine/", 1),
    ("_types/", 2),
    ("types", 2),
    ("v2/_types/", 2),
    ("v2/types/", 2),
    ("shared/", 3),
    ("os/", 3),
    ("client/", 4),
    ("server/", 4),
    ("_common/", 5),
    ("server/fastmcp/", 6),
    ("server/mcpserver/", 6),
    ("_elsewhere", 6),
    // Official paths whose names come from rooms above their folder's.
    ("server/extension", 6),
    ("client/__init__", 7),
    ("server/__init__", 7),
    ("shared/memory", 7),
    ("cli/", 7),
    ("compat/", 7),
    ("v2/", 7),
    ("__main__", 8),
    ("server/__main__", 8),
    ("__init__", 8),
];

/// Rooms that must not know each other.
const STRANGERS: &[(&str, &str)] =
    &[("client/", "server/"), ("client/", "_common/"), ("server/fastmcp/", "server/mcpserver/")];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let package = Package::of(&tree.files);
    let short = |index: usize| package.modules[index].path.trim_start_matches(PACKAGE);
    let mut findings = Vec::new();
    for module in &package.modules {
        let path = module.path.trim_start_matches(PACKAGE);
        if height(path).is_none() {
            let message = "no room: move it into one, or give it one in xtask/src/lint/layers/python.rs";
            findings.push(Finding::new(&module.path, 1, message));
        }
    }
    let mut found = Vec::new();
    for (from, targets) in package.arrows() {
        for (to, lines) in targets {
            let Some(why) = against(short(from), short(to)) else { continue };
            let line = lines.first().copied().unwrap_or(1);
            let message = format!("imports {}, {why}", short(to));
            let finding = Finding::new(&package.modules[from].path, line, message);
            found.push((format!("{} {}", short(from), short(to)), finding));
        }
    }
    findings.extend(Backlog::of(tree, KNOWN, "arrow").settle(found));
    findings
}

/// What is wrong with an import, if something is.
fn against(from: &str, to: &str) -> Option<&'static str> {
    let stranger = |(a, b): &(&str, &str)| {
        (from.starts_with(a) && to.starts_with(b)) || (from.starts_with(b) && to.starts_with(a))
    };
    if STRANGERS.iter().any(stranger) {
        return Some("a room it must not know");
    }
    (height(from)? < height(to)?).then_some("which is above it")
}

fn height(path: &str) -> Option<u8> {
    let fits =
        |name: &str| path.strip_prefix(name).is_some_and(|rest| name.ends_with('/') || rest.starts_with('.'));
    let rooms = HEIGHTS.iter().filter(|(name, _)| fits(name));
    rooms.max_by_key(|(name, _)| name.len()).map(|(_, height)| *height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_name_says_the_height() {
        assert_eq!(height("server/session.py"), Some(4));
        assert_eq!(height("server/fastmcp/server.py"), Some(6));
        assert_eq!(height("types.py"), Some(2));
        assert_eq!(height("typesetting.py"), None);
    }

    #[test]
    fn upwards_and_across_is_wrong() {
        assert_eq!(against("shared/session.py", "client/session.py"), Some("which is above it"));
        assert_eq!(against("client/session.py", "server/session.py"), Some("a room it must not know"));
        assert_eq!(
            against("server/mcpserver/server.py", "server/fastmcp/server.py"),
            Some("a room it must not know")
        );
        assert_eq!(against("_common/server.py", "server/mcpserver/server.py"), Some("which is above it"));
        assert_eq!(against("server/session.py", "shared/session.py"), None);
    }
}
