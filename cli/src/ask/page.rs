//! A page that the server wants to be visited.
//!
//! Owns: what a person has to see before they agree. Must not know: why the server wants it.

use std::io;

use mcpbolt::Error;
use mcpbolt::client::PageRequest;
use mcpbolt::types::ElicitResult;

use super::{Desk, texts};
use crate::output::{BOLD, WARN, safe};

pub(super) fn ask(desk: &Desk, page: &PageRequest) -> io::Result<Result<ElicitResult, Error>> {
    desk.heading("The server asks you to visit a page:", &page.message)?;
    desk.say(&format!("  {}", safe(&page.url)))?;
    desk.say(&format!("  It belongs to {}", desk.output.paint_note(BOLD, page.origin())))?;
    let warn = |text: &str| desk.say(&format!("  {}", desk.output.paint_note(WARN, text)));
    if page.is_punycode() {
        warn("Its name has letters that may imitate another name.")?;
    }
    if !page.is_secure() {
        warn("It is not encrypted.")?;
    }
    let ways = texts(&["I open it myself", "Open it in the browser", "Decline", "Cancel"]);
    Ok(Ok(match desk.choose("Visit it?", &ways, 2)? {
        0 => ElicitResult::accept_url(),
        1 => match open::that_detached(&page.url) {
            Ok(()) => ElicitResult::accept_url(),
            Err(why) => {
                desk.say(&format!("  The browser cannot be opened: {why}"))?;
                ElicitResult::cancel()
            }
        },
        2 => ElicitResult::decline(),
        _ => ElicitResult::cancel(),
    }))
}
