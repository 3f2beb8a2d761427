//! Questions of servers: at a terminal they are asked, elsewhere refused.

use crate::program::{everything, example, on};

#[test]
fn where_nobody_is_there_questions_are_refused_with_a_word() {
    let form = on(&everything(), &["call", "test_elicitation", "message=Who?"]);
    assert!(
        form.err.contains("the server asks for a form; refused, because standard input is no terminal"),
        "{form:?}"
    );
    assert!(form.out.contains("action=cancel"), "{form:?}");
    let model = on(&everything(), &["call", "test_sampling", "prompt=Say hi"]);
    assert_ne!(model.code, 0);
    assert!(model.err.contains("the server asks for an answer of a model; refused"), "{model:?}");
}

#[cfg(target_os = "linux")]
mod at_a_terminal {
    use std::sync::Arc;

    use mcpbolt::server::Context;
    use mcpbolt::types::{ElicitParams, FormSchema, Tool};
    use serde_json::{Value, json};
    use tokio::sync::Notify;

    use super::*;
    use crate::program::run;
    use crate::serving::{self, Serving};
    use crate::terminal::Terminal;

    const DOWN: &str = "\x1b[B";
    const DOWN_TWICE: &str = "\x1b[B\x1b[B";
    const DOWN_THRICE: &str = "\x1b[B\x1b[B\x1b[B";
    /// From what is proposed, which is to decline, to the first way.
    const UP_TO_FIRST: &str = "\x1b[A\x1b[A";
    const ENTER: &str = "\r";
    const CTRL_C: &str = "\x03";

    fn everything_in(words: &[&str]) -> Terminal {
        let server = everything();
        let words: Vec<&str> = words.iter().copied().chain(["--", server.to_str().unwrap()]).collect();
        Terminal::start(&words)
    }

    #[test]
    fn a_form_is_filled_in_and_looked_at_before_it_is_sent() {
        for protocol in ["legacy", "modern"] {
            let words = ["call", "test_elicitation", "message=Who are you?", "--protocol-version", protocol];
            let mut terminal = everything_in(&words);
            terminal.sees("Who are you?").sees("Answer?").types(ENTER);
            terminal.sees("Your name").sees("username").types("Ada\r");
            terminal.sees("email").types("ada@example.com\r");
            terminal.sees("\"Ada\"").sees("Send this?").types(ENTER);
            terminal.sees("action=accept").sees("ada@example.com");
            assert_eq!(terminal.ends().0, 0);
        }
    }

    #[test]
    fn a_form_can_be_declined() {
        let mut terminal = everything_in(&["call", "test_elicitation", "message=Who?"]);
        terminal.sees("Answer?").types(DOWN).types(ENTER).sees("action=decline");
        assert_eq!(terminal.ends().0, 0);
    }

    /// A server with a tool that sends its person to a page.
    fn paying() -> Serving {
        Serving::start(|builder| {
            let tool = mcpbolt::types::Tool::new("pay", serde_json::json!({"type": "object"}));
            builder.raw_tool(tool, |_: serde_json::Value, ctx: mcpbolt::server::Context| async move {
                let page = mcpbolt::types::ElicitUrlParams {
                    message: "Pay for the tea".to_owned(),
                    url: "http://xn--bcher-kva.example:8080/pay?cup=1".to_owned(),
                    elicitation_id: Some("pay-1".to_owned()),
                    ..mcpbolt::types::ElicitUrlParams::default()
                };
                match ctx.elicit(mcpbolt::types::ElicitParams::Url(page)).await {
                    Ok(answer) => format!("the person said {}", answer.action.as_str()),
                    Err(why) => why.message,
                }
            })
        })
    }

    #[test]
    fn a_page_is_shown_with_its_origin_before_anybody_goes_there() {
        let served = paying();
        for protocol in ["2025-11-25", "modern"] {
            let ways = [("", "accept"), (DOWN_TWICE, "decline"), (DOWN_THRICE, "cancel")];
            for (keys, answer) in ways {
                let mut terminal =
                    Terminal::start(&["call", &served.url, "pay", "--protocol-version", protocol]);
                terminal.sees("The server asks you to visit a page:").sees("Pay for the tea");
                terminal.sees("http://xn--bcher-kva.example:8080/pay?cup=1");
                terminal.sees("It belongs to").sees("http://xn--bcher-kva.example:8080");
                terminal.sees("may imitate another name").sees("It is not encrypted");
                terminal.sees("Visit it?").sees("Decline").types(UP_TO_FIRST).types(keys).types(ENTER);
                terminal.sees(&format!("the person said {answer}"));
                assert_eq!(terminal.ends().0, 0, "{protocol}");
            }
        }
    }

    #[test]
    fn where_nobody_is_there_no_page_is_visited() {
        let ran = run(["call", &paying().url, "pay"]).exits(0);
        assert!(ran.err.contains("the server asks for a visit of a page; refused"), "{ran:?}");
        assert_eq!(ran.out, "the person said cancel\n");
    }

    #[test]
    fn a_person_answers_in_the_place_of_a_model() {
        let mut terminal = everything_in(&["call", "test_sampling", "prompt=Say hi"]);
        terminal.sees("user: Say hi").sees("Answer?").types(ENTER).sees("assistant").types("hi there\r");
        terminal.sees("LLM response: hi there");
        assert_eq!(terminal.ends().0, 0);
        let mut refused = everything_in(&["call", "test_sampling", "prompt=Say hi"]);
        refused.sees("Answer?").types(DOWN).types(ENTER);
        assert_ne!(refused.ends().0, 0);
    }

    #[test]
    fn roots_are_asked_for_where_none_are_given() {
        let folder = tempfile::tempdir().unwrap();
        let server = example("notes-server");
        let notes = folder.path().to_str().unwrap();
        let mut terminal = Terminal::start(&["call", "check_roots", "--", server.to_str().unwrap(), notes]);
        terminal.sees("which folders").sees("Tell it").types("y").sees("roots.");
        assert_eq!(terminal.ends().0, 0);
    }

    #[test]
    fn ctrl_c_in_a_question_ends_all() {
        let mut terminal = everything_in(&["call", "test_elicitation", "message=Who?"]);
        terminal.sees("Answer?").types(CTRL_C);
        assert_eq!(terminal.ends().0, 130);
    }

    #[test]
    fn the_signal_of_ctrl_c_ends_a_question_too() {
        let mut terminal = everything_in(&["call", "test_elicitation", "message=Who?"]);
        terminal.sees("Answer?").interrupts().sees("[exit code 130]");
        // The shell finds it as it was.
        assert!(terminal.takes_lines(), "keys are still read one by one");
        let last = |code: &str| terminal.screen.rfind(code);
        assert!(last("\x1b[?25h") > last("\x1b[?25l"), "no cursor: {:?}", terminal.screen);
    }

    /// A form with one text.
    fn form(message: &str, proposed: &str) -> ElicitParams {
        let schema =
            json!({"type": "object", "properties": {"code": {"type": "string", "default": proposed}}});
        ElicitParams::form(message, FormSchema::from_raw(schema.into()))
    }

    #[test]
    fn what_a_form_proposes_steers_no_terminal_and_goes_back_as_it_came() {
        const PROPOSED: &str = "\u{1b}]52;c;aGk=\u{7}";
        let served = Serving::start(|builder| {
            let tool = Tool::new("ask", json!({"type": "object"}));
            builder.raw_tool(tool, |_: Value, ctx: Context| async move {
                let answer = ctx.elicit(form("Which?", PROPOSED)).await;
                let content = answer.ok().and_then(|answer| answer.content);
                let code = content.and_then(|content| content.get("code")?.as_string());
                format!("as it came: {}", code.as_deref() == Some(PROPOSED))
            })
        });
        let mut terminal = Terminal::start(&["call", &served.url, "ask"]);
        terminal.sees("Which?").sees("Answer?").types(ENTER);
        terminal.sees("code").sees("␛]52;c;aGk=␇").types(ENTER);
        terminal.sees("Send this?").types(ENTER).sees("as it came: true");
        let (code, screen) = terminal.ends();
        assert!(code == 0 && !screen.contains("\u{1b}]52"), "{screen:?}");
    }

    #[test]
    fn a_question_that_is_not_asked_any_more_keeps_its_keys() {
        let withdraw = Arc::new(Notify::new());
        let heard = Arc::clone(&withdraw);
        let served = Serving::start(|builder| {
            let tool = Tool::new("ask", json!({"type": "object"}));
            builder.raw_tool(tool, move |_: Value, ctx: Context| {
                let heard = Arc::clone(&heard);
                async move {
                    tokio::select! {
                        _ = ctx.elicit(form("The first?", "")) => {}
                        () = heard.notified() => {}
                    }
                    // Who answers this has heard the question that was sent before it.
                    let after = async {
                        let _ = ctx.list_roots().await;
                        ctx.warning("asked anew");
                    };
                    let (answer, ()) = tokio::join!(ctx.elicit(form("The second?", "")), after);
                    match answer {
                        Ok(answer) => format!("the second: {}", answer.action.as_str()),
                        Err(why) => why.message,
                    }
                }
            })
        });
        let words = ["call", &served.url, "ask", "--protocol-version", "2025-11-25", "--root", "."];
        let mut terminal = Terminal::start(&words);
        terminal.sees("The first?").sees("Answer?");
        withdraw.notify_one();
        terminal.sees("asked anew");
        assert!(!terminal.screen.contains("The second?"), "{}", terminal.screen);
        terminal.types(DOWN).types(ENTER).sees("The second?").sees("Answer?").types(DOWN_TWICE).types(ENTER);
        terminal.sees("the second: cancel");
        assert_eq!(terminal.ends().0, 0);
    }

    #[test]
    fn progress_is_shown_and_ctrl_c_cancels() {
        let served = Serving::start(serving::shape);
        let mut terminal = Terminal::start(&["call", &served.url, "slow"]);
        terminal.sees("working").sees("25%").types(CTRL_C).sees("cancelled");
        assert_eq!(terminal.ends().0, 130);
        assert_eq!([served.told(), served.told()], ["slow began", "slow was cancelled"]);
    }

    #[test]
    fn a_person_gets_headings_signatures_and_colours() {
        let served = Serving::start(|builder| {
            serving::shape(builder).raw_tool(
                mcpbolt::types::Tool::new("evil", serde_json::json!({"type": "object"}))
                    .description("Clears \u{1b}[2Jthe screen"),
                |_: serde_json::Value, _: mcpbolt::server::Context| async { "\u{1b}]0;title\u{7}" },
            )
        });
        let (code, screen) = Terminal::start(&["list", &served.url]).ends();
        assert_eq!(code, 0, "{screen}");
        assert!(screen.contains("Tools (3)") && screen.contains("(n: integer, tags?: string[]"), "{screen}");
        assert!(screen.contains("\u{1b}[1m"), "bold headings: {screen:?}");
        assert!(screen.contains("Clears ␛[2Jthe screen"), "{screen:?}");
        let (_, plain) = Terminal::start(&["list", &served.url, "--color", "never"]).ends();
        assert!(plain.contains("Tools (3)") && !plain.contains("\u{1b}[1m"), "{plain:?}");
        let (_, said) = Terminal::start(&["call", &served.url, "evil"]).ends();
        assert!(said.contains("␛]0;title␇"), "{said:?}");
    }

    #[test]
    fn bytes_are_not_written_to_a_terminal() {
        let (code, screen) = everything_in(&["read", "test://static-binary"]).ends();
        assert_eq!(code, 0);
        assert!(
            screen.contains("[test://static-binary image/png, ") && screen.contains("--output FILE"),
            "{screen}"
        );
    }
}
