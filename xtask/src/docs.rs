//! `docs`: the site, built from `docs` by a kept generator.
//!
//! Owns: the environment it is built in, and where it is. What is on it and how pages are laid
//! out is in `docs/site`; must not know a page.

use crate::report::Outcome;
use crate::{exec, install, node, python, reference};
use std::path::PathBuf;

/// Builds the site, without a warning or not at all; then serves it, if that is wanted.
pub(crate) fn run(serve: bool) -> Result<bool, String> {
    tools()?;
    let mut builder = exec::command(install::python("docs-site", "docs/site/requirements.txt")?);
    builder.arg("docs/site/build.py").arg(folder());
    // What reads the sources of the TypeScript package; those of Python are read by the builder itself.
    builder.arg("--typedoc").arg(install::npm("docs-typedoc", "docs/site/typescript")?);
    // What the sources of the other three say.
    let declared = exec::root().join(".cache/site-declared");
    reference::write(&declared)?;
    builder.arg("--declared").arg(declared);
    if serve {
        builder.arg("--serve");
    }
    let built = exec::passes(&mut builder)?;
    if built && !serve {
        println!("    the site: {}", html().join("index.html").display());
    }
    Ok(built)
}

/// As a rule of `lint`: every page is in the navigation, every link leads somewhere.
pub(crate) fn check() -> Outcome {
    if let Err(missing) = tools() {
        return Outcome::NotRun(missing);
    }
    match run(false) {
        Ok(built) => Outcome::from_bool(built, "the site does not build"),
        Err(why) => Outcome::Failed(why),
    }
}

/// Says what is missing, if something is.
fn tools() -> Result<(), String> {
    python::tools()?;
    node::tools()
}

/// Where the built pages are.
pub(crate) fn html() -> PathBuf {
    folder().join("html")
}

fn folder() -> PathBuf {
    exec::root().join(".cache/site")
}
