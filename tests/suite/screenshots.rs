//! The README's pictures in a browser: each letter is in its column of the terminal, whatever fonts there are.
//!
//! Where chromium is missing, the tests say so and pass. `.ci/run` installs it.

use crate::support::source;
use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use tempfile::TempDir;

/// The size of a cell and the space around all, as `crates/tui/src/picture` has them.
const WIDTH: f64 = 8.0;
const HEIGHT: f64 = 17.0;
const EDGE: f64 = 14.0;

/// Bytes of a picture and of the recording at most.
const MOST: usize = 60_000;
const MOST_OF_RECORDING: usize = 400_000;

/// Words of each picture that begin in one column of the terminal, as far as the picture has them.
const ALIGNED: [(&str, &[&str]); 5] = [
    (
        "home",
        &[
            "Move the whole batch",
            "One training step",
            "Preflight",
            "The loader",
        ],
    ),
    ("lesson", &["import torch", "texts = [", "kib_in = []"]),
    (
        "lab",
        &["kernel", "not drawn", "device idle", "most device time"],
    ),
    // Which question is asked depends on chance.
    ("quiz", &[]),
    ("first-run", &[]),
];

/// Writes where each letter and each drawing of the picture is. Of a recording, the last screen is looked at.
const SCRIPT: &str = r#"
const svg = document.querySelector("svg");
for (const use of svg.querySelectorAll("use")) {
  if (!use.closest(".e")) continue;
  const copy = svg.querySelector(use.getAttribute("href")).cloneNode(true);
  copy.removeAttribute("id");
  copy.setAttribute("transform", `translate(0 ${use.getAttribute("y")})`);
  use.replaceWith(copy);
}
svg.querySelectorAll("defs, .f:not(.e)").forEach(it => it.remove());
const lines = [`size ${svg.viewBox.baseVal.width} ${svg.viewBox.baseVal.height}`];
const from = svg.getBoundingClientRect();
for (const text of svg.querySelectorAll("text")) {
  const at = text.getCTM();
  const letters = [...text.textContent];
  if (text.hasAttribute("textLength")) {
    const box = text.getBoundingClientRect();
    lines.push(`wide ${box.left - from.left} ${at.f} ${box.width} ${text.textContent}`);
    continue;
  }
  letters.forEach((letter, i) => {
    const start = text.getStartPositionOfChar(i);
    lines.push(`letter ${start.x + at.e} ${start.y + at.f} 0 ${letter}`);
  });
}
for (const path of svg.querySelectorAll("path")) {
  const box = path.getBoundingClientRect();
  lines.push(`path ${box.left - from.left} ${box.top - from.top} ${box.width} ${box.height}`);
}
document.body.innerHTML = "";
const out = document.createElement("pre");
out.textContent = "MEASURED\n" + lines.join("\n") + "\nEND";
document.body.append(out);
"#;

/// Where a browser puts something.
struct Placed {
    kind: String,
    left: f64,
    top: f64,
    width: f64,
    text: String,
}

/// Where headless chromium puts what is in a picture; nothing where there is no chromium.
#[expect(clippy::print_stdout, reason = "a test that did nothing says so")]
fn measured(svg: &str) -> Option<Vec<Placed>> {
    if Command::new("chromium").arg("--version").output().is_err() {
        println!("chromium is missing: the pictures were not opened in a browser");
        return None;
    }
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    let html = format!(
        "<!doctype html><meta charset=\"utf-8\"><body style=\"margin:0\">{svg}<script>{SCRIPT}</script></body>"
    );
    fs::write(&page, html).unwrap();
    let mut browser = Command::new("timeout");
    browser.args([
        "120",
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
    ]);
    browser.args([
        "--disable-background-networking",
        "--disable-dev-shm-usage",
        "--dump-dom",
    ]);
    browser.args(["--window-size=2000,2000"]);
    browser.arg(format!(
        "--user-data-dir={}",
        folder.path().join("profile").display()
    ));
    browser.arg(format!("file://{}", page.display()));
    let done = browser.output().unwrap();
    let dom = String::from_utf8_lossy(&done.stdout).into_owned();
    let (_, rest) = dom
        .split_once("MEASURED\n")
        .unwrap_or_else(|| panic!("{done:?}"));
    let (lines, _) = rest.split_once("\nEND").unwrap();
    let placed = lines.lines().map(|line| {
        let mut words = line.splitn(5, ' ');
        let kind = words.next().unwrap().to_owned();
        let mut number = || words.next().map_or(0.0, |it| it.parse().unwrap());
        let (left, top, width) = (number(), number(), number());
        let text = words.next().unwrap_or_default();
        let text = text
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&");
        Placed {
            kind,
            left,
            top,
            width,
            text,
        }
    });
    Some(placed.collect())
}

/// What a browser draws elsewhere than the terminal did, and the rows of letters as it draws them.
fn misplaced(placed: &[Placed]) -> (Vec<String>, Vec<String>) {
    let mut wrong = Vec::new();
    let mut rows: BTreeMap<usize, BTreeMap<usize, char>> = BTreeMap::new();
    let size = placed.iter().find(|it| it.kind == "size").unwrap();
    for it in placed {
        let Placed {
            kind,
            left,
            top,
            width,
            text,
        } = it;
        let (column, row) = ((left - EDGE) / WIDTH, (top - EDGE) / HEIGHT);
        let is_between = |it: f64| (it - it.round()).abs() > 0.02;
        match kind.as_str() {
            "letter" => {
                if is_between(column) {
                    wrong.push(format!(
                        "`{text}` begins in column {column:.2} of row {row:.1}"
                    ));
                }
                if left + WIDTH > size.left - EDGE + 0.1 {
                    wrong.push(format!(
                        "`{text}` is behind the last column of row {row:.1}"
                    ));
                }
                let letter = text.chars().next().unwrap_or(' ');
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "it is in the picture"
                )]
                rows.entry(row as usize)
                    .or_default()
                    .insert(column.round() as usize, letter);
            }
            "path" | "wide" if left + width > size.left || *left < 0.0 => {
                wrong.push(format!(
                    "something {width} wide is at {left}: out of the picture"
                ));
            }
            _ => {}
        }
    }
    let lines = rows.into_values().map(|row| {
        let width = row.keys().max().map_or(0, |it| it + 1);
        (0..width)
            .map(|it| row.get(&it).copied().unwrap_or(' '))
            .collect()
    });
    (wrong, lines.collect())
}

/// The column in which words begin, in each row that has them.
fn columns(rows: &[String], words: &str) -> Vec<usize> {
    let found = rows.iter().filter_map(|row| {
        let (before, _) = row.split_once(words)?;
        Some(before.chars().count())
    });
    found.collect()
}

#[test]
fn a_browser_puts_every_letter_of_a_picture_into_its_column() {
    for file in source::files_under("assets/screenshots") {
        let Some(placed) = measured(&file.text) else {
            return;
        };
        let (wrong, rows) = misplaced(&placed);
        assert!(wrong.is_empty(), "{}:\n{}", file.path, wrong.join("\n"));
        let name = file.path.rsplit('/').next().unwrap();
        let (_, aligned) = ALIGNED.iter().find(|it| name.starts_with(it.0)).unwrap();
        let found: Vec<usize> = aligned
            .iter()
            .filter_map(|it| columns(&rows, it).first().copied())
            .collect();
        let shown = rows.join("\n");
        assert!(rows.len() > 8, "{}:\n{shown}", file.path);
        assert!(
            found.len() >= aligned.len().min(2),
            "{}: {found:?}\n{shown}",
            file.path
        );
        assert!(
            found.windows(2).all(|it| it[0] == it[1]),
            "{}: {found:?}\n{shown}",
            file.path
        );
    }
}

#[test]
fn a_picture_whose_letters_have_no_places_of_their_own_is_found() {
    let file = source::files_under("assets/screenshots/lab-dark.svg").remove(0);
    // Only the first letter of each run keeps its place, and the font is another one.
    let mut broken = String::new();
    for part in file.text.split_inclusive("x=\"") {
        let kept = match part.split_once('"') {
            Some((places, rest))
                if places.contains(' ')
                    && places.bytes().all(|it| it.is_ascii_digit() || it == b' ') =>
            {
                let first = places.split(' ').next().unwrap_or_default();
                format!("{first}\"{rest}")
            }
            _ => part.to_owned(),
        };
        broken.push_str(&kept);
    }
    assert_ne!(broken, file.text);
    let broken = broken.replace("font-size=\"13.3\"", "font-size=\"15\"");
    let Some(placed) = measured(&broken) else {
        return;
    };
    assert!(!misplaced(&placed).0.is_empty());
}

#[test]
fn pictures_are_small() {
    let files = source::files_under("assets/screenshots");
    assert!(!files.is_empty());
    for file in files {
        let is_recording = file.text.contains("@keyframes");
        let most = if is_recording {
            MOST_OF_RECORDING
        } else {
            MOST
        };
        assert!(
            file.text.len() < most,
            "{}: {} bytes",
            file.path,
            file.text.len()
        );
    }
}

#[test]
fn pictures_need_no_script_and_nothing_from_elsewhere() {
    for file in source::files_under("assets/screenshots") {
        for word in [
            "<script",
            "http",
            "@import",
            "url(",
            "@font-face",
            "<image",
            "<foreignObject",
        ] {
            let text = file.text.replace("http://www.w3.org/2000/svg", "");
            assert!(!text.contains(word), "{}: {word}", file.path);
        }
    }
}

#[test]
fn the_recording_stands_still_for_who_asks_for_less_motion() {
    let files = source::files_under("assets/screenshots");
    let recordings: Vec<_> = files
        .iter()
        .filter(|it| it.path.contains("first-run"))
        .collect();
    assert_eq!(recordings.len(), 2);
    for file in recordings {
        assert!(
            file.text
                .contains("@media (prefers-reduced-motion:reduce){.f{animation:none}}"),
            "{}",
            file.path
        );
        assert!(
            file.text.contains(".e{visibility:visible}"),
            "{}",
            file.path
        );
    }
}
