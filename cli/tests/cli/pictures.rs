//! Pictures of the terminal for the documentation: what a person sees of a few commands, drawn from what
//! they wrote to a terminal. They are the same as long as the program prints the same.

use std::fmt::Write as _;
use std::sync::mpsc;

use mcpbolt::server::{Context, Server};
use mcpbolt::types::{IndexMap, Prompt, PromptArgument, Resource, Tool, ToolAnnotations};
use serde_json::{Value, json};

use crate::golden::same_file;
use crate::screen::Screen;
use crate::serving::Serving;
use crate::terminal::Terminal;

const SIZE: (u16, u16) = (60, 100);
/// The address that people see in the place of one on this machine.
const SHOWN: &str = "https://tea.example/mcp";

/// A shop like that on the pictures of the page.
fn shop() -> Serving {
    let order = Tool::new(
        "order",
        json!({"type": "object", "required": ["tea", "grams"], "properties": {
            "tea": {"enum": ["green", "black", "white"], "description": "Which tea"},
            "grams": {"type": "integer", "minimum": 50, "description": "How much of it"},
            "gift": {"type": "boolean", "description": "Whether it is wrapped"},
            "notes": {"type": "array", "items": {"type": "string"}, "description": "What the shop should know"},
        }}),
    );
    let order = order.description("Orders tea, which arrives within three days.");
    let track = json!({"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}});
    let track = Tool::new("track", track)
        .description("Says where a parcel is.")
        .annotations(ToolAnnotations::new().read_only_hint(true));
    let prices = Resource::new("tea://prices", "prices").description("What a gram of each tea costs");
    let recommend = Prompt::new("recommend")
        .description("Asks which tea goes with something")
        .argument(PromptArgument::new("with").description("What is eaten").required(true));
    let server = Server::builder("tea-shop", "2.1.0")
        .title("Tea shop")
        .instructions("Ask for the prices before you order.")
        .raw_tool(order, |given: Value, ctx: Context| async move {
            ctx.info("the shelf is being looked at");
            format!("Ordered: {} g of {} tea.", given["grams"], given["tea"].as_str().unwrap_or_default())
        })
        .raw_tool(track, |_: Value, _: Context| async { "On its way." })
        .resource(prices.mime_type("text/csv"), |_| async { "green,0.09".to_owned() })
        .prompt(recommend, |given: IndexMap<String, String>, _| async move {
            format!("Which tea goes with {}?", given.get("with").map_or("this", String::as_str))
        })
        .build();
    Serving::of(server, mpsc::channel().1)
}

/// Commands one after the other, each on a terminal, as one screen.
fn drawn(name: &str, title: &str, commands: &[&str]) {
    let shop = shop();
    let mut written = String::new();
    for line in commands {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let words: Vec<&str> = [verb, &shop.url].into_iter().chain(rest.split_whitespace()).collect();
        let (_, screen) = Terminal::sized(&words, SIZE).ends();
        let screen = screen
            .replace(&shop.url, SHOWN)
            .replace(shop.url.trim_end_matches("/mcp"), "https://tea.example");
        let shown = format!("{verb} {SHOWN} {rest}");
        let _ =
            write!(written, "\x1b[32m$\x1b[0m \x1b[1mmcpbolt {}\x1b[0m\r\n{screen}\r\n", shown.trim_end());
    }
    same_file(&format!("docs/pictures/{name}.svg"), &Screen::of(&written, SIZE).picture(title));
}

#[test]
fn a_list_and_calls_are_drawn() {
    drawn(
        "terminal-list",
        "mcpbolt list: tools with their arguments, resources and prompts of a server",
        &["list"],
    );
    drawn(
        "terminal-call",
        "mcpbolt call: an answer, an argument that does not fit, a tool that is not there",
        &["call order tea=green grams=250", "call order tea=blue grams=250", "call ordre tea=green"],
    );
}

#[test]
fn findings_are_drawn() {
    drawn(
        "terminal-check",
        "mcpbolt check: what is wrong with a server, and what to do about it",
        &["check"],
    );
}
