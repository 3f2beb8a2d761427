//! `cargo xtask lint`: the rules of ARCHITECTURE.md and CONTRIBUTING.md a machine can hold.
//!
//! Each rule is a function from the tree to findings; this file lists and runs them.

mod backlog;
mod boundary;
mod circles;
mod codes;
mod docs;
mod headers;
mod layers;
mod matrix;
mod parameters;
mod revisions;
mod sans_io;
mod sizes;
mod sleeps;
mod tools;
mod words;

use crate::report::{Outcome, Report};
use crate::rust_source::RustSource;
use crate::tree::{self, File};

/// A place that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    path: String,
    line: usize,
    message: String,
}

impl Finding {
    fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, message: message.into() }
    }
}

/// The repository, read once for all rules.
pub(crate) struct Tree {
    files: Vec<File>,
    rust: Vec<(usize, RustSource)>,
    unreadable: Vec<Finding>,
}

impl Tree {
    fn read() -> Result<Self, String> {
        Ok(Self::of(tree::read()?))
    }

    fn of(files: Vec<File>) -> Self {
        let mut rust = Vec::new();
        let mut unreadable = Vec::new();
        for (index, file) in files.iter().enumerate().filter(|(_, file)| file.is_rust()) {
            match RustSource::parse(&file.text, file.is_test()) {
                Ok(source) => rust.push((index, source)),
                Err(why) => unreadable.push(Finding::new(&file.path, 0, format!("not Rust tokens: {why}"))),
            }
        }
        Self { files, rust, unreadable }
    }

    /// Rust files with what was read from them.
    fn rust(&self) -> impl Iterator<Item = (&File, &RustSource)> {
        self.rust.iter().map(|(index, source)| (&self.files[*index], source))
    }

    fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    #[cfg(test)]
    fn of_one(path: &str, text: &str) -> Self {
        Self::of(vec![File { path: path.to_owned(), text: text.to_owned() }])
    }
}

type Rule = fn(&Tree) -> Vec<Finding>;

/// Rules that only read.
const READING: &[(&str, Rule)] = &[
    ("tokens", |tree| {
        tree.unreadable.iter().map(|f| Finding::new(&f.path, f.line, f.message.clone())).collect()
    }),
    ("layers", layers::check),
    ("circles", circles::check),
    ("revisions", revisions::check),
    ("boundary", boundary::check),
    ("sizes", sizes::check),
    ("sleeps", sleeps::check),
    ("words", words::check),
    ("codes", codes::check),
    ("headers", headers::check),
    ("examples", docs::check_examples),
    ("parameters", parameters::check),
    ("dependencies", docs::check_dependencies),
    ("matrix", matrix::check),
];

type Check = fn() -> Outcome;

/// How much is held.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Depth {
    /// What only reads.
    Fast,
    /// What CI has time for.
    Usual,
    /// Everything.
    Whole,
}

/// Rules that start cargo, or another tool that takes its time, and the depth from which they are held.
const COMPILING: &[(&str, Depth, Check)] = &[
    ("sans-io", Depth::Usual, sans_io::check),
    ("rustfmt", Depth::Usual, tools::rustfmt),
    ("lock-files", Depth::Usual, tools::lock_files),
    ("clippy", Depth::Usual, tools::clippy),
    // Each choice compiles the engine anew.
    ("features", Depth::Whole, tools::features),
    ("docs", Depth::Usual, tools::docs),
    ("rust-version", Depth::Usual, tools::rust_version),
    ("generated", Depth::Usual, tools::generated),
    ("typing", Depth::Usual, tools::typing),
    ("typing-node", Depth::Usual, tools::typing_node),
    ("site", Depth::Usual, crate::docs::check),
];

/// Runs the named rules, or all; the answer is those that are broken, each with why.
pub(crate) fn run(rules: &[String], depth: Depth) -> Result<Vec<String>, String> {
    let known = || READING.iter().map(|r| r.0).chain(COMPILING.iter().map(|r| r.0));
    if let Some(unknown) = rules.iter().find(|rule| !known().any(|name| name == **rule)) {
        let names: Vec<_> = known().collect();
        return Err(format!("no rule {unknown}; there are {}", names.join(", ")));
    }
    let wanted = |name: &str| rules.is_empty() || rules.iter().any(|rule| rule == name);
    let tree = Tree::read()?;
    let mut report = Report::new("lint");
    for (name, rule) in READING.iter().filter(|(name, _)| wanted(name)) {
        report.stage(name, || outcome(&rule(&tree)));
    }
    for (name, from, rule) in COMPILING.iter().filter(|(name, ..)| wanted(name)) {
        if depth >= *from {
            report.stage(name, rule);
        } else {
            report.stage(name, || Outcome::NotRun(format!("use cargo xtask lint {name}")));
        }
    }
    let broken = report.failed();
    report.close();
    Ok(broken)
}

fn outcome(findings: &[Finding]) -> Outcome {
    for Finding { path, line, message } in findings {
        println!("    {path}:{line}: {message}");
    }
    Outcome::from_bool(findings.is_empty(), &format!("{} findings", findings.len()))
}
