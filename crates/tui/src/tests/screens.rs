//! Every screen at three sizes, in dark, in light and without colours.
//!
//! The text is the same in all three, so each picture is written once, followed by the cells that have a style: `3: A0-9` says
//! that the columns 0 to 9 of row 3 have the style A, and the last lines say what A is in each theme. Pictures that a
//! change has changed on purpose are written again with `INSTA_UPDATE=always cargo test --lib tui::tests::screens`.

use super::lab::{play_run, raised};
use super::{Play, sample};
use crate::theme::Colours;
use ratatui::buffer::{Buffer, Cell};
use ratatui::crossterm::event::KeyCode;
use ratatui::style::{Color, Modifier};
use std::fmt::Write;
use warpup_course::Course;
use warpup_protocol::Outcome;

/// A usual, a small and a large terminal.
const SIZES: [(u16, u16); 3] = [(80, 24), (40, 12), (160, 50)];

/// What is compared.
const THEMES: [(&str, Colours); 3] = [
    ("dark", Colours::Dark),
    ("light", Colours::Light),
    ("no colours", Colours::None),
];

/// The picture of a screen at all sizes and in all themes; `reach` goes to it.
fn pictures(course: &Course, reach: impl Fn(&mut Play)) -> String {
    let mut said = String::new();
    let mut styles: Vec<[String; 3]> = Vec::new();
    for (width, height) in SIZES {
        let plays = THEMES.map(|(_, colours)| {
            let mut play = Play::with(width, height, course.clone(), Vec::new());
            play.app.session.theme.colours = colours;
            reach(&mut play);
            play
        });
        let text = plays[0].screen();
        for (play, (name, _)) in plays.iter().zip(THEMES) {
            assert_eq!(play.screen(), text, "{name} has another text");
        }
        writeln!(said, "{width}×{height}\n{}\n", text.trim_end()).unwrap();
        let buffers = plays.map(|it| it.buffer());
        for row in 0..height {
            let runs = runs(&buffers, row, &mut styles);
            if !runs.is_empty() {
                writeln!(said, "{row}: {}", runs.join(" ")).unwrap();
            }
        }
        said.push('\n');
    }
    for (at, of_themes) in styles.iter().enumerate() {
        let of_themes = of_themes.iter().zip(THEMES);
        let of_themes: Vec<_> = of_themes
            .map(|(it, (name, _))| format!("{name} {it}"))
            .collect();
        writeln!(said, "{}: {}", letter(at), of_themes.join(" | ")).unwrap();
    }
    said
}

/// The letters of a row that have a style, as its name, first and last column. Blanks between them do not count.
fn runs(buffers: &[Buffer; 3], row: u16, styles: &mut Vec<[String; 3]>) -> Vec<String> {
    let mut found: Vec<(usize, u16, u16)> = Vec::new();
    let mut is_broken = true;
    for column in 0..buffers[0].area.width {
        let cells = buffers.each_ref().map(|it| &it[(column, row)]);
        if cells.iter().all(|it| is_blank(it)) {
            continue;
        }
        let style = cells.map(style);
        if style.iter().all(|it| it == "plain") {
            is_broken = true;
            continue;
        }
        let known = styles.iter().position(|it| *it == style);
        let at = known.unwrap_or_else(|| {
            styles.push(style);
            styles.len() - 1
        });
        match found.last_mut() {
            Some((last, _, to)) if *last == at && !is_broken => *to = column,
            Some(_) | None => found.push((at, column, column)),
        }
        is_broken = false;
    }
    let said = found.into_iter();
    said.map(|(at, from, to)| format!("{}{from}-{to}", letter(at)))
        .collect()
}

/// Whether nobody can see a style in this cell.
fn is_blank(cell: &Cell) -> bool {
    let seen = Modifier::REVERSED | Modifier::UNDERLINED | Modifier::CROSSED_OUT;
    cell.symbol() == " " && cell.bg == Color::Reset && !cell.modifier.intersects(seen)
}

/// `A` to `Z`, then `a` and on.
fn letter(at: usize) -> char {
    ('A'..='Z').chain('a'..='z').nth(at).unwrap()
}

/// A cell's style in words.
fn style(cell: &Cell) -> String {
    let colour = |name: &str, it: Color| (it != Color::Reset).then(|| format!("{name} {it}"));
    let modifier = (cell.modifier != Modifier::empty()).then(|| {
        let names = cell
            .modifier
            .iter_names()
            .map(|(name, _)| name.to_lowercase());
        names.collect::<Vec<_>>().join(" ")
    });
    let parts = [colour("text", cell.fg), colour("on", cell.bg), modifier];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    if parts.is_empty() {
        return "plain".to_owned();
    }
    parts.join(" ")
}

/// A test for each screen, with the keys that lead to it.
macro_rules! screens {
    ($($name:ident: $reach:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let reach: fn(&mut Play) = $reach;
                insta::assert_snapshot!(pictures(&sample::with_words(), reach));
            }
        )*
    };
}

screens! {
    home: |_| {};
    introduction: |it| { it.keys("i"); };
    help: |it| { it.keys("?"); };
    palette: |it| { it.keys(":t"); };
    page: |it| { it.keys("\n"); };
    page_with_a_lab: |it| { it.keys("\nn"); };
    hits: |it| { it.keys("\n/it\n"); };
    search: |it| { it.keys("\n/it\n\n"); };
    lab_before_a_run: |it| { it.keys("\nn\n"); };
    lab_that_passed: |it| { it.keys("\nn\nr"); play_run(it, Outcome::Done); };
    lab_that_failed: |it| { it.keys("\nn\nr"); play_run(it, raised("RuntimeError", false)); };
    lab_timeline: |it| { it.keys("\nn\nr"); play_run(it, Outcome::Done); it.keys("oo"); };
    lab_hint: |it| { it.keys("\nn\nh"); };
    lab_while_editing: |it| { it.keys("\nn\ne"); it.press(KeyCode::Down); };
    lab_diff: |it| { it.keys("\nn\ne#").press(KeyCode::Esc).keys("v"); };
    devices: |it| { it.keys("\nn\nd"); };
    prediction: |it| { it.keys("\nn"); it.press(KeyCode::Tab).keys("\nr"); };
    question: |it| { it.keys("z"); };
    answer_that_is_wrong: |it| { it.keys("z1\n"); };
    answer_that_is_right: |it| { it.keys("z2\n"); };
    numeric_question: |it| { it.keys("z2\n\n"); };
    several_right_options: |it| { it.keys("z2\n\n24\n\n"); };
    order_question: |it| { it.keys("z2\n\n24\n\n12\n\n"); };
    match_question: |it| { it.keys("z2\n\n24\n\n12\n\n12\nG\n"); };
    results: |it| { it.keys("z2\n\n24\n\n12\n\nxy"); };
    own_words: |it| { it.keys("o"); };
    doctor: |it| { it.keys("d"); };
    settings: |it| { it.keys(","); };
    notice: |it| { it.keys("\nw"); };
    leaving: |it| { it.ctrl('c'); };
}
