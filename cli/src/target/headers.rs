//! Headers on the command line.
//!
//! Owns: `NAME: VALUE`. Must not know: which headers there are.

use super::variables::in_header;
use crate::exit::Failure;

/// Name and value, with variables of the environment filled in.
pub(super) fn parse(text: &str) -> Result<(String, String), Failure> {
    let (name, value) = split(text)?;
    Ok((name, in_header(&value)?))
}

/// Name and value as they are. What is no header is not repeated, for it may be a secret.
pub(crate) fn split(text: &str) -> Result<(String, String), Failure> {
    let Some((name, value)) = text.split_once(':') else {
        return Err(Failure::usage("--header: it must be 'NAME: VALUE'"));
    };
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}
