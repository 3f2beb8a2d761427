//! Arguments of `install` and `uninstall`.
//!
//! Owns: the names of apps on the command line. Must not know: where apps keep their settings.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Reach;

/// Apps that have servers in a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum HostName {
    /// Claude Desktop
    Claude,
    /// Visual Studio Code
    Vscode,
    /// Cursor
    Cursor,
    /// Windsurf
    Windsurf,
    /// Zed
    Zed,
}

/// Where the settings are.
#[derive(Debug, Args)]
pub(crate) struct Settings {
    /// The settings of this folder's project, instead of the user's own
    #[arg(long, value_name = "FOLDER")]
    pub(crate) project: Option<PathBuf>,
    /// This settings file, as with profiles and preview editions
    #[arg(long, value_name = "FILE", conflicts_with = "project")]
    pub(crate) file: Option<PathBuf>,
    /// Show the change, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Arguments of `install`.
#[derive(Debug, Args)]
pub(crate) struct Install {
    /// The app
    #[arg(value_enum)]
    pub(crate) app: HostName,
    #[command(flatten)]
    pub(crate) reach: Reach,
    /// What the server is called there; by default after its file, its program or its host
    #[arg(long, short)]
    pub(crate) name: Option<String>,
    /// A variable of its environment, which is written into the file; may be given more than once
    #[arg(long, short = 'v', visible_alias = "env-var", value_name = "NAME=VALUE")]
    pub(crate) env: Vec<String>,
    #[command(flatten)]
    pub(crate) settings: Settings,
}

/// Arguments of `uninstall`.
#[derive(Debug, Args)]
pub(crate) struct Uninstall {
    /// The app
    #[arg(value_enum)]
    pub(crate) app: HostName,
    /// What the server is called there
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) settings: Settings,
}
