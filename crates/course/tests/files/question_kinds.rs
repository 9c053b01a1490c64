//! What each kind of question may contain.

use super::questions::{question, wrong};
use super::*;
use insta::assert_snapshot;

#[test]
fn exactly_one_option_of_a_single_choice_is_right() {
    let none = "options = [{ id = \"a\", text = \"x\" }, { id = \"b\", text = \"y\" }]";
    assert_snapshot!(wrong("single", none), @r#"
    error[no-right-option]: no option is right
      --> quizzes/lesson.toml:19:1
       |
    19 | options = [{ id = "a", text = "x" }, { id = "b", text = "y" }]
       | ^^^^^^^
       |
       = help: mark it with `correct = true`
    "#);
    let two = none.replace(" }", ", correct = true }");
    assert_snapshot!(wrong("single", &two), @r#"
    error[several-right-options]: 2 options are right, but one can be chosen
      --> quizzes/lesson.toml:19:1
       |
    19 | options = [{ id = "a", text = "x", correct = true }, { id = "b", text = "y", correct = true }]
       | ^^^^^^^
       |
       = help: make it `type = "multi"`, or leave one `correct = true`
    "#);
    assert_snapshot!(wrong("multi", none), @r#"
    error[no-right-option]: no option is right
      --> quizzes/lesson.toml:19:1
       |
    19 | options = [{ id = "a", text = "x" }, { id = "b", text = "y" }]
       | ^^^^^^^
       |
       = help: mark it with `correct = true`
    "#);
}

#[test]
fn options_differ_in_id_and_text() {
    let options = "options = [
  { id = \"a\", text = \"x\", correct = true },
  { id = \"a\", text = \"y\", feedback = \"f\" },
  { id = \"b\", text = \" `x` \", pin = \"first\" },
]";
    assert_snapshot!(wrong("single", options), @r#"
    error[duplicate-id]: option `a` is there already
      --> quizzes/lesson.toml:21:10
       |
    21 |   { id = "a", text = "y", feedback = "f" },
       |          ^^^
       |
       = help: give this one another id
    error[same-text]: two choices have the same text
      --> quizzes/lesson.toml:22:22
       |
    22 |   { id = "b", text = " `x` ", pin = "first" },
       |                      ^^^^^^^
       |
       = help: change one of them, so that learners can tell them apart
    error[pin-value]: an option cannot be pinned to `first`
      --> quizzes/lesson.toml:22:37
       |
    22 |   { id = "b", text = " `x` ", pin = "first" },
       |                                     ^^^^^^^
       |
       = help: write `pin = "last"`
    "#);
}

#[test]
fn tolerances_are_one_of_three_and_hold_the_answer() {
    assert_snapshot!(wrong("numeric", "answer = 1\ntolerance = { rel = 0.1, abs = 1 }"), @"
    error[tolerance-form]: a tolerance is exactly one of `rel`, `abs` and `range`
      --> quizzes/lesson.toml:20:13
       |
    20 | tolerance = { rel = 0.1, abs = 1 }
       |             ^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: keep one of them, such as `{ rel = 0.02 }`, or leave `tolerance` out for exactly
    ");
    assert_snapshot!(wrong("numeric", "answer = 1\ntolerance = { range = [3, 2] }"), @"
    error[tolerance-form]: a range is two numbers, the lower one first
      --> quizzes/lesson.toml:20:23
       |
    20 | tolerance = { range = [3, 2] }
       |                       ^^^^^^
       |
       = help: write `tolerance = { range = [10, 20] }`
    ");
    assert_snapshot!(wrong("numeric", "answer = 1\ntolerance = { range = [2, 3] }"), @"
    error[answer-outside-range]: the answer is outside its own range
      --> quizzes/lesson.toml:19:10
       |
    19 | answer = 1
       |          ^
       |
       = help: change the answer or the range, so that the answer is in it
    ");
    assert_snapshot!(wrong("numeric", "answer = 1\ntolerance = { abs = -1 }"), @"
    error[tolerance-form]: a tolerance is not below 0
      --> quizzes/lesson.toml:20:21
       |
    20 | tolerance = { abs = -1 }
       |                     ^^
       |
       = help: write how far off an answer may be, as a number of at least 0
    ");
}

#[test]
fn accepted_units_convert() {
    assert_snapshot!(wrong("numeric", "answer = 1\nunit = \"MiB\"\naccepted = [\"GiB\", \"Gib\", \"ms\"]"), @r#"
    error[unit-not-convertible]: `ms` cannot be converted to `MiB`
      --> quizzes/lesson.toml:21:27
       |
    21 | accepted = ["GiB", "Gib", "ms"]
       |                           ^^^^
       |
       = help: into `MiB` warpup converts B, KB, MB, GB, TB, KiB, MiB, GiB, TiB
    "#);
    assert_snapshot!(wrong("numeric", "answer = 1\naccepted = [\"GiB\"]"), @r#"
    error[accepted-without-unit]: a question without `unit` accepts no units
      --> quizzes/lesson.toml:20:13
       |
    20 | accepted = ["GiB"]
       |             ^^^^^
       |
       = help: write the unit of the answer, `unit = "…"`, or leave `accepted` out
    "#);
}

#[test]
fn other_orders_name_each_item_once() {
    let items = "items = [{ id = \"read\", text = \"x\" }, { id = \"copy\", text = \"y\" }]";
    assert_snapshot!(wrong("order", &format!("{items}\nalso = [\"copy\", \"read\"]")), @r#"
    error[wrong-type]: `also` is a list of orders, and each order is a list of ids
      --> quizzes/lesson.toml:20:9
       |
    20 | also = ["copy", "read"]
       |         ^^^^^^
       |
       = help: write two pairs of brackets, as in `also = [["b", "a", "c"]]`
    "#);
    assert_snapshot!(wrong("order", &format!("{items}\nalso = [[\"copy\", \"raed\"], [\"copy\"]]")), @r#"
    error[unknown-item]: there is no item `raed`
      --> quizzes/lesson.toml:20:18
       |
    20 | also = [["copy", "raed"], ["copy"]]
       |                  ^^^^^^
       |
       = help: did you mean `read`?
    error[incomplete-order]: another order has to name each item once
      --> quizzes/lesson.toml:20:27
       |
    20 | also = [["copy", "raed"], ["copy"]]
       |                           ^^^^^^^^
       |
       = help: write the id of every item once, as in `also = [["b", "a", "c"]]`
    "#);
}

#[test]
fn right_sides_occur_once() {
    let pairs = "pairs = [{ id = \"a\", left = \"x\", right = \"1\" }, { id = \"b\", left = \"y\", right = \"1\" }]";
    assert_snapshot!(wrong("match", pairs), @r#"
    error[same-text]: two choices have the same text
      --> quizzes/lesson.toml:19:81
       |
    19 | pairs = [{ id = "a", left = "x", right = "1" }, { id = "b", left = "y", right = "1" }]
       |                                                                                 ^^^
       |
       = help: change one of them, so that learners can tell them apart
    "#);
}

#[test]
fn predictions_name_a_lab_and_a_metric_of_it() {
    assert_snapshot!(wrong("predict", "lab = \"copy\"\nmetric = \"host_ms\""), @r#"
    error[unknown-lab]: the lesson has no lab `copy`
      --> quizzes/lesson.toml:19:7
       |
    19 | lab = "copy"
       |       ^^^^^^
       |
       = help: the lesson of this quiz has no labs
    "#);
    let body = "```python lab id=copy\nlab.metric(\"rate\", 1, \"GB/s\")\n```\n";
    let quiz = question(
        "predict",
        "lab = \"copy\"\nmetric = \"raet\"\nbins = [{ id = \"a\", text = \"x\", to = 2 }, { id = \"b\", text = \"y\", from = 1 }]\nwithin_factor = 2",
    );
    assert_snapshot!(shown(&course_of(body, &format!("{QUIZ}{QUESTION}{quiz}"))), @r#"
    error[bins-overlap]: this bin overlaps another, so two would be right
      --> quizzes/lesson.toml:21:43
       |
    21 | bins = [{ id = "a", text = "x", to = 2 }, { id = "b", text = "y", from = 1 }]
       |                                           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: let it begin where the one below it ends; `to` itself is not in a bin
    error[bins-and-number]: `within_factor` goes with a predicted number, not with `bins`
      --> quizzes/lesson.toml:22:1
       |
    22 | within_factor = 2
       | ^^^^^^^^^^^^^
       |
       = help: leave it out
    "#);
    let quiz = question("predict", "lab = \"cpoy\"\nmetric = \"rate\"");
    assert_snapshot!(shown(&course_of(body, &format!("{QUIZ}{QUESTION}{quiz}"))), @r#"
    error[unknown-lab]: the lesson has no lab `cpoy`
      --> quizzes/lesson.toml:19:7
       |
    19 | lab = "cpoy"
       |       ^^^^^^
       |
       = help: did you mean `copy`?
    "#);
    let quiz = question("predict", "lab = \"copy\"\nmetric = \"raet\"");
    assert_snapshot!(shown(&course_of(body, &format!("{QUIZ}{QUESTION}{quiz}"))), @r#"
    error[unknown-metric]: lab `copy` gives no metric `raet`
      --> quizzes/lesson.toml:20:10
       |
    20 | metric = "raet"
       |          ^^^^^^
       |
       = help: did you mean `rate`?
    "#);
}

#[test]
fn a_right_option_that_gives_itself_away_is_told() {
    let options = "options = [
  { id = \"a\", text = \"because the copy has to wait for the kernel in front of it\", correct = true },
  { id = \"b\", text = \"no reason\" },
]";
    assert_snapshot!(wrong("single", options), @r#"
    warning[long-right-option]: the right option of `q` is the only long one
      --> quizzes/lesson.toml:14:1
       |
    14 | [[question]]
       | ^^^^^^^^^^^^
       |
       = help: make the options about equally long, so that length gives nothing away
    warning[no-feedback]: wrong option `b` has no feedback
      --> quizzes/lesson.toml:21:3
       |
    21 |   { id = "b", text = "no reason" },
       |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: write `feedback = "…"`: what it would take for it to be true
    "#);
}

#[test]
fn each_wrong_option_says_something_to_who_chose_it() {
    let options = "options = [
  { id = \"a\", text = \"one\", correct = true },
  { id = \"b\", text = \"two\", feedback = \"f\" },
  { id = \"c\", text = \"six\" },
  { id = \"d\", text = \"none of these\", pin = \"last\" },
]";
    assert_eq!(wrong("single", options), wrong("multi", options));
    assert_snapshot!(wrong("single", options), @r#"
    warning[no-feedback]: wrong option `c` has no feedback
      --> quizzes/lesson.toml:22:3
       |
    22 |   { id = "c", text = "six" },
       |   ^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: write `feedback = "…"`: what it would take for it to be true
    warning[no-feedback]: wrong option `d` has no feedback
      --> quizzes/lesson.toml:23:3
       |
    23 |   { id = "d", text = "none of these", pin = "last" },
       |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: write `feedback = "…"`: what it would take for it to be true
    "#);
}

#[test]
fn own_words_have_parts_and_neither_points_nor_a_key() {
    assert_snapshot!(wrong("words", "parts = [\"One.\", \"Two.\"]\npoints = 2\ncounts = false"), @"
    error[not-graded]: a words question is not graded, so it has no `points`
      --> quizzes/lesson.toml:20:1
       |
    20 | points = 2
       | ^^^^^^
       |
       = help: leave it out
    error[not-graded]: a words question is not graded, so it has no `counts`
      --> quizzes/lesson.toml:21:1
       |
    21 | counts = false
       | ^^^^^^
       |
       = help: leave it out
    ");
    assert_snapshot!(wrong("words", "accept = [\"a\"]"), @r#"
    error[missing-key]: the words question has no `parts`
      --> quizzes/lesson.toml:14:1
       |
    14 | [[question]]
       | ^^^^^^^^^^^^
       |
       = help: write `parts = ["First, …", "Then, …"]`
    error[unknown-key]: unknown key `accept` in a words question
      --> quizzes/lesson.toml:19:1
       |
    19 | accept = ["a"]
       | ^^^^^^
       |
       = help: known are id, type, prompt, hints, explain, see, parts
    "#);
    assert_snapshot!(wrong("words", "parts = [\"One.\"]"), @r#"
    error[parts-count]: `parts` has between 2 and 5 texts
      --> quizzes/lesson.toml:19:9
       |
    19 | parts = ["One."]
       |         ^^^^^^^^
       |
       = help: divide the explanation into short statements, one for each thing that a good answer says
    "#);
    assert_snapshot!(wrong("words", "parts = [\"One.\", 2, \"\"]"), @r#"
    error[wrong-type]: `parts` should be a text in quotes, not this integer
      --> quizzes/lesson.toml:19:18
       |
    19 | parts = ["One.", 2, ""]
       |                  ^
       |
       = help: put it in quotes: `"2"`
    error[empty-text]: this text is empty
      --> quizzes/lesson.toml:19:21
       |
    19 | parts = ["One.", 2, ""]
       |                     ^^
       |
       = help: write the text between the quotes
    "#);
    let six = "parts = [\"1.\", \"2.\", \"3.\", \"4.\", \"5.\", \"6.\"]";
    assert_snapshot!(wrong("words", six), @r#"
    error[parts-count]: `parts` has between 2 and 5 texts
      --> quizzes/lesson.toml:19:9
       |
    19 | parts = ["1.", "2.", "3.", "4.", "5.", "6."]
       |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: divide the explanation into short statements, one for each thing that a good answer says
    "#);
}

#[test]
fn own_words_are_for_a_question_as_long_as_its_parts_stay() {
    let hash = |parts: &str| {
        let text = question("words", &format!("parts = [{parts}]\nhints = [\"h\"]"));
        let (course, _) = parse(&course_of("x\n", &format!("{QUIZ}{text}")));
        let quiz = course.lessons[0].quiz.as_ref().unwrap();
        let (question, _) = quiz.in_own_words().next().unwrap();
        question.hash.clone()
    };
    assert_eq!(hash("\"a\", \"b\""), hash("\"a\" , \"b\""));
    assert_ne!(hash("\"a\", \"b\""), hash("\"b\", \"a\""));
}

#[test]
fn a_prediction_that_no_lab_names_is_a_warning() {
    let quiz = format!(
        "{QUIZ}{QUESTION}[[question]]\nid = \"q-ms\"\ntype = \"predict\"\nprompt = \"How long?\"\nexplain = \"So.\"\n\
         lab = \"sum\"\nmetric = \"host_ms\"\nunit = \"ms\"\n"
    );
    let lab = |more: &str| format!("Text.\n\n```python lab id=sum{more}\nprint(1)\n```\n");
    insta::assert_snapshot!(shown(&course_of(&lab(""), &quiz)), @r#"
    warning[prediction-not-asked]: nobody is asked `q-ms`: no lab names it
      --> quizzes/lesson.toml:19:7
       |
    19 | lab = "sum"
       |       ^^^^^
       |
       = help: write `predict=q-ms` into the fence of lab `sum`
    "#);
    assert_eq!(shown(&course_of(&lab(" predict=q-ms"), &quiz)), "");
    let counted = format!("{quiz}counts = true\n");
    assert_eq!(shown(&course_of(&lab(""), &counted)), "");
}
