//! The dependency rule: modules use what lies below them, never what lies above.
//!
//! Owns: the picture of ARCHITECTURE.md as a table. Read from `crate::`, `self::`,
//! `super::` and `mcpbolt_proto::` paths, in test code as well.

mod python;
mod typescript;
mod uniffi;

use super::{Finding, Tree};
use crate::rust_source::PathUse;
use std::collections::BTreeMap;

/// Crate folder and its modules with their height.
const HEIGHTS: &[(&str, &[(&str, u8)])] = &[
    (
        "core/proto/src/",
        &[
            ("jsonrpc", 0),
            ("limits", 1),
            ("uri_template", 1),
            ("schema_budget", 1),
            ("protocol", 2),
            ("session", 3),
            ("http", 3),
            ("policy", 3),
            ("tasks", 3),
            ("auth", 3),
        ],
    ),
    (
        "core/src/",
        &[
            ("handler", 4),
            ("store", 4),
            ("tasks", 5),
            ("seal", 4),
            ("schema", 4),
            ("observe", 4),
            ("transport", 5),
            ("server", 6),
            ("client", 6),
            ("auth", 6),
            ("bridge", 7),
        ],
    ),
    (
        "cli/src/",
        &[
            ("environment", 8),
            ("exit", 8),
            ("terminal", 8),
            ("args", 8),
            ("hosts", 9),
            ("interrupt", 9),
            ("output", 9),
            ("program", 9),
            ("progress", 10),
            ("target", 10),
            ("arguments", 10),
            ("ask", 11),
            ("connection", 12),
            ("relay", 12),
            ("verbs", 13),
        ],
    ),
    (
        "inspector/src/",
        &[
            ("subject", 8),
            ("event", 9),
            ("hub", 10),
            ("questions", 11),
            ("request", 11),
            ("relay", 12),
            ("site", 13),
            ("inspector", 14),
            ("keeper", 15),
            ("docs", 16),
        ],
    ),
];

/// What stands on the public modules alone, as programs of users do.
const PROGRAMS: [(&str, &str); 2] = [("cli/", "the command line"), ("inspector/", "the inspector")];

/// What they do without.
const NOT_FOR_PROGRAMS: [&[&str]; 2] = [&["mcpbolt_proto"], &["mcpbolt", "bridge"]];

/// Modules of one height that must not know each other, not even one way.
const STRANGERS: &[(&str, &str)] = &[
    ("session", "http"),
    ("session", "auth"),
    ("http", "auth"),
    ("auth", "session"),
    ("auth", "http"),
    ("server", "client"),
    ("client", "server"),
    ("server", "auth"),
    ("auth", "server"),
    ("client", "auth"),
    ("auth", "client"),
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = typescript::check(tree);
    findings.extend(python::check(tree));
    findings.extend(uniffi::check(tree));
    let mut siblings: BTreeMap<(String, String), (String, usize)> = BTreeMap::new();
    for (file, source) in tree.rust() {
        let Some((folder, heights)) = HEIGHTS.iter().find(|(folder, _)| file.path.starts_with(folder)) else {
            continue;
        };
        let module = module_path(&file.path[folder.len()..]);
        let Some(here) = module.first() else { continue };
        if here == "main" {
            continue;
        }
        let Some(height) = height(heights, here) else {
            findings.push(Finding::new(&file.path, 1, unknown(here)));
            continue;
        };
        for path in &source.paths {
            if let Some((_, who)) = PROGRAMS.iter().find(|(folder, _)| file.path.starts_with(folder))
                && NOT_FOR_PROGRAMS.iter().any(|not| path.segments.starts_with(&owned(not)))
            {
                let message = format!("{who} uses {}, which is not public", path.segments.join("::"));
                findings.push(Finding::new(&file.path, path.line, message));
            }
            let Some(target) = target(&module, path) else { continue };
            if target == *here || path.is_macro {
                continue;
            }
            match self::height(heights, &target) {
                None => findings.push(Finding::new(&file.path, path.line, unknown(&target))),
                Some(other) if other > height => {
                    findings.push(Finding::new(
                        &file.path,
                        path.line,
                        format!("{here} uses {target}, which is above it"),
                    ));
                }
                Some(_) if STRANGERS.contains(&(here.as_str(), target.as_str())) => {
                    findings.push(Finding::new(
                        &file.path,
                        path.line,
                        format!("{here} must not know {target}"),
                    ));
                }
                Some(other) if other == height => {
                    siblings.insert((here.clone(), target), (file.path.clone(), path.line));
                }
                Some(_) => {}
            }
        }
    }
    findings.extend(both_ways(&siblings));
    findings
}

/// Neighbours may lean on each other one way, never both.
fn both_ways(siblings: &BTreeMap<(String, String), (String, usize)>) -> Vec<Finding> {
    siblings
        .iter()
        .filter(|((a, b), _)| a < b && siblings.contains_key(&(b.clone(), a.clone())))
        .map(|((a, b), (path, line))| Finding::new(path, *line, format!("{a} and {b} use each other")))
        .collect()
}

fn height(heights: &[(&str, u8)], module: &str) -> Option<u8> {
    heights.iter().find(|(name, _)| *name == module).map(|(_, height)| *height)
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn unknown(module: &str) -> String {
    format!("{module} has no layer: use the module's own path, or give it one in xtask/src/lint/layers.rs")
}

/// `session/legacy/mod.rs` is `[session, legacy]`; `lib.rs` is `[]`.
fn module_path(path: &str) -> Vec<String> {
    let path = path.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    path.split('/').filter(|name| *name != "lib").map(str::to_owned).collect()
}

/// The top module of our own crate a path leads to.
fn target(module: &[String], path: &PathUse) -> Option<String> {
    let mut from: Vec<&str> = module.iter().chain(&path.inside).map(String::as_str).collect();
    let mut rest = path.segments.iter().map(String::as_str).peekable();
    match rest.peek().copied() {
        Some("crate") => {
            rest.next();
            from.clear();
        }
        Some("self" | "super") => {
            while let Some(word @ ("self" | "super")) = rest.peek().copied() {
                rest.next();
                if word == "super" {
                    from.pop();
                }
            }
        }
        _ => return None,
    }
    from.first().copied().or_else(|| rest.next()).filter(|name| *name != "*").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(path: &str, text: &str) -> Vec<String> {
        check(&Tree::of_one(path, text)).into_iter().map(|f| f.message).collect()
    }

    #[test]
    fn downwards_is_fine() {
        assert_eq!(
            messages(
                "core/proto/src/session/legacy.rs",
                "use crate::{jsonrpc::Id, protocol::X}; use super::y;"
            ),
            [""; 0]
        );
        assert_eq!(
            messages("core/src/server/mod.rs", "use crate::transport::T; use mcpbolt_proto::session::S;"),
            [""; 0]
        );
        assert_eq!(messages("core/src/lib.rs", "pub use crate::bridge::B; pub mod server;"), [""; 0]);
    }

    #[test]
    fn upwards_is_not() {
        assert_eq!(
            messages("core/proto/src/jsonrpc/id.rs", "use crate::protocol::X;"),
            ["jsonrpc uses protocol, which is above it"]
        );
        assert_eq!(
            messages("core/proto/src/protocol/types/a.rs", "use super::super::super::session::X;"),
            ["protocol uses session, which is above it"]
        );
        assert_eq!(
            messages("core/src/handler.rs", "fn f() { let x = vec![super::transport::new()]; }"),
            ["handler uses transport, which is above it"]
        );
    }

    #[test]
    fn server_and_client_are_strangers() {
        assert_eq!(
            messages("core/src/client/mod.rs", "use crate::{server::X};"),
            ["client must not know server"]
        );
        assert_eq!(
            messages("core/src/auth/oauth.rs", "use crate::client::X;"),
            ["auth must not know client"]
        );
        assert_eq!(
            messages("core/proto/src/session/mod.rs", "use crate::http::X;"),
            ["session must not know http"]
        );
        assert_eq!(
            messages("core/proto/src/auth/challenge.rs", "use crate::http::X; use crate::policy::P;"),
            ["auth must not know http"]
        );
    }

    #[test]
    fn root_exports_are_no_way_around() {
        assert_eq!(messages("core/src/handler.rs", "use crate::Server;").len(), 1);
        assert_eq!(messages("core/src/handler.rs", "fn f() { crate::helper!(); }"), [""; 0]);
    }

    #[test]
    fn the_command_line_is_a_program_like_any_other() {
        assert_eq!(
            messages("cli/src/verbs/list.rs", "use mcpbolt::client::C; use crate::output::O;"),
            [""; 0]
        );
        assert_eq!(
            messages("cli/src/output/mod.rs", "use crate::verbs::V;"),
            ["output uses verbs, which is above it"]
        );
        for not in ["mcpbolt::bridge::X", "mcpbolt_proto::limits::L"] {
            let said = format!("the command line uses {not}, which is not public");
            assert_eq!(messages("cli/src/verbs/list.rs", &format!("use {not};")), [said]);
        }
    }

    #[test]
    fn so_is_the_inspector() {
        assert_eq!(messages("inspector/src/site.rs", "use crate::hub::H; use mcpbolt::client::C;"), [""; 0]);
        assert_eq!(
            messages("inspector/src/hub.rs", "use crate::site::S; use mcpbolt::bridge::B;"),
            [
                "hub uses site, which is above it",
                "the inspector uses mcpbolt::bridge::B, which is not public"
            ]
        );
    }

    #[test]
    fn siblings_one_way_only() {
        let file =
            |path: &str, text: &str| crate::tree::File { path: path.to_owned(), text: text.to_owned() };
        let one = || file("core/src/handler.rs", "use crate::schema::S;");
        assert_eq!(check(&Tree::of(vec![one()])), []);
        assert_eq!(
            check(&Tree::of(vec![one(), file("core/src/schema/mod.rs", "use crate::handler::H;")])).len(),
            1
        );
    }
}
