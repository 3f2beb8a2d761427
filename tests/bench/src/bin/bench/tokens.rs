//! Tokens for entrants that check them.
//!
//! Owns: how many, for whom, and the file they are in. Must not know: how they are checked.

use std::io::Write as _;

use jsonwebtoken::Algorithm;
use mcpbolt_bench::issuer::Issuer;

use crate::beside::ISSUER;
use crate::measure::{self, Effort};
use crate::sample::Sample;
use crate::suite::Entrant;

/// For whom the tokens of a file are.
const RESOURCE: &str = "https://mcp.example.com/mcp";
/// Tokens that are seen again and again, and those that are seen once.
const COUNTS: (usize, usize) = (64, 4000);

/// A token for the server at a port.
pub fn for_server(issuer: &Issuer, port: u16) -> Result<String, String> {
    let resource = format!("http://127.0.0.1:{port}/mcp");
    issuer.tokens(Algorithm::ES256, &resource, 1)?.pop().ok_or_else(|| "no token was made".to_owned())
}

/// Has a program go through a file of tokens.
pub fn checks(
    entrant: &Entrant,
    issuer: &Issuer,
    algorithm: Algorithm,
    seen: bool,
    effort: Effort,
) -> Result<Sample, String> {
    let count =
        if seen { COUNTS.0 } else { COUNTS.1.min(usize::try_from(effort.most).unwrap_or(usize::MAX)) };
    let tokens = issuer.tokens(algorithm, RESOURCE, count)?;
    let path = std::env::temp_dir().join(format!("mcpbolt-bench-tokens-{}", std::process::id()));
    let mut file = std::fs::File::create(&path).map_err(|error| error.to_string())?;
    file.write_all(tokens.join("\n").as_bytes()).map_err(|error| error.to_string())?;
    let name = path.to_string_lossy();
    let more = [(ISSUER, issuer.url.as_str()), ("{resource}", RESOURCE), ("{tokens}", &name)];
    let mut command = measure::fill(entrant, 0, effort, &more);
    if seen {
        command.extend(["--again".to_owned(), effort.time.as_secs_f64().to_string()]);
    }
    let found = measure::reported(&command);
    // What a temporary folder keeps is not worth an error.
    let _ = std::fs::remove_file(&path);
    found
}
