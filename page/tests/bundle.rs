//! What is committed is what the sources give, and small.

use std::fs;
use std::path::{Path, PathBuf};

use mcpbolt_page::{CONTENT_SECURITY_POLICY, FILES};
use sha2::{Digest as _, Sha256};

/// Most bytes of the whole page, uncompressed.
const BOUND: usize = 150_000;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files under a folder, by their paths from here.
fn under(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path: PathBuf = entry.expect("an entry").path();
        if path.is_dir() {
            under(&path, found);
        } else {
            let name = path.strip_prefix(here()).expect("below");
            found.push(name.to_str().expect("a name").replace('\\', "/"));
        }
    }
}

/// Without Node; that the bundle itself is right is seen by `cargo xtask test page`.
#[test]
fn the_committed_files_were_made_of_these_sources() {
    let mut files = ["package.json", "package-lock.json", "build.mjs"].map(str::to_owned).to_vec();
    under(&here().join("ts"), &mut files);
    files.sort();
    let mut hash = Sha256::new();
    for file in &files {
        let text = fs::read_to_string(here().join(file)).expect("a text").replace("\r\n", "\n");
        hash.update(format!("{file}\0{text}\0"));
    }
    let found = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
    let kept = fs::read_to_string(here().join("dist/sources.sha256")).expect("a hash");
    assert_eq!(found, kept.trim(), "run npm ci and npm run build in page/, and commit dist/");
}

#[test]
fn the_whole_page_is_small() {
    let size: usize = FILES.iter().map(|file| file.content.len()).sum();
    assert!(size < BOUND, "{size} bytes, the limit is {BOUND}");
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    for file in FILES {
        let text = std::str::from_utf8(file.content).expect("text");
        // Names of vocabularies are no addresses.
        let text = text.replace("http://www.w3.org/", "");
        for outside in ["https://", "http://", "//cdn", "@import", "eval(", "new Function"] {
            let place = text.find(outside).map(|at| text[at..].chars().take(60).collect::<String>());
            assert_eq!(place, None, "{}", file.path);
        }
    }
    assert!(!CONTENT_SECURITY_POLICY.contains("unsafe"));
}
