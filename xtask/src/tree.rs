//! The files of the repository, as git sees them: tracked, or new and not ignored.

use crate::exec;
use std::path::Path;

/// One text file.
pub(crate) struct File {
    /// Path from the top, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    pub(crate) fn is_rust(&self) -> bool {
        has_extension(&self.path, "rs")
    }

    /// Code a person wrote, in any of our languages.
    pub(crate) fn is_code(&self) -> bool {
        ["rs", "py", "pyi", "mjs", "cjs", "js", "ts", "kt", "kts", "swift"]
            .iter()
            .any(|wanted| has_extension(&self.path, wanted))
    }

    /// A file that holds tests only, by its place or its name.
    pub(crate) fn is_test(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        self.path.starts_with("tests/")
            || self.path.contains("/tests/")
            || name == "tests.rs"
            || name.ends_with("_tests.rs")
            || (name.starts_with("test_") && !self.is_rust())
    }
}

fn has_extension(path: &str, wanted: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == wanted)
}

/// The names of those below a folder of a checkout, as seen from there; of some paths of it alone
/// where any are given.
pub(crate) fn names(folder: &Path, paths: &[&str]) -> Result<Vec<String>, String> {
    let mut git = exec::command("git");
    git.args(["ls-files", "--cached", "--others", "--exclude-standard", "-z"]).args(paths);
    let listed = exec::stdout(git.current_dir(folder))?;
    Ok(listed.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// Reads them all; what is not UTF-8 is left out.
pub(crate) fn read() -> Result<Vec<File>, String> {
    let root = exec::root();
    let mut files: Vec<File> = names(&root, &[])?
        .into_iter()
        .filter_map(|path| {
            let text = std::fs::read_to_string(root.join(&path)).ok()?;
            Some(File { path, text })
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|a, b| a.path == b.path);
    Ok(files)
}
