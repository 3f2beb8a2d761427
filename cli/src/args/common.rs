//! Options that every verb has.
//!
//! Owns: their names and how their values are read. Must not know: what they lead to.

use std::fmt;
use std::time::Duration;

use clap::{Args, ColorChoice, ValueEnum};
use mcpbolt::Revision;
use mcpbolt::client::ProtocolPolicy;
use mcpbolt::types::LoggingLevel;

/// Options that every verb has.
#[derive(Debug, Args)]
#[command(next_help_heading = "Options of every command")]
pub(crate) struct Common {
    /// Print one JSON document, errors included
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Longest wait for an answer or progress, such as 30s or 2m [default: 60s, or 10m where a person can be asked]
    #[arg(long, global = true, value_name = "TIME", value_parser = duration)]
    pub(crate) timeout: Option<Duration>,
    /// Send this header to a URL; ${NAME} is replaced by that variable of the environment
    #[arg(long, short = 'H', global = true, value_name = "NAME: VALUE")]
    pub(crate) header: Vec<String>,
    /// How to get at a token where the server wants one
    #[arg(long, global = true, value_enum, default_value_t = Auth::None)]
    pub(crate) auth: Auth,
    /// What to speak: auto, legacy, modern, or a revision such as 2025-06-18
    #[arg(long, global = true, value_name = "REVISION", default_value = "auto", value_parser = protocol)]
    pub(crate) protocol_version: Protocol,
    /// A folder or URI that the server may know as a root; may be given more than once
    #[arg(long, global = true, value_name = "PATH|URI")]
    pub(crate) root: Vec<String>,
    /// Ask for the server's log messages of this level and above
    #[arg(long, global = true, value_name = "LEVEL", value_parser = log_level)]
    pub(crate) log_level: Option<LoggingLevel>,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub(crate) color: ColorChoice,
}

/// How to get at a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Auth {
    /// Send none but what --header says
    None,
    /// Sign in with the browser; tokens are kept for the next time
    Oauth,
    /// Send the token in the variable MCPBOLT_TOKEN
    Token,
}

/// What to speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Protocol(pub(crate) ProtocolPolicy);

impl Protocol {
    /// How long a server may take to answer first; `None` leaves it to the engine, which falls back
    /// to older revisions after a while. Without any to fall back to, it may take its time to start.
    pub(crate) fn first_answer(self, patience: Duration) -> Option<Duration> {
        matches!(self.0, ProtocolPolicy::ModernOnly | ProtocolPolicy::Pinned(_)).then_some(patience)
    }
}

impl fmt::Display for Protocol {
    /// As it is written on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            ProtocolPolicy::LegacyFirst => "legacy",
            ProtocolPolicy::ModernOnly => "modern",
            ProtocolPolicy::Pinned(revision) => revision.as_str(),
            _ => "auto",
        })
    }
}

fn protocol(text: &str) -> Result<Protocol, String> {
    Ok(Protocol(match text {
        "auto" => ProtocolPolicy::Auto,
        "legacy" => ProtocolPolicy::LegacyFirst,
        "modern" => ProtocolPolicy::ModernOnly,
        _ => ProtocolPolicy::Pinned(Revision::parse(text).ok_or_else(|| {
            let known: Vec<_> = Revision::ALL.iter().map(|revision| revision.as_str()).collect();
            format!("use auto, legacy, modern, or one of {}", known.join(", "))
        })?),
    }))
}

/// Seconds, or a number with a unit.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let found = match text.parse::<f64>() {
        Ok(seconds) => Duration::try_from_secs_f64(seconds).map_err(|_| "not a time".to_owned())?,
        Err(_) => humantime::parse_duration(text).map_err(|why| format!("{why}; write 30s, 2m or 500ms"))?,
    };
    if found.is_zero() { Err("must be longer than nothing".to_owned()) } else { Ok(found) }
}

fn log_level(text: &str) -> Result<LoggingLevel, String> {
    const LEVELS: [&str; 8] =
        ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
    if !LEVELS.contains(&text) {
        return Err(format!("use one of {}", LEVELS.join(", ")));
    }
    serde_json::from_value(text.into()).map_err(|_| "not a level".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds_or_have_a_unit() {
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_mins(2)));
        for wrong in ["", "0", "-1", "soon", "1e99"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_unknown_revision_is_answered_with_the_known_ones() {
        assert_eq!(protocol("modern"), Ok(Protocol(ProtocolPolicy::ModernOnly)));
        assert_eq!(protocol("2024-11-05"), Ok(Protocol(ProtocolPolicy::Pinned(Revision::V2024_11_05))));
        assert!(protocol("2030-01-01").is_err_and(|why| why.contains("2026-07-28")));
        for text in ["auto", "legacy", "modern", "2025-06-18"] {
            assert_eq!(protocol(text).map(|read| read.to_string()), Ok(text.to_owned()));
        }
    }
}
