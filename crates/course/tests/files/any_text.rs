//! What holds for every text, however broken or hostile.

use super::*;
use proptest::prelude::*;

/// Every span of a course lies inside its file, on the bounds of characters.
fn check_spans(sources: &Sources) {
    let (course, diagnostics) = parse(sources);
    for diagnostic in &diagnostics {
        if let Some(text) = sources.files.get(&diagnostic.file) {
            assert!(
                text.get(diagnostic.span.clone()).is_some(),
                "{diagnostic:?}"
            );
            diagnostic.render(text);
        }
    }
    for lesson in &course.lessons {
        let text = &sources.files[&lesson.file];
        let blocks = lesson.pages.iter().flat_map(|it| &it.blocks);
        let hints = lesson.labs.iter().flat_map(|it| &it.hints).flatten();
        for block in blocks.chain(hints) {
            assert!(text.get(block.span.clone()).is_some(), "{block:?}");
            assert!(block.within.len() <= MAX_DEPTH);
        }
        let Some(quiz) = &lesson.quiz else {
            continue;
        };
        let text = &sources.files[&quiz.file];
        for question in &quiz.questions {
            assert!(text.get(question.span.clone()).is_some());
            for block in question.prompt.iter().chain(&question.explain) {
                assert!(text.get(block.span.clone()).is_some(), "{block:?}");
            }
        }
    }
    prove(&course);
    lab_proofs(&course);
    assert_eq!(open(sources), course);
}

/// Pieces of markdown that mean something, in any order.
fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(|it| it.to_string()),
        prop::sample::select(vec![
            "\n",
            "\n\n",
            "\r\n",
            "    ",
            "\t",
            "> ",
            "- ",
            "1. ",
            "- [x] ",
            "## ",
            "# ",
            "### x {#y}",
            "`",
            "```",
            "~~~",
            "```python lab id=a\n",
            "```python check=a\n",
            "```text figure alt=\"x\"\n",
            "**",
            "_",
            "~~",
            "[^a]",
            "[^a]: ",
            "[x](#y)",
            "![x](y)",
            "<details>",
            "<summary>Hint</summary>",
            "<summary>",
            "</summary>",
            "</details>",
            "<b>",
            "<!--",
            "-->",
            "|a|b|\n|-|-|\n",
            "|",
            "---",
            "===",
            "> [!NOTE]\n",
            "&amp;",
            "\\",
            "漢",
            "e\u{301}",
            "a b",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|it| it.concat())
}

/// Pieces of a quiz file, in any order.
fn toml() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "\n",
        "[[question]]\n",
        "id = \"q\"\n",
        "id = \"r\"\n",
        "type = \"single\"\n",
        "type = \"numeric\"\n",
        "type = \"text\"\n",
        "type = \"order\"\n",
        "type = \"match\"\n",
        "type = \"predict\"\n",
        "prompt = \"a [x](#y) é\"\n",
        "prompt = '''\n> `é`\n'''\n",
        "explain = \"\\u00e9 **x\"\n",
        "answer = 1e3\n",
        "answer = inf\n",
        "tolerance = { range = [0, 2000] }\n",
        "unit = \"MiB\"\n",
        "near = [{ value = 3, feedback = \"f\" }]\n",
        "accept = [\"\", \"a\"]\n",
        "options = [\n",
        "{ id = \"a\", text = \"x\", correct = true },\n",
        "{ id = \"b\", text = \"y\" },\n",
        "]\n",
        "items = [\n",
        "pairs = [{ id = \"a\", left = \"x\", right = \"1\" }, { id = \"b\", left = \"y\", right = \"2\" }]\n",
        "bins = [{ id = \"a\", text = \"x\", to = 2 }, { id = \"b\", text = \"y\", from = 2 }]\n",
        "lab = \"a\"\n",
        "metric = \"host_ms\"\n",
        "see = \"#start\"\n",
        "points = 3\n",
        "x",
        "\"",
        "'''",
        "{",
        "}",
        "=",
        "é",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|it| it.concat())
}

proptest! {
    #[test]
    fn no_lesson_file_makes_it_panic(text in any::<String>()) {
        check_spans(&sources(&[
            ("lessons/course.toml", MANIFEST),
            ("lessons/lesson.md", &text),
            ("quizzes/lesson.toml", &text),
        ]));
        check_spans(&sources(&[("lessons/course.toml", &text)]));
    }

    #[test]
    fn no_body_or_quiz_makes_it_panic(body in markdown(), quiz in toml()) {
        check_spans(&course_of(&body, &format!("{QUIZ}{quiz}")));
    }

    #[test]
    fn no_head_makes_it_panic(head in toml()) {
        check_spans(&sources(&[("lessons/lesson.md", &format!("+++\n{head}+++\n"))]));
    }
}

#[test]
fn deep_and_repeated_nesting_takes_neither_stack_nor_time() {
    let long = "x".repeat(100_000);
    for hostile in [
        "> ".repeat(65_536),
        "> ".repeat(65_536) + "\n\n" + &"> - ".repeat(1000) + "x\n",
        "- ".repeat(65_536),
        "[".repeat(100_000),
        "**a ".repeat(30_000),
        "<details>\n\n".repeat(30_000),
        "<summary>".repeat(30_000),
        format!(
            "<details><summary>{long}</summary>\n\n{}",
            "x\n\n".repeat(30_000)
        ),
        "```python lab id=a\n```\n".repeat(20_000),
        "## x\n".repeat(30_000),
        "[^a]: x\n\n".repeat(10_000) + &"[^a]".repeat(30_000),
        format!("[{}](#{long})", "*a* ".repeat(30_000)),
        format!(
            "{}|\n{}|\n{}",
            "|x".repeat(2000),
            "|-".repeat(2000),
            "|x|\n".repeat(20_000)
        ),
    ] {
        check_spans(&course_of(&hostile, QUIZ));
    }
}

#[test]
fn deep_toml_takes_no_stack() {
    for hostile in [
        "x = ".to_owned() + &"[".repeat(65_536),
        "x.".repeat(65_536) + "y = 1",
        "x = ".to_owned() + &"{x=".repeat(30_000),
    ] {
        check_spans(&course_of("x\n", &hostile));
    }
}
