//! Runs the fuzz targets: the kept corpus first, then seeded mutations of it.
//!
//! Owns: the command line, time, reports. Must not know: what a target promises.
#![allow(clippy::print_stdout)] // a command-line tool

mod mutate;
mod targets;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mutate::Mutator;
use targets::{TARGETS, Target};

/// No input may take longer, in an unoptimized build on a busy machine.
const SLOW: Duration = Duration::from_secs(2);

/// What the command line says.
struct Options {
    seconds: u64,
    target: Option<String>,
    seed: u64,
    input: Option<PathBuf>,
}

impl Options {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Self { seconds: 15, target: None, seed: 1, input: None };
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            let number = |text: String| text.parse().map_err(|_| format!("{text} is not a number"));
            match word.as_str() {
                "--seconds" => options.seconds = number(value()?)?,
                "--seed" => options.seed = number(value()?)?,
                "--target" => options.target = Some(value()?),
                "--input" => options.input = Some(value()?.into()),
                other => return Err(format!("unknown option {other}")),
            }
        }
        Ok(options)
    }

    fn targets(&self) -> Result<Vec<&'static Target>, String> {
        let wanted = |t: &&Target| self.target.as_ref().is_none_or(|name| name == t.name);
        let found: Vec<_> = TARGETS.iter().filter(wanted).collect();
        if found.is_empty() {
            let names: Vec<_> = TARGETS.iter().map(|t| t.name).collect();
            return Err(format!("no such target; there are {}", names.join(", ")));
        }
        Ok(found)
    }
}

/// The inputs kept for a target, in the order of their names.
fn corpus(target: &Target) -> Result<Vec<Vec<u8>>, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name);
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(failed)? {
        paths.push(entry.map_err(failed)?.path());
    }
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).map_err(failed)).collect()
}

/// Runs one input. `false`, with the input saved, if it broke the target.
fn run(target: &Target, input: &[u8]) -> bool {
    let start = Instant::now();
    let panicked = catch_unwind(AssertUnwindSafe(|| (target.run)(input))).is_err();
    let took = start.elapsed();
    if !panicked && took < SLOW {
        return true;
    }
    let why = if panicked { "a panic".to_owned() } else { format!("{} ms", took.as_millis()) };
    match save(target, input) {
        Ok(path) => println!("{}: {why}; the input is {}", target.name, path.display()),
        Err(e) => println!("{}: {why}; the input could not be saved: {e}", target.name),
    }
    false
}

fn save(target: &Target, input: &[u8]) -> std::io::Result<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz");
    std::fs::create_dir_all(&folder)?;
    let hash = input.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let path = folder.join(format!("{}-{hash:016x}", target.name));
    std::fs::write(&path, input)?;
    Ok(path)
}

fn fuzz(target: &Target, options: &Options) -> Result<bool, String> {
    let start = Instant::now();
    let kept = corpus(target)?;
    if kept.is_empty() {
        return Err(format!("{} has no corpus", target.name));
    }
    if !kept.iter().all(|input| run(target, input)) {
        return Ok(false);
    }
    let mut mutator = Mutator::new(options.seed, target.name, kept);
    let mut runs = 0_u64;
    while start.elapsed() < Duration::from_secs(options.seconds) {
        if !run(target, &mutator.next()) {
            return Ok(false);
        }
        runs += 1;
    }
    println!("{}: {runs} inputs in {} s", target.name, start.elapsed().as_secs());
    Ok(true)
}

fn all(options: &Options) -> Result<bool, String> {
    for target in options.targets()? {
        let good = match &options.input {
            Some(path) => run(target, &std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?),
            None => fuzz(target, options)?,
        };
        if !good {
            return Ok(false);
        }
    }
    Ok(true)
}

fn main() -> ExitCode {
    match Options::read(std::env::args().skip(1)).and_then(|options| all(&options)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            println!("{why}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_holds_for_its_corpus_and_some_mutations() {
        for target in TARGETS {
            let kept = corpus(target).expect("a corpus");
            assert!(!kept.is_empty(), "{}", target.name);
            let mut mutator = Mutator::new(1, target.name, kept.clone());
            let mutated = std::iter::repeat_with(|| mutator.next()).take(200);
            for input in kept.into_iter().chain(mutated) {
                assert!(run(target, &input), "{}", target.name);
            }
        }
    }

    #[test]
    fn a_broken_promise_is_reported() {
        let broken = Target { name: "broken", run: |data| assert!(data.len() < 3, "too long") };
        assert!(run(&broken, b"ab"));
        assert!(!run(&broken, b"abc"));
    }

    #[test]
    fn the_same_seed_gives_the_same_inputs() {
        let inputs = |seed| {
            let mut mutator = Mutator::new(seed, "x", vec![b"{\"a\":1}".to_vec(), b"data: x\n\n".to_vec()]);
            std::iter::repeat_with(move || mutator.next()).take(50).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
    }

    #[test]
    fn options_are_read() {
        let read = |text: &str| Options::read(text.split_whitespace().map(str::to_owned));
        let options = read("--target sse --seconds 3").expect("options");
        assert_eq!((options.seconds, options.targets().expect("targets").len()), (3, 1));
        assert!(read("--nope").is_err() && read("--seconds x").is_err() && read("--seed").is_err());
        assert!(read("--target nope").expect("options").targets().is_err());
    }
}
