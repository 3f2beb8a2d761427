//! What runs beside the entrants of a suite: an issuer of tokens, a store.
//!
//! Owns: which of them a suite needs, and how they are called in a command. Must not know: what
//! entrants do with them.

use std::path::PathBuf;

use mcpbolt_bench::issuer::Issuer;
use mcpbolt_bench::store::Store;

use crate::suite::{Entrant, Suite};

/// Where the issuer's name belongs in a command.
pub const ISSUER: &str = "{issuer}";
/// Where the store's URL belongs in a command.
const STORE: &str = "{store}";

/// What some entrants of a suite are told of; nothing that none of them is told of.
pub struct Beside {
    issuer: Option<Issuer>,
    store: Option<Store>,
}

impl Beside {
    /// Starts what a suite needs.
    pub fn start(suite: &Suite) -> Result<Self, String> {
        let wanted =
            |word| suite.rows.iter().flat_map(|row| &row.entrants).any(|entrant| names(entrant, word));
        let issuer = wanted(ISSUER).then(|| {
            let programs = std::env::var("MCPBOLT_BENCH_PROGRAMS").unwrap_or_default();
            Issuer::start(&PathBuf::from(programs).join("node"))
        });
        let store = wanted(STORE).then(|| {
            let program = std::env::var("MCPBOLT_BENCH_REDIS");
            Store::start(&program.unwrap_or_else(|_| "redis-server".to_owned()))
        });
        Ok(Self { issuer: issuer.transpose()?, store: store.transpose()? })
    }

    /// The issuer, for an entrant that is told of it.
    pub fn issuer(&self, entrant: &Entrant) -> Option<&Issuer> {
        self.issuer.as_ref().filter(|_| names(entrant, ISSUER))
    }

    /// What the placeholders stand for.
    pub fn placeholders(&self) -> Vec<(&str, &str)> {
        let issuer = self.issuer.iter().map(|issuer| (ISSUER, issuer.url.as_str()));
        issuer.chain(self.store.iter().map(|store| (STORE, store.url.as_str()))).collect()
    }
}

fn names(entrant: &Entrant, placeholder: &str) -> bool {
    entrant.command.iter().any(|word| word == placeholder)
}
