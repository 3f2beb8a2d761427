//! `install` and `uninstall`: a server in the settings of an app.
//!
//! Owns: from a server to its entry, and what is said of the change. Must not know: what a settings
//! file looks like.

use std::path::{Path, PathBuf};

use mcpbolt::client::ProtocolPolicy;
use serde_json::{Value, json};
use similar::ChangeTag;
use similar::algorithms::{Capture, Replace, myers};

use super::{instead_of, no_more};
use crate::args::{Auth, Common, Install, Settings, Uninstall};
use crate::exit::{Exit, Failure};
use crate::hosts::{App, Change, Entry, SettingsFile, in_the_clear};
use crate::output::{BAD, DIM, GOOD, Output, WARN, safe, without_nulls};
use crate::program::Program;
use crate::target::{self, Place, TOKEN};

/// Lines around a change that are shown with it.
const AROUND: usize = 3;

/// Programs that start others, so that a server cannot be called after them.
const STARTERS: [&str; 12] =
    ["bunx", "cmd", "deno", "docker", "node", "npx", "podman", "python", "python3", "sh", "uv", "uvx"];

/// Adds or changes an entry.
pub(super) fn run(
    output: &Output,
    common: &Common,
    program: &Program,
    arguments: Install,
) -> Result<Exit, Failure> {
    let app = App::of(arguments.app);
    let (mut place, words) = Place::of(arguments.reach, program)?;
    no_more(&words)?;
    if let Place::Url { headers, .. } = &mut place {
        // As they are: who fills them in is the app.
        for header in &common.header {
            headers.push(target::header(header)?);
        }
    }
    let name = match arguments.name {
        Some(name) => name,
        None => usual_name(&place)?,
    };
    if name.is_empty() {
        return Err(Failure::usage("--name: it is empty"));
    }
    let entry = entry(&app, place, &arguments.env, (program, common))?;
    let file = settings(&app, &arguments.settings)?;
    let before = file.entry(&name)?;
    let change = file.with(&name, &app.entry(&entry, before.as_ref())?)?;
    let done = apply(output, &app, &file, &change, arguments.settings.dry_run)?;
    for exposed in in_the_clear(&entry) {
        let remedy = if app.fills_in {
            format!("; ${{env:{exposed}}} as its value would be filled in")
        } else {
            String::new()
        };
        output.note(&format!(
            "{} {exposed} stands in {} in the clear{remedy}",
            output.paint_note(WARN, "warning:"),
            file.path().display()
        ));
    }
    if common.auth == Auth::Token && !has_token(&entry, before.as_ref()) {
        output.note(&format!(
            "{} {} has to have {TOKEN} in its environment; --env {TOKEN}=… writes it into the entry",
            output.paint_note(WARN, "warning:"),
            app.title
        ));
    }
    done.tell(output, &name, app.then)
}

/// Whether the entry says the token that its program is to send.
fn has_token(entry: &Entry, before: Option<&Value>) -> bool {
    let Entry::Program { env, .. } = entry else { return false };
    let kept = before.and_then(|entry| entry.get("env")?.get(TOKEN));
    kept.is_some() || env.iter().any(|(name, _)| name == TOKEN)
}

/// Takes an entry out.
pub(super) fn remove(output: &Output, arguments: &Uninstall) -> Result<Exit, Failure> {
    let app = App::of(arguments.app);
    let file = settings(&app, &arguments.settings)?;
    if file.entry(&arguments.name)?.is_none() {
        let names = file.names()?;
        let known: Vec<&str> = names.iter().map(String::as_str).collect();
        let failure = Failure::usage(format!("{} has no server {}", file.path().display(), arguments.name));
        let all = format!("it has {}", known.join(", "));
        return Err(failure.remedy(instead_of("server", &arguments.name, &known, &all)));
    }
    let change = file.without(&arguments.name)?;
    let done = apply(output, &app, &file, &change, arguments.settings.dry_run)?;
    let then = format!("{} may run it until it is started again", app.title);
    done.tell(output, &arguments.name, &then)
}

fn settings(app: &App, given: &Settings) -> Result<SettingsFile, Failure> {
    let path = match &given.file {
        Some(file) => file.clone(),
        None => app.file(given.project.as_deref())?,
    };
    SettingsFile::read(&path, app.key)
}

/// What became of a change.
struct Done {
    file: PathBuf,
    backup: Option<PathBuf>,
    written: bool,
    change: bool,
    diff: String,
}

fn apply(
    output: &Output,
    app: &App,
    file: &SettingsFile,
    change: &Change,
    dry_run: bool,
) -> Result<Done, Failure> {
    let written = change.is_one() && !dry_run;
    let path = file.path().to_owned();
    let diff = diff(change);
    if !output.is_json() {
        output.print(&format!("{}: {}", app.title, path.display()))?;
        for line in &diff {
            let style = match line.as_bytes().first() {
                Some(b'+') => GOOD,
                Some(b'-') => BAD,
                _ => DIM,
            };
            output.print(&output.paint(style, &safe(line)))?;
        }
    }
    let backup = if written { file.write(change)? } else { None };
    Ok(Done { file: path, backup, written, change: change.is_one(), diff: diff.join("\n") })
}

impl Done {
    /// `then` is what follows from the change.
    fn tell(&self, output: &Output, name: &str, then: &str) -> Result<Exit, Failure> {
        if output.is_json() {
            output.document(&without_nulls(json!({
                "file": self.file, "backup": self.backup, "name": name,
                "changed": self.change, "written": self.written, "diff": self.diff,
            })))?;
        } else if !self.change {
            output.print("nothing is to be changed")?;
        } else if !self.written {
            output.print("nothing was written (--dry-run)")?;
        } else {
            if let Some(backup) = &self.backup {
                output.print(&format!("the file as it was: {}", backup.display()))?;
            }
            output.print(&format!("done; {then}"))?;
        }
        Ok(Exit::Done)
    }
}

/// The change in lines, with a few around each. One algorithm by name: the choice between all of them
/// would weigh as much as a tenth of this command.
fn diff(change: &Change) -> Vec<String> {
    let before: Vec<&str> = change.before.lines().collect();
    let after: Vec<&str> = change.after.lines().collect();
    let mut found = Replace::new(Capture::new());
    let Ok(()) = myers::diff(&mut found, &before[..], 0..before.len(), &after[..], 0..after.len());
    let mut lines = Vec::new();
    for (number, group) in found.into_inner().into_grouped_ops(AROUND).iter().enumerate() {
        if number > 0 {
            lines.push("…".to_owned());
        }
        for change in group.iter().flat_map(|op| op.iter_changes(&before[..], &after[..])) {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            lines.push(format!("{sign}{}", change.value()));
        }
    }
    lines
}

/// Options of every command that a bridge in an entry is started with.
const OF_BRIDGES: [&str; 3] = ["--timeout", "--auth", "--protocol-version"];

/// Refuses an option for which the entry has no place, before it is left out unseen.
fn holds(app: &App, common: &Common, held: &[&str], remedy: &str) -> Result<(), Failure> {
    let given = [
        ("--timeout", common.timeout.is_some()),
        ("--header", !common.header.is_empty()),
        ("--auth", common.auth != Auth::None),
        ("--protocol-version", common.protocol_version.0 != ProtocolPolicy::Auto),
        ("--root", !common.root.is_empty()),
        ("--log-level", common.log_level.is_some()),
    ];
    let left_out = given.into_iter().find(|(name, given)| *given && !held.contains(name));
    left_out.map_or(Ok(()), |(name, _)| {
        let failure = Failure::usage(format!("{name}: an entry of {} has no place for it", app.title));
        Err(failure.remedy(if OF_BRIDGES.contains(&name) { remedy } else { "leave it out" }))
    })
}

/// The words after `bridge`: the URL, and what was asked for.
fn to_bridge(url: String, common: &Common) -> Vec<String> {
    let auth = match common.auth {
        Auth::None => None,
        Auth::Oauth => Some("oauth".to_owned()),
        Auth::Token => Some("token".to_owned()),
    };
    let protocol = common.protocol_version;
    let given = [
        ("--auth", auth),
        ("--timeout", common.timeout.map(|time| humantime::format_duration(time).to_string())),
        ("--protocol-version", (protocol.0 != ProtocolPolicy::Auto).then(|| protocol.to_string())),
    ];
    let given = given.into_iter().filter_map(|(name, value)| Some([name.to_owned(), value?]));
    ["bridge".to_owned(), url].into_iter().chain(given.flatten()).collect()
}

/// The server as the app is to start or reach it. Apps have neither the user's `PATH` nor this folder.
fn entry(
    app: &App,
    place: Place,
    env: &[String],
    (ours, common): (&Program, &Common),
) -> Result<Entry, Failure> {
    let env = env.iter().map(|text| variable(text)).collect::<Result<Vec<_>, _>>()?;
    match place {
        // This program is the way to it.
        Place::Url { url, headers } if !app.takes_urls() && headers.is_empty() => {
            holds(app, common, &OF_BRIDGES, "leave it out")?;
            let (command, mut args) = again(ours)?;
            args.extend(to_bridge(url, common));
            Ok(Entry::Program { command, args, env, cwd: None })
        }
        Place::Url { url, .. } if !env.is_empty() => {
            Err(Failure::usage(format!("--env: {url} is reached, not started")))
        }
        Place::Url { url, headers } => {
            let bridge = format!("leave it out, or have the app start a bridge: -- mcpbolt bridge {url}");
            holds(app, common, &["--header"], &bridge)?;
            Ok(Entry::Url { url, headers })
        }
        Place::Program { words, env: theirs, cwd, .. } => {
            holds(app, common, &[], "leave it out")?;
            let mut words = words.into_iter().map(|word| {
                word.into_string().map_err(|word| Failure::usage(format!("{} is no text", word.display())))
            });
            let program = words.next().ok_or_else(|| Failure::usage("no command after --"))??;
            let found = which::which(&program).map_err(|_| {
                Failure::usage(format!("there is no program {program}"))
                    .remedy("apps start programs without your shell: give one that is there, or its path")
            })?;
            let args = words.map(|word| word.map(whole)).collect::<Result<_, _>>()?;
            let env = theirs.into_iter().chain(env).collect();
            Ok(Entry::Program { command: absolute(&found)?, args, env, cwd })
        }
    }
}

/// What starts this command: its file, and words before the verb.
fn again(program: &Program) -> Result<(String, Vec<String>), Failure> {
    let Some((file, words)) = program.again.split_first() else {
        let own = std::env::current_exe().unwrap_or_else(|_| "mcpbolt".into());
        return Ok((absolute(&own)?, Vec::new()));
    };
    let words = words.iter().map(|word| {
        let text = word.to_str().map(ToOwned::to_owned);
        text.ok_or_else(|| Failure::usage(format!("{} is no text", word.display())))
    });
    Ok((absolute(file.as_ref())?, words.collect::<Result<_, _>>()?))
}

fn absolute(path: &Path) -> Result<String, Failure> {
    let path =
        std::path::absolute(path).map_err(|why| Failure::usage(format!("{}: {why}", path.display())))?;
    path.into_os_string()
        .into_string()
        .map_err(|path| Failure::usage(format!("{} is no text", path.display())))
}

/// A file or folder that is here, by its whole path; other words as they are.
fn whole(word: String) -> String {
    let path = Path::new(&word);
    let looks_like_one = path.components().count() > 1 || path.extension().is_some();
    if !looks_like_one || path.is_absolute() || !path.exists() {
        return word;
    }
    absolute(path).unwrap_or(word)
}

fn variable(text: &str) -> Result<(String, String), Failure> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(Failure::usage(format!("--env {text}: it must be NAME=VALUE"))),
    }
}

/// What a server is called that was given no name: after its script, its program, or its host.
fn usual_name(place: &Place) -> Result<String, Failure> {
    let stem = |word: &std::ffi::OsStr| {
        let stem = Path::new(word).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Some(stem).filter(|stem| !stem.is_empty() && !STARTERS.contains(&stem.as_str()))
    };
    let found = match place {
        Place::Url { url, .. } => {
            let url = url::Url::parse(url).ok();
            url.as_ref().and_then(url::Url::host_str).map(|host| host.trim_start_matches("mcp.").to_owned())
        }
        Place::Program { words, .. } => match &words[..] {
            [program, script, ..] if stem(program).is_none() && Path::new(script).is_file() => stem(script),
            [program, ..] => stem(program),
            [] => None,
        },
    };
    found.ok_or_else(|| Failure::usage("the server needs a name").remedy("--name says it"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_called_after_what_is_particular_to_it() {
        let program = |words: &[&str]| Place::Program {
            words: words.iter().map(Into::into).collect(),
            env: Vec::new(),
            cwd: None,
            ours: false,
        };
        let url = Place::Url { url: "https://mcp.example.com/mcp".to_owned(), headers: Vec::new() };
        assert_eq!(usual_name(&url).expect("a host"), "example.com");
        assert_eq!(
            usual_name(&program(&["/opt/weather-server", "--stdio"])).expect("a program"),
            "weather-server"
        );
        assert!(usual_name(&program(&["npx", "-y", "weather"])).is_err());
    }
}
