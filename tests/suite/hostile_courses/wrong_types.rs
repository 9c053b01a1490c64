//! Keys with values of another type, and values that no course has.

use super::{Case, MANIFEST, ONE, QUIZ, case, is_full};

/// What a value is replaced by.
const VALUES: [&str; 9] = [
    "true",
    "-1",
    "1e400",
    "nan",
    "[]",
    "{}",
    "\"\"",
    "1979-05-27",
    "99999999999999999999",
];

/// Keys, each with the line that has it.
const KEYS: [(&str, &str, &str); 17] = [
    (MANIFEST, "format = 1", "lessons/course.toml:1:"),
    (MANIFEST, "id = \"stranger\"", "lessons/course.toml:2:"),
    (
        MANIFEST,
        "title = \"From a stranger\"",
        "lessons/course.toml:3:",
    ),
    (MANIFEST, "lessons = [\"one.md\"]", "lessons/course.toml:5:"),
    (ONE, "format = 1", "lessons/one.md:2:"),
    (ONE, "id = \"one\"", "lessons/one.md:3:"),
    (ONE, "title = \"The first\"", "lessons/one.md:4:"),
    (ONE, "minutes = 3", "lessons/one.md:6:"),
    (ONE, "quiz = \"one.toml\"", "lessons/one.md:9:"),
    (QUIZ, "format = 1", "quizzes/one.toml:1:"),
    (QUIZ, "id = \"one\"", "quizzes/one.toml:2:"),
    (QUIZ, "id = \"q-single\"", "quizzes/one.toml:15:"),
    (QUIZ, "type = \"single\"", "quizzes/one.toml:16:"),
    (QUIZ, "prompt = \"Which?\"", "quizzes/one.toml:17:"),
    (QUIZ, "points = 1", "quizzes/one.toml:18:"),
    (QUIZ, "answer = 24", "quizzes/one.toml:30:"),
    (QUIZ, "see = \"#second\"", "quizzes/one.toml:24:"),
];

pub(super) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (row, (file, line, place)) in KEYS.into_iter().enumerate() {
        let key = line.split(" = ").next().unwrap();
        for (column, value) in VALUES.into_iter().enumerate() {
            // Each key with a fifth of the values, others for the next key.
            if !is_full() && (row + column) % 5 != 0 {
                continue;
            }
            // A list without lessons is a list, and less than nothing is a number.
            if (key, value) == ("lessons", "[]") || (key, value) == ("answer", "-1") {
                continue;
            }
            let name = format!("{file}: {key} = {value}");
            cases.push(
                case(name, 1, &[], move |it| {
                    it.replace(file, line, &format!("{key} = {value}"));
                })
                .at(place),
            );
        }
    }
    cases
}
