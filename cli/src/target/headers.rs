//! Headers on the command line.
//!
//! Owns: `NAME: VALUE`, and variables in values, so that a secret need not stand in a command
//! line that every user of the machine can read. Must not know: which headers there are.

use crate::exit::Failure;

/// Name and value, with variables of the environment filled in.
pub(super) fn parse(text: &str) -> Result<(String, String), Failure> {
    let (name, value) = split(text)?;
    Ok((name, filled_in(&value)?))
}

/// Name and value as they are. What is no header is not repeated, for it may be a secret.
pub(crate) fn split(text: &str) -> Result<(String, String), Failure> {
    let Some((name, value)) = text.split_once(':') else {
        return Err(Failure::usage("--header: it must be 'NAME: VALUE'"));
    };
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// A header's value with `${NAME}` and `${env:NAME}` replaced.
pub(super) fn filled_in(value: &str) -> Result<String, Failure> {
    fill_in(value, ("${", "a header"), |name| std::env::var(name).ok())
}

/// The value of a program's variable with `${env:NAME}` replaced. Anything else with a `$` may be
/// meant for the program.
pub(crate) fn of_program(value: &str) -> Result<String, Failure> {
    fill_in(value, ("${env:", "the program's env"), |name| std::env::var(name).ok())
}

/// The text with what stands between `open` and `}` replaced; `whose` says in messages what it is of.
fn fill_in(
    text: &str,
    (open, whose): (&str, &str),
    get: impl Fn(&str) -> Option<String>,
) -> Result<String, Failure> {
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
        let header = ("${", "a header");
        for text in ["Bearer ${TOKEN}!", "Bearer ${env:TOKEN}!"] {
            assert_eq!(fill_in(text, header, get).expect("set"), "Bearer s3cret!");
        }
        assert_eq!(fill_in("plain $TOKEN", header, get).expect("as it is"), "plain $TOKEN");
        assert!(fill_in("${OTHER}", header, get).is_err_and(|why| why.message.contains("OTHER")));
        assert!(fill_in("${TOKEN", header, get).is_err());
    }

    #[test]
    fn a_programs_own_signs_stay() {
        let get = |name: &str| (name == "TOKEN").then(|| "s3cret".to_owned());
        let filled = fill_in("${env:TOKEN} ${TOKEN}", ("${env:", "the program's env"), get);
        assert_eq!(filled.expect("set"), "s3cret ${TOKEN}");
    }
}
