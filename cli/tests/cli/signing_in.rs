//! `--auth`: the program signs a person in, whose browser has no window here, and keeps the tokens.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::{env, fs};

use tokio::runtime::Runtime;

use crate::program::{BOUND, Ran, command, wait};
use crate::serving;
use crate::world::{World, get};

/// A home, in which the program that opens browsers hands the URL to this process.
struct Home {
    folder: tempfile::TempDir,
    opened: mpsc::Receiver<String>,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().join("bin");
        let pipe = folder.path().join("opened");
        fs::create_dir(&bin).unwrap();
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let script = format!("#!/bin/sh\nprintf %s \"$1\" > '{}'\n", pipe.display());
        for name in ["xdg-open", "open"] {
            let opener = bin.join(name);
            fs::write(&opener, &script).unwrap();
            fs::set_permissions(&opener, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let (tell, opened) = mpsc::channel();
        // A read ends when the script has ended.
        std::thread::spawn(move || {
            while let Ok(url) = fs::read_to_string(&pipe) {
                if tell.send(url).is_err() {
                    break;
                }
            }
        });
        Self { folder, opened }
    }

    fn start(&self, words: &[&str]) -> std::process::Child {
        let path = env::var_os("PATH").unwrap_or_default();
        let bin = self.folder.path().join("bin");
        let path = env::join_paths(std::iter::once(bin).chain(env::split_paths(&path))).unwrap();
        let mut command = command(words);
        command.env("HOME", self.folder.path()).env("PATH", path).env_remove("XDG_STATE_HOME");
        command.spawn().unwrap()
    }

    fn credentials(&self) -> std::path::PathBuf {
        self.folder.path().join(if cfg!(target_os = "macos") {
            "Library/Application Support/mcpbolt/credentials"
        } else {
            ".local/state/mcpbolt/credentials"
        })
    }

    /// Signs in with a browser that follows the redirect back to the program.
    fn sign_in(&self, runtime: &Runtime, words: &[&str]) -> Ran {
        let child = self.start(words);
        let url = self.opened.recv_timeout(BOUND).expect("a page is opened");
        runtime.block_on(async {
            let (_, back, _) = get(&url).await;
            let (status, ..) = get(&back.expect("a redirect")).await;
            assert_eq!(status, 200);
        });
        wait(child)
    }
}

fn world() -> (Runtime, World) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let world = runtime.block_on(World::start());
    (runtime, world)
}

#[test]
fn a_person_signs_in_once() {
    let (runtime, world) = world();
    let home = Home::new();
    let words =
        ["call", &world.url, "read", "--arguments", "{}", "--auth", "oauth", "--protocol-version", "legacy"];
    assert_eq!(home.sign_in(&runtime, &words).exits(0).out, "done\n");
    assert_eq!(world.grants("authorization_code"), 1);
    for file in fs::read_dir(home.credentials()).unwrap() {
        let mode = fs::metadata(file.unwrap().path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "only the user reads tokens");
    }
    // The next one has the token, and one whose token has expired has another, without a browser.
    assert_eq!(wait(home.start(&words)).exits(0).out, "done\n");
    world.expire_tokens();
    assert_eq!(wait(home.start(&words)).exits(0).out, "done\n");
    assert_eq!((world.grants("authorization_code"), world.grants("refresh_token")), (1, 1));
    assert!(home.opened.try_recv().is_err());
}

#[test]
fn a_person_who_says_no_is_denied() {
    let (runtime, world) = world();
    world.set(|state| state.denies = true);
    let home = Home::new();
    let words = ["list", &world.url, "--auth", "oauth", "--protocol-version", "legacy"];
    let ran = home.sign_in(&runtime, &words);
    assert_ne!(ran.code, 0, "{ran:?}");
    assert!(ran.err.contains("access_denied"), "{ran:?}");
    assert!(!Path::new(&home.credentials()).join("tokens").exists());
}

#[test]
fn where_there_is_no_browser_the_page_is_named() {
    let (_runtime, world) = world();
    let folder = tempfile::tempdir().unwrap();
    let mut command =
        command(["list", &world.url, "--auth", "oauth", "--timeout", "2s", "--protocol-version", "legacy"]);
    command.env("HOME", folder.path()).env("PATH", folder.path());
    let ran = wait(command.spawn().unwrap());
    assert_ne!(ran.code, 0, "{ran:?}");
    assert!(ran.err.contains("no browser can be opened here. Sign in at\nhttp://127.0.0.1:"), "{ran:?}");
}

#[test]
fn a_token_that_a_person_has_is_sent() {
    let (_runtime, world) = world();
    world.set(|state| drop(state.tokens.insert("t0ken".to_owned(), "files:read".to_owned())));
    let words = ["list", &world.url, "--auth", "token", "--protocol-version", "legacy"];
    wait(command(words).env("MCPBOLT_TOKEN", "t0ken").spawn().unwrap()).exits(0);
    let refused = wait(command(words).env("MCPBOLT_TOKEN", "other").spawn().unwrap()).exits(4);
    assert!(!refused.err.contains("other"), "{refused:?}");
    let missing = wait(command(words).spawn().unwrap()).exits(2);
    assert!(missing.err.contains("MCPBOLT_TOKEN is not set"), "{missing:?}");
    // Programs are sent no headers.
    let served = serving::Serving::start(serving::shape);
    wait(command(["ping", &served.url, "--auth", "token"]).env("MCPBOLT_TOKEN", "t").spawn().unwrap())
        .exits(0);
}
