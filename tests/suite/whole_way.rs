//! The main job from end to end, in a pseudo-terminal: read, predict, run, edit, run again, fail the quiz
//! at exactly the threshold, retry, pass, quit, come back and find the lesson done.
//!
//! Answers are taken from the shipped quiz itself, and options are looked for on the screen, since their
//! order changes with each attempt.

use crate::pty::{Start, Terminal};
use warpup::course::{self, Course, Question, QuestionKind};
use warpup::store;

const LESSON: &str = "where-a-tensor-lives";

fn shipped() -> Course {
    let (course, diagnostics) = course::parse(&store::course::embedded());
    assert_eq!(diagnostics, []);
    course
}

fn questions(course: &Course) -> Vec<&Question> {
    let lesson = course.lessons.iter().find(|it| it.id.as_str() == LESSON);
    let quiz = lesson.unwrap().quiz.as_ref().unwrap();
    quiz.counted().collect()
}

/// Presses keys and waits for what they lead to.
fn to(terminal: &mut Terminal, keys: &str, what: &str) -> String {
    terminal.press(keys);
    terminal.wait_for(|screen| screen.contains(what), what)
}

/// The number in front of the row that begins with a text.
fn number_of(screen: &str, text: &str) -> String {
    let start: String = text.chars().take(40).collect();
    let row = screen.lines().find(|line| line.contains(&start));
    let row = row.unwrap_or_else(|| panic!("no row begins with {start:?}:\n{screen}"));
    let words = row.split_whitespace().find(|it| it.parse::<u32>().is_ok());
    words
        .unwrap_or_else(|| panic!("no number in {row:?}"))
        .to_owned()
}

/// Answers the question on the screen, rightly or wrongly, and waits for the verdict.
fn answer(terminal: &mut Terminal, question: &Question, is_right: bool) {
    let screen = terminal.text();
    match &question.kind {
        QuestionKind::Single { options, .. } => {
            let chosen = options.iter().find(|it| it.correct == is_right).unwrap();
            terminal.press(&number_of(&screen, &chosen.text.plain()));
        }
        QuestionKind::Multi { options, .. } => {
            for option in options.iter().filter(|it| it.correct == is_right) {
                terminal.press(&number_of(&screen, &option.text.plain()));
            }
        }
        QuestionKind::Numeric(numeric) if is_right => terminal.press(&numeric.answer.to_string()),
        QuestionKind::Numeric(_) => terminal.press("123456"),
        QuestionKind::Text { accept, .. } if is_right => terminal.press(&accept[0]),
        QuestionKind::Text { .. } => terminal.press("nothing of the kind"),
        QuestionKind::Order { items, .. } => {
            let texts: Vec<String> = items.iter().map(|it| it.text.plain()).collect();
            bring_into_order(terminal, &screen, &texts);
        }
        QuestionKind::Match { pairs } => {
            let rights: Vec<String> = pairs.iter().map(|it| it.right.plain()).collect();
            pair_up(terminal, &rights);
        }
        QuestionKind::Predict { .. } | QuestionKind::Words { .. } => {
            panic!("only what counts is asked")
        }
    }
    let verdict = if is_right {
        "✓ right"
    } else {
        "✗ not right"
    };
    to(terminal, "<Enter>", verdict);
}

/// Lifts each item to its place, from the top down.
fn bring_into_order(terminal: &mut Terminal, screen: &str, wanted: &[String]) {
    let place = |text: &String| number_of(screen, text).parse::<usize>().unwrap() - 1;
    let mut places: Vec<usize> = wanted.iter().map(place).collect();
    let mut cursor = 0;
    for target in 0..places.len() {
        let from = places[target];
        while cursor != from {
            let down = cursor < from;
            terminal.press(if down { "j" } else { "k" });
            cursor = if down { cursor + 1 } else { cursor - 1 };
        }
        for _ in target..from {
            terminal.press("K");
        }
        for other in &mut places[target..] {
            if (target..from).contains(other) {
                *other += 1;
            }
        }
        cursor = target;
    }
}

/// Gives each row, from the top, the letter that its right side has in the list below.
fn pair_up(terminal: &mut Terminal, rights: &[String]) {
    let screen = terminal.text();
    for wanted in rights {
        let start: String = wanted.chars().take(30).collect();
        let letters = screen
            .lines()
            .filter_map(|line| line.trim().split_once("  "));
        let letter = letters
            .filter(|(_, side)| side.starts_with(&start))
            .map(|it| it.0)
            .next();
        terminal.press(letter.unwrap_or_else(|| panic!("{start:?} is not listed:\n{screen}")));
    }
}

/// Answers the questions from `first` on, those from `wrong_from` on wrongly.
fn take_quiz(terminal: &mut Terminal, questions: &[&Question], first: usize, wrong_from: usize) {
    for (at, question) in questions.iter().enumerate().skip(first) {
        let heading = format!("question {} of {}", at + 1, questions.len());
        terminal.wait_for(|it| it.contains(&heading), &heading);
        answer(terminal, question, at < wrong_from);
        terminal.press("<Enter>");
    }
}

#[test]
fn a_learner_reads_predicts_runs_edits_fails_passes_and_finds_the_lesson_done() {
    let course = shipped();
    let questions = questions(&course);
    assert_eq!(questions.len(), 8, "6 of 8 is exactly the threshold");
    let mut terminal = Start::warpup().spawn();
    terminal.wait_for(|it| it.contains("0 of 4 lessons done"), "the course map");

    // Read the course's second lesson up to the lab that asks for a prediction.
    to(&mut terminal, "j<Enter>", "page 1 of 11");
    for page in 2..=7 {
        to(&mut terminal, "n", &format!("page {page} of 11"));
    }
    to(&mut terminal, "<Enter>", "predict before you run");

    // Run is locked until a prediction stands; then it is compared with this very run.
    to(&mut terminal, "r", "How many MiB");
    let after = to(&mut terminal, "12<Enter>", "you predicted: 12 MiB");
    assert!(after.contains("✓ passed"), "{after}");
    assert!(after.contains("measured"), "{after}");

    // Edit, run again, and see the edit's output.
    to(&mut terminal, "e", "Esc stop editing");
    to(
        &mut terminal,
        "print(\"the edit ran\")<Enter>",
        "the edit ran",
    );
    terminal.press("<C-r>");
    let ran = |it: &str| it.contains("✓ passed") && it.contains("o pane");
    let mut screen = terminal.wait_for(ran, "the second run");
    // Alone on its line: the program's own line has more on it.
    let shows_output = |it: &str| it.lines().any(|line| line.trim() == "the edit ran");
    for _pane in 0..5 {
        if shows_output(&screen) {
            break;
        }
        let before = screen.clone();
        terminal.press("o");
        screen = terminal.wait_for(|it| it != before, "another pane");
    }
    assert!(shows_output(&screen), "{screen}");

    // On a modelled card the same program has two clocks, and they are labelled.
    to(&mut terminal, "d", "Tesla T4 (modelled)");
    to(&mut terminal, "r", "MODELLED");

    // The quiz: exactly 75 % is not enough.
    terminal.press("<Esc>");
    terminal.wait_for(|it| it.contains("page 7 of 11"), "the lesson again");
    terminal.press("z");
    take_quiz(&mut terminal, &questions, 0, 6);
    let result = "6 of 8 points is exactly 75 %: more than 75 % is needed, so 7";
    let screen = terminal.wait_for(|it| it.contains(result), result);
    assert!(screen.contains("not passed yet"), "{screen}");

    // Only the missed ones again.
    terminal.press("r");
    take_quiz(&mut terminal, &questions, 6, 8);
    terminal.wait_for(|it| it.contains("8 of 8 points"), "the result");
    terminal.wait_for(|it| it.contains("passed: this lesson is done"), "passed");

    // Quit, come back: the lesson is done, and the edit is still there.
    terminal.press("Q");
    assert!(terminal.wait_exit().success());
    let again = Start::warpup()
        .home_of(&terminal)
        .args(["progress", "show"])
        .spawn();
    again.wait_exit();
    assert!(again.text().contains("done"), "{}", again.text());
    let mut back = Start::warpup().home_of(&terminal).spawn();
    back.wait_for(|it| it.contains("Where a tensor lives"), "the app again");
    back.press("q");
    let map = back.wait_for(|it| it.contains("1 of 4 lessons done"), "the map");
    assert!(map.contains("● done"), "{map}");
    back.press("Q");
    assert!(back.wait_exit().success());
}
