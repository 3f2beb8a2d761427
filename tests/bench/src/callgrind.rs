//! What callgrind writes when a program ends: instructions by function and by object.
//!
//! Owns: as much of its format as that needs, and what a function is called from build to build.
//! Must not know: who was run, and what for.

use std::collections::BTreeMap;

/// What callgrind is told: names in full, so that a file can be read line by line.
pub const OPTIONS: &[&str] = &["--tool=callgrind", "--compress-strings=no", "--compress-pos=no"];

/// Instructions outside the kernel, each counted where it was executed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Profile {
    /// By the name of a function; those without a name by their object's.
    pub functions: BTreeMap<String, u64>,
    /// By the file that the code is from; what was compiled while the program ran is in `???`.
    pub objects: BTreeMap<String, u64>,
}

impl Profile {
    /// Reads a file of callgrind's.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut profile = Self::default();
        let (mut object, mut function) = (String::new(), String::new());
        let (mut declared, mut sum, mut of_callee) = (None, 0, false);
        for line in text.lines() {
            if let Some(path) = line.strip_prefix("ob=") {
                path.rsplit('/').next().unwrap_or(path).clone_into(&mut object);
            } else if let Some(name) = line.strip_prefix("fn=") {
                function = named(name, &object);
            } else if let Some(total) = line.strip_prefix("totals: ") {
                declared = total.trim().parse::<u64>().ok();
            } else if line.starts_with("calls=") {
                of_callee = true;
            } else if line.starts_with(|first: char| first.is_ascii_digit()) {
                // The line after `calls=` is what the callee spent, which is counted there.
                if std::mem::take(&mut of_callee) {
                    continue;
                }
                let spent = line.split_whitespace().nth(1).map_or(Ok(0), str::parse);
                let spent: u64 = spent.map_err(|_| format!("not a line of costs: {line}"))?;
                sum += spent;
                *profile.functions.entry(function.clone()).or_default() += spent;
                *profile.objects.entry(object.clone()).or_default() += spent;
            }
        }
        match declared {
            // What a thread did last, which was at work when the program ended, can be in no line.
            Some(total) if sum <= total && total - sum <= total / 1000 => Ok(profile),
            Some(total) => Err(format!("callgrind's lines come to {sum} instructions, its total is {total}")),
            None => Err("callgrind wrote no total: the program did not end by itself".to_owned()),
        }
    }

    /// All instructions.
    pub fn total(&self) -> u64 {
        self.objects.values().sum()
    }
}

/// A name that is the same in every build: without the hash that Rust adds, or what LLVM does. A
/// function without a name would be an address.
fn named(name: &str, object: &str) -> String {
    if name.starts_with("0x") || name == "???" {
        return format!("in {object}");
    }
    let name = name.split(".llvm.").next().unwrap_or(name);
    match name.rsplit_once("::h") {
        Some((stem, hash)) if hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            stem.to_owned()
        }
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "events: Ir\n\nob=/usr/bin/server\nfl=a.rs\nfn=a::b::h0123456789abcdef\n5 10\ncob=/lib/libc.so.6\ncfi=m.c\ncfn=malloc\ncalls=2 7\n5 90\nfi=c.rs\n6 1\n\nob=/lib/libc.so.6\nfl=m.c\nfn=malloc\n7 90\nfn=0x0000000000001234\n0 4\n\ntotals: 105\n";

    #[test]
    fn a_callee_is_counted_once_and_names_are_those_of_any_build() {
        let profile = Profile::parse(FILE).expect("a profile");
        let functions: Vec<_> = profile.functions.iter().map(|(name, count)| (&**name, *count)).collect();
        assert_eq!(functions, [("a::b", 11), ("in libc.so.6", 4), ("malloc", 90)]);
        assert_eq!((profile.objects["server"], profile.total()), (11, 105));
    }

    #[test]
    fn a_file_that_is_not_whole_is_refused() {
        assert!(Profile::parse(&FILE.replace("totals: 105\n", "")).is_err());
        assert!(Profile::parse(&FILE.replace("7 90", "7 91")).is_err());
        assert!(Profile::parse(&FILE.replace("7 90", "7 89")).is_err());
    }

    #[test]
    fn the_last_steps_of_a_thread_may_be_missing() {
        let long = FILE.replace("7 90", "7 90000").replace("totals: 105", "totals: 90020");
        assert_eq!(Profile::parse(&long).map(|profile| profile.total()), Ok(90_015));
        assert!(Profile::parse(&long.replace("90020", "91000")).is_err());
    }

    #[test]
    fn generic_names_keep_their_lifetimes() {
        let name = "<core::iter::Map<I, F> as Iterator<'a>>::next::hfedcba9876543210";
        assert_eq!(named(name, "x"), "<core::iter::Map<I, F> as Iterator<'a>>::next");
        assert_eq!(named("parse.llvm.1234567", "x"), "parse");
    }
}
