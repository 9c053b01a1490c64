//! Text for one front end: what each front end shows of a page, and what is wrong with its marks.

use super::*;
use insta::assert_snapshot;

/// A page with text for each front end, in a line, between blocks and in a table.
const MARKED: &str =
    "Turn the page<!-- screen --> (`n`)<!-- /screen --><!-- plain --> with `next`<!-- /plain -->.
It is long.<!-- screen -->
(Press [`?`](#keys).)<!-- /screen -->

<!-- screen -->

| step | key |
| --- | --- |
| run | `r` |

- Or `Ctrl-R`.

<!-- /screen -->
<!-- plain -->
Type `run`.
<!-- /plain -->

| where | what<!-- plain --> here<!-- /plain --> |
| --- | --- |
| a | b |

## Keys

All.
";

/// What a front end shows of this body; `None` shows all of it.
fn read_in(front_end: Option<FrontEnd>, body: &str) -> String {
    let sources = Sources {
        front_end,
        ..course_of(body, &format!("{QUIZ}{QUESTION}"))
    };
    let whole = plain::lesson(&parse(&sources).0.lessons[0], "warpup", 70);
    // What is read when it is asked for is the same.
    let later = plain::lesson(&open(&sources).lessons[0], "warpup", 70);
    assert_eq!(whole.as_str(), later.as_str());
    let text = whole.as_str();
    let (_, text) = text.split_once("- Say it.\n").unwrap();
    let first = text.split("\nKeys\n").next().unwrap();
    first.trim().to_owned()
}

#[test]
fn each_front_end_shows_its_own_text_and_a_page_that_is_read_elsewhere_has_both() {
    assert_eq!(diagnostics_of(MARKED), "");
    assert_snapshot!(read_in(Some(FrontEnd::Screen), MARKED), @"
    Turn the page (`n`). It is long. (Press `?` (page keys).)

    step  key
    ----  ---
    run   `r`

    - Or `Ctrl-R`.

    where  what
    -----  ----
    a      b
    ");
    assert_snapshot!(read_in(Some(FrontEnd::Plain), MARKED), @"
    Turn the page with `next`. It is long.

    Type `run`.

    where  what here
    -----  ---------
    a      b
    ");
    assert_snapshot!(read_in(None, MARKED), @"
    Turn the page (`n`) with `next`. It is long. (Press `?` (page keys).)

    step  key
    ----  ---
    run   `r`

    - Or `Ctrl-R`.

    Type `run`.

    where  what here
    -----  ---------
    a      b
    ");
}

#[test]
fn marks_are_closed_and_not_nested() {
    for (body, said) in [
        (
            "Go <!-- screen -->on.\n\nThere.\n",
            "`<!-- screen -->` is not closed in its paragraph",
        ),
        (
            "Go <!-- screen -->on.\n<!-- /screen -->\n",
            "`<!-- screen -->` is not closed in its paragraph",
        ),
        (
            "x\n\n<!-- plain -->\n\nThere.\n",
            "`<!-- plain -->` is not closed",
        ),
        (
            "x\n\n<!-- /plain -->\n\nThere.\n",
            "`<!-- /plain -->` closes nothing here",
        ),
        (
            "Go<!-- /screen -->.\n",
            "`<!-- /screen -->` closes nothing here",
        ),
        (
            "x\n\n<!-- plain -->\n\nThere <!-- screen -->you<!-- /screen -->.\n\n<!-- /plain -->\n",
            "this text for one front end is inside another one",
        ),
    ] {
        let shown = diagnostics_of(body);
        assert!(
            shown.starts_with(&format!("error[front-end-mark]: {said}\n")),
            "{body}{shown}"
        );
    }
}

#[test]
fn one_mistake_with_marks_is_one_message() {
    for body in [
        "Go <!-- screen -->on.\n<!-- /screen -->\n",
        "x\n\n<!-- plain -->\n\nThere.\n\n## Two\n\nx\n\n<!-- /plain -->\n",
    ] {
        let shown = diagnostics_of(body);
        assert_eq!(shown.matches("error[").count(), 1, "{body}{shown}");
    }
}

#[test]
fn what_every_front_end_needs_is_in_no_text_for_one() {
    let lab = "```python lab id=a\nx = 1\n```\n";
    for (inside, what) in [
        ("## Two\n\nx\n", "a page"),
        ("<!-- pause -->\n", "a pause"),
        (lab, "a lab"),
    ] {
        let body = format!("x\n\n<!-- screen -->\n\ny\n\n{inside}\nz\n\n<!-- /screen -->\n");
        let shown = diagnostics_of(&body);
        let said = format!(
            "error[front-end-mark]: {what} is in text for one front end, and the others need it, too\n"
        );
        assert!(shown.starts_with(&said), "{shown}");
        // It is not hidden.
        let sources = Sources {
            front_end: Some(FrontEnd::Plain),
            ..course_of(&body, "")
        };
        let lesson = &parse(&sources).0.lessons[0];
        let found = lesson.pages.len() + lesson.labs.len() + lesson.pages[0].pauses.len();
        assert_eq!(found, 2, "{inside}");
    }
    assert_snapshot!(diagnostics_of("x\n\n## Two <!-- plain -->halves<!-- /plain -->\n\nx\n"), @"
    error[front-end-mark]: a heading has no text for one front end: it is the same everywhere
      --> lessons/lesson.md:13:4
       |
    13 | ## Two <!-- plain -->halves<!-- /plain -->
       |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: put the marks into the text below it
    ");
}

#[test]
fn a_mark_at_the_start_of_a_line_and_one_in_a_list_are_reported() {
    assert_snapshot!(diagnostics_of("One.\n\n<!-- screen -->Press `n`.<!-- /screen -->\n"), @"
    error[front-end-mark]: a mark at the start of a line makes the whole line HTML, which is shown as it is written
      --> lessons/lesson.md:13:1
       |
    13 | <!-- screen -->Press `n`.<!-- /screen -->
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: put the mark at the end of the line before it, or on a line of its own
    ");
    assert_snapshot!(diagnostics_of("- one\n\n  <!-- plain -->\n\n  two\n"), @"
    error[front-end-mark]: text for one front end cannot be a part of a list, a quotation or a folded part
      --> lessons/lesson.md:13:3
       |
    13 |   <!-- plain -->
       |   ^^^^^^^^^^^^^^
       |
       = help: put both marks into a line of it, behind its first word
    ");
}

#[test]
fn a_question_has_no_text_for_one_front_end() {
    let question = QUESTION.replace("Fine?", "Fine<!-- screen --> (`y`)<!-- /screen -->?");
    assert_snapshot!(shown(&course_of("x\n", &format!("{QUIZ}{question}"))), @r#"
    error[front-end-mark]: only the pages of a lesson have text for one front end
     --> quizzes/lesson.toml:8:15
      |
    8 | prompt = "Fine<!-- screen --> (`y`)<!-- /screen -->?"
      |               ^^^^^^^^^^^^^^^
      |
      = help: remove the marks: a question is the same everywhere
    "#);
}

#[test]
fn a_mark_that_is_misspelt_is_named() {
    leads(
        &diagnostics_of("Go <!-- screens -->on.\n"),
        &["html-shown", "`<!-- /screen -->`"],
    );
}
