//! `install` and `uninstall`: entries come and go, and all else in a file stays.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::golden;
use crate::program::{Ran, command, everything, wait};
use crate::scripted::Scripted;

/// A home of one's own.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn file(&self, path: &str, text: &str) -> PathBuf {
        let file = self.0.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = command(words);
        command.env("HOME", self.0.path()).current_dir(self.0.path());
        command
    }

    fn run(&self, words: &[&str]) -> Ran {
        wait(self.command(words).spawn().unwrap())
    }

    fn backups(&self, folder: &str) -> Vec<PathBuf> {
        let all = fs::read_dir(self.0.path().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        all.filter(|path| path.extension().is_some_and(|extension| extension == "bak")).collect()
    }
}

fn json_of(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file).unwrap().permissions().mode() & 0o777
}

const ZED: &str = r#"// Zed settings
{
  "theme": "One Dark", // the dark one
  /* servers */
  "context_servers": {
    // keep me
    "other": { "command": "other", "args": [], },
  },
}
"#;

#[test]
fn comments_and_layout_stay() {
    let home = Home::new();
    let file = home.file(".config/zed/settings.json", ZED);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let server = everything();
    let server = server.to_str().unwrap();
    let ran = home.run(&["install", "zed", "--name", "weather", "--", server, "--stdio"]).exits(0);
    let folder = home.0.path().to_str().unwrap();
    let backup = home.backups(".config/zed").pop().expect("a copy");
    let backup = backup.to_str().unwrap();
    let shown = golden::steady(&ran.out, &[(backup, "BACKUP"), (server, "SERVER"), (folder, "HOME")]);
    golden::same("install.txt", &shown);
    let text = fs::read_to_string(&file).unwrap();
    for kept in ["// Zed settings\n", "// the dark one", "/* servers */", "// keep me", "\"other\": {"] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    assert!(text.contains(&format!("\"command\": \"{server}\"")), "{text}");
    assert_eq!((mode(&file), mode(Path::new(backup))), (0o640, 0o640));
    assert_eq!(fs::read_to_string(backup).unwrap(), ZED);
    // The same again changes nothing, and makes no copy.
    let again = home.run(&["install", "zed", "--name", "weather", "--", server, "--stdio"]).exits(0);
    assert!(again.out.contains("nothing is to be changed"), "{again:?}");
    assert_eq!(home.backups(".config/zed").len(), 1);
    let gone = home.run(&["uninstall", "zed", "weather"]).exits(0);
    assert!(gone.out.ends_with("done; Zed may run it until it is started again\n"), "{gone:?}");
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("// keep me") && !text.contains("weather"), "{text}");
    assert_eq!(home.backups(".config/zed").len(), 2);
}

#[test]
fn each_app_gets_its_own_file_and_words() {
    let home = Home::new();
    let url = "https://mcp.example.com/mcp";
    let rows = [
        ("vscode", ".config/Code/User/mcp.json", "/servers/example.com", json!({"type": "http", "url": url})),
        ("cursor", ".cursor/mcp.json", "/mcpServers/example.com", json!({"url": url})),
        (
            "windsurf",
            ".codeium/windsurf/mcp_config.json",
            "/mcpServers/example.com",
            json!({"serverUrl": url}),
        ),
        ("zed", ".config/zed/settings.json", "/context_servers/example.com", json!({"url": url})),
    ];
    if cfg!(target_os = "linux") {
        for (app, path, pointer, entry) in rows {
            home.run(&["install", app, url]).exits(0);
            let file = home.0.path().join(path);
            assert_eq!(json_of(&file).pointer(pointer), Some(&entry), "{app}");
            assert_eq!(mode(&file), 0o600, "{app}: a new file is the user's alone");
        }
        // An app that starts programs is given this one, which is the way to the URL.
        home.run(&["install", "claude", url]).exits(0);
        let file = home.0.path().join(".config/Claude/claude_desktop_config.json");
        let entry = json_of(&file)["mcpServers"]["example.com"].clone();
        assert_eq!(entry["args"], json!(["bridge", url]));
        assert!(Path::new(entry["command"].as_str().unwrap()).is_absolute(), "{entry}");
    }
    home.run(&["install", "cursor", url, "--project", "."]).exits(0);
    home.run(&["install", "windsurf", url, "--project", "."]).exits(2);
}

#[test]
fn a_dry_run_writes_nothing() {
    let home = Home::new();
    let ran = home.run(&["install", "cursor", "https://example.com/mcp", "--dry-run"]).exits(0);
    assert!(ran.out.contains("+      \"url\": \"https://example.com/mcp\""), "{ran:?}");
    assert!(!home.0.path().join(".cursor").exists());
    let file = home.file("a.json", "{\"mcpServers\": {\"x\": {\"url\": \"https://x\"}}}");
    let before = fs::read_to_string(&file).unwrap();
    let ran =
        home.run(&["uninstall", "cursor", "x", "--dry-run", "--json", "--file", "a.json"]).exits(0).json();
    assert_eq!((&ran["changed"], &ran["written"]), (&json!(true), &json!(false)));
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
}

#[test]
fn what_cannot_be_read_is_left_alone() {
    let home = Home::new();
    let broken = [
        "{\"mcpServers\": {",
        "[]",
        "{\"mcpServers\": []}",
        "{mcpServers: {}}",
        "{\"mcpServers\": {} \"a\": 1}",
        "{\"mcpServers\": {}, \"mcpServers\": {}}",
        "{\"mcpServers\": {\"a\": {\"url\": \"https://x\"}, \"\\u0061\": {}}}",
    ];
    for text in broken {
        let file = home.file("broken.json", text);
        let ran = home.run(&["install", "cursor", "https://example.com", "--file", "broken.json"]).exits(2);
        assert!(ran.err.contains("it was left as it is"), "{text}: {ran:?}");
        home.run(&["uninstall", "cursor", "a", "--file", "broken.json"]).exits(2);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    assert_eq!(home.backups(".").len(), 0);
}

#[test]
fn a_link_stays_one() {
    let home = Home::new();
    let file = home.file("dotfiles/mcp.json", "");
    fs::create_dir(home.0.path().join(".cursor")).unwrap();
    let link = home.0.path().join(".cursor/mcp.json");
    symlink(&file, &link).unwrap();
    home.run(&["install", "cursor", "https://example.com/mcp"]).exits(0);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(json_of(&file)["mcpServers"]["example.com"].is_object());
}

#[test]
fn secrets_in_the_clear_are_said_and_other_variables_stay() {
    let home = Home::new();
    let file = home.file(
        ".cursor/mcp.json",
        r#"{"mcpServers": {"s": {"command": "old", "disabled": true, "env": {"UNITS": "metric"}}}}"#,
    );
    let server = everything();
    let env = ["--env", "API_KEY=abc", "--env", "OTHER_TOKEN=${env:OTHER_TOKEN}", "--env", "KEYBOARD=qwertz"];
    let words = ["install", "cursor", "--name", "s"].into_iter().chain(env);
    let words: Vec<&str> = words.chain(["--", server.to_str().unwrap()]).collect();
    let ran = home.run(&words).exits(0);
    assert!(ran.err.contains("API_KEY stands in") && ran.err.contains("${env:API_KEY}"), "{ran:?}");
    assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
    let entry = &json_of(&file)["mcpServers"]["s"];
    assert_eq!(
        *entry,
        json!({"command": server, "disabled": true, "args": [], "env": {
            "UNITS": "metric", "API_KEY": "abc", "OTHER_TOKEN": "${env:OTHER_TOKEN}", "KEYBOARD": "qwertz"}})
    );
}

#[test]
fn programs_and_files_are_found_before_they_are_written() {
    let home = Home::new();
    home.file("server.py", "");
    let ran = home.run(&["install", "cursor", "server.py", "--json"]).exits(0).json();
    assert_eq!(ran["name"], "server");
    let entry = &json_of(&home.0.path().join(".cursor/mcp.json"))["mcpServers"]["server"];
    let script = fs::canonicalize(home.0.path()).unwrap().join("server.py");
    assert_eq!(entry["args"], json!([script]));
    assert!(Path::new(entry["command"].as_str().unwrap()).is_absolute(), "{entry}");
    let gone = home.run(&["install", "cursor", "--name", "x", "--", "no-such-program"]).exits(2);
    assert!(gone.err.contains("there is no program no-such-program"), "{gone:?}");
    let unnamed = home.run(&["install", "cursor", "--", "sh", "-c", "x"]).exits(2);
    assert!(unnamed.err.contains("--name says it"), "{unnamed:?}");
    home.run(&["install", "cursor", "--env", "X", "server.py"]).exits(2);
    home.run(&["install", "emacs", "server.py"]).exits(2);
    let header = home.run(&["install", "cursor", "https://example.com", "--header", "s3cret"]).exits(2);
    assert!(header.err.contains("NAME: VALUE") && !header.err.contains("s3cret"), "{header:?}");
    let near = home.run(&["uninstall", "cursor", "servr"]).exits(2);
    assert!(near.err.contains("did you mean server?"), "{near:?}");
}

#[test]
fn options_go_into_the_entry_of_a_bridge_and_are_refused_where_there_is_none() {
    let home = Home::new();
    let url = "https://mcp.example.com/mcp";
    let options = ["--auth", "token", "--timeout", "5m", "--protocol-version", "2025-06-18"];
    let install = ["install", "claude", url, "--file", "a.json", "--env", "MCPBOLT_TOKEN=t0ken"];
    let ran = home.run(&[&install[..], &options].concat()).exits(0);
    let entry = &json_of(&home.0.path().join("a.json"))["mcpServers"]["example.com"];
    assert_eq!(entry["args"], json!([&["bridge", url][..], &options].concat()));
    assert_eq!(entry["env"], json!({"MCPBOLT_TOKEN": "t0ken"}));
    assert!(ran.err.contains("MCPBOLT_TOKEN stands in") && !ran.err.contains("has to have"), "{ran:?}");
    let unset = home.run(&["install", "claude", url, "--file", "b.json", "--auth", "token"]).exits(0);
    assert!(unset.err.contains("Claude Desktop has to have MCPBOLT_TOKEN"), "{unset:?}");
    let server = everything();
    let program = ["--name", "x", "--", server.to_str().unwrap()];
    for option in [
        ["--auth", "token"],
        ["--timeout", "5m"],
        ["--protocol-version", "modern"],
        ["--root", "."],
        ["--log-level", "info"],
    ] {
        for server in [&[url][..], &program] {
            let install = [&["install", "cursor", "--file", "c.json"], &option[..], server].concat();
            let refused = home.run(&install).exits(2);
            let says = format!("{}: an entry of Cursor has no place for it", option[0]);
            assert!(refused.err.contains(&says), "{refused:?}");
        }
    }
    home.run(&["install", "claude", url, "--file", "c.json", "--root", "."]).exits(2);
    home.run(&["install", "cursor", url, "--file", "c.json", "--env", "A=b"]).exits(2);
    assert!(!home.0.path().join("c.json").exists());
}

#[test]
fn a_mark_before_the_text_stays() {
    let home = Home::new();
    let server = everything();
    let text = "\u{feff}{\r\n  \"mcpServers\": {}\r\n}\r\n";
    let file = home.file("mcp.json", text);
    let server = server.to_str().unwrap();
    home.run(&["install", "cursor", "--file", "mcp.json", "--name", "all", "--", server]).exits(0);
    let after = fs::read_to_string(&file).unwrap();
    let inside = after.strip_prefix('\u{feff}').expect("it is still there");
    assert!(inside.starts_with('{') && !inside.contains('\u{feff}'), "{inside}");
    assert_eq!(
        home.backups(".").iter().map(|copy| fs::read_to_string(copy).unwrap()).collect::<Vec<_>>(),
        [text]
    );
    home.run(&["ping", "mcp.json:all"]).exits(0);
    home.run(&["uninstall", "cursor", "all", "--file", "mcp.json"]).exits(0);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn variables_in_the_headers_of_a_file_are_left_to_the_app() {
    let home = Home::new();
    let headers = json!({"Authorization": "Bearer ${API_TOKEN}"});
    let servers = json!({"mcpServers": {"x": {"url": "https://h.example/mcp", "headers": headers}}});
    home.file("src.json", &servers.to_string());
    for (to, more) in [("a.json", &[][..]), ("b.json", &["--json"][..])] {
        let words = [&["install", "cursor", "src.json:x", "--file", to][..], more].concat();
        let ran = wait(home.command(&words).env("API_TOKEN", "s3cret").spawn().unwrap()).exits(0);
        assert!(!ran.out.contains("s3cret") && !ran.err.contains("s3cret"), "{ran:?}");
        let entries = json_of(&home.0.path().join(to));
        assert_eq!(entries["mcpServers"]["h.example"]["headers"], headers, "{entries}");
    }
    // It needs no value.
    home.run(&["install", "cursor", "src.json:x", "--file", "c.json"]).exits(0);
}

#[test]
fn variables_that_apps_fill_in_are_filled_in_when_the_server_is_reached() {
    let home = Home::new();
    let server = Scripted::start(json!({"tools/list": {"tools": []}}));
    let script = "[ \"$KEY\" = s3cret ] && exec \"$0\"";
    let program =
        json!({"command": "sh", "args": ["-c", script, everything()], "env": {"KEY": "${env:MY_KEY}"}});
    let url = json!({"url": server.url, "headers": {"X-Key": "${env:MY_KEY}"}});
    home.file("s.json", &json!({"mcpServers": {"program": program, "url": url}}).to_string());
    for name in ["s.json:program", "s.json:url"] {
        wait(home.command(&["list", name]).env("MY_KEY", "s3cret").spawn().unwrap()).exits(0);
        let unset = home.run(&["list", name]).exits(2);
        assert!(unset.err.contains("the variable MY_KEY of"), "{unset:?}");
    }
    assert!(server.heard("X-Key: s3cret"));
}
