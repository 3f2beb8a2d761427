//! `docs/bench.svg` and its like: calls per second as bars, written as plain SVG text. Colours and
//! letters follow the reader's light or dark scheme.

use std::fmt::Write as _;

use crate::Found;
use crate::report;
use crate::sample::Spread;
use crate::suite::{Metric, Role, Suite};

const WIDTH: f64 = 760.0;
const LEFT: f64 = 300.0;
const BAR: f64 = 15.0;
const GAP: f64 = 14.0;
const TOP: f64 = 64.0;

const STYLE: &str = "
  text { font: 13px system-ui, sans-serif; fill: #1f2328; }
  .head { font-weight: 600; font-size: 15px; }
  .soft { fill: #59636e; }
  .ours { fill: #c2410c; } .peer { fill: #4f7ca8; } .shown { fill: #b8bec5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .soft { fill: #9198a1; }
    .ours { fill: #fb923c; } .peer { fill: #6ea8dc; } .shown { fill: #59636e; }
  }
";

/// The name of a suite's picture; the first suite had no name in it.
pub fn name(suite: &Suite) -> String {
    if suite.name == "rust" { "bench.svg".to_owned() } else { format!("bench-{}.svg", suite.name) }
}

/// One group of bars per row that counts calls.
pub fn draw(suite: &Suite, found: &[Found]) -> String {
    let rate = |found: &Found, at: usize| {
        Spread::of(found.samples[at].iter().filter_map(|sample| sample.get(Metric::Rate)))
    };
    let counted = |found: &&Found| found.row.goals.iter().any(|goal| goal.metric == Metric::Rate);
    let rows: Vec<&Found> = found.iter().filter(counted).collect();
    let greatest = rows
        .iter()
        .flat_map(|found| (0..found.samples.len()).filter_map(|at| rate(found, at)))
        .map(|spread| spread.median)
        .fold(1.0, f64::max);
    let scale = (WIDTH - LEFT - 90.0) / greatest;
    let mut bars = String::new();
    let mut y = TOP;
    for found in &rows {
        let _ = writeln!(
            bars,
            r#"  <text x="{}" y="{}" text-anchor="end">{}</text>"#,
            LEFT - 10.0,
            y + BAR * 0.8,
            escape(found.row.title)
        );
        for (at, entrant) in found.row.entrants.iter().enumerate() {
            let Some(spread) = rate(found, at) else { continue };
            let width = (spread.median * scale).max(1.0);
            let class = class(entrant.role);
            let _ = writeln!(
                bars,
                r#"  <rect class="{class}" x="{LEFT}" y="{y}" width="{width:.1}" height="{:.1}" rx="2"/>"#,
                BAR - 2.0
            );
            let _ = writeln!(
                bars,
                r#"  <text class="soft" x="{:.1}" y="{:.1}">{}</text>"#,
                LEFT + width + 6.0,
                y + BAR * 0.75,
                report::label(spread.median)
            );
            y += BAR;
        }
        y += GAP;
    }
    let height = y + 10.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">\n<style>{STYLE}</style>\n  <text class=\"head\" x=\"12\" y=\"26\">Checked calls per second</text>\n{}{bars}</svg>\n",
        escape(suite.title),
        legend(&rows),
    )
}

fn class(role: Role) -> &'static str {
    match role {
        Role::Ours => "ours",
        Role::Peer => "peer",
        Role::Shown => "shown",
    }
}

fn legend(rows: &[&Found]) -> String {
    let mut out = String::new();
    let mut x = LEFT;
    let entrants = rows.iter().max_by_key(|found| found.row.entrants.len()).map(|found| &found.row.entrants);
    for entrant in entrants.into_iter().flatten() {
        let _ = writeln!(
            out,
            r#"  <rect class="{}" x="{x}" y="15" width="12" height="12" rx="2"/>"#,
            class(entrant.role)
        );
        let _ = writeln!(out, r#"  <text x="{}" y="26">{}</text>"#, x + 18.0, escape(entrant.name));
        x += 110.0;
    }
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
