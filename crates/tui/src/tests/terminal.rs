//! Whatever text comes in, a terminal gets nothing that it obeys but warpup's own control sequences.
//!
//! The cells of a frame are what the app writes between those; `Shown` is what commands print.

use ratatui::crossterm::event::KeyCode;

use super::{Play, sample};
use crate::app::Event;
use crate::session::{DiskState, Receipt, SaveReport};
use ratatui::buffer::Buffer;
use warpup_course::{Course, Sources, parse};
use warpup_protocol::{Check, Metric, Plot, Reply, Report, Series, Standard};
use warpup_text::shown::Shown;

/// Pieces of text that a terminal or a careless program would act on.
const PIECES: &[&str] = &[
    "\x1b[2J",
    "\x1b]0;title\x07",
    "\x1b]52;c;SU5KMQ==\x07",
    "\x1b]8;;http://x\x1b\\",
    "\x1bP+q\x1b\\",
    "\x1b_G\x1b\\",
    "\x1b[?1049l",
    "\x1b[6n",
    "\x1bc",
    "\x1b",
    "\x07",
    "\x08",
    "\x0c",
    "\x0b",
    "\x0e",
    "\x0f",
    "\r",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\x7f",
    "\u{80}",
    "\u{85}",
    "\u{90}",
    "\u{9b}31m",
    "\u{9c}",
    "\u{9d}0;x\u{9c}",
    "\u{9f}",
    "\u{ad}",
    "\u{61c}",
    "\u{200b}",
    "\u{200d}",
    "\u{200e}",
    "\u{200f}",
    "\u{2028}",
    "\u{2029}",
    "\u{202a}",
    "\u{202e}",
    "\u{2060}",
    "\u{2066}",
    "\u{2069}",
    "\u{feff}",
    "\u{fff9}",
    "\u{e0001}",
    "\u{e0041}",
    "\u{e007f}",
    "e\u{301}\u{301}\u{301}",
    "漢",
    "👩\u{200d}💻",
    "🇩🇪",
    "\u{1f3fb}",
    "a",
    "word ",
    "=cmd",
    "<b>",
    "&#27;",
    "&#x9b;",
    "&#8238;",
    "&NewLine;",
    "&ZeroWidthSpace;",
    "**",
    "`",
    "|",
    "[x](http://e\u{202e}x)",
    "![",
    "$(id)",
    "%s",
    "{0}",
    "\\x1b",
    "\\u001b",
];

/// Numbers that look random: xorshift.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % most as u64).unwrap()
    }

    fn text(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..=self.below(6) {
            if self.below(8) == 0 {
                let code = u32::try_from(self.below(0x11_0000)).unwrap();
                text.extend(char::from_u32(code));
            } else {
                text.push_str(PIECES[self.below(PIECES.len())]);
            }
        }
        text
    }
}

/// Whether a terminal may obey or hide a character; apart from `warpup_text::shown`, so that a mistake there shows.
fn is_obeyed(it: char) -> bool {
    let hidden = "\u{ad}\u{61c}\u{200b}\u{200e}\u{200f}\u{2028}\u{2029}\u{2060}\u{feff}";
    it.is_control()
        || hidden.contains(it)
        || matches!(it, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fff9}'..='\u{fffb}')
        || matches!(it, '\u{e0000}'..='\u{e007f}')
}

fn assert_clean(buffer: &Buffer, what: &str) {
    for cell in &buffer.content {
        let symbol = cell.symbol();
        assert!(!symbol.chars().any(is_obeyed), "{what}: {symbol:?}");
        assert!(symbol.chars().count() <= 16, "{what}: {symbol:?}");
    }
}

#[test]
fn a_hundred_thousand_hostile_strings_are_safe_to_print_and_read_back_from_json() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    for _ in 0..100_000 {
        let text = dice.text();
        for safe in [Shown::new(&text), Shown::one_line(&text)] {
            let bad = safe
                .as_str()
                .chars()
                .find(|it| *it != '\n' && is_obeyed(*it));
            assert_eq!(bad, None, "{text:?}");
        }
        let json = serde_json::to_string(&text).unwrap();
        let json = Shown::json(&json).into_string();
        assert!(!json.chars().any(is_obeyed), "{text:?}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}

fn replies(run: warpup_protocol::RunId, text: &str) -> Vec<Reply> {
    let text = || text.to_owned();
    vec![
        Reply::Output {
            run,
            text: text(),
            to: Standard::Output,
        },
        Reply::Check {
            run,
            check: Check {
                name: text(),
                ok: false,
                hint: Some(text()),
            },
        },
        Reply::Metric {
            run,
            metric: Metric {
                name: text(),
                value: 1.0,
                unit: text(),
            },
        },
        Reply::Plot {
            run,
            plot: Plot {
                title: text(),
                x_label: text(),
                y_label: text(),
                log: warpup_protocol::LogAxes::None,
                source: warpup_protocol::PlotSource::Run,
                series: vec![Series {
                    name: text(),
                    points: vec![(0.0, 1.0), (1.0, 2.0)],
                    skipped: 0,
                }],
                names: Vec::new(),
            },
        },
        Reply::Finished {
            run,
            report: Report {
                notes: vec![text()],
                ..Report::broken(text())
            },
        },
    ]
}

/// The sample course with hostile words wherever a course has words.
fn hostile_course(text: &str) -> Course {
    let mut course = sample::course();
    course.title = text.to_owned();
    course.summary = text.to_owned();
    for lesson in &mut course.lessons {
        lesson.title = text.to_owned();
        lesson.summary = text.to_owned();
        lesson.objectives = vec![text.to_owned()];
        for page in &mut lesson.pages {
            page.title = text.to_owned();
            page.blocks.insert(0, sample::paragraph(text));
        }
        for lab in &mut lesson.labs {
            lab.title = text.to_owned();
            lab.starter.push_str(text);
        }
    }
    course
}

#[test]
fn no_surface_of_the_app_passes_a_hostile_string_on() {
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    for round in 0..60 {
        let text: String = (0..8).map(|_| dice.text()).collect();
        let mut play = Play::with(60, 20, hostile_course(&text), Vec::new());
        play.saves = false;
        play.send(Event::Saved(SaveReport {
            upto: Receipt::default(),
            disk: DiskState::Failing(text.clone()),
        }));
        assert_clean(&play.buffer(), &text);
        play.keys("\nn");
        assert_clean(&play.buffer(), &text);
        play.keys("\n");
        play.send(Event::Paste(text.clone()));
        play.keys("e").send(Event::Paste(text.clone()));
        assert_clean(&play.buffer(), &text);
        play.ctrl('r').press(KeyCode::Esc);
        let run = play.asked().run;
        for reply in replies(run, &text) {
            play.reply(reply);
        }
        for _ in 0..6 {
            assert_clean(&play.buffer(), &text);
            play.keys("o");
        }
        assert!(round < 60);
    }
}

#[test]
fn every_screen_is_drawn_at_all_sizes_up_to_forty_by_twenty() {
    const SCREENS: [&str; 12] = [
        "", "?", "p", "d", "\n", "\nn", "\nn\n", "\nn\nr", "\nn\ne", "\nn\nh", "z", "zx",
    ];
    for keys in SCREENS {
        let mut play = Play::new(40, 20);
        play.keys(keys);
        for width in 0..=40 {
            for height in 0..=20 {
                play.send(Event::Resize(width, height));
                assert_clean(&play.buffer(), keys);
            }
        }
    }
}

/// A course of one page that says this.
fn page_of(markdown: &str) -> Course {
    let lesson = format!(
        "+++\nformat = 1\nid = \"a\"\ntitle = \"A\"\nsummary = \"B.\"\nminutes = 1\nobjectives = [\"C.\"]\n+++\n\n{markdown}"
    );
    let course = "format = 1\nid = \"x\"\ntitle = \"X\"\nsummary = \"Y.\"\nlessons = [\"a.md\"]\n";
    let files = [
        ("lessons/course.toml", course.to_owned()),
        ("lessons/a.md", lesson),
    ];
    let files = files.map(|(name, text)| (name.to_owned(), std::borrow::Cow::Owned(text)));
    parse(&Sources::of(files)).0
}

fn shows(markdown: &str, width: u16) {
    let mut play = Play::with(width, 24, page_of(markdown), Vec::new());
    play.keys("\n");
    assert_clean(&play.buffer(), markdown);
    play.keys("nG");
    assert_clean(&play.buffer(), markdown);
}

fn inputs(text: &str) -> Vec<String> {
    text.lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect()
}

#[test]
fn all_examples_of_the_markdown_specifications_are_shown() {
    let examples = [
        (
            include_str!("../../../../tests/fixtures/markdown/commonmark.jsonl"),
            652,
        ),
        (
            include_str!("../../../../tests/fixtures/markdown/gfm.jsonl"),
            657,
        ),
    ];
    for (text, count) in examples {
        let inputs = inputs(text);
        assert_eq!(inputs.len(), count);
        for (at, markdown) in inputs.iter().enumerate() {
            shows(markdown, if at % 2 == 0 { 80 } else { 23 });
        }
    }
}

#[test]
fn all_entities_of_html_are_shown() {
    let names = include_str!("../../../../tests/fixtures/markdown/entities.txt");
    let names: Vec<&str> = names.lines().collect();
    assert_eq!(names.len(), 2_125);
    for some in names.chunks(60) {
        let with = format!("&{};", some.join("; &"));
        // HTML knows 106 of them without the semicolon, too; markdown none.
        let without = format!("&{}", some.join(" &"));
        shows(&with, 80);
        shows(&without, 80);
    }
    // Every control character by its number.
    let numbers = (0..0xa0).chain([0x61c, 0x200b, 0x200e, 0x2028, 0x202e, 0x2066, 0xe0041]);
    for number in numbers {
        shows(
            &format!("a&#{number};b `&#x{number:x};` [l](&#{number};)"),
            80,
        );
    }
}
