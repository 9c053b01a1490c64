//! From one place of the app to another, by its keys.

use super::screen::{letter_of, number_of};
use super::{Plan, questions, quiz};
use crate::pty::Terminal;
use warpup::course::{ChoiceId, Course, Lesson, Question, Text};
use warpup::grade::{Answer, input, needed};

/// Presses keys and waits for what they lead to.
pub(crate) fn to(terminal: &mut Terminal, keys: &str, what: &str) -> String {
    terminal.press(keys);
    terminal.wait_for(|screen| screen.contains(what), what)
}

/// Waits for the map, with so many lessons done.
pub(crate) fn to_map(terminal: &Terminal, course: &Course, done: usize) -> String {
    let words = format!("{done} of {} lessons done", course.lessons.len());
    terminal.wait_for(|screen| screen.contains(&words), &words)
}

/// From the map to the first page of a lesson that has not been opened yet.
pub(crate) fn to_lesson(terminal: &mut Terminal, course: &Course, lesson: &Lesson) {
    let at = course.lessons.iter().position(|it| it.id == lesson.id);
    let down = "j".repeat(at.unwrap());
    let first = format!("page 1 of {}", lesson.pages.len());
    to(terminal, &format!("g{down}<Enter>"), &first);
}

/// From one page of a lesson to a later one, through all between them. Pages count from 1.
pub(crate) fn to_page(terminal: &mut Terminal, lesson: &Lesson, from: usize, page: usize) {
    for page in from + 1..=page {
        let heading = format!("page {page} of {}", lesson.pages.len());
        to(terminal, "n", &heading);
    }
}

/// From a page of a lesson, counted from 1, to a lab that stands there or later. Gives the lab's page.
pub(crate) fn to_lab(terminal: &mut Terminal, lesson: &Lesson, from: usize, lab: &str) -> usize {
    let lab = lesson.labs.iter().find(|it| it.id.as_str() == lab).unwrap();
    let page = lesson.pages.iter().position(|it| it.id == lab.page);
    let page = page.unwrap() + 1;
    to_page(terminal, lesson, from, page);
    let heading = format!("page {page} of ");
    let file = format!("{}.py", lab.id);
    let here = lesson.labs.iter().filter(|it| it.page == lab.page);
    for _ in here {
        terminal.press("<Enter>");
        let screen = terminal.wait_for(|it| it.contains("lab · ") && it.contains(".py"), "a lab");
        if screen.contains(&file) {
            return page;
        }
        to(terminal, "q", &heading);
        terminal.press("<Tab>");
    }
    panic!("{file} is not opened from its page:\n{}", terminal.text());
}

/// Takes a quiz: answers those questions that `is_asked`, as planned, and waits for each verdict.
pub(crate) fn take(terminal: &mut Terminal, lesson: &Lesson, plan: &Plan, is_asked: &[bool]) {
    let questions = questions(lesson);
    for (at, question) in questions.iter().enumerate() {
        if !is_asked[at] {
            continue;
        }
        let heading = format!("question {} of {}", at + 1, questions.len());
        terminal.wait_for(|it| it.contains(&heading), &heading);
        answer(terminal, question, &plan.answers[at]);
        let verdict = if plan.is_right[at] {
            "✓ right"
        } else {
            "✗ not right"
        };
        to(terminal, "<Enter>", verdict);
        terminal.press("<Enter>");
    }
}

/// Waits until a quiz that was handed in says how far short of passing it is.
pub(crate) fn told_to_be_short(terminal: &Terminal, lesson: &Lesson, plan: &Plan) {
    let quiz = quiz(lesson);
    let (points, max) = (plan.points, plan.max);
    let bar = quiz.pass.above_percent;
    let share = if plan.is_exact(quiz) {
        format!("exactly {bar} %:")
    } else {
        format!("{} %:", 100 * points / max)
    };
    let needed = needed(max, quiz.pass);
    let result =
        format!("{points} of {max} points is {share} more than {bar} % is needed, so {needed}");
    let screen = terminal.wait_for(|it| it.contains(&result), &result);
    assert!(screen.contains("not passed yet"), "{screen}");
}

/// Chooses, types or sorts an answer to the question on the screen, and does not hand it in.
pub(crate) fn answer(terminal: &mut Terminal, question: &Question, answer: &Answer) {
    let texts = texts(question);
    let text_of = |id: &ChoiceId| {
        let found = texts.iter().find(|(known, _)| *known == id);
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
        // The rows have the order of the file.
        Answer::Match(pairs) => {
            for (left, _) in &texts {
                press_label(terminal, letter_of, &text_of(&pairs[*left]));
            }
        }
    }
}

/// What finds the label of a text on a screen.
type LabelOf = fn(&str, &str) -> Option<String>;

/// Waits for a text that can be chosen, and gives its label. A screen may come in pieces.
fn label(terminal: &Terminal, label_of: LabelOf, text: &str) -> String {
    let screen = terminal.wait_for(|it| label_of(it, text).is_some(), text);
    label_of(&screen, text).unwrap()
}

fn press_label(terminal: &mut Terminal, label_of: LabelOf, text: &str) {
    let label = label(terminal, label_of, text);
    terminal.press(&label);
}

/// What can be chosen, in the order of the file; of pairs, their right sides.
fn texts(question: &Question) -> Vec<(&ChoiceId, &Text)> {
    let input = input(question);
    input.rows().iter().map(|it| (it.id, it.text)).collect()
}

/// Lifts each item to its place, from the top down.
fn bring_into_order(terminal: &mut Terminal, wanted: &[String]) {
    let number = |text: &String| label(terminal, number_of, text);
    let place = |text| number(text).parse::<usize>().unwrap() - 1;
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
