//! The same for the Kotlin and Swift facades: the engine room below servers and clients, which
//! are strangers to each other.
//!
//! Owns: the rooms of both facades as a table. Must not know: how uses are found.

use super::super::{Finding, Tree};
use crate::uniffi_source::{Facade, GENERATED, KTOR, Language};

/// Folders with their height.
const HEIGHTS: &[(&str, u8)] = &[
    // Records, messages and errors: the protocol as data.
    (GENERATED, 0),
    ("protocol/", 0),
    // How the native engine is driven.
    ("engine/", 1),
    ("server/", 2),
    ("client/", 2),
    // What knows both sides, in no folder.
    ("", 3),
    // A package of its own, on all of it.
    (KTOR, 4),
];

/// Rooms that must not know each other.
const STRANGERS: &[(&str, &str)] = &[("client/", "server/")];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    Language::ALL.into_iter().flat_map(|language| of_one(&Facade::of(&tree.files, language))).collect()
}

fn of_one(facade: &Facade<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for module in facade.modules.iter().filter(|module| height(&module.short).is_none()) {
        let message = "no room: move it into one, or give it one in xtask/src/lint/layers/uniffi.rs";
        findings.push(Finding::new(module.path, 1, message));
    }
    for (from, targets) in facade.arrows() {
        for (to, lines) in targets {
            let (from, to) = (&facade.modules[from], &facade.modules[to]);
            let Some(why) = against(&from.short, &to.short) else { continue };
            let line = lines.first().copied().unwrap_or(1);
            findings.push(Finding::new(from.path, line, format!("uses {}, {why}", to.short)));
        }
    }
    findings
}

/// What is wrong with a use, if something is.
fn against(from: &str, to: &str) -> Option<&'static str> {
    let rooms = (room(from), room(to));
    if STRANGERS.iter().any(|(a, b)| [(*a, *b), (*b, *a)].contains(&rooms)) {
        return Some("a room it must not know");
    }
    (height(from)? < height(to)?).then_some("which is above it")
}

/// The folder at the top, or nothing.
fn room(path: &str) -> &str {
    path.find('/').map_or("", |at| &path[..=at])
}

fn height(path: &str) -> Option<u8> {
    HEIGHTS.iter().find(|(name, _)| *name == room(path)).map(|(_, height)| *height)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::File;

    #[test]
    fn upwards_and_across_is_wrong() {
        assert_eq!(against("engine/Driver.kt", "server/Server.kt"), Some("which is above it"));
        assert_eq!(against("generated/Types.swift", "engine/Driver.swift"), Some("which is above it"));
        assert_eq!(against("client/Client.kt", "server/Server.kt"), Some("a room it must not know"));
        assert_eq!(against("server/Server.swift", "client/Client.swift"), Some("a room it must not know"));
        assert_eq!(against("client/Client.swift", "InMemory.swift"), Some("which is above it"));
        assert_eq!(against("client/Client.kt", "ktor/client/KtorClient.kt"), Some("which is above it"));
    }

    #[test]
    fn downwards_and_inside_a_room_is_right() {
        assert_eq!(against("InMemory.swift", "client/Client.swift"), None);
        assert_eq!(against("server/Server.kt", "server/ServerHost.kt"), None);
        assert_eq!(against("client/Client.kt", "protocol/Record.kt"), None);
        assert_eq!(against("generated/Types.kt", "protocol/Record.kt"), None);
        assert_eq!(against("ktor/server/KtorServer.kt", "server/Server.kt"), None);
    }

    #[test]
    fn files_of_both_languages_are_looked_at() {
        for folder in ["bindings-uniffi/kotlin/src/main/dev/mcpbolt", "bindings-uniffi/swift/Sources/MCPBolt"]
        {
            let file =
                |path: &str, text: &str| File { path: format!("{folder}/{path}"), text: text.to_owned() };
            let files = vec![
                file("engine/a", "class A {}\nvar x: B"),
                file("server/b", "class B {}\nvar x: A"),
                file("elsewhere/c", ""),
            ];
            let findings = check(&Tree::of(files));
            let messages: Vec<_> = findings.iter().map(|finding| finding.message.as_str()).collect();
            assert_eq!(
                messages,
                [
                    "no room: move it into one, or give it one in xtask/src/lint/layers/uniffi.rs",
                    "uses server/b, which is above it"
                ]
            );
        }
    }
}
