//! The same for the TypeScript facade: the engine room below the faces, faces strangers to
//! each other, official paths above all.
//!
//! Owns: the rooms of the facade as a table. Must not know: how imports are found. Imports
//! that still break the rule stand in `docs/typescript-order.txt`.

use super::super::backlog::Backlog;
use super::super::{Finding, Tree};
use crate::typescript_source::Facade;

const KNOWN: &str = "docs/typescript-order.txt";

/// Folders with their height; the longest that fits a path counts.
const HEIGHTS: &[(&str, u8)] = &[
    // Tables, types and schemas: the protocol as data, for programs that never load the addon.
    ("generated/", 0),
    ("protocol/", 0),
    // How the native engine is driven.
    ("engine/", 1),
    // What both faces offer alike: transports, peers, the OAuth client.
    ("common/", 2),
    ("v1/", 3),
    ("v2/", 3),
];

/// The height of the paths that programs for 1.x import, and of what only this package has.
const PUBLIC: u8 = 4;

/// Rooms that must not know each other.
const STRANGERS: &[(&str, &str)] = &[("v1/", "v2/")];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let facade = Facade::of(&tree.files);
    let mut found = Vec::new();
    for (from, targets) in facade.arrows() {
        for (to, lines) in targets {
            let Some(why) = against(facade.short(from), facade.short(to)) else { continue };
            let line = lines.first().copied().unwrap_or(1);
            let message = format!("imports {}, {why}", facade.short(to));
            let finding = Finding::new(facade.modules[from].path, line, message);
            found.push((format!("{} {}", facade.short(from), facade.short(to)), finding));
        }
    }
    Backlog::of(tree, KNOWN, "arrow").settle(found)
}

/// What is wrong with an import, if something is.
fn against(from: &str, to: &str) -> Option<&'static str> {
    let [from_room, to_room] = [room(from), room(to)];
    let stranger = |(a, b): &(&str, &str)| [(*a, *b), (*b, *a)].contains(&(from_room, to_room));
    if STRANGERS.iter().any(stranger) {
        return Some("a room it must not know");
    }
    (height(from) < height(to)).then_some("which is above it")
}

/// The folder at the top.
fn room(path: &str) -> &str {
    path.split_inclusive('/').next().unwrap_or_default()
}

fn height(path: &str) -> u8 {
    let rooms = HEIGHTS.iter().filter(|(name, _)| path.starts_with(name));
    rooms.max_by_key(|(name, _)| name.len()).map_or(PUBLIC, |(_, height)| *height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upwards_and_across_is_wrong() {
        assert_eq!(against("engine/driver.ts", "common/peer.ts"), Some("which is above it"));
        assert_eq!(against("v1/mcp.ts", "server/mcp.ts"), Some("which is above it"));
        assert_eq!(against("v2/internal/mcp.ts", "v1/mcp.ts"), Some("a room it must not know"));
        assert_eq!(against("v2/server.ts", "shared/transport.ts"), Some("which is above it"));
    }

    #[test]
    fn downwards_and_inside_a_room_is_right() {
        assert_eq!(against("server/mcp.ts", "v1/mcp.ts"), None);
        assert_eq!(against("v2/server.ts", "v2/internal/server.ts"), None);
        assert_eq!(against("common/peer.ts", "engine/driver.ts"), None);
        assert_eq!(against("generated/v1.ts", "protocol/schema.ts"), None);
    }
}
