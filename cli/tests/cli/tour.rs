//! Every verb that needs a server, in a terminal, one after the other: what a person sees of each.
//!
//! Owns: what is done, and what differs from run to run. Must not know: languages, golden files.

use std::fmt::Write as _;

use crate::program::run;
use crate::screen::Screen;
use crate::terminal::Terminal;

/// Long enough for every list.
const SIZE: (u16, u16) = (400, 100);
const ENTER: &str = "\r";
const CTRL_C: &str = "\x03";

/// How a server is reached.
#[derive(Clone, Copy)]
pub(crate) enum Server<'a> {
    /// The words that start it.
    Stdio(&'a [String]),
    /// Its URL.
    Http(&'a str),
}

impl<'a> Server<'a> {
    /// The command line of a verb with its words, before which there may be the file of a recording.
    fn words(&self, verb: &'a str, file: Option<&'a str>, rest: &[&'a str]) -> Vec<&'a str> {
        let first = [verb].into_iter().chain(file);
        let rest = rest.iter().copied();
        match self {
            Self::Http(url) => first.chain([*url]).chain(rest).collect(),
            Self::Stdio(command) => {
                first.chain(rest).chain(["--"]).chain(command.iter().map(String::as_str)).collect()
            }
        }
    }

    /// The text with the server's name in the place of its words and of its URL.
    fn nameless(&self, text: &str) -> String {
        match self {
            Self::Http(url) => text.replace(url, "SERVER"),
            Self::Stdio(words) => {
                words.iter().fold(text.to_owned(), |text, word| text.replace(word, "SERVER"))
            }
        }
    }
}

/// What was seen, verb by verb.
pub(crate) fn tour(server: &Server<'_>) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("session.jsonl");
    let file = file.to_str().expect("text");
    let mut seen = String::new();
    let mut see = |shown: &str, words: &[&str]| {
        let (code, screen) = Terminal::sized(words, SIZE).ends();
        let screen = server.nameless(&Screen::of(&screen, SIZE).text()).replace(file, "FILE");
        let screen = if ["ping", "bench"].contains(&words[0]) { without_figures(&screen) } else { screen };
        let _ = write!(seen, "$ mcpbolt {shown}\n{screen}[exit code {code}]\n\n");
    };
    for step in [
        &["list"][..],
        &["list", "--only", "prompts", "--schemas"],
        &["call", "greet", "name=Ada"],
        &["call", "test_tool_with_progress"],
        &["call", "test_image_content"],
        &["call", "test_error_handling"],
        &["call", "greet"],
        &["call", "gret", "name=Ada"],
        &["read", "test://static-text"],
        &["read", "test://static-binary"],
        &["read", "test://template/7/data"],
        &["prompt", "test_prompt_with_arguments", "arg1=1", "arg2=two words"],
        &["ping", "--count", "2"],
        &["watch", "--for", "50ms"],
        &["bench", "--requests", "20", "--concurrency", "4"],
        &["check"],
    ] {
        let shown = format!("{} SERVER {}", step[0], step[1..].join(" "));
        see(shown.trim_end(), &server.words(step[0], None, &step[1..]));
    }
    let program = env!("CARGO_BIN_EXE_mcpbolt");
    let call = ["call", "greet", "name=Ada", "--", program];
    for (shown, words) in [
        ("bridge --stdio SERVER", server.words("bridge", None, &["--stdio"])),
        ("record FILE SERVER", server.words("record", Some(file), &[])),
        ("replay FILE", vec!["replay", file]),
    ] {
        see(&format!("call greet name=Ada -- mcpbolt {shown}"), &[&call[..], &words[..]].concat());
    }
    see("replay FILE SERVER", &server.words("replay", Some(file), &[]));
    until_ctrl_c(server);
    seen
}

/// Verbs that a person ends.
fn until_ctrl_c(server: &Server<'_>) {
    let mut inspect = Terminal::start(&server.words("inspect", None, &["--no-open"]));
    inspect.sees("http://127.0.0.1:").sees("token=").types(CTRL_C);
    assert_eq!(inspect.ends().0, 0);
    let mut bridge = Terminal::start(&server.words("bridge", None, &["--http", "127.0.0.1:0"]));
    bridge.sees("http://127.0.0.1:").sees("/mcp\r\n");
    let said = bridge
        .screen
        .split_whitespace()
        .find(|word| word.ends_with("/mcp") && word.starts_with("http"))
        .expect("a URL");
    assert_eq!(run(["call", said, "greet", "name=Ada"]).exits(0).out, "Hello, Ada!\n");
    bridge.types(CTRL_C);
    assert_eq!(bridge.ends().0, 130);
    // A server over HTTP has others who can make it speak.
    if let Server::Http(url) = server {
        let mut watch = Terminal::start(&["watch", url]);
        watch.sees_after("the list of tools changed", || {
            drop(run(["call", url, "test_trigger_tool_change"]).exits(0));
        });
        watch.types(CTRL_C);
        assert_eq!(watch.ends().0, 0);
    }
}

/// What a server asks a person, in both eras.
pub(crate) fn questions(server: &Server<'_>) {
    for protocol in ["legacy", "modern"] {
        let call = |tool: &'static str, argument: &'static str| {
            Terminal::start(&server.words("call", None, &[tool, argument, "--protocol-version", protocol]))
        };
        let mut form = call("test_elicitation", "message=Who are you?");
        form.sees("Who are you?").sees("Answer?").types(ENTER);
        // Some languages make a title of the name, in some an object has no order.
        let mut fields = vec![("sername", "Ada\r"), ("mail", "ada@example.com\r")];
        while !fields.is_empty() {
            let names: Vec<_> = fields.iter().map(|(name, _)| *name).collect();
            let (_, answer) = fields.remove(form.sees_one_of(&names));
            form.sees("›").types(answer);
        }
        form.sees("Send this?").types(ENTER).sees("accept").sees("ada@example.com");
        assert_eq!(form.ends().0, 0, "{protocol}");
        let mut model = call("test_sampling", "prompt=Say hi");
        model.sees("user: Say hi").sees("Answer?").types(ENTER).sees("assistant").types("hi there\r");
        model.sees("hi there").sees("hi there");
        assert_eq!(model.ends().0, 0, "{protocol}");
    }
}

/// The text without what was measured: times, rates, and the picture of them.
fn without_figures(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('≤'));
    lines.fold(String::new(), |text, line| match line.strip_suffix(" answers a second") {
        Some(_) => text + "# answers a second\n",
        None => text + &decimals(line) + "\n",
    })
}

/// The line with `#` for each number that has a point.
fn decimals(line: &str) -> String {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let mut left = line;
    let mut found = String::new();
    while let Some(at) = left.find(|c: char| c.is_ascii_digit()) {
        let end = left[at..].find(|c| !is_part(c)).map_or(left.len(), |end| at + end);
        let number = &left[at..end];
        found.push_str(&left[..at]);
        found.push_str(if number.trim_end_matches('.').contains('.') { "#" } else { number });
        left = &left[end..];
    }
    found + left
}

#[test]
fn only_what_was_measured_is_left_out() {
    let text = "20 answers in 0.01 s, 4 under way at a time (2026-07-28, connected in 3.2 ms)\n2000 answers a second\n  ≤     0.20 ms ███ 7\n";
    let steady =
        "20 answers in # s, 4 under way at a time (2026-07-28, connected in # ms)\n# answers a second\n";
    assert_eq!(without_figures(text), steady);
}
