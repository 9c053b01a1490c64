//! Quizzes, heads and labs that contradict themselves.

use super::{Case, MANIFEST, ONE, QUIZ, case};

/// A name, a file, a text of it, what replaces it, and where and what the message is.
type Change = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
);

const CHANGES: [Change; 24] = [
    (
        "no right choice",
        QUIZ,
        ", correct = true",
        "",
        &["quizzes/one.toml:"],
    ),
    (
        "only right choices",
        QUIZ,
        "feedback = \"No.\"",
        "correct = true",
        &["quizzes/one.toml:"],
    ),
    (
        "no choices",
        QUIZ,
        "  { id = \"a\", text = \"one\", correct = true },\n  { id = \"b\", text = \"two\", feedback = \"No.\" },\n",
        "",
        &["quizzes/one.toml:19:"],
    ),
    (
        "two choices of one id",
        QUIZ,
        "id = \"b\"",
        "id = \"a\"",
        &["quizzes/one.toml:21:"],
    ),
    (
        "no points",
        QUIZ,
        "points = 1",
        "points = 0",
        &["quizzes/one.toml:18:"],
    ),
    (
        "10^18 points",
        QUIZ,
        "points = 1",
        "points = 1000000000000000000",
        &["quizzes/one.toml:18:"],
    ),
    (
        "4,294,967,295 points",
        QUIZ,
        "points = 1",
        "points = 4294967295",
        &["quizzes/one.toml:18:"],
    ),
    (
        "two questions of one id",
        QUIZ,
        "q-bytes",
        "q-single",
        &["quizzes/one.toml:27:"],
    ),
    (
        "an unknown type",
        QUIZ,
        "\"single\"",
        "\"sing\\u001ble\"",
        &["quizzes/one.toml:16:"],
    ),
    (
        "a page that is not there",
        QUIZ,
        "#second",
        "#third",
        &["quizzes/one.toml:24:"],
    ),
    (
        "a page elsewhere",
        QUIZ,
        "#second",
        "../../outside/secret.md",
        &["quizzes/one.toml:24:"],
    ),
    (
        "a tolerance of less than nothing",
        QUIZ,
        "unit = \"B\"",
        "unit = \"B\"\ntolerance = { rel = -1 }",
        &["quizzes/one.toml:32:"],
    ),
    (
        "a tolerance that takes all",
        QUIZ,
        "unit = \"B\"",
        "unit = \"B\"\ntolerance = { range = [1, -1] }",
        &["quizzes/one.toml:32:"],
    ),
    (
        "an unknown unit",
        QUIZ,
        "unit = \"B\"",
        "unit = \"\\u202eB\"",
        &[],
    ),
    (
        "a lab that is not there",
        QUIZ,
        "lab = \"print\"",
        "lab = \"/etc/passwd\"",
        &["quizzes/one.toml:9:"],
    ),
    (
        "a lesson that requires itself",
        ONE,
        "requires = []",
        "requires = [\"one\"]",
        &["lessons/one.md:7:"],
    ),
    (
        "a lesson that requires nothing that is there",
        ONE,
        "requires = []",
        "requires = [\"../../outside/secret\"]",
        &["lessons/one.md:7:"],
    ),
    (
        "2^32 minutes",
        ONE,
        "minutes = 3",
        "minutes = 4294967296",
        &["lessons/one.md:6:"],
    ),
    (
        "two labs of one id",
        ONE,
        "## The second",
        "```python lab id=print\nx\n```\n\n## The second",
        &["lessons/one.md:23:"],
    ),
    (
        "a lab of 10^9 s",
        ONE,
        "predict=q-guess",
        "timeout=1000000000s",
        &["lessons/one.md:14:"],
    ),
    (
        "a lab on /dev/nvidia0",
        ONE,
        "predict=q-guess",
        "device=/dev/nvidia0",
        &["lessons/one.md:14:"],
    ),
    (
        "a lab on a card that nobody has",
        ONE,
        "predict=q-guess",
        "device=model:../../secret",
        &["lessons/one.md:14:"],
    ),
    (
        "a lesson that is listed twice",
        MANIFEST,
        "[\"one.md\"]",
        "[\"one.md\", \"one.md\"]",
        &["lessons/course.toml:5:"],
    ),
    (
        "the id of the built-in course",
        MANIFEST,
        "stranger\"",
        "warpup\"",
        &[
            "--> lessons/course.toml:1:1",
            ": the id `warpup` belongs to the course that is built in",
        ],
    ),
];

pub(super) fn cases() -> Vec<Case> {
    let changes = CHANGES.into_iter().map(|(name, file, from, to, says)| {
        let exit = match name {
            "the id of the built-in course" | "an unknown unit" => 0,
            _ => 1,
        };
        case(name, exit, says, move |it| it.replace(file, from, to))
    });
    let mut cases: Vec<Case> = changes.collect();
    cases.push(case(
        "two lessons of one id",
        1,
        &["lessons/two.md:3:"],
        |it| {
            let text = std::fs::read_to_string(it.file(ONE)).unwrap();
            it.write("lessons/two.md", text);
            it.replace(MANIFEST, "[\"one.md\"]", "[\"one.md\", \"two.md\"]");
        },
    ));
    cases.push(case("ids of the built-in course's lessons", 0, &[], |it| {
        it.replace(ONE, "id = \"one\"", "id = \"where-a-tensor-lives\"");
        it.replace(MANIFEST, "stranger\"", "folder-warpup\"");
    }));
    cases
}
