//! The files of the course change while it is open.

use super::Play;
use crate::app::Event;
use crate::effect::Effect;
use crate::session::{PreviewStatus, ReloadedCourse};
use ratatui::crossterm::event::KeyCode;
use warpup_course::{CourseId, sample};
use warpup_protocol::{Outcome, Reply, Report};

impl Play {
    /// The files of the sample course are changed, each from its name and text.
    fn reload(&mut self, change: impl Fn(&str, &str) -> String) -> &mut Self {
        let (course, problems) = sample::changed(change);
        self.send(Event::Reloaded(Box::new(ReloadedCourse {
            course,
            problems,
            asks: false,
            preview: None,
        })))
    }

    /// The same while their author previews them.
    fn preview(&mut self, change: impl Fn(&str, &str) -> String) -> &mut Self {
        let (course, problems) = sample::changed(change);
        let preview = PreviewStatus {
            said: format!("preview · {} problems", problems.len()),
            worst: problems.iter().map(|it| it.severity).max(),
        };
        self.send(Event::Reloaded(Box::new(ReloadedCourse {
            course,
            problems,
            asks: false,
            preview: Some(preview),
        })))
    }

    /// One text in the files becomes another.
    fn rewrite(&mut self, old: &str, new: &str) -> &mut Self {
        self.reload(|_, text| text.replace(old, new))
    }

    fn footer(&self) -> String {
        let screen = self.screen();
        screen.lines().last().unwrap_or_default().trim().to_owned()
    }

    fn title(&self) -> String {
        let screen = self.screen();
        screen.lines().next().unwrap().to_owned()
    }
}

/// The text of a long page, one line a paragraph.
fn long_page() -> String {
    let lines = (0..60).map(|it| format!("line {it}"));
    lines.collect::<Vec<_>>().join("\n\n")
}

#[test]
fn the_page_on_screen_has_its_new_text_at_the_same_line() {
    let mut play = Play::new(80, 24);
    let page = |text: &str| {
        let text = text.to_owned();
        move |file: &str, old: &str| match file {
            "lessons/copies.md" => old.replace("It is narrow.", &text),
            _ => old.to_owned(),
        }
    };
    play.reload(page(&long_page()));
    play.keys("j\nn").press(KeyCode::PageDown);
    let row = |play: &Play, text: &str| play.screen().lines().position(|it| it.contains(text));
    let before = row(&play, "line 15");
    assert!(before.is_some(), "{}", play.screen());
    let corrected = long_page().replace("line 15\n", "line 15, corrected\n");
    play.reload(page(&corrected));
    assert_eq!(row(&play, "line 15, corrected"), before);
    insta::assert_snapshot!(play.footer(), @"The course was read again: no problems.");
    play.press(KeyCode::Down);
    insta::assert_snapshot!(play.title(), @"  What a copy costs · The bus                           page 2 of 2 ██████████");
}

#[test]
fn what_did_not_change_is_not_announced() {
    let mut play = Play::new(80, 24);
    play.keys("\n");
    let before = play.screen();
    let same = |_: &str, text: &str| text.to_owned();
    assert_eq!(play.reload(same).screen(), before);
}

#[test]
fn a_page_is_found_again_by_its_name_and_one_that_is_gone_by_its_place() {
    let mut play = Play::new(80, 24);
    play.keys("\nn");
    play.rewrite(
        "## Put it there {#labs}",
        "## First {#first}\n\nNew.\n\n## Here {#labs}",
    );
    play.press(KeyCode::Down);
    insta::assert_snapshot!(play.title(), @"  Where a tensor lives                                  page 3 of 3 ██████████");
    play.rewrite("## Put it there {#labs}", "");
    play.press(KeyCode::Down);
    insta::assert_snapshot!(play.title(), @"  Lesson 1 of 2                                         page 1 of 1 ██████████");
}

#[test]
fn the_footer_says_how_many_problems_there_are_and_a_broken_lesson_stays_readable() {
    let mut play = Play::new(80, 24);
    play.keys("\n");
    play.rewrite("minutes = 20", "minutes = ");
    insta::assert_snapshot!(play.screen(), @"
    Lesson 1 of 2                                         page 1 of 2 █████░░░░░

    Where a tensor lives

    A computer with a card has two memories, and a tensor lives in exactly one
    of them.

    n  Put it there















    The course was read again: 2 problems (p on the map).
    ");
    let list = play.press(KeyCode::Esc).keys("p").screen();
    let list: Vec<_> = list
        .lines()
        .skip(2)
        .take_while(|it| !it.contains('↓'))
        .collect();
    insta::assert_snapshot!(list.join("\n").trim_end(), @"
    lessons/places.md: error[not-toml]: this is not TOML: string values must be
    quoted, expected literal string
    hint: write a value behind `minutes =`, on the same line

    lessons/copies.md: error[not-toml]: this is not TOML: string values must be
    quoted, expected literal string
    hint: write a value behind `minutes =`, on the same line

    `warpup check` shows each at its place in the file, and `warpup check
    --explain RULE` what a rule in brackets means.











    Space more   q back
    ");
    play.press(KeyCode::Esc).rewrite("", "");
    insta::assert_snapshot!(play.footer(), @"The course was read again: no problems.");
}

#[test]
fn a_file_that_is_empty_for_a_moment_changes_no_lesson() {
    let mut play = Play::new(80, 24);
    play.keys("\n");
    let (before, mut lines) = (play.screen(), Vec::new());
    for broken in ["lessons/course.toml", "lessons/places.md"] {
        play.reload(|file, text| {
            let text = if file == broken { "\n" } else { text };
            text.to_owned()
        });
        // All but the footer, which says that something was read.
        lines.push(play.screen().lines().take(22).eq(before.lines().take(22)));
    }
    assert_eq!(lines, [true, true]);
    assert_eq!(play.app.session.course.lessons.len(), 2);
    assert_eq!(play.app.session.course.about.id, CourseId::new("warpup"));
}

#[test]
fn a_lesson_that_is_gone_leads_back_to_the_map() {
    let mut play = Play::new(80, 24);
    play.keys("\nn").press(KeyCode::Enter);
    assert!(play.screen().contains("placement.py"), "{}", play.screen());
    play.reload(|file, text| match file {
        "lessons/places.md" => String::new(),
        _ => text
            .replace("\"places.md\", ", "")
            .replace("requires = [\"places\"]", ""),
    });
    insta::assert_snapshot!(play.screen(), @"
    warpup · CUDA, understood                              0 of 1 lessons done ▱

    A course with labs: run small programs, and see what host and card do.
    What a copy costs.
    c  next: What a copy costs, 20 min
    i  tour: a first run, step by step

    ▸ ○ new    What a copy costs                                     ▱▱▱  20 min

    Each copy crosses the bus.
    20 min · 2 pages · 0 of 2 labs passed · 4 questions
    ! 1 problem in the course files: p shows them











    What was open is no longer in the course.
    ");
}

#[test]
fn the_map_keeps_the_lesson_that_was_chosen() {
    let mut play = Play::new(80, 24);
    play.keys("j");
    let chosen = |play: &Play| {
        let screen = play.screen();
        let row = screen.lines().find(|it| it.contains('▸'));
        row.unwrap().to_owned()
    };
    assert!(chosen(&play).contains("What a copy costs"));
    play.rewrite(
        "[\"places.md\", \"copies.md\"]",
        "[\"copies.md\", \"places.md\"]",
    );
    assert!(chosen(&play).contains("What a copy costs"));
}

#[test]
fn an_edited_lab_keeps_its_program_and_its_run() {
    let mut play = Play::new(80, 24);
    play.keys("\nn").press(KeyCode::Enter);
    play.keys("e").keys("# mine").press(KeyCode::Esc).keys("r");
    let run = play.asked().run;
    play.rewrite("print(x.device)", "print(x.shape)");
    let report = Report::without_times(Outcome::Done);
    play.reply(Reply::Finished { run, report });
    insta::assert_snapshot!(play.screen(), @r#"
    lab · Put it on the device                                            on CPU

                                                                    placement.py
     1 ▸ # mineimport torch
     2 │ x = torch.ones(3).to("cuda")
     3 │ print(x.device)

    ✓ passed: it ran to its end

    ── task [output] checks  timeline  hints  diff ─────────────────────────────
    it printed nothing












    The course was read again: no problems.
    "#);
    assert!(
        play.app.session.course.lessons[0].labs[0]
            .starter
            .contains("x.shape")
    );
}

#[test]
fn a_lab_that_nobody_edited_has_its_new_starter() {
    let mut play = Play::new(80, 24);
    play.keys("\nn").press(KeyCode::Enter);
    play.rewrite("print(x.device)", "print(x.shape)");
    let screen = play.screen();
    assert!(screen.contains("print(x.shape)"), "{screen}");
    play.keys("q");
    assert!(play.effects.iter().all(|it| !matches!(it, Effect::Save(record) if format!("{:?}", record.event).contains("x.shape"))));
}

#[test]
fn a_lab_that_is_gone_leads_back_to_its_page() {
    let mut play = Play::new(80, 24);
    play.keys("\nn").press(KeyCode::Enter);
    play.rewrite("=placement", "=other");
    insta::assert_snapshot!(play.footer(), @"What was open is no longer in the course.");
}

#[test]
fn labs_that_changed_are_asked_about_again() {
    let mut play = Play::new(80, 24);
    play.keys("\nn").press(KeyCode::Enter);
    let (course, problems) =
        sample::changed(|_, text| text.replace("print(x.device)", "print(x.shape)"));
    play.send(Event::Reloaded(Box::new(ReloadedCourse {
        course,
        problems,
        asks: true,
        preview: None,
    })));
    play.keys("r");
    let runs = play
        .effects
        .iter()
        .filter(|it| matches!(it, Effect::Run(_)));
    assert_eq!(runs.count(), 0);
}

#[test]
fn a_quiz_goes_on_with_the_questions_that_it_began_with() {
    let mut play = Play::new(80, 24);
    play.keys("\nnz");
    let before = play.screen();
    play.reload(|file, text| {
        let text = text.to_owned();
        if file.starts_with("quizzes/") {
            text.replace("prompt = \"", "prompt = \"Now: ")
        } else {
            text
        }
    });
    let above = |screen: &str| screen.rsplit_once('\n').unwrap().0.to_owned();
    assert_eq!(above(&play.screen()), above(&before));
    assert!(play.footer().contains("read again"), "{}", play.footer());
}

#[test]
fn an_author_sees_the_page_that_changed_and_what_is_wrong() {
    let mut play = Play::new(80, 24);
    play.keys("\n");
    let none = |_: &str, text: &str| text.replace("It is narrow.", "It is slow.");
    let one = |file: &str, text: &str| match file {
        "lessons/places.md" => text.replace("print(x.device)", "print(x.device, x.shape)"),
        _ => none(file, text),
    };
    play.preview(none);
    insta::assert_snapshot!(head(&play), @"
    preview · 1 problems
     Lesson 1 of 2                                         page 1 of 2 █████░░░░░
    ");
    play.preview(one);
    insta::assert_snapshot!(head(&play), @"
    preview · 1 problems
     Where a tensor lives                                  page 2 of 2 ██████████
    ");
    // A change of another page moves this one in the file, which is no change of this one.
    let before =
        |file: &str, text: &str| one(file, text).replace("two memories", "two separate memories");
    play.preview(before);
    insta::assert_snapshot!(head(&play), @"
    preview · 1 problems
     Lesson 1 of 2                                         page 1 of 2 █████░░░░░
    ");
    play.preview(one);
    play.keys("n");
    // A change of another lesson leaves the page.
    let two = |file: &str, text: &str| one(file, text).replace("It is slow.", "It is long.");
    play.preview(two);
    insta::assert_snapshot!(head(&play), @"
    preview · 1 problems
     Where a tensor lives                                  page 2 of 2 ██████████
    ");
    play.preview(|file, text| two(file, text).replace("minutes = 20", "minutes = "));
    insta::assert_snapshot!(head(&play), @"
    preview · 2 problems
     Where a tensor lives                                  page 2 of 2 ██████████
    ");
    play.send(Event::Resize(40, 12));
    insta::assert_snapshot!(play.screen(), @r#"
     preview · 2 problems
    Where a tensor lives         page 2 of 2
    Put it there

    Decide what it prints, then run it.

    ▶ Put it on the device  ○ new
    │ import torch
    │ x = torch.ones(3).to("cuda")
    │ print(x.device, x.shape)
    └ r run   e edit   Enter open
    Enter open  r run  q back  ? help    ↓ 6
    "#);
}

/// The banner and the title.
fn head(play: &Play) -> String {
    let screen = play.screen();
    screen.lines().take(2).collect::<Vec<_>>().join("\n")
}
