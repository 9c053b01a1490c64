//! Screens that are shown in turn, as one animated picture.
//!
//! Nothing but CSS moves it. Who asks for less motion, and who has no CSS, sees the last screen. A row that several screens
//! have is in the file once.

use std::collections::BTreeMap;

use ratatui::buffer::Buffer;

use super::paper::Paper;
use super::row::{self, HEIGHT};
use super::{body, head, rows};

/// A screen of a recording.
#[derive(Clone, Debug)]
pub struct RecordedScreen {
    /// What is on it.
    pub screen: Buffer,
    /// How long it is shown, in milliseconds.
    pub shown_ms: u32,
}

/// The animated picture of these screens, which are all as large as the first one.
pub fn recording(screens: &[RecordedScreen], paper: Paper, title: &str) -> String {
    let Some(first) = screens.first() else {
        return String::new();
    };
    let total_ms: u32 = screens.iter().map(|it| it.shown_ms).sum();
    let mut known = BTreeMap::new();
    let (mut definitions, mut steps, mut groups) = (String::new(), String::new(), String::new());
    let mut from_ms = 0;
    for (at, RecordedScreen { screen, shown_ms }) in screens.iter().enumerate() {
        let until_ms = from_ms + shown_ms;
        let is_last = at + 1 == screens.len();
        steps.push_str(&keyframes(at, from_ms..until_ms, total_ms));
        let last = if is_last { " e" } else { "" };
        groups.extend([format!("<g id=\"f{at}\" class=\"f{last}\">")]);
        for (line, cells) in rows(screen).enumerate() {
            let drawn = row::row(cells, paper);
            if drawn.is_empty() {
                continue;
            }
            let next = known.len();
            let number = *known.entry(drawn).or_insert_with_key(|drawn| {
                definitions.extend([format!("<g id=\"r{next}\">{drawn}</g>\n")]);
                next
            });
            let top = line * HEIGHT;
            groups.extend([format!("<use href=\"#r{number}\" y=\"{top}\"/>")]);
        }
        groups.push_str("</g>\n");
        from_ms = until_ms;
    }
    let seconds = f64::from(total_ms) / 1000.0;
    format!(
        "{}<style>\n\
         .f{{visibility:hidden;animation:{seconds}s step-end infinite}}\n\
         .e{{visibility:visible}}\n\
         {steps}\
         @media (prefers-reduced-motion:reduce){{.f{{animation:none}}}}\n\
         </style>\n\
         {}<defs>\n{definitions}</defs>\n{groups}</g>\n</svg>\n",
        head(&first.screen, paper, title),
        body(paper)
    )
}

/// When a screen is seen, as CSS.
fn keyframes(at: usize, shown_ms: std::ops::Range<u32>, total_ms: u32) -> String {
    let percent = |ms: u32| {
        let share = f64::from(ms) / f64::from(total_ms.max(1));
        (share * 10_000.0).round() / 100.0
    };
    let (from, until) = (percent(shown_ms.start), percent(shown_ms.end));
    let mut steps = String::new();
    if shown_ms.start > 0 {
        steps.push_str("0%{visibility:hidden}");
    }
    steps.extend([format!("{from}%{{visibility:visible}}")]);
    if shown_ms.end < total_ms {
        steps.extend([format!("{until}%{{visibility:hidden}}")]);
    }
    format!("#f{at}{{animation-name:f{at}}}@keyframes f{at}{{{steps}}}\n")
}
