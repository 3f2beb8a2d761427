//! `demo`: thin, because the work is done by a program of its own.

use crate::report::Outcome;
use crate::swift::{self, Toolchain};
use crate::{cargo, exec, kotlin, node, python};
use std::path::PathBuf;

/// What a language has for the demonstration.
enum Found {
    /// What runs its programs, or the folder with its commands.
    Programs(PathBuf),
    /// It cannot take part here.
    Absent(String),
    /// It could, and its programs do not build.
    Broken(String),
}

/// Its name, and what finds its programs.
type Language = (&'static str, fn() -> Found);

/// All but Rust.
const LANGUAGES: [Language; 4] =
    [("Python", in_python), ("Node", in_node), ("Kotlin", in_kotlin), ("Swift", in_swift)];
/// The first of them, which need nothing but what all tests need.
const QUICK: usize = 2;

/// Builds and runs the demonstration; its verdict is ours. With `all` every language takes part
/// whose tools are here, or can be installed; otherwise Rust, Python and Node, which have to.
pub(crate) fn demo(args: &[String], all: bool) -> Result<Outcome, String> {
    println!("==> building the demonstration");
    if !exec::passes(cargo::workspace("build").arg("--bins"))? {
        return Ok(Outcome::Failed("it does not build".to_owned()));
    }
    let program = cargo::built("demo")?;
    let mut demo = exec::command(program);
    let (mut absent, mut broken) = (Vec::new(), Vec::new());
    for (at, (language, find)) in LANGUAGES.into_iter().enumerate() {
        let quick = at < QUICK;
        let found = if all || quick { find() } else { Found::Absent("only with --full".to_owned()) };
        let (list, why) = match found {
            Found::Programs(place) => {
                demo.arg(format!("--{}", language.to_lowercase())).arg(place);
                continue;
            }
            Found::Absent(why) if all || !quick => (&mut absent, why),
            Found::Absent(why) | Found::Broken(why) => (&mut broken, why),
        };
        demo.arg("--absent").arg(format!("{language}={why}"));
        list.push(format!("{language}: {why}"));
    }
    println!("==> running it");
    let held = exec::passes(demo.args(args).stdin(std::process::Stdio::inherit()))?;
    Ok(verdict(held, &absent, &broken))
}

/// Who takes no part is named, and fails nothing; what does not build does.
fn verdict(held: bool, absent: &[String], broken: &[String]) -> Outcome {
    if !broken.is_empty() {
        return Outcome::Failed(broken.join("; "));
    }
    if !held {
        return Outcome::Failed("the demonstration failed".to_owned());
    }
    let without = if absent.is_empty() { String::new() } else { format!("without {}", absent.join("; ")) };
    Outcome::Ok(without)
}

fn in_python() -> Found {
    if let Err(missing) = python::tools() {
        return Found::Absent(missing);
    }
    println!("==> building the package for Python");
    python::environment().map_or_else(Found::Broken, Found::Programs)
}

fn in_node() -> Found {
    if let Err(missing) = node::tools() {
        return Found::Absent(missing);
    }
    println!("==> building the package for Node");
    node::environment().map_or_else(Found::Broken, Found::Programs)
}

fn in_kotlin() -> Found {
    if let Err(missing) = kotlin::tools() {
        return Found::Absent(missing);
    }
    println!("==> building the programs in Kotlin");
    kotlin::programs().map_or_else(Found::Broken, Found::Programs)
}

fn in_swift() -> Found {
    println!("==> looking for Swift; without one Debian's is installed in the cache, in some minutes");
    let toolchain = match Toolchain::get() {
        Ok(toolchain) => toolchain,
        Err(missing) => return Found::Absent(missing),
    };
    println!("==> building the programs in Swift");
    swift::programs(&toolchain).map_or_else(Found::Broken, Found::Programs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_that_is_absent_is_named_and_fails_nothing() {
        let absent = ["Kotlin: no Maven on the path".to_owned()];
        assert_eq!(
            verdict(true, &absent, &[]),
            Outcome::Ok("without Kotlin: no Maven on the path".to_owned())
        );
        assert_eq!(verdict(true, &[], &[]), Outcome::Ok(String::new()));
        assert!(matches!(verdict(false, &absent, &[]), Outcome::Failed(_)));
    }

    #[test]
    fn programs_that_do_not_build_fail_it_even_if_the_others_hold() {
        let broken = ["Kotlin: the examples in Kotlin do not build".to_owned()];
        assert_eq!(verdict(true, &[], &broken), Outcome::Failed(broken[0].clone()));
    }
}
