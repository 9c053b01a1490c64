//! What a reader feels: start to the first complete screen of a lesson, and key to paint in a long one.
//!
//! The real executable runs in a pseudo-terminal, in turns with `less` and `vim` on the same file where
//! they are installed, and with `true`, whose start and end are the floor of any program here. A paint
//! is over with the last byte before a silence, so work that a program puts off is counted.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark prints, and one that cannot measure has to stop"
)]

#[expect(dead_code, reason = "the tests use more of it")]
#[path = "../tests/support/mod.rs"]
mod support;

mod samples;

use samples::{Samples, print_table};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use support::pty::{Start, Terminal};
use tempfile::TempDir;

const COLUMNS: u16 = 100;
const ROWS: u16 = 30;
const STARTS: usize = 21;
const KEYS: usize = 200;

/// After so much silence a first screen is complete.
const AFTER_START: Duration = Duration::from_millis(150);
/// After so much silence a key's paint is complete.
const AFTER_KEY: Duration = Duration::from_millis(20);

/// It is in the first paragraph of each lesson.
const FIRST_WORDS: &str = "paragraph 1 of";

fn main() {
    let short = Material::new(137);
    let long = Material::new(10_000);
    starts("start to the first complete screen, 137 lines", &short);
    starts("start to the first complete screen, 10,000 lines", &long);
    keys(&long);
}

/// A course of one lesson on the disk.
struct Material {
    folder: TempDir,
    lesson: PathBuf,
}

impl Material {
    fn new(lines: usize) -> Self {
        let folder = TempDir::new().unwrap();
        let lessons = folder.path().join("lessons");
        fs::create_dir(&lessons).unwrap();
        let course = "format = 1\nid = \"bench\"\ntitle = \"Bench\"\nsummary = \"One lesson.\"\nlessons = [\"only.md\"]\n";
        fs::write(lessons.join("course.toml"), course).unwrap();
        let lesson = lessons.join("only.md");
        fs::write(&lesson, lesson_of(lines)).unwrap();
        Self { folder, lesson }
    }
}

/// A lesson of one page with what lessons have: paragraphs, looks, lists, code.
fn lesson_of(lines: usize) -> String {
    let mut text = String::from(
        "+++\nformat = 1\nid = \"only\"\ntitle = \"Only\"\nsummary = \"It is long.\"\nminutes = 5\nobjectives = [\"Scroll.\"]\n+++\n\n",
    );
    let mut number = 0;
    while text.lines().count() < lines {
        for _ in 0..50 {
            number += 1;
            let _infallible = match number % 10 {
                0 => writeln!(text, "### Part {number}\n"),
                3 => writeln!(text, "- point {number}, with `code`\n- and another\n"),
                7 => writeln!(text, "```python\nx = {number}\ny = x @ x\n```\n"),
                _ => writeln!(
                    text,
                    "This is paragraph {number} of the lesson, with **strong** words to read.\n"
                ),
            };
        }
    }
    let kept: Vec<&str> = text.lines().take(lines).collect();
    kept.join("\n") + "\n"
}

/// A program that shows the lesson.
enum Pager {
    Warpup,
    Other(&'static str, &'static [&'static str]),
}

impl Pager {
    /// warpup and its peers that are installed.
    fn all() -> Vec<Self> {
        let peers = [
            Self::Other("/usr/bin/less", &[]),
            Self::Other("/usr/bin/vim", &["-u", "NONE", "-i", "NONE", "-n", "-R"]),
        ];
        let is_there = |it: &Self| match it {
            Self::Warpup => true,
            Self::Other(path, _) => Path::new(path).exists(),
        };
        peers
            .into_iter()
            .chain([Self::Warpup])
            .filter(is_there)
            .collect()
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Warpup => "warpup",
            Self::Other(path, _) => path.rsplit('/').next().unwrap_or(path),
        }
    }

    fn start(&self, material: &Material) -> Start {
        let start = match self {
            Self::Warpup => {
                Start::warpup().args(["--course".as_ref(), material.folder.path().as_os_str()])
            }
            Self::Other(path, args) => Start::program(path).args(*args).args([&material.lesson]),
        };
        start.size(COLUMNS, ROWS)
    }

    /// Opens the lesson once, so that warpup begins with it the next time and every file is in memory.
    fn warm_up(&self, material: &Material) -> Terminal {
        let mut terminal = self.start(material).spawn();
        match self {
            Self::Other(..) => {}
            Self::Warpup => {
                terminal.wait_for(|screen| screen.contains("Only"), "the course or its lesson");
                terminal.wait_until_quiet(AFTER_START);
                if !terminal.text().contains(FIRST_WORDS) {
                    terminal.press("<Enter>");
                }
            }
        }
        terminal.wait_for(|screen| screen.contains(FIRST_WORDS), "the lesson");
        terminal.wait_until_quiet(AFTER_START);
        terminal
    }
}

fn starts(title: &str, material: &Material) {
    let pagers = Pager::all();
    let mut all = vec![Samples::of("true (start and end)")];
    all.extend(pagers.iter().map(|it| Samples::of(it.name())));
    let mut warm: Vec<Terminal> = Vec::new();
    for pager in &pagers {
        let mut terminal = pager.warm_up(material);
        if matches!(pager, Pager::Warpup) {
            terminal.press("Q");
            terminal.wait_exit();
        }
        warm.push(terminal);
    }
    for _ in 0..STARTS {
        let begin = Instant::now();
        let floor = Start::program("/bin/true").spawn();
        floor.wait_exit();
        all[0].push(begin.elapsed());
        for (at, pager) in pagers.iter().enumerate() {
            let start = pager.start(material).home_of(&warm[at]);
            let begin = Instant::now();
            let terminal = start.spawn();
            terminal.wait_for(|screen| screen.contains(FIRST_WORDS), "the lesson at once");
            terminal.wait_until_quiet(AFTER_START);
            all[at + 1].push(terminal.written().1 - begin);
        }
    }
    print_table(title, &all);
}

fn keys(material: &Material) {
    let mut all = Vec::new();
    let mut bytes = Vec::new();
    for pager in Pager::all() {
        let mut terminal = pager.warm_up(material);
        let (before, _) = terminal.written();
        let mut samples = Samples::of(pager.name());
        for key in 0..KEYS {
            terminal.wait_until_quiet(AFTER_KEY);
            let (written, _) = terminal.written();
            let begin = Instant::now();
            // vim moves its cursor with `j`; this scrolls it by a line, as `j` does the others.
            terminal.press(if pager.name() == "vim" { "<C-e>" } else { "j" });
            terminal.wait_for_bytes(written + 1, "a paint");
            terminal.wait_until_quiet(AFTER_KEY);
            let (after, last) = terminal.written();
            assert!(after > written, "{} did not answer key {key}", pager.name());
            samples.push(last - begin);
        }
        let spent = terminal.written().0 - before;
        bytes.push(format!(
            "{} {:.0}",
            pager.name(),
            spent as f64 / KEYS as f64
        ));
        all.push(samples);
    }
    print_table("key to paint in 10,000 lines", &all);
    println!("  bytes a key: {}", bytes.join(", "));
}
