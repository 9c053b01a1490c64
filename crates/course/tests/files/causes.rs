//! Mistakes whose messages once led elsewhere: each names its cause, first and alone.

use super::*;
use insta::assert_snapshot;

/// A lab and a prediction about it.
const LAB: &str = "```python lab id=copy predict=q-copy\nlab.metric(\"ms\", 1.0, \"ms\")\n```\n";
const PREDICTION: &str = r##"
[[question]]
id = "q-copy"
type = "predict"
prompt = "How long?"
explain = "So."
lab = "copy"
metric = "ms"
see = "#copies"
bins = [
  { id = "low", text = "less than 1", to = 1 },
  { id = "high", text = "more", from = 1 },
]
"##;

/// What is wrong with a lesson with this text and a quiz that predicts its lab and names its page.
fn with_prediction(body: &str, quiz: &str) -> String {
    let body = format!("{body}\n## Copies {{#copies}}\n\nText.\n");
    shown(&course_of(&body, &format!("{QUIZ}{QUESTION}{quiz}")))
}

#[test]
fn the_sample_of_these_tests_is_sound() {
    assert_eq!(with_prediction(LAB, PREDICTION), "");
}

#[test]
fn a_fence_that_is_not_closed_is_the_only_message() {
    let lab = LAB.replace("\n```\n", "\n");
    assert_snapshot!(with_prediction(&lab, PREDICTION), @"
    error[fence-not-closed]: this block has no closing fence, so everything below belongs to it
      --> lessons/lesson.md:11:1
       |
    11 | ```python lab id=copy predict=q-copy
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: write ``` on a line of its own where the block ends
    ");
    let check =
        format!("{lab}\n```python check=copy\nlab.check(\"a\", True)\n```\n\n[x](#nowhere)\n");
    assert_snapshot!(with_prediction(&check, PREDICTION), @"
    error[fence-not-closed]: this block has no closing fence before the next one begins: ```python check=copy
      --> lessons/lesson.md:11:1
       |
    11 | ```python lab id=copy predict=q-copy
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: write ``` on a line of its own where the block ends
    ");
}

#[test]
fn a_predicted_number_has_the_unit_of_its_metric() {
    let number = |unit: &str| {
        let (before, bins) = PREDICTION.split_once("bins = [").unwrap();
        assert!(bins.trim_end().ends_with(']'));
        format!("{before}unit = \"{unit}\"\n")
    };
    assert_eq!(with_prediction(LAB, &number("ms")), "");
    assert_snapshot!(with_prediction(LAB, &number("s")), @r#"
    warning[metric-unit]: lab `copy` records `ms` in ms, and the prediction is in s
      --> quizzes/lesson.toml:23:8
       |
    23 | unit = "s"
       |        ^^^
       |
       = help: write `unit = "ms"`: a metric is compared as it is, and not converted
    "#);
    for unit in ["name", "f\"{x}s\"", "\"\""] {
        let lab = LAB.replace("\"ms\")", &format!("{unit})"));
        assert_eq!(with_prediction(&lab, &number("s")), "", "{unit}");
    }
    let run = number("s").replace("metric = \"ms\"", "metric = \"host_ms\"");
    assert!(with_prediction(LAB, &run).contains("records `host_ms` in ms"));
}

#[test]
fn devices_are_named_by_what_they_are() {
    let device = |it: &str| {
        with_prediction(
            &LAB.replace("id=copy", &format!("id=copy device={it}")),
            PREDICTION,
        )
    };
    assert_snapshot!(device("gpu"), @"
    error[unknown-device]: unknown device `gpu`
      --> lessons/lesson.md:11:30
       |
    11 | ```python lab id=copy device=gpu predict=q-copy
       |                              ^^^
       |
       = help: write `device=cuda` for a card, real or modelled, or `device=model:t4` for one modelled card
    ");
    assert_snapshot!(device("T4"), @"
    error[unknown-device]: unknown device `T4`
      --> lessons/lesson.md:11:30
       |
    11 | ```python lab id=copy device=T4 predict=q-copy
       |                              ^^
       |
       = help: write `device=model:t4` for this card, modelled
    ");
    assert_snapshot!(device("model:t5"), @"
    error[unknown-card]: there is no modelled card `t5`
      --> lessons/lesson.md:11:30
       |
    11 | ```python lab id=copy device=model:t5 predict=q-copy
       |                              ^^^^^^^^
       |
       = help: did you mean `t4`?
    ");
    assert_snapshot!(device("cud"), @"
    error[unknown-device]: unknown device `cud`
      --> lessons/lesson.md:11:30
       |
    11 | ```python lab id=copy device=cud predict=q-copy
       |                              ^^^
       |
       = help: did you mean `cuda`?
    ");
}

#[test]
fn a_title_without_quotes_is_one_message() {
    let title = |it: &str| {
        with_prediction(
            &LAB.replace("id=copy", &format!("id=copy {it}")),
            PREDICTION,
        )
    };
    assert_snapshot!(title("title=Make the copies device=cpu"), @r#"
    error[title-not-quoted]: the value of `title` has several words and no quotes
      --> lessons/lesson.md:11:29
       |
    11 | ```python lab id=copy title=Make the copies device=cpu predict=q-copy
       |                             ^^^^^^^^^^^^^^^
       |
       = help: write `title="Make the copies"`
    "#);
    assert_snapshot!(title("title=\"Make the copies"), @r#"
    error[quote-not-closed]: this quote is not closed
      --> lessons/lesson.md:11:29
       |
    11 | ```python lab id=copy title="Make the copies predict=q-copy
       |                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: write `title="…"`, with a `"` behind the last word
    "#);
    assert_eq!(title("title=Copies"), "");
}

#[test]
fn single_brackets_are_the_only_message_and_texts_may_have_them() {
    let single = PREDICTION.replace("[[question]]", "[question]");
    assert_snapshot!(with_prediction(LAB, &single), @"
    error[single-brackets]: `[question]` begins a table, and a quiz needs a list
      --> quizzes/lesson.toml:15:1
       |
    15 | [question]
       | ^^^^^^^^^^
       |
       = help: write `[[question]]`, with two brackets on each side, each time
    ");
    let alone = shown(&course_of(
        "Text.\n",
        &format!("{QUIZ}{}", QUESTION.replace("[[question]]", "[question]")),
    ));
    assert_snapshot!(alone, @"
    error[single-brackets]: `[question]` begins a table, and a quiz needs a list
     --> quizzes/lesson.toml:5:1
      |
    5 | [question]
      | ^^^^^^^^^^
      |
      = help: write `[[question]]`, with two brackets on each side, each time
    ");
    let text = PREDICTION.replace("\"How long?\"", "\"\"\"\n[question]\nHow long?\n\"\"\"");
    assert_eq!(with_prediction(LAB, &text), "");
}

#[test]
fn a_gap_between_bins_is_named_with_its_ends() {
    let gap = PREDICTION.replace("from = 1 }", "from = 1.1 }");
    assert_snapshot!(with_prediction(LAB, &gap), @r#"
    warning[bins-gap]: a value from 1 to below 1.1 lies in no bin, so every answer would be wrong
      --> quizzes/lesson.toml:25:3
       |
    25 |   { id = "high", text = "more", from = 1.1 },
       |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: let this bin begin where `low` ends: `from = 1`
    "#);
}

#[test]
fn a_summary_that_is_not_closed_is_named() {
    let body = format!("{LAB}\n<details><summary>Tip: look\n\nText.\n\n</details>\n");
    assert_snapshot!(with_prediction(&body, PREDICTION), @"
    warning[summary-not-closed]: `<summary>` is not closed, so this part has no title and cannot be a hint
      --> lessons/lesson.md:15:10
       |
    15 | <details><summary>Tip: look
       |          ^^^^^^^^^^^^^^^^^^
       |
       = help: write `<summary>Tip: look</summary>`, and an empty line under it
    ");
}

#[test]
fn html_and_formulas_are_shown_as_they_are_and_code_is_not_meant() {
    let body = "One<br>two <b>three</b>.\n\n<img src=\"a.png\">\n\n<!-- todo -->\n\nA type `Vec<T>`, and Vec<T>.\n";
    assert_snapshot!(with_prediction(&format!("{body}{LAB}"), PREDICTION), @r#"
    warning[html-shown]: this HTML is shown as it is written: <br>
      --> lessons/lesson.md:11:4
       |
    11 | One<br>two <b>three</b>.
       |    ^^^^
       |
       = help: begin a new paragraph with an empty line
    warning[html-shown]: this HTML is shown as it is written: <b>
      --> lessons/lesson.md:11:12
       |
    11 | One<br>two <b>three</b>.
       |            ^^^
       |
       = help: write `**strong**`
    warning[html-shown]: this HTML is shown as it is written: <img src="a.png">
      --> lessons/lesson.md:13:1
       |
    13 | <img src="a.png">
       | ^^^^^^^^^^^^^^^^^
       |
       = help: images are not shown: draw it in a block ```text figure alt="…"
    warning[html-shown]: this HTML is shown as it is written: <!-- todo -->
      --> lessons/lesson.md:15:1
       |
    15 | <!-- todo -->
       | ^^^^^^^^^^^^^
       |
       = help: learners see this comment: remove it, or put it into a note for instructors
    warning[html-shown]: this HTML is shown as it is written: <T>
      --> lessons/lesson.md:17:25
       |
    17 | A type `Vec<T>`, and Vec<T>.
       |                         ^^^
       |
       = help: put it between back-ticks, so that it is read as code
    "#);
    let body = "The limit is $\\max(a, b)$.\n\n$$\nx^2\n$$\n\n`$x$`, $HOME and $5.\n\n```sh\n$ echo $HOME$\n```\n";
    assert_snapshot!(with_prediction(&format!("{body}{LAB}"), PREDICTION), @r"
    warning[math-shown]: this formula is shown as it is written, with its dollar signs
      --> lessons/lesson.md:11:14
       |
    11 | The limit is $\max(a, b)$.
       |              ^^^^^^^^^^^^
       |
       = help: write it in words, or as code between back-ticks; a dollar sign alone is `\$`
    warning[math-shown]: this formula is shown as it is written, with its dollar signs
      --> lessons/lesson.md:13:1
       |
    13 | $$
       | ^^
       |
       = help: write it in words, or as code between back-ticks; a dollar sign alone is `\$`
    ");
}

#[test]
fn a_unit_that_learners_write_in_another_way_is_named() {
    let numeric = "\n[[question]]\nid = \"q-n\"\ntype = \"numeric\"\nprompt = \"?\"\nexplain = \"!\"\nanswer = 3\nunit = \"msec\"\n";
    assert_snapshot!(with_prediction(LAB, &format!("{PREDICTION}{numeric}")), @r#"
    warning[unknown-unit]: `msec` is not a unit that warpup converts, so learners have to type it like this
      --> quizzes/lesson.toml:34:8
       |
    34 | unit = "msec"
       |        ^^^^^^
       |
       = help: write `unit = "ms"`
    "#);
}

#[test]
fn a_line_that_breaks_is_named_at_its_place() {
    let wide = format!("x = {}1\n", "1 + ".repeat(30));
    let body = LAB.replace("lab.metric", &format!("y = 1\n{wide}{wide}lab.metric"));
    assert_snapshot!(with_prediction(&body, PREDICTION), @"
    warning[line-too-wide]: this line is 125 columns wide, and so is another one; 88 do not break
      --> lessons/lesson.md:13:1
       |
    13 | x = 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + …
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: break it inside of brackets, or give a part of it a name
    ");
}

#[test]
fn a_mistyped_key_is_one_message_and_no_estimate_follows() {
    let text = format!("{HEAD}Text.\n").replace("minutes", "minuets");
    let quiz = format!("{QUIZ}{}", QUESTION.replace("type", "tpye"));
    let all = sources(&[
        ("lessons/course.toml", MANIFEST),
        ("lessons/lesson.md", &text),
        ("quizzes/lesson.toml", &quiz),
    ]);
    assert_snapshot!(shown(&all), @r#"
    error[unknown-key]: unknown key `minuets` in a lesson
     --> lessons/lesson.md:6:1
      |
    6 | minuets = 5
      | ^^^^^^^
      |
      = help: did you mean `minutes`?
    error[unknown-key]: unknown key `tpye` in a question
     --> quizzes/lesson.toml:7:1
      |
    7 | tpye = "single"
      | ^^^^
      |
      = help: did you mean `type`?
    "#);
    let (course, _) = parse(&all);
    assert_eq!(reading_time::warnings(&course), []);
}

#[test]
fn what_follows_from_a_lab_or_a_question_that_is_left_out_is_not_said() {
    let lab = format!(
        "{}\n```python check=copy\nlab.check(\"a\", True)\n```\n",
        LAB.replace("id=copy ", "")
    );
    assert_snapshot!(with_prediction(&lab, PREDICTION), @"
    error[lab-without-id]: the lab has no `id`
      --> lessons/lesson.md:11:4
       |
    11 | ```python lab predict=q-copy
       |    ^^^^^^
       |
       = help: write `python lab id=some-name`; progress is kept under it
    ");
    assert_snapshot!(with_prediction(LAB, &PREDICTION.replace("predict\"", "predcit\"")), @r#"
    error[unknown-type]: unknown type `predcit`
      --> quizzes/lesson.toml:17:8
       |
    17 | type = "predcit"
       |        ^^^^^^^^^
       |
       = help: did you mean `predict`?
    "#);
}

#[test]
fn a_wrong_file_name_is_one_message() {
    let mut all = course_of("Text.\n", &format!("{QUIZ}{QUESTION}"));
    let text = all.files["lessons/course.toml"].replace("lesson.md", "leson.md");
    all.files
        .insert("lessons/course.toml".to_owned(), text.into());
    assert_snapshot!(shown(&all), @r#"
    error[missing-file]: there is no file `lessons/leson.md`
     --> lessons/course.toml:5:12
      |
    5 | lessons = ["leson.md"]
      |            ^^^^^^^^^^
      |
      = help: did you mean `lesson.md`?
    "#);
}

#[test]
fn what_is_not_toml_says_what_to_write() {
    for (wrong, hint) in [
        (
            "title = Make the copies",
            "texts are in quotes: `title = \"Make the copies\"`",
        ),
        (
            "title = “Copies”",
            "texts are in straight quotes: `title = \"Copies\"`",
        ),
        ("minutes = 5 min", "write the number alone, `minutes = 5`"),
        (
            "title = \"Copies",
            "close the text with `\"` on the same line",
        ),
        (
            "requires = [\"a\" \"b\"]",
            "write a comma behind each entry",
        ),
        ("requires = [\"a\",", "write the `]` that ends the list"),
        ("title = \"a\"\ntitle = \"b\"", "remove one of the two"),
        ("title: Copies", "write `=` in place of `:`"),
        ("minutes = 1,5", "write a decimal point, `1.5`"),
        ("title = \"C:\\users\"", "write `\\\\` for a backslash"),
        (
            "title = \"say \"hi\"\"",
            "a quotation mark inside of a text ends it",
        ),
        ("// a comment", "a comment begins with `#`"),
        ("minutes =", "write a value behind `minutes =`"),
    ] {
        let text = format!("+++\n{wrong}\n+++\n");
        let said = shown(&sources(&[("lessons/lesson.md", &text)]));
        assert!(said.contains(hint), "{wrong}: {said}");
    }
}

#[test]
fn a_bin_whose_end_is_no_number_overlaps_nothing() {
    let quoted = PREDICTION.replace("from = 1 }", "from = \"1\" }");
    assert_snapshot!(with_prediction(LAB, &quoted), @r#"
    error[wrong-type]: `from` should be a number, not this string
      --> quizzes/lesson.toml:25:40
       |
    25 |   { id = "high", text = "more", from = "1" },
       |                                        ^^^
       |
       = help: write a number without quotes and without a unit: `from = 1`
    "#);
}

#[test]
fn a_metric_may_be_given_by_a_check_whose_lab_is_mistyped() {
    let lab = "```python lab id=copy predict=q-copy\nx = 1\n```\n\n```python check=coppy\nlab.metric(\"ms\", 1.0, \"ms\")\n```\n";
    assert_snapshot!(with_prediction(lab, PREDICTION), @"
    error[unknown-lab]: there is no lab `coppy` above this block
      --> lessons/lesson.md:15:17
       |
    15 | ```python check=coppy
       |                 ^^^^^
       |
       = help: did you mean `copy`?
    ");
}

#[test]
fn a_tolerance_that_is_only_a_number_shows_both_forms() {
    let numeric = "\n[[question]]\nid = \"q-n\"\ntype = \"numeric\"\nprompt = \"?\"\nexplain = \"!\"\nanswer = 3\ntolerance = 0.01\n";
    assert_snapshot!(with_prediction(LAB, &format!("{PREDICTION}{numeric}")), @"
    error[tolerance-form]: a tolerance says whether it is a share or an amount
      --> quizzes/lesson.toml:34:13
       |
    34 | tolerance = 0.01
       |             ^^^^
       |
       = help: write `{ rel = 0.01 }` for a share of the answer, or `{ abs = 0.01 }` in its unit
    ");
}

#[test]
fn a_comment_that_is_not_closed_is_the_only_message() {
    let open = |comment: &str, rest: &str| {
        with_prediction(
            &format!("Text.\n\n{comment}\n\n## Next {{#next}}\n\n{LAB}{rest}"),
            PREDICTION,
        )
    };
    assert_snapshot!(open("<!--pause", ""), @"
    error[comment-not-closed]: this comment has no `-->`, so what follows belongs to it
      --> lessons/lesson.md:13:1
       |
    13 | <!--pause
       | ^^^^^^^^^
       |
       = help: write `<!-- pause -->`
    ");
    assert_snapshot!(open("<!-- pause ->", "\n<!-- pause -->\n"), @"
    error[comment-not-closed]: this comment has no `-->`, so what follows belongs to it
      --> lessons/lesson.md:13:1
       |
    13 | <!-- pause ->
       | ^^^^^^^^^^^^^
       |
       = help: write `<!-- pause -->`
    ");
    assert_snapshot!(open("<!-- todo", ""), @"
    error[comment-not-closed]: this comment has no `-->`, so what follows belongs to it
      --> lessons/lesson.md:13:1
       |
    13 | <!-- todo
       | ^^^^^^^^^
       |
       = help: write `-->` where the comment ends
    ");
    assert_eq!(open("<!-- pause -->\n\nMore.", ""), "");
}

#[test]
fn a_page_that_has_only_a_hint_of_an_earlier_lab_is_named() {
    let hint = |summary: &str, text: &str| {
        let hint = format!("<details><summary>{summary}</summary>\n\nLook.\n\n</details>\n");
        with_prediction(
            &format!("{LAB}\n## Next {{#next}}\n\n{text}{hint}"),
            PREDICTION,
        )
    };
    assert_snapshot!(hint("Hint", ""), @"
    warning[page-of-hints]: this page is empty: its hint is shown with the lab `copy`, which is on an earlier page
      --> lessons/lesson.md:15:1
       |
    15 | ## Next {#next}
       | ^^^^^^^^^^^^^^^
       |
       = help: put the hint under its lab, or call the folded part by another word
    ");
    assert_eq!(hint("Hint", "Text.\n\n"), "");
    assert_eq!(hint("Answer", ""), "");
}
