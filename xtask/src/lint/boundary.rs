//! What stands outside the engine uses its public half: examples never name the
//! bridge or the sans-IO crate.

use super::{Finding, Tree};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, source) in tree.rust().filter(|(file, _)| file.path.starts_with("examples/")) {
        for path in &source.paths {
            let names: Vec<_> = path.segments.iter().map(String::as_str).collect();
            if names[0] == "mcpbolt_proto" || names.starts_with(&["mcpbolt", "bridge"]) {
                findings.push(Finding::new(
                    &file.path,
                    path.line,
                    "examples use the public API of mcpbolt only",
                ));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_stay_on_the_public_api() {
        let check = |text: &str| check(&Tree::of_one("examples/rust/src/lib.rs", text)).len();
        assert_eq!(check("use mcpbolt::server::Server;"), 0);
        assert_eq!(check("use mcpbolt::bridge::Inbox;"), 1);
        assert_eq!(check("use mcpbolt_proto::jsonrpc::Id;"), 1);
    }
}
