//! The authorization of clients, through its public surface: each rule by its name.

mod challenge;
mod discovery;
mod dpop;
mod flow_browser;
mod flow_machine;
mod flow_official;
mod flow_refusals;
mod metadata;
mod redirect;
mod registration;
mod scope;
mod token;
mod world;
