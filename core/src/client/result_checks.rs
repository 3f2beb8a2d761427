//! What a server answered, before the program gets it.
//!
//! Owns: the program's own check, the caps, the check of media. Must not know: how answers
//! travel.

use std::sync::Arc;

use mcpbolt_proto::jsonrpc::RawJson;
use mcpbolt_proto::policy::media;
use mcpbolt_proto::policy::trust::ResultCaps;
use mcpbolt_proto::protocol::{Error, ErrorKind, methods};

/// A result that the program has not seen yet.
///
/// ```
/// use mcpbolt::client::{Client, Received};
///
/// let client = Client::builder("host", "1.0")
///     .validate_result(|received: &Received<'_>| {
///         let suspicious = received.method == "tools/call" && received.result.as_str().contains("<script");
///         if suspicious { Err("it holds a script".to_owned()) } else { Ok(()) }
///     })
///     .build();
/// # let _ = client;
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Received<'a> {
    /// The method that was asked.
    pub method: &'a str,
    /// The tool or prompt, or the URI of the resource.
    pub name: Option<&'a str>,
    /// The result as it came.
    pub result: &'a RawJson,
}

pub(super) type ValidateFn = Arc<dyn Fn(&Received<'_>) -> Result<(), String> + Send + Sync>;

/// How results are checked.
#[derive(Clone)]
pub(super) struct Checks {
    pub(super) caps: ResultCaps,
    pub(super) media: bool,
    pub(super) validate: Option<ValidateFn>,
}

impl Default for Checks {
    fn default() -> Self {
        Self { caps: ResultCaps::default(), media: true, validate: None }
    }
}

/// Whether a result is as large as it may be and, where that is asked for, its content well
/// formed.
pub(crate) fn acceptable(
    caps: &ResultCaps,
    check_media: bool,
    method: &str,
    result: &RawJson,
) -> Result<(), Error> {
    caps.result(result.as_bytes().len()).map_err(|why| wrong(method, &why))?;
    if check_media && media::has_content(method) {
        media::check(result).map_err(|why| wrong(method, &why))?;
    }
    Ok(())
}

/// A result that must not be taken.
pub(crate) fn wrong(method: &str, why: &str) -> Error {
    Error::protocol(format!("the server's answer to {method}: {why}"))
}

impl Checks {
    /// Whether a result may be handed to the program.
    pub(super) fn check(
        &self,
        method: &str,
        params: Option<&RawJson>,
        result: &RawJson,
    ) -> Result<(), Error> {
        acceptable(&self.caps, self.media, method, result)?;
        let Some(validate) = &self.validate else { return Ok(()) };
        let name = methods::name_of(method, params);
        let received = Received { method, name: name.as_deref(), result };
        validate(&received).map_err(|why| {
            Error::new(ErrorKind::Rejected, format!("the result of {method} was refused: {why}"))
        })
    }

    /// Whether a list of so many items may be handed to the program.
    pub(super) fn list(&self, items: usize) -> Result<(), Error> {
        self.caps.list(items).map_err(Error::protocol)
    }
}
