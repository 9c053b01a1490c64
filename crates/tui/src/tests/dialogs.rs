//! What is said over a screen and around it: no word of it is cut, and none of the screen goes on beside a question.

use super::Play;
use crate::app::Event;
use crate::session::{DiskState, Receipt, SaveReport};
use ratatui::crossterm::event::KeyCode;
use warpup_lab::own_program::{OwnProgram, TIME_LIMIT};

/// What leads to a dialog, and all that it says.
type Dialog = (for<'a> fn(&'a mut Play) -> &'a mut Play, &'static str);

const QUESTIONS: [Dialog; 7] = [
    (
        |play| play.ctrl('c'),
        "Quit warpup? Ctrl-C again quits, too. y yes n no",
    ),
    (
        |play| {
            play.ctrl('c');
            play.keys("n").keys("\n").ctrl('c')
        },
        "Quit warpup? Ctrl-C again quits, too. y yes n no",
    ),
    (
        |play| play.keys("zx"),
        "5 questions are not answered and would earn nothing. Hand in the quiz? y yes n no",
    ),
    (
        |play| play.keys("\nn\ne#").press(KeyCode::Esc).keys("R"),
        "Throw your program away and start again? y yes n no",
    ),
    (
        |play| {
            own_program(play);
            play.keys("e#").press(KeyCode::Esc).keys("R")
        },
        "Take the program as it was when it was opened? The next run writes it to the file; undo brings this text back. \
         y yes n no",
    ),
    (
        |play| {
            own_program(play);
            play.keys("q")
        },
        "Quit warpup? c opens the course. y yes n no",
    ),
    (
        |play| {
            not_saved(play);
            play.keys("Q")
        },
        "2 records are not saved where they belong. Quit, and keep them in another folder? y yes n no",
    ),
];

const NOTICES: [Dialog; 9] = [
    (not_saved, NOT_SAVED),
    (
        |play| play.keys("i"),
        "r runs this program on CPU. q ends the tour.",
    ),
    (
        |play| play.keys("\nm"),
        "m works on the map: only the questions that you missed last time",
    ),
    (
        |play| play.keys("zq"),
        "You left the quiz before your first answer; it starts again next time.",
    ),
    (
        |play| play.send(Event::Paste("import torch".to_owned())),
        "Nothing is typed here. Paste into a program, an answer or a search.",
    ),
    (
        |play| {
            play.ctrl('c');
            play.send(Event::Paste("yes".to_owned()))
        },
        "Nothing is typed here. Paste into a program, an answer or a search.",
    ),
    (
        |play| play.keys("z").send(Event::Paste("2".to_owned())),
        "Nothing can be pasted here: choose with the keys. (Not counted.)",
    ),
    (|play| play.keys("q"), "Quit warpup? q again quits."),
    (
        |play| {
            play.keys("\nn\n").send(Event::AskBeforeLabs);
            play.keys("r")
        },
        "This course is not part of warpup, and its labs run programs that its author wrote. They run in a process of",
    ),
];

const NOT_SAVED: &str =
    "NOT SAVED (2): no space left on the disk of this machine; S saves elsewhere";

fn own_program(play: &mut Play) {
    let program = OwnProgram {
        name: "train.py".to_owned(),
        source: "import torch\n".to_owned(),
        modules: Vec::new(),
        place: None,
        time_limit: TIME_LIMIT,
    };
    let asked = play.app.open_program(program, None, play.now_ms);
    play.effects.extend(asked);
    play.app.settle();
}

/// The disk takes nothing that is done from here on.
fn not_saved(play: &mut Play) -> &mut Play {
    play.saves = false;
    play.keys("\nn");
    play.send(Event::Saved(SaveReport {
        upto: Receipt::default(),
        disk: DiskState::Failing("no space left on the disk of this machine".to_owned()),
    }))
}

/// Whether a screen has these words one after the other, from row to row.
fn has(screen: &str, said: &str) -> bool {
    let words = |text: &str| {
        let text = text.replace(['│', '─', '┌', '┐', '└', '┘'], " ");
        let words: Vec<_> = text.split_whitespace().map(str::to_owned).collect();
        format!(" {} ", words.join(" "))
    };
    words(screen).contains(&words(said))
}

#[test]
fn no_word_of_a_dialog_is_cut() {
    for (open, said) in QUESTIONS.into_iter().chain(NOTICES) {
        for (width, height) in [(40, 12), (80, 24)] {
            let mut play = Play::new(width, height);
            open(&mut play);
            let screen = play.screen();
            assert!(has(&screen, said), "{said}\n{screen}");
        }
    }
}

#[test]
fn no_text_of_the_screen_is_beside_a_question() {
    for (open, said) in QUESTIONS {
        let mut play = Play::new(80, 24);
        open(&mut play);
        let screen = play.screen();
        let is_framed =
            |row: &str| row.starts_with(['│', '┌', '└']) && row.ends_with(['│', '┐', '┘']);
        let rows = screen
            .lines()
            .map(str::trim)
            .filter(|it| it.contains(['│', '┌', '└']));
        let rows: Vec<_> = rows.skip_while(|it| !it.starts_with("┌─")).collect();
        assert!(
            rows.len() > 3 && rows.iter().all(|it| is_framed(it)),
            "{said}\n{screen}"
        );
    }
}

#[test]
fn what_is_too_long_for_the_rows_of_a_banner_ends_between_words() {
    let mut play = Play::new(40, 12);
    play.saves = false;
    play.keys("\nn");
    let why = "the folder is on a disk that was taken away ".repeat(9);
    play.send(Event::Saved(SaveReport {
        upto: Receipt::default(),
        disk: DiskState::Failing(why),
    }));
    insta::assert_snapshot!(play.screen(), @r#"
     NOT SAVED (2): the folder is on a disk
     that was taken away the folder is on a
     disk that was taken away the folder is…
    Where a tensor lives         page 2 of 2
    Put it there

    Decide what it prints, then run it.

    ▶ Put it on the device  ○ new
    │ import torch
    │ x = torch.ones(3).to("cuda")
    Enter open  r run  q back  ? help    ↓ 8
    "#);
}
