//! Keys that go from one screen of the app to another.

use super::choice_labels::{letter_of, number_of};
use super::{AnswerPlan, choices, quiz, right, shown_question, wrong};
use crate::support::pty::Terminal;
use std::time::Duration;
use warpup_course::{ChoiceId, Course, Lesson, Question, QuestionId};
use warpup_grade::{Answer, needed};

/// What a page ends with until the learner goes on.
const PAUSE: &str = "shows what follows";

/// A frame is whole when nothing has come for so long.
const FRAME: Duration = Duration::from_millis(150);

/// Presses keys and waits until the screen contains a text.
pub(crate) fn press_until(terminal: &mut Terminal, keys: &str, what: &str) -> String {
    terminal.press(keys);
    terminal.wait_for(|screen| screen.contains(what), what)
}

/// Waits for the course map with this number of lessons done.
pub(crate) fn wait_for_map(terminal: &Terminal, course: &Course, done: usize) -> String {
    let words = format!("{done} of {} lessons done", course.lessons.len());
    terminal.wait_for(|screen| screen.contains(&words), &words)
}

/// Goes from the map to the first page of a lesson that was not opened before.
pub(crate) fn open_lesson(terminal: &mut Terminal, course: &Course, lesson: &Lesson) {
    let at = course.lessons.iter().position(|it| it.id == lesson.id);
    let down = "j".repeat(at.unwrap());
    let first = format!("page 1 of {}", lesson.pages.len());
    press_until(terminal, &format!("g{down}<Enter>"), &first);
}

/// Goes from one page of a lesson to a later one, through all pages between. Pages count from 1.
pub(crate) fn turn_to_page(terminal: &mut Terminal, lesson: &Lesson, from: usize, page: usize) {
    for page in from + 1..=page {
        let heading = format!("page {page} of {}", lesson.pages.len());
        if !lesson.pages[page - 2].pauses.is_empty() {
            reveal(terminal, &lesson.pages[page - 1].title);
        }
        press_until(terminal, "n", &heading);
    }
}

/// Shows what follows the pauses of a page, if that is not shown already. The page ends with the title of the next one.
fn reveal(terminal: &mut Terminal, next: &str) {
    let start: String = next.chars().take(12).collect();
    let end = format!("n  {start}");
    let is_whole = |it: &str| it.contains(PAUSE) || it.contains(&end);
    loop {
        // A page may be longer than the screen.
        terminal.press("G");
        terminal.wait_for(is_whole, "the end of the page");
        // A frame comes in parts, and a page may pause twice: only a whole frame says whether there is another pause.
        terminal.wait_until_quiet(FRAME);
        let screen = terminal.text();
        if !screen.contains(PAUSE) {
            return;
        }
        terminal.press("n");
        terminal.wait_for(|it| it != screen, "what follows the pause");
    }
}

/// Goes from a page of a lesson to a lab on it or after it, and returns the lab's page. Pages count from 1.
pub(crate) fn open_lab(terminal: &mut Terminal, lesson: &Lesson, from: usize, lab: &str) -> usize {
    let lab = lesson.labs.iter().find(|it| it.id.as_str() == lab).unwrap();
    let page = lesson.pages.iter().position(|it| it.id == lab.page);
    let page = page.unwrap() + 1;
    turn_to_page(terminal, lesson, from, page);
    let heading = format!("page {page} of ");
    let file = format!("{}.py", lab.id);
    let here = lesson.labs.iter().filter(|it| it.page == lab.page);
    for _ in here {
        terminal.press("<Enter>");
        let screen = terminal.wait_for(|it| it.contains("lab · ") && it.contains(".py"), "a lab");
        if screen.contains(&file) {
            return page;
        }
        press_until(terminal, "q", &heading);
        terminal.press("<Tab>");
    }
    panic!("{file} is not opened from its page:\n{}", terminal.text());
}

/// Answers the questions of an attempt, each rightly or wrongly, and waits for each verdict.
pub(crate) fn take_quiz(terminal: &mut Terminal, lesson: &Lesson, is_right: &[bool]) {
    let of = is_right.len();
    let mut asked: Vec<&QuestionId> = Vec::new();
    for (number, is_right) in (1..).zip(is_right) {
        let heading = format!("· {number} of {of}");
        if number == 1 {
            // A screen arrives in pieces, and results show many questions: the help comes between them and the first one.
            terminal.wait_for(|it| it.contains(&heading), &heading);
            press_until(terminal, "<F1>", "Everywhere");
            terminal.press("<Esc>");
        }
        // What is left of the question before is a question that was asked.
        let question = |it: &str| {
            let found = shown_question(quiz(lesson), it, &asked);
            found.filter(|_| it.contains(&heading))
        };
        let screen = terminal.wait_for(|it| question(it).is_some(), &heading);
        let question = question(&screen).unwrap();
        let (answer, verdict) = if *is_right {
            (right(question), "✓ right")
        } else {
            (wrong(question), "✗ not right")
        };
        enter_answer(terminal, question, &answer);
        press_until(terminal, "<Enter>", verdict);
        terminal.press("<Enter>");
        asked.push(&question.id);
    }
}

/// Waits for the result of a quiz that was not passed, and how many points are missing.
pub(crate) fn wait_for_not_passed(terminal: &Terminal, lesson: &Lesson, plan: &AnswerPlan) {
    let quiz = quiz(lesson);
    let (points, max) = (plan.points, plan.max);
    let bar = quiz.pass.above_percent;
    let needed = needed(max, quiz.pass);
    let share = if plan.is_exactly_at_gate(quiz) {
        format!(" is exactly {bar} %, and does not pass")
    } else {
        String::new()
    };
    // A question that gives parts of its points makes the gate a bound.
    let bound = max * u64::from(bar) / 100;
    let result = |needs: String| format!("{points} of {max} points{share}. You need {needs}");
    let results = [needed.to_string(), format!("more than {bound}")].map(result);
    let is_shown = |it: &str| results.iter().any(|result| it.contains(result));
    let screen = terminal.wait_for(is_shown, &results[0]);
    assert!(screen.contains("not passed yet"), "{screen}");
}

/// Chooses, types or sorts an answer to the question on the screen, without submitting it.
pub(crate) fn enter_answer(terminal: &mut Terminal, question: &Question, answer: &Answer) {
    let choices = choices(question);
    let text_of = |id: &ChoiceId| {
        let found = choices.iter().find(|(known, _)| *known == id);
        found.unwrap().1.plain()
    };
    match answer {
        Answer::Single(id) => press_label(terminal, number_of, &text_of(id)),
        Answer::Multi(ids) => {
            for id in ids {
                press_label(terminal, number_of, &text_of(id));
            }
        }
        Answer::Number(typed) | Answer::Text(typed) => {
            terminal.press(&typed.replace('<', "<lt>"));
        }
        Answer::Order(ids) => {
            let wanted: Vec<String> = ids.iter().map(text_of).collect();
            bring_into_order(terminal, &wanted);
        }
        // The rows have the order of the file, and each letter goes on to the next one.
        Answer::Match(pairs) => {
            for (left, _) in &choices {
                press_label(terminal, letter_of, &text_of(&pairs[*left]));
            }
        }
    }
}

/// A function that finds the label of a text on a screen.
type LabelOf = fn(&str, &str) -> Option<String>;

/// Waits until a choice is on the screen, and returns its label. A screen may arrive in pieces.
fn label(terminal: &Terminal, label_of: LabelOf, text: &str) -> String {
    let screen = terminal.wait_for(|it| label_of(it, text).is_some(), text);
    label_of(&screen, text).unwrap()
}

fn press_label(terminal: &mut Terminal, label_of: LabelOf, text: &str) {
    let label = label(terminal, label_of, text);
    terminal.press(&label);
}

/// Moves each item to its row, from the top down.
fn bring_into_order(terminal: &mut Terminal, wanted: &[String]) {
    let number = |text: &String| label(terminal, number_of, text);
    let row = |text| number(text).parse::<usize>().unwrap() - 1;
    let mut rows: Vec<usize> = wanted.iter().map(row).collect();
    // An order counts as an answer once a key was pressed, even if it is the one that is shown first.
    terminal.press("jk");
    let mut cursor = 0;
    for target in 0..rows.len() {
        let from = rows[target];
        while cursor != from {
            let down = cursor < from;
            terminal.press(if down { "j" } else { "k" });
            cursor = if down { cursor + 1 } else { cursor - 1 };
        }
        for _ in target..from {
            terminal.press("K");
        }
        for other in &mut rows[target..] {
            if (target..from).contains(other) {
                *other += 1;
            }
        }
        cursor = target;
    }
}
