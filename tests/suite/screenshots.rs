//! The README's pictures: a browser draws each run of text as wide as its cells.

use crate::support::source::{self, File};

/// The width of a cell, as `scripts/screenshots` has it.
const CELL: f64 = 8.4;

/// `path:line` of each run that a browser would stretch: it drops spaces at an end and all but one inside, and spreads
/// the letters that are left over the whole `textLength`.
fn stretched(file: &File) -> Vec<String> {
    let mut found = Vec::new();
    for (line, at) in file.text.lines().zip(1..) {
        let Some((_, rest)) = line.split_once(" textLength=\"") else {
            continue;
        };
        let (length, rest) = rest.split_once('"').unwrap();
        let (_, rest) = rest.split_once('>').unwrap();
        let (text, _) = rest.split_once("</text>").unwrap();
        let drawn = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        let is_as_wide = (length.parse::<f64>().unwrap() - cells(&drawn) * CELL).abs() < 0.1;
        if drawn != text || !is_as_wide {
            found.push(format!("{}:{at}: {text}", file.path));
        }
    }
    found
}

/// How many cells of a terminal the text of an element fills.
fn cells(text: &str) -> f64 {
    let plain = ["&lt;", "&gt;", "&quot;", "&#x27;", "&amp;"]
        .iter()
        .fold(text.to_owned(), |text, entity| text.replace(entity, "x"));
    f64::from(u32::try_from(plain.chars().count()).unwrap())
}

#[test]
fn no_run_of_a_picture_is_stretched() {
    let pictures = source::files_under("assets/screenshots");
    assert!(!pictures.is_empty());
    let found: Vec<String> = pictures.iter().flat_map(stretched).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_run_with_spaces_at_an_end_or_of_another_width_is_found() {
    let run = |length: &str, text: &str| File {
        path: "x.svg".to_owned(),
        text: format!(
            "<text x=\"14.0\" y=\"28\" textLength=\"{length}\" fill=\"#fff\">{text}</text>"
        ),
    };
    assert!(stretched(&run("25.2", "a &lt;")).is_empty());
    assert_eq!(stretched(&run("58.8", "○ new  ")), ["x.svg:1: ○ new  "]);
    assert_eq!(stretched(&run("33.6", "a  b")), ["x.svg:1: a  b"]);
    assert_eq!(stretched(&run("33.6", "a b")), ["x.svg:1: a b"]);
}
