//! What is said about mistakes in quizzes.

use super::*;
use insta::assert_snapshot;

/// A question of this type and with these further keys.
pub(super) fn question(kind: &str, more: &str) -> String {
    format!(
        "[[question]]\nid = \"q\"\ntype = \"{kind}\"\nprompt = \"What?\"\nexplain = \"So.\"\n{more}\n"
    )
}

/// What is wrong with a question of this type and with these further keys.
pub(super) fn wrong(kind: &str, more: &str) -> String {
    diagnostics_of_question(&question(kind, more))
}

#[test]
fn a_question_that_misses_what_all_need_is_left_out() {
    assert_snapshot!(diagnostics_of_question("[[question]]\ntype = \"text\"\naccept = [\"a\"]\n"), @r#"
    error[missing-key]: the text question has no `id`
      --> quizzes/lesson.toml:14:1
       |
    14 | [[question]]
       | ^^^^^^^^^^^^
       |
       = help: write `id = "some-name"`
    error[missing-key]: the text question has no `prompt`
      --> quizzes/lesson.toml:14:1
       |
    14 | [[question]]
       | ^^^^^^^^^^^^
       |
       = help: write `prompt = "…?"`
    error[missing-key]: the text question has no `explain`
      --> quizzes/lesson.toml:14:1
       |
    14 | [[question]]
       | ^^^^^^^^^^^^
       |
       = help: write `explain = "Why the right answer is right."`
    "#);
}

#[test]
fn unknown_types_and_keys_name_the_nearest() {
    assert_snapshot!(wrong("singel", ""), @r#"
    error[unknown-type]: unknown type `singel`
      --> quizzes/lesson.toml:16:8
       |
    16 | type = "singel"
       |        ^^^^^^^^
       |
       = help: did you mean `single`?
    "#);
    assert_snapshot!(wrong("numeric", "answer = 1\ntolerence = { rel = 0.1 }"), @"
    error[unknown-key]: unknown key `tolerence` in a numeric question
      --> quizzes/lesson.toml:20:1
       |
    20 | tolerence = { rel = 0.1 }
       | ^^^^^^^^^
       |
       = help: did you mean `tolerance`?
    ");
    assert_snapshot!(wrong("text", "accept = [\"a\"]\nbins = []"), @"
    error[unknown-key]: unknown key `bins` in a text question
      --> quizzes/lesson.toml:20:1
       |
    20 | bins = []
       | ^^^^
       |
       = help: known are id, type, prompt, points, short, always, hints, explain, see, accept, case, samples_ok, samples_bad, near, version
    ");
}

#[test]
fn values_of_the_wrong_type_say_what_is_wanted() {
    assert_snapshot!(wrong("numeric", "answer = \"12\"\npoints = 0"), @r#"
    error[wrong-type]: `answer` should be a number, not this string
      --> quizzes/lesson.toml:19:10
       |
    19 | answer = "12"
       |          ^^^^
       |
       = help: write a number without quotes and without a unit: `answer = 12`
    error[points-range]: `points` is between 1 and 1000
      --> quizzes/lesson.toml:20:10
       |
    20 | points = 0
       |          ^
       |
       = help: write a whole number, such as `points = 2`, or leave it out for 1
    "#);
    assert_snapshot!(wrong("text", "accept = \"a\""), @r#"
    error[wrong-type]: `accept` should be a list in `[ ]`, not this string
      --> quizzes/lesson.toml:19:10
       |
    19 | accept = "a"
       |          ^^^
       |
       = help: put it in brackets: `accept = ["a"]`
    "#);
}

#[test]
fn question_ids_are_unique() {
    let twice = question("text", "accept = [\"a\"]").repeat(2);
    assert_snapshot!(diagnostics_of_question(&twice), @r#"
    error[duplicate-id]: there is a question `q` already
      --> quizzes/lesson.toml:21:6
       |
    21 | id = "q"
       |      ^^^
       |
       = help: give this one another id; answers are stored under it
    "#);
}

#[test]
fn one_line_texts_are_one_line_and_say_something() {
    let options = "options = [
  { id = \"a\", text = \"\", correct = true },
  { id = \"b\", text = \"x\\ny\", feedback = \"f\" },
  { id = \"c\", text = \"z\" },
]\nhints = [\" \"]";
    assert_snapshot!(wrong("single", options), @r#"
    error[empty-text]: `text` is empty
      --> quizzes/lesson.toml:20:22
       |
    20 |   { id = "a", text = "", correct = true },
       |                      ^^
       |
       = help: write the text between the quotes
    error[not-one-line]: this text has to be on one line
      --> quizzes/lesson.toml:21:22
       |
    21 |   { id = "b", text = "x\ny", feedback = "f" },
       |                      ^^^^^^
       |
       = help: leave `\n` out: only `prompt` and `explain` may have several lines; a backslash is `\\`
    error[empty-text]: this text is empty
      --> quizzes/lesson.toml:24:10
       |
    24 | hints = [" "]
       |          ^^^
       |
       = help: write the text between the quotes
    "#);
}

#[test]
fn an_empty_prompt_asks_nothing() {
    let text = question("text", "accept = [\"a\"]").replace("What?", " ");
    assert_snapshot!(diagnostics_of_question(&text), @r#"
    error[empty-text]: `prompt` is empty
      --> quizzes/lesson.toml:17:10
       |
    17 | prompt = " "
       |          ^^^
       |
       = help: write the text between the quotes
    "#);
}

#[test]
fn pages_to_return_to_exist() {
    let text = question("text", "accept = [\"a\"]\nsee = \"#strat\"");
    assert_snapshot!(diagnostics_of_question(&text), @r##"
    error[unknown-page]: the lesson has no page `#strat`
      --> quizzes/lesson.toml:20:7
       |
    20 | see = "#strat"
       |       ^^^^^^^^
       |
       = help: did you mean `start`?
    "##);
    let text = question("text", "accept = [\"a\"]\nsee = \"start\"");
    assert_snapshot!(diagnostics_of_question(&text), @r##"
    error[see-form]: `start` is not a page of the lesson
      --> quizzes/lesson.toml:20:7
       |
    20 | see = "start"
       |       ^^^^^^^
       |
       = help: write `see = "#start"`
    "##);
}

#[test]
fn links_in_prompts_are_checked_where_they_stand() {
    let text = question("text", "accept = [\"a\"]").replace("What?", "See [it](#nowhere)?");
    assert_snapshot!(diagnostics_of_question(&text), @r#"
    error[link-without-target]: there is no page `#nowhere`
      --> quizzes/lesson.toml:17:15
       |
    17 | prompt = "See [it](#nowhere)?"
       |               ^^^^^^^^^^^^^^
       |
       = help: it has the pages start
    "#);
    let text = question("text", "accept = [\"a\"]").replace("What?", "\\\"See\\\" [it](#nowhere)?");
    assert_snapshot!(diagnostics_of_question(&text), @r#"
    error[link-without-target]: there is no page `#nowhere`
      --> quizzes/lesson.toml:17:10
       |
    17 | prompt = "\"See\" [it](#nowhere)?"
       |          ^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: it has the pages start
    "#);
}

#[test]
fn broken_toml_costs_only_the_question_it_stands_in() {
    let broken = question("text", "accept = [\"a\"").replace("\"q\"", "\"q-broken\"");
    let fine = question("text", "accept = [\"a\"]").replace("\"q\"", "\"q-last\"");
    let sources = course_of("x\n", &format!("{QUIZ}{QUESTION}{broken}{fine}"));
    assert_snapshot!(shown(&sources), @r#"
    error[not-toml]: this is not TOML: missing comma between array elements, expected `,`
      --> quizzes/lesson.toml:19:10
       |
    19 | accept = ["a"
       |          ^
       |
       = help: write the `]` that ends the list which begins here, in front of `[[question]]`; 22 more mistakes below may follow from this one
    "#);
    let (course, _) = parse(&sources);
    let quiz = course.lessons[0].quiz.as_ref().unwrap();
    assert!(quiz.question(&QuestionId::new("q-fine")).is_some());
    assert!(quiz.question(&QuestionId::new("q-broken")).is_none());
}

#[test]
fn what_the_grader_sees_otherwise_is_told() {
    let numeric =
        "answer = 10\ntolerance = { rel = 0.5 }\nnear = [{ value = 12, feedback = \"f\" }]";
    assert_snapshot!(wrong("numeric", numeric), @r#"
    error[key-disagrees]: question `q`: near miss 12 is graded right
      --> quizzes/lesson.toml:21:9
       |
    21 | near = [{ value = 12, feedback = "f" }]
       |         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: change the key or this claim, so that both say the same
    "#);
    let text = "accept = [\"a\"]\nsamples_ok = [\" A \", \"b\"]\nsamples_bad = [\"A\"]\nnear = [{ text = \"c\", feedback = \"one\" }, { text = \"C\", feedback = \"two\" }]";
    assert_snapshot!(wrong("text", text), @"
    error[key-disagrees]: question `q`: `b` is graded wrong
      --> quizzes/lesson.toml:14:1
       |
    14 | [[question]]
       | ^^^^^^^^^^^^
       |
       = help: change the key or this claim, so that both say the same
    error[key-disagrees]: question `q`: `A` is graded right
      --> quizzes/lesson.toml:14:1
       |
    14 | [[question]]
       | ^^^^^^^^^^^^
       |
       = help: change the key or this claim, so that both say the same
    error[key-disagrees]: question `q`: near miss `C` gets the feedback of another one
      --> quizzes/lesson.toml:14:1
       |
    14 | [[question]]
       | ^^^^^^^^^^^^
       |
       = help: change the key or this claim, so that both say the same
    ");
}

#[test]
fn a_quiz_of_predictions_cannot_be_passed() {
    let body = "```python lab id=copy\nx\n```\n";
    let quiz = question("predict", "lab = \"copy\"\nmetric = \"host_ms\"");
    assert_snapshot!(shown(&course_of(body, &format!("{QUIZ}{quiz}"))), @r#"
    error[nothing-counts]: no question of this quiz counts, so nobody can pass it
     --> quizzes/lesson.toml:1:1
      |
    1 | format = 1
      | ^
      |
      = help: add a question that is graded, or let a prediction have `counts = true`
    warning[prediction-not-asked]: nobody is asked `q`: no lab names it
      --> quizzes/lesson.toml:10:7
       |
    10 | lab = "copy"
       |       ^^^^^^
       |
       = help: write `predict=q` into the fence of lab `copy`
    "#);
}

#[test]
fn a_quiz_of_own_words_cannot_be_passed() {
    let quiz = question("words", "parts = [\"One.\", \"Two.\"]");
    assert_snapshot!(shown(&course_of("x\n", &format!("{QUIZ}{quiz}"))), @"
    error[nothing-counts]: no question of this quiz counts, so nobody can pass it
     --> quizzes/lesson.toml:1:1
      |
    1 | format = 1
      | ^
      |
      = help: add a question that is graded, or let a prediction have `counts = true`
    ");
}

#[test]
fn texts_of_choices_may_look_like_blocks() {
    let options = "options = [
  { id = \"a\", text = \"1. one\", correct = true },
  { id = \"b\", text = \"# two\", feedback = \"- f\" },
  { id = \"c\", text = \"**three** `f<<<1>>>()`\" },
  { id = \"d\", text = \"...\" },
]";
    let text = question("single", options);
    let (course, _) = parse(&course_of("x\n", &format!("{QUIZ}{text}")));
    let quiz = course.lessons[0].quiz.as_ref().unwrap();
    let QuestionKind::Single(kinds::SingleChoice { options, .. }) = &quiz.questions[0].kind else {
        panic!("no single choice");
    };
    let texts: Vec<_> = options.iter().map(|it| looks(&it.text)).collect();
    assert_eq!(
        texts,
        ["1. one", "# two", "{three:strong} {f<<<1>>>():code}", "..."]
    );
}

#[test]
fn the_hash_follows_the_key_and_not_the_feedback() {
    let hash = |text: &str| {
        let (course, _) = parse(&course_of("x\n", &format!("{QUIZ}{text}")));
        course.lessons[0].quiz.as_ref().unwrap().questions[0]
            .hash
            .clone()
    };
    let same = QUESTION
        .replace("Why not?", "Because.")
        .replace("It is.", "Yes.")
        .replace("\"Fine?\"", "\" Fine?  \"");
    assert_eq!(hash(QUESTION), hash(&same));
    assert_ne!(hash(QUESTION), hash(&QUESTION.replace("Fine?", "Good?")));
    assert_ne!(
        hash(QUESTION),
        hash(&QUESTION.replace("\"no\"", "\"never\""))
    );
    assert_eq!(hash(QUESTION).len(), 8);
}

#[test]
fn only_what_counts_can_be_in_the_short_quiz() {
    assert_snapshot!(wrong("words", "parts = [\"One.\", \"Two.\"]\nshort = true"), @"
    error[not-graded]: a words question is not graded, so it has no `short`
      --> quizzes/lesson.toml:20:1
       |
    20 | short = true
       | ^^^^^
       |
       = help: leave it out
    ");
    assert_snapshot!(wrong("predict", "lab = \"copy\"\nmetric = \"host_ms\"\nshort = true"), @"
    error[does-not-count]: a predict question that does not count cannot be part of the short quiz
      --> quizzes/lesson.toml:21:9
       |
    21 | short = true
       |         ^^^^
       |
       = help: leave `short` out
    ");
    let alone = question("text", "accept = [\"a\"]\nshort = true");
    let other = question("text", "accept = [\"a\"]\nshort = false").replace("\"q\"", "\"r\"");
    let (course, _) = parse(&course_of("x\n", &format!("{QUIZ}{alone}{other}")));
    let quiz = course.lessons[0].quiz.as_ref().unwrap();
    let short: Vec<_> = quiz.short().map(|it| it.id.as_str()).collect();
    assert_eq!(short, ["q"]);
}

#[test]
fn a_question_has_no_pauses() {
    let prompt = "\"\"\"Guess.\n\n<!-- pause -->\n\nWhat?\"\"\"";
    let text = question("text", "accept = [\"a\"]").replace("\"What?\"", prompt);
    assert_snapshot!(diagnostics_of_question(&text), @"
    error[pause-place]: a question has no pauses
      --> quizzes/lesson.toml:19:1
       |
    19 | <!-- pause -->
       | ^^^^^^^^^^^^^^
       |
       = help: `<!-- pause -->` is for the pages of a lesson
    ");
}
