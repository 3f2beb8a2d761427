//! Variables of the environment in texts of files and of the command line.
//!
//! Owns: how they are written and filled in, so that a secret need not stand in a file, or in a
//! command line that every user of the machine can read. Must not know: what the texts are for.

use crate::exit::Failure;

/// How a variable begins, and whose text it is in.
type Text = (&'static str, &'static str);

const HEADER: Text = ("${", "a header");
const ENV: Text = ("${env:", "the program's env");

/// A header's value with `${NAME}` and `${env:NAME}` replaced.
pub(super) fn in_header(value: &str) -> Result<String, Failure> {
    fill_in(value, HEADER, |name| std::env::var(name).ok())
}

/// The value of a program's variable with `${env:NAME}` replaced. Anything else with a `$` may be
/// meant for the program.
pub(crate) fn in_env(value: &str) -> Result<String, Failure> {
    fill_in(value, ENV, |name| std::env::var(name).ok())
}

/// The text with what stands between `open` and `}` replaced; `whose` says in messages what it is of.
fn fill_in(text: &str, (open, whose): Text, get: impl Fn(&str) -> Option<String>) -> Result<String, Failure> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        let Some((name, behind)) = after.split_once('}') else {
            return Err(Failure::usage(format!("{whose} has {open} without }}")));
        };
        let name = name.strip_prefix("env:").unwrap_or(name);
        let value = get(name).ok_or_else(|| {
            Failure::usage(format!("the variable {name} of {whose} is not set"))
                .remedy(format!("export {name}=…"))
        })?;
        out.push_str(before);
        out.push_str(&value);
        rest = behind;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_filled_in_and_missing_ones_named() {
        let get = |name: &str| (name == "TOKEN").then(|| "s3cret".to_owned());
        for text in ["Bearer ${TOKEN}!", "Bearer ${env:TOKEN}!"] {
            assert_eq!(fill_in(text, HEADER, get).expect("set"), "Bearer s3cret!");
        }
        assert_eq!(fill_in("plain $TOKEN", HEADER, get).expect("as it is"), "plain $TOKEN");
        assert!(fill_in("${OTHER}", HEADER, get).is_err_and(|why| why.message.contains("OTHER")));
        assert!(fill_in("${TOKEN", HEADER, get).is_err());
    }

    #[test]
    fn a_programs_own_signs_stay() {
        let get = |name: &str| (name == "TOKEN").then(|| "s3cret".to_owned());
        let filled = fill_in("${env:TOKEN} ${TOKEN}", ENV, get);
        assert_eq!(filled.expect("set"), "s3cret ${TOKEN}");
    }
}
