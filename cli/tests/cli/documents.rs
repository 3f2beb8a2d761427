//! What help and documents print is run as it is printed, but for the server's name.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use mcpbolt::server::{Context, ServerBuilder};
use mcpbolt::types::{GetPromptResult, IndexMap, Prompt, PromptArgument, PromptMessage, Resource, Tool};
use serde_json::{Value, json};

use crate::listening::Listening;
use crate::program::{command, everything, root, run, wait};
use crate::serving::Serving;

/// A server with all that the examples name.
fn offers(builder: ServerBuilder) -> ServerBuilder {
    let number = || json!({"type": "number", "description": "A number"});
    let add = json!({"type": "object", "required": ["a", "b"], "properties": {"a": number(), "b": number()}});
    let search = json!({"type": "object", "required": ["query"], "properties": {
        "query": {"type": "string", "description": "What to look for"},
        "tags": {"type": "array", "items": {"type": "string"}, "description": "Only these"},
        "filter": {"type": "object", "properties": {"max": {"type": "integer"}}, "description": "Bounds"},
    }});
    let notes = Resource::new("file:///notes.txt", "notes").description("Notes").mime_type("text/plain");
    let logo = Resource::new("image://logo", "logo").description("A logo").mime_type("image/png");
    let review = Prompt::new("review").description("Reviews code");
    let review = review.argument(PromptArgument::new("language").description("Which").required(true));
    builder
        .raw_tool(
            Tool::new("add", add).description("Adds two numbers"),
            |given: Value, _: Context| async move {
                (given["a"].as_f64().unwrap_or_default() + given["b"].as_f64().unwrap_or_default())
                    .to_string()
            },
        )
        .raw_tool(
            Tool::new("search", search).description("Searches"),
            |given: Value, _: Context| async move { given.to_string() },
        )
        .resource(notes, |_| async { "Buy milk.".to_owned() })
        .resource(logo, |_| async { "PNG".to_owned() })
        .prompt(review, |given: IndexMap<String, String>, _| async move {
            let language = given.get("language").cloned().unwrap_or_default();
            GetPromptResult::new(vec![PromptMessage::user(format!("Review this {language}."))])
        })
}

/// The line with the server of the test in place of the one it names, and an end to what has none. What
/// is recorded and played is another one, which is at `recorded`.
fn line_for(line: &str, url: &str, recorded: &str) -> String {
    let mut line = line.split(" # ").next().unwrap_or_default().trim().to_owned();
    let server = everything();
    let server = server.to_str().unwrap();
    if line.contains("mcpbolt bridge ") {
        let line = line.replace("https://example.com/mcp", url).replace(" my-server --stdio", " my-server");
        let line = line.replace("0.0.0.0:8000", "127.0.0.1:0").replace("127.0.0.1:8000", "127.0.0.1:0");
        return until_it_listens(&line.replace(" my-server", &format!(" {server}")));
    }
    if let Some((_, words)) = line.split_once("mcpbolt uninstall ") {
        // There has to be something to take out.
        let words = words.replace(" --dry-run", "");
        let (app, name) = words.split_once(' ').unwrap();
        return format!("mcpbolt install {app} https://example.com/mcp --name {name} && {line}");
    }
    if line.contains("mcpbolt install ") {
        return line
            .replace("/usr/local/bin/weather-server", server)
            .replace(" my-server", &format!(" {server}"));
    }
    if line.contains(" record ") || line.contains(" replay ") {
        let line = line.replace("https://example.com/mcp", recorded);
        return line.replace("my-server --stdio", server);
    }
    for name in ["https://example.com/mcp", "http://127.0.0.1:3000/mcp", "server.py"] {
        line = line.replace(&format!(" {name}"), "").replace(&format!(" {name}:"), "");
    }
    line = line.replace(" -- my-server --stdio", "");
    let verb = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let without_server = verb == "completions" || line.contains("--rules") || line.starts_with("mcpbolt --");
    if !without_server {
        line = line.replacen(&verb, &format!("{verb} {url}"), 1);
    }
    match verb.as_str() {
        "watch" => format!("{} --for 100ms", line.replace(" --for 1h", "")),
        // It goes on until it is told to end.
        "inspect" => {
            let line = line.replace(" --port 6274", "");
            format!("{line} > url & while [ ! -s url ]; do sleep 0.02; done; kill $! && wait $! && rm url")
        }
        // So many, however long they take on a busy machine.
        "bench" if !line.contains("--requests") => format!("{line} --requests 32"),
        _ => line,
    }
}

/// What serves over HTTP says where, and is then ended.
fn until_it_listens(line: &str) -> String {
    if !line.contains("--http") {
        return line.to_owned();
    }
    format!("{line} > said & until [ -s said ]; do :; done; kill $!; wait $!; [ $? = 143 ] && rm said")
}

/// A recording that the lines after it play.
fn record(file: &Path) {
    let (program, server) = (env!("CARGO_BIN_EXE_mcpbolt"), everything());
    let words = ["list", "--", program, "record", file.to_str().unwrap(), "--", server.to_str().unwrap()];
    run(words).exits(0);
}

/// Runs lines of a shell, each of which has to succeed. `check` may find something.
fn succeed<'a>(lines: impl IntoIterator<Item = &'a str>) {
    let served = Serving::start(offers);
    let recorded = Listening::start(&[everything().to_str().unwrap().to_owned()]);
    let folder = tempfile::tempdir().unwrap();
    for needed in [".local/share/bash-completion/completions", ".zfunc", ".config/fish/completions"] {
        fs::create_dir_all(folder.path().join(needed)).unwrap();
    }
    let bin = Path::new(env!("CARGO_BIN_EXE_mcpbolt")).parent().unwrap();
    let path = std::env::join_paths(
        [bin.to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    )
    .unwrap();
    let session = folder.path().join("session.jsonl");
    fs::write(folder.path().join("server.py"), "").unwrap();
    for line in lines {
        let _ = fs::remove_file(&session);
        if line.contains(" replay ") {
            record(&session);
        }
        let runs = line_for(line, &served.url, &recorded.url);
        let mut shell = Command::new("sh");
        shell.args(["-c", &runs]).env_clear().env("PATH", &path).env("HOME", folder.path()).env("TOKEN", "t");
        shell.env("TOOLS_TOKEN", "t");
        shell.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let ran = wait(shell.spawn().unwrap());
        let good = if runs.starts_with("mcpbolt check") { [0, 1] } else { [0, 0] };
        assert!(good.contains(&ran.code), "{line}\nas {runs}\n{ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn examples_of_help_work() {
    for verb in [
        "list",
        "call",
        "read",
        "prompt",
        "ping",
        "watch",
        "bench",
        "check",
        "record",
        "replay",
        "inspect",
        "bridge",
        "install",
        "uninstall",
        "completions",
    ] {
        let help = wait(command([verb, "--help"]).env("COLUMNS", "200").spawn().unwrap()).exits(0).out;
        let lines: Vec<&str> = help.lines().filter_map(|line| line.strip_prefix("  ")).collect();
        let lines: Vec<&str> = lines.into_iter().filter(|line| line.starts_with("mcpbolt ")).collect();
        assert!(lines.len() >= 2, "{verb}: {help}");
        succeed(lines);
    }
}

#[cfg(unix)]
#[test]
fn lines_of_the_documents_work() {
    for (document, heading) in [
        ("README.md", "\n## Command line\n"),
        ("README.zh-CN.md", "\n## 命令行\n"),
        ("docs/guide/command-line.md", "\n"),
    ] {
        let text = fs::read_to_string(root().join(document)).unwrap();
        let (_, section) =
            text.split_once(heading).unwrap_or_else(|| panic!("{document} has no {heading:?}"));
        let section = if heading == "\n" { section } else { section.split("\n## ").next().unwrap() };
        let blocks = section.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
        let lines: Vec<&str> =
            blocks.flat_map(str::lines).filter(|line| line.starts_with("mcpbolt ")).collect();
        assert!(lines.len() >= 5, "{document}: {lines:?}");
        succeed(lines);
    }
}

#[test]
fn exit_codes_of_the_guide_are_those_of_the_help() {
    let help = run(["--help"]).exits(0).out;
    let guide = fs::read_to_string(root().join("docs/guide/command-line.md")).unwrap();
    for code in ["0", "1", "2", "3", "4", "5", "6", "130"] {
        assert!(help.contains(&format!(" {code} ")) && guide.contains(&format!("| {code} |")), "{code}");
    }
}
