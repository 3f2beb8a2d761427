//! What is on a terminal's screen after all that a program wrote: text, and a picture of it.

use std::fmt::Write as _;
use std::num::NonZeroU16;

use vt100::{Cell, Color, Parser};

/// Width and height of a character in a picture, and the space around all of them.
const CELL: (u32, u32) = (8, 18);
const MARGIN: u32 = 16;
const PAPER: &str = "#1b1f27";
const INK: &str = "#d7dce4";
/// The sixteen colours of terminals, each readable on the paper.
const COLOURS: [&str; 16] = [
    "#5c6370", "#ff7b86", "#98d982", "#f0c674", "#7db4ff", "#d7a0f0", "#67d4dc", "#d7dce4", "#8b93a1",
    "#ff9aa2", "#b5e8a2", "#ffdf9a", "#a3caff", "#e6c0f8", "#93e6ec", "#ffffff",
];

/// The screen.
pub(crate) struct Screen(Parser);

impl Screen {
    pub(crate) fn of(written: &str, (rows, columns): (u16, u16)) -> Self {
        let size = |of: u16| NonZeroU16::new(of).expect("a size");
        let mut parser = Parser::new(size(rows), size(columns), 0);
        parser.process(written.as_bytes());
        Self(parser)
    }

    fn columns(&self) -> u16 {
        self.0.screen().size().1.get()
    }

    /// Its lines, without spaces at their ends and without empty lines at the end.
    pub(crate) fn text(&self) -> String {
        let lines = self.0.screen().rows(0, self.columns());
        let lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
        let last = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
        lines[..last].iter().fold(String::new(), |text, line| format!("{text}{line}\n"))
    }

    /// A picture as SVG, which is the same for the same screen; `title` is for those who do not see it.
    pub(crate) fn picture(&self, title: &str) -> String {
        let (rows, columns) = (self.text().lines().count(), self.columns());
        let across = MARGIN * 2 + u32::from(columns) * CELL.0;
        let down = MARGIN * 2 + u32::try_from(rows).expect("a small screen") * CELL.1;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {across} {down}\" width=\"{across}\" height=\"{down}\" \
             role=\"img\" font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"13\">\n\
             <title>{}</title>\n<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{PAPER}\"/>\n",
            escaped(title)
        );
        for row in 0..u16::try_from(rows).expect("a small screen") {
            self.row(&mut svg, row, columns);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// One element for each run of the same style, as wide as its cells whatever the font is.
    fn row(&self, svg: &mut String, row: u16, columns: u16) {
        let mut column = 0;
        while column < columns {
            let style = self.style(row, column);
            let from = column;
            let mut text = String::new();
            while column < columns && self.style(row, column) == style {
                let cell = self.0.screen().cell(row, column).map(Cell::contents).unwrap_or_default();
                text.push_str(if cell.is_empty() { " " } else { cell });
                column += 1;
            }
            let words = text.trim_end();
            if words.trim_start().is_empty() {
                continue;
            }
            let before = u32::try_from(words.len() - words.trim_start().len()).expect("a short line");
            let words = words.trim_start();
            let x = MARGIN + (u32::from(from) + before) * CELL.0;
            let y = MARGIN + u32::from(row) * CELL.1 + 13;
            let length = u32::try_from(words.chars().count()).expect("a short line") * CELL.0;
            let words = escaped(words);
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{y}\" textLength=\"{length}\" xml:space=\"preserve\"{style}>{words}</text>"
            );
        }
    }

    /// Attributes of a cell.
    fn style(&self, row: u16, column: u16) -> String {
        let Some(cell) = self.0.screen().cell(row, column) else { return String::new() };
        let ink = match cell.fgcolor() {
            Color::Idx(at) => COLOURS.get(usize::from(at)).copied().unwrap_or(INK).to_owned(),
            Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
            Color::Default => INK.to_owned(),
        };
        let mut style = format!(" fill=\"{ink}\"");
        for (on, attribute) in [(cell.bold(), " font-weight=\"bold\""), (cell.dim(), " opacity=\"0.65\"")] {
            style.push_str(if on { attribute } else { "" });
        }
        style
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[test]
fn a_line_that_was_written_over_is_not_there_any_more() {
    let screen = Screen::of("⠋ waiting\r\x1b[2K\x1b[1mtwo\x1b[0m <words>\r\n", (4, 20));
    assert_eq!(screen.text(), "two <words>\n");
    let picture = screen.picture("A & B");
    assert!(
        picture.contains("<title>A &amp; B</title>") && picture.contains("font-weight=\"bold\">two</text>"),
        "{picture}"
    );
    assert!(picture.contains(">&lt;words&gt;</text>") && !picture.contains("waiting"), "{picture}");
}
