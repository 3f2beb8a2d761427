//! What was printed, compared with a file. `MCPBOLT_BLESS=1` writes the file instead.

use std::fs;

use crate::program::root;

/// Fails where the text is not that of the golden file.
pub(crate) fn same(name: &str, text: &str) {
    same_file(&format!("cli/tests/cli/golden/{name}"), text);
}

/// The same of any file of the checkout.
pub(crate) fn same_file(name: &str, text: &str) {
    let file = root().join(name);
    if std::env::var_os("MCPBOLT_BLESS").is_some_and(|wanted| wanted == "1") {
        fs::write(&file, text).expect("it can be written");
        return;
    }
    let expected = fs::read_to_string(&file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
    assert_eq!(text, expected, "not as in {name}; MCPBOLT_BLESS=1 writes it");
}

/// The text with what differs from run to run replaced.
pub(crate) fn steady(text: &str, changing: &[(&str, &str)]) -> String {
    let text = text.replace(env!("CARGO_PKG_VERSION"), "VERSION");
    changing.iter().fold(text, |text, (from, to)| text.replace(from, to))
}
