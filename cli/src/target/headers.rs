//! Headers on the command line.
//!
//! Owns: `NAME: VALUE`, and variables in values, so that a secret need not stand in a command
//! line that every user of the machine can read. Must not know: which headers there are.

use crate::exit::Failure;

/// Name and value, with variables of the environment filled in.
pub(super) fn parse(text: &str) -> Result<(String, String), Failure> {
    let (name, value) = split(text)?;
    Ok((name, fill_in(&value, |name| std::env::var(name).ok())?))
}

/// Name and value as they are. What is no header is not repeated, for it may be a secret.
pub(crate) fn split(text: &str) -> Result<(String, String), Failure> {
    let Some((name, value)) = text.split_once(':') else {
        return Err(Failure::usage("--header: it must be 'NAME: VALUE'"));
    };
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The text with `${NAME}` replaced.
pub(super) fn fill_in(text: &str, get: impl Fn(&str) -> Option<String>) -> Result<String, Failure> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, behind)) = after.split_once('}') else {
            return Err(Failure::usage("a header has ${ without }"));
        };
        let value = get(name).ok_or_else(|| {
            Failure::usage(format!("the variable {name} of a header is not set"))
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
        assert_eq!(fill_in("Bearer ${TOKEN}!", get).expect("set"), "Bearer s3cret!");
        assert_eq!(fill_in("plain $TOKEN", get).expect("as it is"), "plain $TOKEN");
        assert!(fill_in("${OTHER}", get).is_err_and(|why| why.message.contains("OTHER")));
        assert!(fill_in("${TOKEN", get).is_err());
    }
}
