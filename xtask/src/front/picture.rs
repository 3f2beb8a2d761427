//! `docs/speed.svg`: how many times the calls of the official package, one bar each. Colours and
//! letters follow the reader's light or dark scheme.

use super::figures::Bench;
use std::fmt::Write as _;

const WIDTH: f64 = 760.0;
const LEFT: f64 = 250.0;
const TOP: f64 = 52.0;
const STEP: f64 = 26.0;

const STYLE: &str = "
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .head { font-weight: 600; font-size: 15px; }
  .soft { fill: #59636e; }
  .ours { fill: #c2410c; } .peer { fill: #4f7ca8; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .soft { fill: #9198a1; }
    .ours { fill: #fb923c; } .peer { fill: #6ea8dc; }
  }
";

/// What is shown: a label, the suite, and its row.
const BARS: &[(&str, &str, &str)] = &[
    ("Python, stdio, 2026-07-28", "python", "stdio, 2026-07-28, async def"),
    ("Python, HTTP sessions", "python", "HTTP, 2025-11-25, sessions"),
    ("Python, HTTP, 2026-07-28", "python", "HTTP, 2026-07-28"),
    ("Node, stdio, 2026-07-28", "node", "stdio, 2026-07-28"),
    ("Node, HTTP sessions", "node", "HTTP, 2025-11-25, sessions"),
    ("Node, HTTP, 2026-07-28", "node", "HTTP, 2026-07-28"),
    ("Kotlin, HTTP sessions", "kotlin", "HTTP, 2025-11-25, sessions"),
    ("Rust, stdio, 2026-07-28", "rust", "stdio, 2026-07-28, 64 in flight"),
    ("Rust, HTTP sessions", "rust", "HTTP, 2025-11-25, sessions"),
    ("Rust, HTTP, 2026-07-28", "rust", "HTTP, 2026-07-28"),
];

pub(super) fn draw(bench: &Bench) -> Result<String, String> {
    let rows = BARS
        .iter()
        .map(|(label, suite, row)| Ok((*label, bench.get(suite, row, "calls/s")?)))
        .collect::<Result<Vec<_>, String>>()?;
    let greatest = rows.iter().map(|(_, figure)| figure.ratio).fold(1.0, f64::max);
    let scale = (WIDTH - LEFT - 215.0) / greatest;
    let mut bars = String::new();
    for (y, (label, figure)) in (0_u16..).map(|at| TOP + STEP * f64::from(at)).zip(&rows) {
        let width = figure.ratio * scale;
        let _ = writeln!(
            bars,
            "  <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{label}</text>\n  \
             <rect class=\"ours\" x=\"{LEFT}\" y=\"{y}\" width=\"{width:.1}\" height=\"12\" rx=\"2\"/>\n  \
             <rect class=\"peer\" x=\"{LEFT}\" y=\"{}\" width=\"{scale:.1}\" height=\"5\" rx=\"1\"/>\n  \
             <text x=\"{:.1}\" y=\"{}\">{}<tspan class=\"soft\" dx=\"8\">{} : {}</tspan></text>",
            LEFT - 10.0,
            y + 12.0,
            y + 13.0,
            LEFT + width.max(scale) + 8.0,
            y + 12.0,
            figure.times(),
            figure.ours,
            figure.peer,
        );
    }
    let height = TOP + STEP * f64::from(u16::try_from(rows.len()).unwrap_or(u16::MAX)) + 6.0;
    let title = "Calls a second of a server, as a multiple of the official package's";
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"{title}\">\n<style>{STYLE}</style>\n  \
         <text class=\"head\" x=\"12\" y=\"26\">{title}</text>\n  \
         <rect class=\"peer\" x=\"560\" y=\"17\" width=\"12\" height=\"12\" rx=\"2\"/>\n  \
         <text x=\"578\" y=\"26\" class=\"soft\">the official package</text>\n{bars}</svg>\n"
    ))
}
