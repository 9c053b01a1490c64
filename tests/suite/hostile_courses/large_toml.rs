//! TOML that could cost much time or memory: nested, repeated, and with more than anybody needs.

use super::bombs::MOST;
use super::{ANY, Case, MANIFEST, QUIZ, case};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = large_toml();
    cases.extend(large_questions());
    cases
}

fn each(count: usize, text: fn(usize) -> String) -> String {
    (0..count).map(text).collect()
}

/// TOML, which may be nested.
fn large_toml() -> Vec<Case> {
    let first_line =
        |file: &'static str, name: &str, says: &'static [&'static str], text: fn() -> String| {
            case(name, 1, says, move |it| it.write(file, text()))
        };
    vec![
        first_line(
            MANIFEST,
            "lists 10,000 deep",
            &["lessons/course.toml:1:"],
            || "[".repeat(10_000),
        ),
        first_line(
            MANIFEST,
            "lists 10,000 deep, as a value",
            &["lessons/course.toml:1:"],
            || format!("lessons = {}{}", "[".repeat(10_000), "]".repeat(10_000)),
        ),
        first_line(
            MANIFEST,
            "tables 10,000 deep",
            &["lessons/course.toml:1:"],
            || format!("a = {}1{}", "{ a = ".repeat(10_000), "}".repeat(10_000)),
        ),
        first_line(
            MANIFEST,
            "a key of 300,000 parts",
            &["lessons/course.toml:1:"],
            || format!("{}a = 1", "a.".repeat(300_000)),
        ),
        first_line(
            MANIFEST,
            "a table's name of 100,000 parts",
            &["lessons/course.toml:1:"],
            || format!("[{}a]", "a.".repeat(100_000)),
        ),
        first_line(QUIZ, "100,000 keys", &["quizzes/one.toml:1:"], || {
            (0..100_000).map(|n| format!("k{n}=1\n")).collect()
        }),
        first_line(
            QUIZ,
            "100,000 times the same key",
            &["quizzes/one.toml:2:"],
            || "key=1\n".repeat(100_000),
        ),
        first_line(QUIZ, "40,000 questions", &["quizzes/one.toml:"], || {
            format!(
                "format = 1\nid = \"one\"\ntitle = \"x\"\n{}",
                "[[question]]\nid=\"a\"\n".repeat(40_000)
            )
        }),
        first_line(
            MANIFEST,
            "100,000 lessons that are not there",
            &["lessons/course.toml:5:"],
            || {
                let names: String = (0..100_000).map(|n| format!("\"{n}\",")).collect();
                format!(
                    "format = 1\nid = \"a\"\ntitle = \"x\"\nsummary = \"x\"\nlessons = [{names}]\n"
                )
            },
        ),
        first_line(
            MANIFEST,
            "a text without an end",
            &["lessons/course.toml:1:"],
            || format!("title = \"\"\"{}", "x".repeat(MOST)),
        ),
        first_line(
            MANIFEST,
            "a number of a mebibyte",
            &["lessons/course.toml:1:"],
            || format!("format = {}", "9".repeat(MOST)),
        ),
    ]
}

/// Questions with more than anybody answers.
fn large_questions() -> Vec<Case> {
    let question = |name: &str, exit, from: &'static str, to: fn() -> String| {
        case(name, exit, &[], move |it| it.replace(QUIZ, from, &to()))
    };
    vec![
        question("10,000 bins", 1, "unit = \"ms\"", || {
            let bins = each(10_000, |n| {
                format!(
                    "{{ id = \"b{n}\", text = \"t{n}\", from = {n}, to = {} }},",
                    n + 1
                )
            });
            format!("bins = [{bins}]")
        }),
        question("10,000 choices", 1, "options = [", || {
            format!(
                "options = [{}",
                each(10_000, |n| format!(
                    "{{ id = \"c{n}\", text = \"t{n}\", feedback = \"f\" }},"
                ))
            )
        }),
        question(
            "20,000 texts, each with a sample",
            ANY,
            "type = \"numeric\"",
            || {
                let texts = each(20_000, |n| format!("\"t{n}\","));
                format!(
                    "type = \"text\"\naccept = [{texts}]\nsamples_ok = [{texts}]\nsamples_bad = [{texts}]"
                )
            },
        ),
        question("4,000 near misses", ANY, "unit = \"B\"", || {
            let near = each(4_000, |n| format!("{{ value = {n}, feedback = \"f\" }},"));
            format!("unit = \"B\"\nnear = [{near}]")
        }),
        question(
            "10,000 items in 10,000 orders",
            1,
            "type = \"numeric\"",
            || {
                let items = each(10_000, |n| format!("{{ id = \"i{n}\", text = \"t{n}\" }},"));
                let also = each(10_000, |n| format!("[\"i{n}\", \"x\"],"));
                format!("type = \"order\"\nitems = [{items}]\nalso = [{also}]")
            },
        ),
        question("199 questions of 26 choices", ANY, "[[question]]", || {
            let options = each(26, |n| {
                format!("{{ id = \"c{n}\", text = \"t{n}\", feedback = \"f\" }},")
            });
            let question = |n| {
                format!(
                    "[[question]]\nid = \"m{n}\"\ntype = \"multi\"\nprompt = \"?\"\noptions = [{options}{{ id = \"r\", text = \"r\", correct = true }}]\nexplain = \"x\"\n"
                )
            };
            (0..197).map(question).collect::<String>() + "[[question]]"
        }),
        question("100,000 hints", ANY, "points = 1", || {
            format!(
                "points = 1\nhints = [{}]",
                each(100_000, |n| format!("\"h{n}\","))
            )
        }),
    ]
}
