//! The guide is about this engine: its chapters are compiled, the options it names
//! exist, its configuration files are read, its links lead somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use mcpbolt::client::{Client, Host};
use mcpbolt_generate::guide;
use serde_json::Value;

/// Chapters without code in Rust: the programs of that for phones are in Kotlin and Swift.
const OTHERS: [&str; 1] = ["phones.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn chapters() -> Vec<(&'static str, String)> {
    let folder = root().join("docs/guide");
    guide::FILES.iter().map(|file| (*file, fs::read_to_string(folder.join(file)).unwrap())).collect()
}

/// All files below a folder with that ending, but not what was built or installed.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let skipped = name.to_string_lossy().starts_with('.') || name == "target" || name == "node_modules";
        if path.is_dir() && !skipped {
            files(&path, ending, found);
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
}

/// The code spans in the last column of the table of practices.
fn options(chapter: &str) -> Vec<&str> {
    let practices = chapter.split_once("\n## Practices\n").map_or("", |(_, rest)| rest);
    let cells = practices.lines().filter(|line| line.starts_with('|')).skip(2);
    let last = cells.filter_map(|line| line.trim_end_matches([' ', '|']).rsplit('|').next());
    last.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect()
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').collect()
}

#[test]
fn every_chapter_is_compiled() {
    let mut found = Vec::new();
    files(&root().join("docs/guide"), "md", &mut found);
    let found: BTreeSet<_> = found.iter().filter_map(|path| path.file_name()?.to_str()).collect();
    assert_eq!(found, guide::FILES.iter().copied().chain(OTHERS).collect());
}

#[test]
fn chapters_have_one_shape() {
    for (file, text) in chapters().iter().filter(|(file, _)| *file != "README.md") {
        assert!(text.starts_with("# "), "{file}");
        for heading in ["\n## In code\n", "\n### Rust\n", "\n## Practices\n"] {
            assert_eq!(text.matches(heading).count(), 1, "{file}: {heading:?}");
        }
        assert!(!options(text).is_empty(), "{file} names no option");
    }
}

#[test]
fn every_option_named_exists() {
    let mut found = Vec::new();
    files(&root().join("core"), "rs", &mut found);
    let sources: Vec<String> = found.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let sources: Vec<BTreeSet<&str>> = sources.iter().map(|text| words(text)).collect();
    for (file, text) in chapters() {
        for option in options(&text) {
            let parts: Vec<&str> = option.split("::").collect();
            let together = sources.iter().any(|words| parts.iter().all(|part| words.contains(part)));
            assert!(together, "{file}: no source has all of {option}");
        }
    }
}

#[tokio::test]
async fn a_host_reads_the_configuration_files_of_the_guide() {
    let mut seen = 0;
    for (file, text) in chapters() {
        for block in text.split("```json\n").skip(1) {
            let mut config: Value = serde_json::from_str(block.split("```").next().unwrap()).unwrap();
            for server in config["mcpServers"].as_object_mut().unwrap().values_mut() {
                let ways = ["command", "url"].iter().filter(|way| server.get(way).is_some()).count();
                assert_eq!(ways, 1, "{file}: a server has a command or a url");
                // Read, not started.
                server["disabled"] = true.into();
            }
            let host = Host::new(Client::builder("test", "1").build());
            let failed = host.add_config(&config.to_string()).await;
            assert!(failed.is_ok_and(|failed| failed.is_empty()), "{file}");
            seen += 1;
        }
    }
    assert!(seen >= 3, "macOS, Linux and Windows have an example each");
}

#[test]
fn links_of_documents_lead_to_files() {
    let mut found = Vec::new();
    files(&root(), "md", &mut found);
    assert!(found.len() > 10, "the documents are found");
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = target.split('#').next().unwrap_or_default();
            if target.is_empty() || target.contains("://") || target.contains(char::is_whitespace) {
                continue;
            }
            let place = path.parent().unwrap().join(target);
            assert!(place.exists(), "{}: {target} is not there", path.display());
        }
    }
}
